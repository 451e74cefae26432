// `GET /api/admin/policies`: the tables whose policies are listed, and what is said of them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { tryOut } from './lab.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let tables: readonly Record<string, unknown>[];
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table covered (id int, label text, primary key (id) include (label));
    insert into covered values (1, 'one');
    create table bare (id int);
    create table session (id int primary key);
    create table parts (id int primary key) partition by range (id);
    create table parts_1 partition of parts for values from (0) to (9);
    create view seen as select id from covered;
    create schema other;
    create table other.hidden (id int);
    create schema jobs;
    create table jobs.work (id int);`);
  const reply = await project.asService({ path: '/api/admin/policies' });
  expect(reply.status).toBe(200);
  // The route has this list.
  tables = asRecord(reply.body)['tables'] as typeof tables;
});
afterAll(() => deployment.close());

test('listed are the tables of the project and those of the platform that take policies', () => {
  expect(tables.map(({ schema, name }) => `${String(schema)}.${String(name)}`)).toEqual([
    'other.hidden',
    'public.bare',
    'public.covered',
    'public.parts',
    'public.session',
    'realtime.messages',
    'storage.files',
  ]);
});

test.each([
  {
    name: 'covered',
    says: 'a column that the index only includes is none of the key',
    isExposed: true,
    primaryKey: ['id'],
  },
  { name: 'bare', says: 'a table without a key', isExposed: true, primaryKey: [] },
  { name: 'parts', says: 'a table with partitions is served', isExposed: true, primaryKey: ['id'] },
  {
    name: 'session',
    says: 'a name that REST does not serve',
    isExposed: false,
    primaryKey: ['id'],
  },
  { name: 'hidden', says: 'another schema', isExposed: false, primaryKey: [] },
  { name: 'files', says: 'files have a route of their own', isExposed: false, primaryKey: [] },
])('$name: $says', ({ name, isExposed, primaryKey }) => {
  const found = tables.find((table) => table['name'] === name);
  expect(found).toMatchObject({ isExposed, primaryKey });
});

test('a try names rows by their key alone', async () => {
  const request = { kind: 'select', table: 'covered' };
  const as = { kind: 'claims', role: 'service_role' };
  expect((await tryOut({ project }, as, request)).body).toMatchObject({ keys: [{ id: 1 }] });
});
