// The emptying of a bucket: in the background, counted right, and by another process if one dies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { addFiles, bucketPath, dataOf, makeBucket, rowsIn } from './bucket-rows.js';

let deployment: Deployment;
let project: ProjectUnderTest;
const ask = (call: Call): Promise<Reply> => project.asService(call);
const read = async (slug: string) => asRecord(dataOf(await ask({ path: bucketPath(slug) })));

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

describe('POST /api/admin/storage/buckets/:slug/empty', () => {
  const untilDone = async (path: string) => {
    let state: Record<string, unknown> = {};
    await waitFor(async () => {
      state = asRecord(dataOf(await ask({ path })));
      return state['state'] === 'done';
    });
    return state;
  };

  test('answers at once, deletes every file in the background, and may be repeated', async () => {
    await makeBucket(project, 'crowded');
    await addFiles(project, 'crowded', 2500);
    const path = bucketPath('crowded', '/empty');
    expect(dataOf(await ask({ path }))).toMatchObject({ state: 'idle', deletedFiles: 0 });
    const both = await Promise.all([ask({ method: 'POST', path }), ask({ method: 'POST', path })]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(await untilDone(path)).toMatchObject({
      totalFiles: 2500,
      deletedFiles: 2500,
      lastError: null,
      endedAt: expect.any(String),
    });
    expect(await read('crowded')).toMatchObject({ usedBytes: 0, fileCount: 0 });
    const garbage = `select count(*)::int as objects from storage.garbage where bucket = 'crowded'`;
    expect(await rowsIn(project, garbage)).toEqual([{ objects: 2500 }]);
    await ask({ method: 'POST', path });
    expect(await untilDone(path)).toMatchObject({ totalFiles: 0, deletedFiles: 0 });
  });

  test('asked for again while files are being deleted, counts each of them once', async () => {
    await makeBucket(project, 'counted');
    await addFiles(project, 'counted', 5);
    // A process deletes two files in a transaction that is still open when the request comes.
    await rowsIn(
      project,
      `insert into storage.emptyings (bucket, state, until, total_files, leased_by, leased_until)
       values ('counted', 'running', now(), 5, gen_random_uuid(), now() + interval '1 hour')`,
    );
    const round = rowsIn(
      project,
      `with mine as materialized (
         select bucket, until from storage.emptyings where bucket = 'counted' for update
       ), deleted as materialized (
         select storage.delete_some_files(bucket, until, 2) as files, pg_sleep(1)::text from mine
       )
       update storage.emptyings
       set deleted_files = deleted.files, leased_by = null, leased_until = null
       from deleted where bucket = 'counted'`,
    );
    await waitFor(async () => {
      const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      return (await rowsIn(project, sleeping)).length > 0;
    });
    const path = bucketPath('counted', '/empty');
    expect(dataOf(await ask({ method: 'POST', path }))).toMatchObject({ totalFiles: 5 });
    await round;
    expect(await untilDone(path)).toMatchObject({ totalFiles: 5, deletedFiles: 5 });
  });

  test('goes on where a process has died', async () => {
    await makeBucket(project, 'left');
    await addFiles(project, 'left', 3);
    // The lease of the process that has died has just ended.
    await rowsIn(
      project,
      `insert into storage.emptyings
         (bucket, state, until, total_files, deleted_files, leased_by, leased_until)
       values ('left', 'running', now(), 5, 2, gen_random_uuid(), now())`,
    );
    // Any work makes the process look for more.
    await ask({ method: 'POST', path: bucketPath('crowded', '/empty') });
    const state = await untilDone(bucketPath('left', '/empty'));
    expect(state).toMatchObject({ totalFiles: 5, deletedFiles: 5 });
    expect(await read('left')).toMatchObject({ usedBytes: 0, fileCount: 0 });
  });

  test('spares files that came after it was asked for', async () => {
    await makeBucket(project, 'growing');
    await addFiles(project, 'growing', 2);
    await rowsIn(
      project,
      `insert into storage.emptyings (bucket, state, until, total_files)
       values ('growing', 'running', (select min(created_at) from storage.stored_files where bucket = 'growing'), 1)`,
    );
    await rowsIn(
      project,
      `update storage.stored_files set created_at = created_at + interval '1 hour'
       where id = (select id from storage.stored_files where bucket = 'growing' order by id desc limit 1)`,
    );
    await ask({ method: 'POST', path: bucketPath('crowded', '/empty') });
    await untilDone(bucketPath('growing', '/empty'));
    expect(await read('growing')).toMatchObject({ fileCount: 1 });
  });

  test('leaves other buckets alone, and one that is not there is 404', async () => {
    await makeBucket(project, 'beside');
    await addFiles(project, 'beside', 1);
    expect((await ask({ method: 'POST', path: bucketPath('nowhere', '/empty') })).status).toBe(404);
    await ask({ method: 'POST', path: bucketPath('crowded', '/empty') });
    expect(await read('beside')).toMatchObject({ fileCount: 1 });
  });
});
