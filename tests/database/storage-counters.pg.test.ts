// What happens to files and to the counters of their bucket, one call after the other.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { ids } from './project-fixture.js';
import {
  commit,
  createStorageProject,
  oneOf,
  putFile,
  reserve,
  type FileOutcome,
  type StorageFixture,
} from './storage-fixture.js';

let project: StorageFixture;
let engine: Client;
beforeAll(async () => {
  project = await createStorageProject();
  engine = await project.login('engine');
});
afterAll(() => project.drop());
beforeEach(async () => {
  await project.admin.query(`
    delete from storage.stored_files;
    delete from storage.uploads;
    delete from storage.garbage;
    delete from storage.buckets where slug not like '\\_%';
    insert into storage.buckets (slug, name, quota_bytes, max_file_bytes) values ('docs', 'Docs', 100, 60)`);
});

interface Counters {
  readonly used: number;
  readonly reserved: number;
  readonly files: number;
}

async function counters(bucket = 'docs'): Promise<Counters> {
  const { rows } = await engine.query<Counters>(
    `select used_bytes::int as used, reserved_bytes::int as reserved, object_count::int as files
     from storage.buckets where slug = $1`,
    [bucket],
  );
  return oneOf(rows);
}

interface Garbage {
  readonly version: string;
  readonly removals: number;
  readonly due: boolean;
}

async function garbage(): Promise<Garbage[]> {
  const { rows } = await engine.query<Garbage>(
    'select version, removals, not_before <= now() as due from storage.garbage',
  );
  return rows;
}

const answer = async (call: string, values: readonly unknown[]): Promise<unknown> =>
  oneOf(
    (await engine.query<{ answer: unknown }>(`select storage.${call} as answer`, [...values])).rows,
  ).answer;

const move = async (
  id: string | null,
  key: string,
  replaces: string | null = null,
): Promise<FileOutcome> =>
  oneOf(
    (
      await engine.query<FileOutcome>(
        'select outcome, (file).* from storage.move_file($1, $2, $3)',
        [id, key, replaces],
      )
    ).rows,
  );

describe('a reservation', () => {
  test.each([
    { name: 'fits', upload: { size: 60 }, outcome: 'reserved' },
    { name: 'of nothing', upload: { size: 0 }, outcome: 'reserved' },
    {
      name: 'of a bucket that is not there',
      upload: { bucket: 'none' },
      outcome: 'bucket_missing',
    },
    { name: 'of more than a file may have', upload: { size: 61 }, outcome: 'file_too_large' },
  ])('$name: $outcome', async ({ upload, outcome }) => {
    expect(await reserve(engine, upload)).toMatchObject({ outcome });
    const reserved = outcome === 'reserved' ? (upload.size ?? 0) : 0;
    expect(await counters()).toEqual({ used: 0, reserved, files: 0 });
  });

  test('counts what is used and what is reserved against the quota, to the byte', async () => {
    await putFile(engine, { size: 50 });
    await reserve(engine, { size: 30 });
    expect((await reserve(engine, { size: 21 })).outcome).toBe('quota_exceeded');
    expect((await reserve(engine, { size: 20 })).outcome).toBe('reserved');
    expect(await counters()).toEqual({ used: 50, reserved: 50, files: 1 });
  });

  test('for a key that is taken is made for a replacement only', async () => {
    await putFile(engine, { key: 'a' });
    expect((await reserve(engine, { key: 'a' })).outcome).toBe('key_taken');
    expect((await reserve(engine, { key: 'a', upsert: true })).outcome).toBe('reserved');
  });

  test('grows until quota or limit', async () => {
    await putFile(engine, { size: 50 });
    const { id } = await reserve(engine, { size: 10 });
    expect(await answer('extend_upload($1, $2)', [id, 41])).toBe('quota_exceeded');
    expect(await answer('extend_upload($1, $2)', [id, 51])).toBe('file_too_large');
    expect(await answer('extend_upload($1, $2)', [id, 40])).toBe('reserved');
    expect(await answer('extend_upload($1, $2)', [randomUUID(), 1])).toBe('upload_missing');
    expect(await counters()).toEqual({ used: 50, reserved: 50, files: 1 });
  });

  test.each([
    { kind: 'stream', removals: 1 },
    { kind: 'presign', removals: 3 },
  ])('of kind $kind is given back once, and its object is removed', async ({ kind, removals }) => {
    const { id } = await reserve(engine, { kind });
    expect(await answer('release_upload($1)', [id])).toBe(true);
    expect(await answer('release_upload($1)', [id])).toBe(false);
    expect(await counters()).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await garbage()).toMatchObject([{ removals, due: true }]);
  });

  test('ends with its time, but not under a lease', async () => {
    await reserve(engine, { size: 30, expiresIn: '1 hour' });
    await reserve(engine, { size: 5, expiresIn: '-1 s' });
    await reserve(engine, { size: 6, expiresIn: '-1 s', bucket: '_private' });
    const leased = await reserve(engine, { size: 7, expiresIn: '-1 s' });
    await engine.query(
      `update storage.uploads set leased_by = gen_random_uuid(), leased_until = now() + interval '1 min'
       where id = $1`,
      [leased.id],
    );
    expect(await answer('expire_uploads($1)', [1])).toBe(1);
    expect(await answer('expire_uploads()', [])).toBe(1);
    expect(await answer('expire_uploads()', [])).toBe(0);
    expect(await counters()).toEqual({ used: 0, reserved: 37, files: 0 });
    expect(await counters('_private')).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await garbage()).toHaveLength(2);
  });
});

