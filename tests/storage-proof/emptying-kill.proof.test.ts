// The API is killed while it empties a bucket. The next process goes on where that one was, and ends. EMPTYING_FILES:
// how many files the bucket has.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import pg from 'pg';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment, testDatabaseUrl } from '../support/deployment.js';
import { bucketPath, makeBucket, rowsIn } from '../storage/bucket-rows.js';
import { uploadState } from '../storage/stored-bytes.js';
import { localPlace } from '../storage/stored-files.js';
import { exchange } from './exchange.js';
import { ServedProject } from './served-project.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Rounds of 2,000 files each, between which the process can be killed. */
const count = Number(process.env['EMPTYING_FILES'] ?? 24_000);
const size = 10;

let deployment: Deployment;
let served: ServedProject;
beforeAll(async () => {
  deployment = await Deployment.open({ env: { ROLES: 'console' } });
  served = await ServedProject.open(deployment, await deployment.createProject(), {
    env: {},
    starts: 2,
  });
  await served.start();
  await makeBucket(served.project, 'docs');
  await fill();
});
afterAll(async () => {
  await served.close();
  await deployment.close();
});

/** Rows as uploads leave them; their bytes are nowhere, which is as good as removed. */
const fill = () =>
  rowsIn(
    served.project,
    `with made as (
       insert into storage.stored_files (id, bucket, key, version, size, media_type, visibility, upload_id, stored_key,
         driver)
       select gen_random_uuid(), 'docs', n::text, gen_random_uuid(), $2, 'text/plain', 'private', gen_random_uuid(),
         n::text, 'local'
       from generate_series(1, $1) n
       returning size
     )
     update storage.buckets set (used_bytes, object_count) = (select sum(size), count(*) from made)
     where slug = 'docs'`,
    [count, size],
  );

interface Emptying {
  readonly state: string;
  readonly deleted: number;
}

async function emptying(): Promise<Emptying> {
  const [row] = await rowsIn(
    served.project,
    'select state, deleted_files::int as deleted from storage.emptyings',
  );
  return { state: String(row?.['state']), deleted: Number(row?.['deleted'] ?? 0) };
}

/** Kills the API while a round waits for the bucket. PostgreSQL ends the round when it gets the bucket. */
async function killInARound(): Promise<void> {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${served.project.database}`;
  const holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query("select from storage.buckets where slug = 'docs' for no key update");
    const rounds = `select from pg_catalog.pg_stat_activity where datname = pg_catalog.current_database()
      and query like '%delete_some_files%' and state = 'active' and pid <> pg_catalog.pg_backend_pid()`;
    await waitFor(async () => (await rowsIn(served.project, rounds)).length > 0);
    await served.kill();
    await holder.query('rollback');
    await waitFor(async () => (await rowsIn(served.project, rounds)).length === 0);
  } finally {
    await holder.end();
  }
}

test('an emptying that was cut off is ended by the next process, and counted right', async () => {
  const { project } = served;
  const headers = { apikey: project.secretKey };
  const path = bucketPath('docs', '/empty');
  const asked = await exchange(project, { method: 'POST', path, headers });
  expect(asked.status).toBeLessThan(300);
  await waitFor(async () => (await emptying()).deleted > 0);
  await killInARound();

  const cut = await emptying();
  expect(cut).toMatchObject({ state: 'running' });
  expect(cut.deleted).toBeLessThan(count);
  // A round is whole or was never there: what is left, what is counted and what is to be removed agree.
  expect(await uploadState(project, 'docs')).toMatchObject({
    isExact: true,
    files: count - cut.deleted,
    used: (count - cut.deleted) * size,
  });
  expect(await rowsIn(project, 'select count(*)::int as count from storage.garbage')).toEqual([
    { count: cut.deleted },
  ]);
  const late = await localPlace(deployment, project).put({ bucket: 'docs', key: 'late.txt' });
  // The lease of the killed process, which lasts a minute, is over.
  await rowsIn(project, 'update storage.emptyings set leased_until = now()');

  await served.start();
  const shown = async () => asRecord((await project.asService({ path })).body)['data'];
  await waitFor(async () => asRecord(await shown())['state'] === 'done');
  expect(await shown()).toMatchObject({ totalFiles: count, deletedFiles: count, lastError: null });
  expect(await rowsIn(project, 'select id from storage.stored_files')).toEqual([{ id: late.id }]);
  expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, files: 1 });
});
