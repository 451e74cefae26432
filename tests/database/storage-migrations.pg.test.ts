// The migrations of storage on databases that have been used before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { isFoundation } from '../../libs/control-plane/src/provisioning/release.js';
import { connect } from './project-fixture.js';
import { createStorageProject, putFile, type StorageFixture } from './storage-fixture.js';

const file = '00000000-0000-4000-8000-000000000000';
let project: StorageFixture;
beforeAll(async () => {
  project = await createStorageProject();
});
afterAll(() => project.drop());

const folder = new URL('../../migrations/project/', import.meta.url);
const migrationsOf = async (isWanted: (name: string) => boolean): Promise<string[]> => {
  const names = (await readdir(folder)).filter(isWanted).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return texts.map((sql) => sql.replaceAll('{{user_id}}', 'text'));
};

test('those of the superuser run twice without harm, also after the policies were changed', async () => {
  const database = `twice_${randomBytes(5).toString('hex')}`;
  await project.admin.query(`create database ${database} template template0`);
  const client = await connect(database);
  try {
    await client.query('create schema platform');
    for (const sql of await migrationsOf(isFoundation)) await client.query(sql);
    await client.query('drop policy public_files_read on storage.files');
    await putFile(client, { bucket: '_public' });
    const again = await migrationsOf((name) => isFoundation(name) && name.includes('_storage'));
    expect(again).toHaveLength(6);
    for (const sql of again) await client.query(sql);
    const { rows } = await client.query(
      `select used_bytes::int, object_count::int,
         (select count(*)::int from pg_policy where polrelid = 'storage.files'::regclass) as policies
       from storage.buckets where slug = '_public'`,
    );
    expect(rows).toEqual([{ used_bytes: 10, object_count: 1, policies: 4 }]);
  } finally {
    await client.end();
    await project.admin.query(`drop database ${database} with (force)`);
  }
});

test('those of the platform role run twice without harm', async () => {
  const platform = await project.login('platform');
  await platform.query('set search_path = pg_catalog, pg_temp');
  const again = await migrationsOf((name) => !isFoundation(name));
  expect(again.length).toBeGreaterThan(5);
  for (const sql of again) await platform.query(sql);
  const owner = await project.login('owner');
  // Nothing of what is kept has moved: the owner may still make tables.
  await owner.query('create table after_migrations (id int)');
});

test('they make room where the project has a schema of that name', async () => {
  const [first] = (await readdir(new URL('../../migrations/project/', import.meta.url)))
    .filter((name) => name.endsWith('_storage.sql'))
    .toSorted();
  const file = new URL(`../../migrations/project/${first ?? ''}`, import.meta.url);
  const sql = (await readFile(file, 'utf8')).replaceAll('{{user_id}}', 'text');
  const { admin, names } = project;
  await admin.query('begin');
  try {
    await admin.query(`drop event trigger storage_keep_shape; drop event trigger storage_keep_shape_drop;
      alter schema storage rename to kept;
      create schema storage authorization ${names.owner}; create table storage.files (id int)`);
    await admin.query(sql);
    const { rows } = await admin.query(
      `select to_regclass('own_storage.files') is not null as moved, has_schema_privilege($1, 'storage', 'create') as open`,
      [names.owner],
    );
    expect(rows).toEqual([{ moved: true, open: false }]);
  } finally {
    await admin.query('rollback');
  }
});

test.each([`id = '${file}'`, `bucket = 'a' and key = 'b'`, `bucket = 'a'`])(
  'the planner looks for files among the rows that there are: %s',
  async (condition) => {
    const { rows } = await project.admin.query(
      `explain (format json) select id from storage.files where ${condition}`,
    );
    expect(JSON.stringify(rows).match(/"Relation Name":"[^"]+"/g)).toEqual([
      '"Relation Name":"stored_files"',
    ]);
  },
);
