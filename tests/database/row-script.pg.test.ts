// Scripts of operators who may write rows and nothing else. Each attempt below works for the owner's login.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ProjectDatabase } from '#libs/database';
import { waitFor } from '#libs/testing';

import { loginKinds } from '../../libs/control-plane/src/provisioning/names.js';
import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;

beforeAll(async () => {
  project = await createProject();
  db = project.open();
  await db.runScript(`
    create table public.planets (id int primary key, name text, owner text);
    alter table public.planets enable row level security;
    insert into public.planets values (1, 'Mercury', 'ada');
    create function public.on_send(event jsonb) returns jsonb language sql as 'select event';`);
});
afterAll(() => project.drop());

const passwords = async () => {
  const { rows } = await project.admin.query<{ rolpassword: string }>(
    'select rolpassword from pg_catalog.pg_authid where rolname = any ($1) order by rolname',
    [Object.values(project.names)],
  );
  expect(rows).toHaveLength(loginKinds.length);
  return rows.map(({ rolpassword }) => rolpassword);
};

test('rows of every user are read and written, several statements in one transaction', async () => {
  const { rows } = await db.runRowScript(`
    insert into planets values (2, 'Venus', 'bob');
    update planets set owner = 'eve' where id = 1;
    with gone as (delete from planets where id = 2 returning id)
      select id, owner, current_user from planets order by id`);
  expect(rows).toEqual([
    { id: 1, owner: 'eve', current_user: 'service_role' },
    { id: 2, owner: 'bob', current_user: 'service_role' },
  ]);
  await expect(db.runRowScript(`delete from planets; select 1 / 0`)).rejects.toMatchObject({
    code: '22012',
  });
  expect((await db.runRowScript('select count(*) as n from planets')).rows).toEqual([{ n: 1 }]);
});

test('parameters are values', async () => {
  const { rows } = await db.runRowScript('select name from planets where id = $1', [1]);
  expect(rows).toEqual([{ name: 'Mercury' }]);
});

test.each([
  { name: 'accounts', sql: 'select email from auth."user"' },
  { name: 'sessions', sql: 'select * from auth.session' },
  { name: 'hashed tokens', sql: 'select "tokenHash" from auth.session' },
  { name: 'settings', sql: 'select * from platform.settings' },
  { name: 'a new table', sql: 'select 1 as a into public.made' },
  { name: 'a temporary table', sql: 'select 1 as a into temporary made' },
  { name: 'the role of the owner', sql: `select set_config('role', '$owner', false)` },
  {
    name: 'accounts through the login itself',
    sql: `select set_config('role', 'none', false); select email from auth."user"`,
  },
  {
    name: 'hashed tokens through the login itself',
    sql: `select set_config('role', 'none', false); select "tokenHash" from auth.session`,
  },
])('$name: permission denied', async ({ sql }) => {
  const script = sql.replace('$owner', project.names.owner);
  await expect(db.runRowScript(script)).rejects.toMatchObject({ code: '42501' });
});

test.each([
  `select query_to_xml('alter role $editor password ''known''', true, true, '')`,
  `select set_config('role', 'none', false);
   select query_to_xml('alter role current_user password ''known''', true, true, '')`,
  `select * from ts_stat('alter role current_user password ''known''')`,
  `alter role $owner password 'known'`,
  `alter role current_user password 'known'`,
  `do $$ begin alter role current_user password 'known'; end $$`,
  `select set_config('role', 'none', false); alter role current_user password 'known'`,
  `explain analyze create table public.made as select 1`,
  // White space for JavaScript, a letter of a name for PostgreSQL.
  `select 1 as \u00a0$$; set role none; alter role current_user password 'known'; select 2 as \u00a0$$`,
])('no password of a login changes by %s', async (sql) => {
  const before = await passwords();
  const { owner, editor } = project.names;
  const script = sql.replaceAll('$owner', owner).replaceAll('$editor', editor);
  await expect(db.runRowScript(script)).rejects.toMatchObject({ status: expect.any(Number) });
  expect(await passwords()).toEqual(before);
});

const hidden = `set role none; do $q$ begin
  execute format('alter role %I password %L', session_user, 'known'); end $q$`;

