// Counters, quotas and objects when everybody works at the same time.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import {
  commit,
  createStorageProject,
  oneOf,
  putFile,
  reserve,
  type StorageFixture,
} from './storage-fixture.js';

const CONNECTIONS = 64;
const ROUNDS = 25;
const KEYS = 12;
const USERS = 30;
const QUOTA = 2_000;

let project: StorageFixture;
let engines: Client[];
beforeAll(async () => {
  project = await createStorageProject();
  engines = await Promise.all(Array.from({ length: CONNECTIONS }, () => project.login('engine')));
  await project.admin.query(
    'alter table storage.buckets add check (used_bytes + reserved_bytes <= quota_bytes)',
  );
}, 30_000);
afterAll(() => project.drop());
beforeEach(async () => {
  await project.admin.query(`
    truncate storage.stored_files, storage.uploads, storage.garbage;
    delete from storage.buckets where slug not like '\\_%'`);
  for (const slug of ['docs', 'passing']) await makeBucket(slug);
});

async function makeBucket(slug: string): Promise<void> {
  await project.admin.query(
    `insert into storage.buckets (slug, name, quota_bytes) values ($1, $1, $2) on conflict do nothing`,
    [slug, QUOTA],
  );
}

async function allOf<Row extends object>(text: string): Promise<Row[]> {
  return (await project.admin.query<Row>(text)).rows;
}

async function drift(): Promise<Record<string, unknown>[]> {
  return allOf(`select slug, d.* from storage.buckets, storage.recount_bucket(slug) d
    where used_drift <> 0 or reserved_drift <> 0 or object_drift <> 0`);
}

