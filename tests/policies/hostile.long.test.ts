// Code of a project that runs in the lab reaches nothing that its requests do not reach, keeps nothing, and is ended.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { operatorHeaders } from '../http/administration.js';
import { asSuperuser } from '../support/deployment.js';
import { type Lab, openLab, tryOut, tryPath } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
  await lab.project.sql(`create table traps (id int primary key);
    insert into traps values (1);
    create table booty (id int);
    create function run(statement text) returns bool language plpgsql as $$
      begin execute statement; return true; end $$;
    create function run_quietly(statement text) returns text language plpgsql as $$
      begin execute statement; return 'done'; exception when others then return sqlstate; end $$;
    create function stay() returns bool language plpgsql as $$
      begin
        loop
          begin perform pg_sleep(60); exception when query_canceled then null; end;
        end loop;
      end $$`);
});
afterAll(() => lab.close());

const select = { kind: 'select', table: 'traps' };
const trap = (statement: string) => [
  {
    kind: 'save',
    table: 'traps',
    name: 'trap',
    command: 'select',
    using: `public.run_quietly($$${statement}$$) = 'done'`,
  },
];

describe.each([
  { where: 'a saved policy', isSaved: true },
  { where: 'a policy that is tried', isSaved: false },
])('in $where', ({ isSaved }) => {
  test.each([
    { name: 'the engine', statement: 'set role {engine}' },
    { name: 'the platform', statement: 'set role {platform}' },
    { name: 'the engine of all projects', statement: 'set role platform_engine' },
    { name: 'the superuser', statement: 'set role postgres' },
    { name: 'another session', statement: 'set session authorization {engine}' },
    { name: 'sessions of users', statement: 'select "tokenHash", token from auth.session' },
    { name: 'settings', statement: 'select * from platform.app_settings' },
    { name: 'the end of the transaction', statement: 'commit' },
    { name: 'a savepoint', statement: 'rollback to savepoint trial' },
    { name: 'saved tests', statement: 'insert into platform.policy_tests (name) values (1)' },
  ])('$name is out of reach', async ({ statement }) => {
    const filled = statement
      .replace('{engine}', `"${lab.project.login('engine')}"`)
      .replace('{platform}', `"${lab.project.login('platform')}"`);
    const policies = trap(filled);
    if (isSaved) {
      await lab.project.sql(`drop policy if exists trap on traps;
        create policy trap on traps for select using (public.run_quietly($$${filled}$$) = 'done')`);
    }
    const reply = await tryOut(lab, { kind: 'anon' }, select, isSaved ? undefined : policies);
    expect(reply.body).toMatchObject({ outcome: { body: [] }, hidden: { count: 1 } });
    if (isSaved) await lab.project.sql('drop policy trap on traps');
  });
});

test('a tried policy that becomes the owner leaves nothing of what it does', async () => {
  const owner = `"${lab.project.login('owner')}"`;
  const policies = trap(
    `set role ${owner}; insert into public.booty values (1); drop table public.notes;
     grant all on public.booty to anon; alter role ${owner} password 'stolen'`,
  );
  expect((await tryOut(lab, { kind: 'anon' }, select, policies)).status).toBe(200);
  expect(await lab.project.sql('select * from booty')).toEqual([]);
  expect(await lab.project.sql('select count(*)::int as n from notes')).toEqual([{ n: 4 }]);
});

test('an operator without secrets.manage cannot become the owner by a function', async () => {
  const statement = `set role "${lab.project.login('owner')}"`;
  const request = { kind: 'rpc', function: 'run_quietly', arguments: { statement } };
  const reply = await lab.project.send({
    method: 'POST',
    path: tryPath,
    body: { as: { kind: 'anon' }, request },
    headers: operatorHeaders(lab.deployment, lab.project, ['content.write']),
  });
  expect(reply.body).toMatchObject({ outcome: { kind: 'answered', body: '42501' } });
});

test('settings and roles of one request do not reach the next one', async () => {
  await lab.project.sql(`create policy lasting on traps for select
    using (set_config('role', 'service_role', false) is not null and set_config('search_path', 'auth', false) is not null)`);
  const { body } = await tryOut(lab, { kind: 'anon' }, select);
  expect(body).toMatchObject({ caller: { role: 'anon' }, outcome: { body: [{ id: 1 }] } });
  await lab.project.sql('drop policy lasting on traps');
  expect((await tryOut(lab, { kind: 'anon' }, select)).body).toMatchObject({
    outcome: { body: [] },
  });
});

test.each([
  { name: 'waits', using: 'pg_sleep(60) is null' },
  { name: 'waits and goes on when it is cancelled', using: 'public.stay()' },
  {
    name: 'lifts its limit and waits',
    using: `set_config('statement_timeout', '0', true) <> '' and pg_sleep(60) is null`,
  },
])(
  'a policy that $name is ended after the limit, and the next try works',
  async ({ using }) => {
    const policies = [{ kind: 'save', table: 'traps', name: 'slow', command: 'select', using }];
    const reply = await tryOut(lab, { kind: 'anon' }, select, policies);
    expect(reply.body).toMatchObject({ code: 'PGRST504' });
    expect((await tryOut(lab, { kind: 'anon' }, { kind: 'select', table: 'notes' })).status).toBe(
      200,
    );
  },
  30_000,
);

test('a user of another project is unknown', async () => {
  const other = await lab.deployment.createProject();
  const stranger = await other.signUp('eve@example.org');
  const reply = await tryOut(lab, { kind: 'user', userId: stranger.id }, select);
  expect(reply.body).toMatchObject({ code: 'IMPERSONATED_USER_NOT_FOUND' });
  const byKey = await tryOut(lab, { kind: 'key', key: other.secretKey }, select);
  expect(byKey.status).toBe(400);
});

test('the login of the lab can do nothing in another database', async () => {
  const rows = await asSuperuser(
    `select pg_catalog.pg_has_role($1, 'platform_engine', 'member') as is_engine,
      pg_catalog.has_database_privilege($1, current_database(), 'create') as creates,
      rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as is_mighty
     from pg_catalog.pg_roles where rolname = $1`,
    { database: lab.project.database, values: [lab.project.login('lab')] },
  );
  expect(rows).toEqual([{ is_engine: false, creates: false, is_mighty: false }]);
});