test.each([
  // Halves of surrogate pairs are the same tag for PostgreSQL.
  {
    name: 'halves of characters',
    sql: `select $\ud800$ $\ud801$; ${hidden}; select $\ud801$ $\ud800$ as x`,
  },
  {
    name: 'a setting for strings',
    sql: `select set_config('standard_conforming_strings', 'off', false);
    select '\\', '; ${hidden.replaceAll("'", "''")}; --'`,
  },
])('no password changes by $name, with no parameters and an empty list', async ({ sql }) => {
  const before = await passwords();
  await expect(db.runRowScript(sql)).rejects.toMatchObject({ status: 400 });
  await expect(db.runRowScript(sql, [])).rejects.toMatchObject({ status: 400 });
  expect(await passwords()).toEqual(before);
});

test('an empty list of parameters is none: statements run one by one', async () => {
  expect((await db.runRowScript('select 1; select 2 as two', [])).rows).toEqual([{ two: 2 }]);
});

test('a text that PostgreSQL reads as several statements is refused in every form', async () => {
  // Only the protocol is left to refuse it: strings end elsewhere once the first statement ran.
  const sql = String.raw`select set_config('standard_conforming_strings', 'off', false);
    select '\', '; select 2; --'`;
  for (const params of [undefined, []]) {
    await expect(db.runRowScript(sql, params)).rejects.toMatchObject({
      code: '42601',
      message: expect.stringContaining('multiple commands'),
    });
  }
});

test.each([
  { name: 'one', params: ['a\ud800'] },
  { name: 'one in a list', params: [['\udc00']] },
  { name: 'one in an object', params: [{ a: { b: '\ud800' } }] },
  { name: 'the name of a member', params: [{ '\ud800': 1 }] },
])('a parameter that is not well-formed is refused: $name', async ({ params }) => {
  await expect(db.runRowScript('select $1::text', params)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('params'),
  });
});

test('a prepared statement that does not exist is a mistake of the script', async () => {
  await expect(db.runRowScript('select 1; explain execute p')).rejects.toMatchObject({
    status: 400,
    details: { statement: 2, line: 1, column: 11 },
  });
});

test.each([
  `create or replace function public.on_send(event jsonb) returns jsonb language sql as 'select null'`,
  'create function public.lower(a text, b int) returns text language sql as $$ select a $$',
  'alter table planets add column x int',
  'drop table planets',
  'create policy all_rows on planets using (true)',
])('no code and no table changes by %s', async (sql) => {
  await expect(db.runRowScript(sql)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  // Were it let through, PostgreSQL would refuse it too: the role owns nothing and creates nothing.
  const { logins } = project.options;
  const asEditor = project.open({ logins: { ...logins, owner: logins.editor } });
  await expect(asEditor.runScript(`set role service_role; ${sql}`)).rejects.toMatchObject({
    code: '42501',
  });
});

test('a deadline ends a script that goes on after it is cancelled', async () => {
  await db.runScript(`create function public.stubborn() returns void language plpgsql as $$
    begin
      loop
        begin
          perform pg_catalog.pg_sleep(20);
        exception when query_canceled then null;
        end;
      end loop;
    end $$`);
  const patient = project.open({ scriptTimeoutMs: 300 });
  await expect(patient.runRowScript('select stubborn()')).rejects.toMatchObject({
    code: 'PGRST504',
  });
  const left =
    'select from pg_catalog.pg_stat_activity where query like $1 and pid <> pg_backend_pid()';
  await waitFor(async () => (await project.admin.query(left, ['%stubborn()%'])).rowCount === 0);
});

test('requests of the API end no session', async () => {
  const { rows } = await project.admin.query<{ pid: number }>(
    'select pid from pg_catalog.pg_stat_activity where datname = current_database()',
  );
  const pids = rows.map(({ pid }) => pid);
  const reply = await db.runAs({ kind: 'secret-key' }, (tx) =>
    tx.query(
      `select pg_catalog.pg_terminate_backend(pid) as done from pg_catalog.unnest($1::pg_catalog.int4[]) pid`,
      [pids],
    ),
  );
  expect(reply.rows.filter(({ done }) => done !== false)).toEqual([]);
});