/** Numbers in [0, below) that are the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('a quota is never exceeded, and is used up to its last byte', async () => {
  const outcomes = await Promise.all(
    engines.map(async (engine) => {
      const reserved: string[] = [];
      for (let round = 0; round < 5; round++) {
        const { id, outcome } = await reserve(engine, { size: 10 });
        if (outcome === 'reserved') reserved.push(id);
        else expect(outcome).toBe('quota_exceeded');
      }
      return reserved;
    }),
  );
  const reserved = outcomes.flat();
  expect(reserved).toHaveLength(QUOTA / 10);
  await Promise.all(
    reserved.map((id, index) => {
      const engine = engines[index % CONNECTIONS];
      if (!engine) throw new Error('No connection');
      return index % 2 === 0
        ? commit(engine, id, 9)
        : engine.query('select storage.release_upload($1)', [id]);
    }),
  );
  const bucket = await allOf(
    `select used_bytes::int, reserved_bytes::int, object_count::int from storage.buckets where slug = 'docs'`,
  );
  expect(bucket).toEqual([{ used_bytes: 900, reserved_bytes: 0, object_count: 100 }]);
}, 30_000);

test('of all who make a file with one key, one does', async () => {
  const outcomes = await Promise.all(
    engines.map(async (engine) => {
      const { id } = await reserve(engine, { key: 'a', size: 1 });
      return (await commit(engine, id, 1)).outcome;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  expect(await drift()).toEqual([]);
}, 30_000);

test('an upload that all finish at once is one file', async () => {
  const { id } = await reserve(oneOf(engines.slice(0, 1)));
  const outcomes = await Promise.all(
    engines.map(async (engine) => (await commit(engine, id)).outcome),
  );
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['created', 'repeated']));
  expect(await drift()).toEqual([]);
}, 30_000);

test('anything at once: no deadlock, no drift, no byte that nobody knows', async () => {
  const users = Array.from({ length: USERS }, () => randomUUID());
  for (const id of users) {
    await project.admin.query(
      `insert into auth."user" (id, email) values ($1, $1 || '@example.test')`,
      [id],
    );
  }
  // In no order: what locks files by user and what locks them by bucket must not meet crosswise.
  const work = engines.map(async (engine, seed) => {
    const roll = dice(seed);
    let reservations = 0;
    const take = async (size: number, upsert: boolean) => {
      const upload = {
        bucket: roll(4) === 0 ? 'passing' : 'docs',
        key: `k${roll(KEYS)}`,
        size,
        upsert,
        owner: users[roll(USERS)] ?? null,
        kind: roll(2) === 0 ? 'stream' : 'presign',
        expiresIn: roll(3) === 0 ? '-1 s' : '1 hour',
      };
      const reservation = await reserve(engine, upload);
      if (reservation.outcome === 'reserved') reservations += 1;
      return reservation.id;
    };
    const someFiles = async (): Promise<string[]> => {
      const { rows } = await engine.query<{ id: string }>(
        'select id from storage.stored_files order by random() limit 4',
      );
      return rows.map(({ id }) => id);
    };
    const operations: (() => Promise<unknown>)[] = [
      async () => commit(engine, await take(40, true), 40 - roll(20)),
      async () => commit(engine, await take(40, true), 40 - roll(20)),
      async () => commit(engine, await take(40, false), 40),
      async () => engine.query('select storage.release_upload($1)', [await take(50, true)]),
      async () => {
        const id = await take(10, true);
        await engine.query('select storage.extend_upload($1, 30)', [id]);
        await commit(engine, id, 30);
      },
      async () => take(5, true),
      async () => engine.query('select storage.delete_files($1, $2)', ['docs', await someFiles()]),
      async () => {
        const [file] = await someFiles();
        await engine.query(
          `select storage.move_file($1, $2, (select id from storage.stored_files where bucket = 'docs' and key = $2))`,
          [file, `k${roll(KEYS)}`],
        );
      },
      async () => {
        const [file] = await someFiles();
        await engine.query(
          `select storage.relocate_file(id, version, 's3') from storage.stored_files where id = $1`,
          [file],
        );
      },
      async () => engine.query('select storage.expire_uploads(20)'),
      async () => engine.query(`select storage.recount_bucket('docs')`),
      async () => project.deleteUser(users[roll(USERS)] ?? ''),
      async () => {
        if (roll(4) > 0) return;
        await engine.query(`select storage.delete_bucket('passing', true)`);
        await engine.query(
          `insert into storage.buckets (slug, name, quota_bytes) values ('passing', 'x', $1)
           on conflict do nothing`,
          [QUOTA],
        );
      },
    ];
    for (let round = 0; round < ROUNDS; round++) await operations[roll(operations.length)]?.();
    return reservations;
  });
  const reserved = (await Promise.all(work)).reduce((sum, count) => sum + count, 0);
  expect(reserved).toBeGreaterThan(200);
  expect(await drift()).toEqual([]);
  const objects = await allOf<{ known: number; twice: number }>(`
    select count(distinct version)::int as known,
      (select count(*)::int from storage.stored_files f join storage.garbage g
        on g.version = f.version and g.driver = f.driver) as twice
    from (select version from storage.stored_files union all select version from storage.uploads
      union all select version from storage.garbage) all_versions`);
  expect(objects).toEqual([{ known: reserved, twice: 0 }]);
  const strays = await allOf(`select from storage.stored_files f
    where owner_id is not null and not exists (select from auth."user" u where u.id = f.owner_id)`);
  expect(strays).toEqual([]);
}, 60_000);

test('a user who is deleted while a file of its is made leaves no file that names it', async () => {
  const [engine] = engines;
  if (!engine) throw new Error('No connection');
  const user = randomUUID();
  await project.admin.query(
    `insert into auth."user" (id, email) values ($1, 'late@example.test')`,
    [user],
  );
  const { id } = await reserve(engine, { owner: user });
  await project.admin.query('begin');
  await project.admin.query('delete from auth."user" where id = $1', [user]);
  const committing = commit(engine, id);
  await project.admin.query('commit');
  expect(await committing).toMatchObject({ outcome: 'created', owner_id: null });
  expect((await putFile(engine, { owner: user })).owner_id).toBeNull();
});
