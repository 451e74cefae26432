// docs/schema.md: its SQL runs over the connection string of a project, and what the page says of it holds.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const page = readFileSync('docs/schema.md', 'utf8');
const scripts = [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, script = '']) => script);

let deployment: Deployment;
let project: ProjectUnderTest;
let owner: pg.Client;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const read = await deployment.console({ path: `/platform/projects/${project.ref}/database` });
  owner = new pg.Client(String(asRecord(read.body)['databaseUrl']));
  await owner.connect();
  for (const script of scripts) await owner.query(script);
  ada = await project.signUp('ada@example.org');
  bob = await project.signUp('bob@example.org');
});
afterAll(async () => {
  await owner.end();
  await deployment.close();
});

const rows = async (text: string) => (await owner.query(text)).rows;

test('the page has its SQL', () => expect(scripts).toHaveLength(2));

test('a new table is a route at once, under its policy', async () => {
  const sent = { method: 'POST', path: '/rest/v1/notes', body: { text: 'mine' } };
  expect((await project.as(ada, sent)).status).toBe(201);
  expect((await project.as(ada, { path: '/rest/v1/notes' })).body).toMatchObject([
    { owner: ada.id, text: 'mine' },
  ]);
  expect((await project.as(bob, { path: '/rest/v1/notes' })).body).toEqual([]);
  expect((await rows('select text from notes')).length).toBe(1);
});

test('a view is no route, a function that returns rows of a table is one under its policies', async () => {
  expect((await project.as(ada, { path: '/rest/v1/long_notes' })).status).toBe(404);
  const path = '/rest/v1/rpc/notes_longer_than?min_length=1';
  expect((await project.as(ada, { path })).body).toMatchObject([{ text: 'mine' }]);
  expect((await project.as(bob, { path })).body).toEqual([]);
});

test('new tables have row level security on, and a user is no row to the owner', async () => {
  await owner.query('create table later (id int)');
  expect(await rows(`select relrowsecurity from pg_class where oid = 'later'::regclass`)).toEqual([
    { relrowsecurity: true },
  ]);
  await expect(
    owner.query(`create trigger copy after insert on auth."user" for each row
      execute function suppress_redundant_updates_trigger()`),
  ).rejects.toThrow('permission denied');
});

describe.each(['text', 'uuid'] as const)('with ids of the type %s', (idType) => {
  test('auth.uid() is of that type', async () => {
    const one = idType === 'text' ? project : await deployment.createProject({ idType });
    expect(await one.sql('select pg_typeof(auth.uid())::text as type')).toEqual([{ type: idType }]);
  });
});

test('with uuid, the column owner is uuid and the rest stays', async () => {
  const one = await deployment.createProject({ idType: 'uuid' });
  const [first = ''] = scripts;
  await expect(one.sql(first)).rejects.toThrow('incompatible types');
  await one.sql(first.replace('owner text', 'owner uuid'));
  const eve = await one.signUp('eve@example.org');
  const sent = { method: 'POST', path: '/rest/v1/notes', body: { text: 'mine' } };
  expect((await one.as(eve, sent)).status).toBe(201);
  expect((await one.as(eve, { path: '/rest/v1/notes' })).body).toMatchObject([{ owner: eve.id }]);
});

test('the extensions of an owner are those of the page', () => {
  const [, chapter = ''] = page.split('\n## Extensions\n');
  const [, shown = ''] = /may create these extensions[^:]*: ([^.]*)\./.exec(chapter) ?? [];
  const rule = readFileSync('migrations/project-superuser/0006_extensions.sql', 'utf8');
  const [, allowed = ''] = /allowed constant name\[\] := array\[([^\]]*)\]/.exec(rule) ?? [];
  const named = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name);
  expect(named(shown, /`([^`]+)`/g)).toEqual(named(allowed, /'([^']+)'/g));
  expect(named(shown, /`([^`]+)`/g)).toContain('vector');
});

test('the functions for policies are those of the page', async () => {
  const [, cell = ''] = /^\| Functions for policies \| (.*)\|$/m.exec(page) ?? [];
  const calls = [...cell.matchAll(/`(auth\.\w+\(\))`/g)].map(([, call = '']) => call);
  const valueOf = async (call: string, user: SignedIn): Promise<unknown> => {
    const name = call.replace(/\W/g, '_');
    await owner.query(
      `create or replace function ${name}() returns json language sql as 'select pg_catalog.to_json(${call})'`,
    );
    return (await project.as(user, { path: `/rest/v1/rpc/${name}` })).body;
  };
  const values = await Promise.all(calls.map((call) => valueOf(call, ada)));
  expect(Object.fromEntries(calls.map((call, index) => [call, values[index]]))).toEqual({
    'auth.uid()': ada.id,
    'auth.role()': 'authenticated',
    'auth.email()': 'ada@example.org',
    'auth.jwt()': expect.objectContaining({ sub: ada.id, role: 'authenticated' }),
  });
});