describe('an upload that is finished', () => {
  test('becomes a file of what it really has', async () => {
    const { id } = await reserve(engine, { size: 60, key: 'a', owner: ids.ada });
    expect(await commit(engine, id, 55)).toMatchObject({
      outcome: 'created',
      id,
      key: 'a',
      owner_id: ids.ada,
    });
    expect(await counters()).toEqual({ used: 55, reserved: 0, files: 1 });
    expect(await garbage()).toEqual([]);
  });

  test('is finished once, and answers the same again', async () => {
    const { id } = await reserve(engine);
    const first = await commit(engine, id);
    expect(await commit(engine, id)).toEqual({ ...first, outcome: 'repeated' });
    expect(await counters()).toEqual({ used: 10, reserved: 0, files: 1 });
  });

  test('of more than it reserved changes nothing', async () => {
    const { id } = await reserve(engine, { size: 10 });
    expect(await commit(engine, id, 11)).toMatchObject({ outcome: 'size_exceeded', id: null });
    expect(await counters()).toEqual({ used: 0, reserved: 10, files: 0 });
    expect((await commit(engine, id, 10)).outcome).toBe('created');
  });

  test('without a reservation is none', async () => {
    expect(await commit(engine, randomUUID())).toMatchObject({
      outcome: 'upload_missing',
      id: null,
    });
  });

  test('replaces a file, which keeps its id and its owner', async () => {
    const before = await putFile(engine, { key: 'a', size: 40, owner: ids.ada });
    const replaces = before.id;
    const upload = { key: 'a', size: 20, owner: ids.bob, upsert: true, replaces };
    const { id } = await reserve(engine, upload);
    expect(await counters()).toEqual({ used: 40, reserved: 20, files: 1 });
    const after = await commit(engine, id, 20);
    expect(after).toMatchObject({ outcome: 'replaced', id: before.id, owner_id: ids.ada });
    expect(after.version).not.toBe(before.version);
    expect(await commit(engine, id, 20)).toEqual({ ...after, outcome: 'repeated' });
    expect(await counters()).toEqual({ used: 20, reserved: 0, files: 1 });
    expect(await garbage()).toEqual([{ version: before.version, removals: 1, due: false }]);
  });

  test('is gone when another one had the key first', async () => {
    const { id } = await reserve(engine, { key: 'a' });
    const winner = await putFile(engine, { key: 'a' });
    expect(await commit(engine, id)).toMatchObject({ outcome: 'key_taken', id: winner.id });
    expect(await commit(engine, id)).toMatchObject({ outcome: 'upload_missing' });
    expect(await counters()).toEqual({ used: 10, reserved: 0, files: 1 });
    expect(await garbage()).toHaveLength(1);
  });
});

