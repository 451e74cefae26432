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

test('the page has its SQL', () => expect(scripts).toHaveLength(4));

test('a new table is a route at once, under its policy', async () => {
  const sent = { method: 'POST', path: '/rest/v1/notes', body: { text: 'mine' } };
  expect((await project.as(ada, sent)).status).toBe(201);
  expect((await project.as(ada, { path: '/rest/v1/notes' })).body).toMatchObject([
    { owner: ada.id, text: 'mine' },
  ]);
  expect((await project.as(bob, { path: '/rest/v1/notes' })).body).toEqual([]);
  expect(await rows(`select text from notes where owner = '${ada.id}'`)).toHaveLength(1);
});

test('a view is no route, a function that returns rows of a table is one under its policies', async () => {
  const cleo = await project.signUp('cleo@example.org');
  const sent = { method: 'POST', path: '/rest/v1/notes', body: { text: 'hers' } };
  expect((await project.as(cleo, sent)).status).toBe(201);
  expect((await project.as(cleo, { path: '/rest/v1/long_notes' })).status).toBe(404);
  const path = '/rest/v1/rpc/notes_longer_than?min_length=1';
  expect((await project.as(cleo, { path })).body).toMatchObject([{ text: 'hers' }]);
  expect((await project.as(bob, { path })).body).toEqual([]);
});

describe('rows that only the members of a group read', () => {
  const namesOf = async (user: SignedIn, path: string) => {
    const { body } = await project.as(user, { path });
    return (Array.isArray(body) ? body : []).map((row) => asRecord(row)['name'] ?? row);
  };
  const insert = (user: SignedIn, table: string, row: object, headers = {}) =>
    project.as(user, { method: 'POST', path: `/rest/v1/${table}`, body: row, headers });
  const returning = { prefer: 'return=representation' };
  /** Runs `work` while the policy of members to read a table has another condition. */
  async function withPolicy(table: string, condition: string, work: () => Promise<void>) {
    const [before] = await rows(
      `select qual from pg_policies where tablename = '${table}' and policyname = 'members_read'`,
    );
    await owner.query(`alter policy members_read on ${table} using (${condition})`);
    try {
      await work();
    } finally {
      await owner.query(`alter policy members_read on ${table} using (${before.qual})`);
    }
  }

  test('the creator receives the new group, is its first member, and adds others', async () => {
    const created = await insert(ada, 'groups', { name: 'Chess' }, returning);
    expect(created).toMatchObject({ status: 201, body: [{ name: 'Chess', creator: ada.id }] });
    const [group] = (await rows(`select id from groups where name = 'Chess'`)) as readonly {
      readonly id: string;
    }[];
    const ofBob = { group_id: group?.id, user_id: bob.id };
    const post = { group_id: group?.id, text: 'Hello' };

    const ofGroup = `group_id=eq.${group?.id}`;
    const members = `/rest/v1/members?select=name:user_id&${ofGroup}`;
    expect(await namesOf(ada, members)).toEqual([ada.id]);
    expect(await namesOf(bob, '/rest/v1/groups')).toEqual([]);
    expect((await insert(bob, 'members', ofBob)).status).toBe(403);
    expect((await insert(bob, 'posts', post)).status).toBe(403);

    expect((await insert(ada, 'members', ofBob)).status).toBe(201);
    expect((await insert(bob, 'posts', post)).status).toBe(201);
    expect(await namesOf(bob, '/rest/v1/groups')).toEqual(['Chess']);
    expect(await namesOf(ada, `/rest/v1/posts?select=name:text&${ofGroup}`)).toEqual(['Hello']);
  });

  test('an insert that returns its row is refused where only members read', async () => {
    await withPolicy('groups', 'is_member(id)', async () => {
      const refused = { status: 403, body: { code: '42501' } };
      expect(await insert(ada, 'groups', { name: 'Go' }, returning)).toMatchObject(refused);
      expect((await insert(ada, 'groups', { name: 'Go' })).status).toBe(201);
      expect(await namesOf(ada, '/rest/v1/groups?name=eq.Go')).toEqual(['Go']);
    });
  });

  test('a policy of members that reads members is refused', async () => {
    const readsItself = 'exists (select from members m where m.user_id = auth.uid())';
    await withPolicy('members', readsItself, async () => {
      const { body } = await project.as(ada, { path: '/rest/v1/members' });
      expect(body).toMatchObject({ code: '42P17' });
    });
  });
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
