// The migrations of storage on databases that have been used before.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { platformOwnership } from '../../libs/control-plane/src/provisioning/platform-ownership.js';
import { isFoundation } from '../../libs/control-plane/src/provisioning/release.js';
import { createStorageProject, putFile, type StorageFixture } from './storage-fixture.js';

const file = '00000000-0000-4000-8000-000000000000';
let project: StorageFixture;
beforeAll(async () => {
  project = await createStorageProject();
});
afterAll(() => project.drop());

test('they run twice without harm, also after the project has changed its policies', async () => {
  const owner = await project.login('owner');
  await owner.query('drop policy public_files_read on storage.files');
  const engine = await project.login('engine');
  await putFile(engine, { bucket: '_public' });
  const folder = new URL('../../migrations/project/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.includes('_storage'));
  // The superuser ran these before the schema was given to the project's platform role.
  await project.admin.query('alter schema storage owner to current_user');
  for (const name of names.filter(isFoundation).toSorted()) {
    const sql = await readFile(new URL(name, folder), 'utf8');
    await project.admin.query(sql.replaceAll('{{user_id}}', 'text'));
  }
  await project.admin.query(platformOwnership(project.names.platform));
  expect(names.filter(isFoundation)).toHaveLength(6);
  const { rows: buckets } = await engine.query(
    `select used_bytes::int, object_count::int from storage.buckets where slug = '_public'`,
  );
  expect(buckets).toEqual([{ used_bytes: 10, object_count: 1 }]);
  const { rows } = await owner.query(
    `select count(*)::int as policies from pg_policy where polrelid = 'storage.files'::regclass`,
  );
  expect(rows).toEqual([{ policies: 4 }]);
  // The owner's own changes are still possible: nothing of what is kept has moved.
  await owner.query('create table after_storage (id int)');
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