describe('a file', () => {
  test('is deleted with its bytes', async () => {
    const [a, b] = [await putFile(engine, { size: 7 }), await putFile(engine, { size: 8 })];
    const { rows } = await engine.query<{ id: string }>(
      'select id from storage.delete_files($1, $2)',
      ['docs', [a.id, b.id, a.id, randomUUID()]],
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([a.id, b.id].toSorted());
    expect(await counters()).toEqual({ used: 0, reserved: 0, files: 0 });
    expect((await garbage()).map(({ due }) => due)).toEqual([false, false]);
  });

  test('is not deleted through another bucket', async () => {
    const { id } = await putFile(engine);
    const { rows } = await engine.query('select from storage.delete_files($1, $2)', [
      '_public',
      [id],
    ]);
    expect(rows).toEqual([]);
    expect(await counters()).toEqual({ used: 10, reserved: 0, files: 1 });
  });

  test('moves without its bytes', async () => {
    const { id } = await putFile(engine, { key: 'a' });
    expect(await move(id, 'b')).toMatchObject({ outcome: 'moved', id, key: 'b', stored_key: 'a' });
    expect(await move(id, 'b')).toMatchObject({ outcome: 'moved', id, key: 'b' });
    expect(await counters()).toEqual({ used: 10, reserved: 0, files: 1 });
    expect(await garbage()).toEqual([]);
  });

  test('moves and is deleted under the key by which it was named, and no other', async () => {
    const { id } = await putFile(engine, { key: 'a', size: 20 });
    const { rows } = await engine.query<{ outcome: string }>(
      `select outcome from storage.move_file($1, 'c', null, 'b')`,
      [id],
    );
    expect(rows).toEqual([{ outcome: 'file_missing' }]);
    const deleted = (keys: readonly string[]) =>
      engine.query('select from storage.delete_files($1, $2, $3)', ['docs', [id], keys]);
    expect((await deleted(['b'])).rowCount).toBe(0);
    expect((await deleted(['b', 'a'])).rowCount).toBe(1);
  });

  test('takes the place of another only if it shall', async () => {
    const { id } = await putFile(engine, { key: 'a', size: 20 });
    const target = await putFile(engine, { key: 'b', size: 30 });
    expect(await move(id, 'b')).toMatchObject({ outcome: 'key_taken', id, key: 'a' });
    expect(await counters()).toEqual({ used: 50, reserved: 0, files: 2 });
    expect(await move(id, 'b', target.id)).toMatchObject({ outcome: 'moved', id, key: 'b' });
    expect(await counters()).toEqual({ used: 20, reserved: 0, files: 1 });
    expect(await garbage()).toMatchObject([{ version: target.version }]);
  });

  test('that is not there, or is too large by now, does not move', async () => {
    const { id } = await putFile(engine, { key: 'a', size: 30 });
    expect(await move(randomUUID(), 'b')).toMatchObject({ outcome: 'file_missing', id: null });
    await engine.query(`update storage.buckets set max_file_bytes = 29 where slug = 'docs'`);
    expect(await move(id, 'b')).toMatchObject({ outcome: 'file_too_large', key: 'a' });
  });

  test('stays without an owner when its user is deleted', async () => {
    const user = randomUUID();
    await project.admin.query(
      `insert into auth."user" (id, email) values ($1, 'leaving@example.test')`,
      [user],
    );
    const { id } = await putFile(engine, { owner: user });
    expect(await project.deleteUser(user)).toBe(true);
    const { rows } = await engine.query('select id, owner_id from storage.stored_files');
    expect(rows).toEqual([{ id, owner_id: null }]);
  });

  test('goes to another driver with the version that was copied', async () => {
    const { id, version } = await putFile(engine);
    expect(await answer('relocate_file($1, $2, $3)', [id, randomUUID(), 's3'])).toBe(false);
    expect(await answer('relocate_file($1, $2, $3)', [id, version, 's3'])).toBe(true);
    expect(await answer('relocate_file($1, $2, $3)', [id, version, 's3'])).toBe(false);
    // The old object is still to be removed there: a copy beside it would be removed too.
    expect(await answer('relocate_file($1, $2, $3)', [id, version, 'local'])).toBe(false);
    expect(await garbage()).toMatchObject([{ version }]);
  });
});

describe('a bucket', () => {
  test('with files is deleted by force only', async () => {
    await putFile(engine);
    await reserve(engine);
    expect(await answer('delete_bucket($1)', ['docs'])).toBe('bucket_not_empty');
    expect(await answer('delete_bucket($1, true)', ['docs'])).toBe('deleted');
    expect(await answer('delete_bucket($1, true)', ['docs'])).toBe('bucket_missing');
    expect(await garbage()).toHaveLength(2);
  });

  test('of the platform is not deleted', async () => {
    expect(await answer('delete_bucket($1, true)', ['_public'])).toBe('bucket_missing');
  });

  test.each(['', 'A', 'a.b', '__x', '_', '-a', 'a/b', 'ä', 'a'.repeat(64)])(
    'has no slug like "%s"',
    async (slug) => {
      await expect(
        engine.query(`insert into storage.buckets (slug, name) values ($1, 'x')`, [slug]),
      ).rejects.toMatchObject({ code: '23514' });
    },
  );

  test('is counted anew, and drift is told', async () => {
    await putFile(engine, { size: 20 });
    await reserve(engine, { size: 30 });
    const recount = async () =>
      oneOf(
        (
          await engine.query(
            `select used_drift::int, reserved_drift::int, object_drift::int from storage.recount_bucket('docs')`,
          )
        ).rows,
      );
    expect(await recount()).toEqual({ used_drift: 0, reserved_drift: 0, object_drift: 0 });
    await engine.query(`update storage.buckets
      set used_bytes = used_bytes + 3, reserved_bytes = 0, object_count = 9 where slug = 'docs'`);
    expect(await recount()).toEqual({ used_drift: 3, reserved_drift: -30, object_drift: 8 });
    expect(await counters()).toEqual({ used: 20, reserved: 30, files: 1 });
  });
});

test('webhooks hear of what they ask for, and of nothing that did not happen', async () => {
  const { rows } = await engine.query<{ id: string }>(
    `insert into storage.webhooks (bucket, url, events, secret, active) values
       ('docs', 'https://all.example', array['uploaded', 'copied', 'moved', 'deleted'], 's', true),
       ('docs', 'https://uploads.example', default, 's', true),
       ('docs', 'https://off.example', default, 's', false),
       ('_public', 'https://other.example', default, 's', true) returning id`,
  );
  const [all, uploads] = rows;
  const { id } = await putFile(engine, { key: 'a', owner: ids.ada });
  await putFile(engine, { key: 'b', kind: 'copy' });
  await move(id, 'c');
  await move(id, 'b');
  await engine.query('select from storage.delete_files($1, $2)', ['docs', [id]]);
  await reserve(engine, { size: 99 });
  const heard = async (webhook: string | undefined) =>
    (
      await engine.query<{ payload: { type: string } }>(
        'select payload from platform.outbox where source = $1 order by id',
        [webhook],
      )
    ).rows.map(({ payload }) => payload);
  expect((await heard(all?.id)).map(({ type }) => type)).toEqual([
    'uploaded',
    'copied',
    'moved',
    'deleted',
  ]);
  expect(await heard(uploads?.id)).toMatchObject([
    {
      type: 'uploaded',
      bucket: 'docs',
      occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      replaced: false,
      file: {
        id,
        key: 'a',
        size: 10,
        mediaType: 'text/plain',
        visibility: 'private',
        ownerId: ids.ada,
      },
    },
  ]);
});
