// Code that the owner of a project wrote runs inside the sessions of the platform's own logins. What it
// leaves there reaches neither the next caller nor the platform's own work.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { saveSettings } from './neighbors.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
});
afterAll(() => deployment.close());

// A project of its own for each test: what one leaves in a session must not decide the next.
beforeEach(async () => {
  project = await deployment.createProject();
  await saveSettings(project, 'security.rateLimit', { max: 1_000_000, credentialMax: 1_000_000 });
  await project.sql(`
    create table notes (id int primary key, owner text not null default auth.uid());
    create policy own on notes to authenticated using (owner = (select auth.uid()));
    create table posts (id int primary key, text text);
    create policy everybody on posts for select using (true);
    insert into posts values (1, 'post');
    create table traps (code text);
    create policy everybody on traps using (true) with check (true);
    create function spring() returns trigger language plpgsql as
      $$begin execute new.code; return new; end$$;
    create trigger spring before insert on traps for each row execute function spring();
    create function make_decoy() returns void language sql security definer as
      $$create temporary table posts (id int, text text)$$;
    create schema decoys;
    grant usage on schema decoys to public;
    create function decoys.now() returns timestamptz language sql as
      $$select pg_catalog.now() - interval '10 years'$$;
    create function decoys.always(text, text) returns boolean language sql as $$select true$$;
    create operator decoys.= (leftarg = text, rightarg = text, function = decoys.always);`);
  user = await project.signUp('user@example.org');
  await project.sql(`insert into notes values (1, '${user.id}')`);
  // Every statement is prepared and known to be fast, so that all callers share one connection.
  for (let round = 0; round < 4; round++) await readEverything();
});

/** What three kinds of callers see of two tables. */
async function readEverything(): Promise<unknown> {
  const token = { authorization: 'Bearer nobody' };
  const replies = [
    await project.send({ path: '/rest/v1/posts?select=text' }),
    await project.send({ path: '/rest/v1/notes' }),
    await project.send({ path: '/rest/v1/notes', headers: token }),
    await project.as(user, { path: '/rest/v1/notes?select=id' }),
    await project.send({ path: '/api/admin/auth/status', headers: token }),
  ];
  return replies.map(({ status, body }) => (status === 200 ? body : status));
}
const asItShouldBe = [[{ text: 'post' }], [], [], [{ id: 1 }], 401];

/** Runs `code` in a trigger of a request. */
const spring = (code: string): Promise<Reply> =>
  project.as(user, { method: 'POST', path: '/rest/v1/traps', body: { code } });

/** Prepares `body` under every name that a statement of ours could have. */
const prepareAll = (body: string) => `do $do$
  declare word text;
  begin
    execute 'deallocate all';
    for word in
      select 'q' || number from generate_series(0, 9) number
      union select 'q' || chr(number) from generate_series(97, 122) number
      union select 'q1' || chr(number) from generate_series(97, 122) number
      union select unnest(array['l_anon', 'l_anon_read', 'l_session', 'l_session_read', 't_begin', 't_commit'])
    loop
      execute format('prepare %I as ${body.replaceAll("'", "''")}', word);
    end loop;
  end $do$`;

describe('a trigger leaves nothing to the next caller when it', () => {
  test.each([
    { name: 'becomes the login itself', code: 'set role none' },
    { name: 'sets a role for the transaction', code: 'set local role service_role' },
    { name: 'sets claims', code: `set request.jwt.claims = '{"sub":"mallory"}'` },
    {
      name: 'puts decoys on the search path',
      code: 'set search_path = decoys, public, pg_catalog',
    },
    { name: 'takes everything off the search path', code: `set search_path = ''` },
    { name: 'forgets all statements', code: 'deallocate all' },
    { name: 'discards all plans', code: 'discard plans' },
    { name: 'makes a temporary table of the same name', code: 'select make_decoy()' },
    { name: 'listens', code: 'listen news' },
    { name: 'holds a cursor', code: 'declare held cursor with hold for select 1' },
    { name: 'holds a lock', code: 'select pg_advisory_lock(1)' },
    { name: 'sets another encoding', code: `set client_encoding = 'LATIN1'` },
    { name: 'sets another form of dates', code: `set datestyle = 'German'` },
    {
      name: 'prepares statements of our names',
      code: prepareAll(`select '{"text":"hijacked"}'::text`),
    },
    {
      name: 'prepares a lookup that makes everybody an administrator',
      code: `set local role none; ${prepareAll(
        `select '1', set_config('role', 'authenticated', true), true, 'id', 'x@y', 'ADMIN', false, 's'`,
      )}`,
    },
  ])('$name', async ({ code }) => {
    expect((await spring(code)).status).toBe(201);
    // Twice: the first request may repair what the second would still meet.
    expect(await readEverything()).toEqual(asItShouldBe);
    expect(await readEverything()).toEqual(asItShouldBe);
  });

  test.each([
    { name: 'makes a temporary table', code: 'create temporary table posts (id int)' },
    { name: 'looks up our statements', code: 'perform name from pg_prepared_statements' },
    { name: 'looks up our statements by function', code: 'perform pg_prepared_statement()' },
    { name: 'becomes the superuser', code: 'set role postgres' },
    { name: 'takes another session', code: 'set session authorization postgres' },
    { name: 'skips triggers', code: 'set session_replication_role = replica' },
    { name: 'becomes the platform', code: 'set role platform_engine' },
  ])('is refused, because it $name', async ({ code }) => {
    const block = code.startsWith('perform') ? `do $do$ begin ${code}; end $do$` : code;
    expect(await spring(block)).toMatchObject({ status: 403, body: { code: '42501' } });
    expect(await readEverything()).toEqual(asItShouldBe);
  });
});

test('a role that a trigger leaves in a session costs no request', async () => {
  expect((await spring('set role service_role')).status).toBe(201);
  expect(await readEverything()).toEqual(asItShouldBe);
});

test.each([
  { setting: 'statement_timeout', left: '1h', found: '8s' },
  { setting: 'search_path', left: 'decoys', found: '"public"' },
  { setting: 'work_mem', left: '1MB', found: '4MB' },
  { setting: 'app.word', left: 'left', found: '' },
])('a trigger that sets $setting sets it for nobody else', async ({ setting, left, found }) => {
  await project.sql(`create function shown(name text) returns text language sql as
    $$select coalesce(pg_catalog.current_setting(name, true), '')$$`);
  const shown = async () =>
    (await project.send({ path: `/rest/v1/rpc/shown?name=${setting}` })).body;
  for (let round = 0; round < 4; round++) expect(await shown()).toBe(found);
  expect((await spring(`set ${setting} = '${left}'`)).status).toBe(201);
  for (let round = 0; round < 4; round++) expect(await shown()).toBe(found);
});

test('a request whose trigger forgets its commit has done nothing, and harms nobody', async () => {
  const write = (code: string) =>
    project.as(user, {
      method: 'POST',
      path: '/rest/v1/traps?select=code',
      headers: { prefer: 'return=representation', accept: 'application/vnd.pgrst.object+json' },
      body: { code },
    });
  expect((await write('select 1')).status).toBe(201);
  expect((await write('deallocate all')).status).toBe(500);
  expect((await write('select 2')).status).toBe(201);
  expect(await readEverything()).toEqual(asItShouldBe);
  expect(await project.sql('select code from traps order by 1')).toEqual([
    { code: 'select 1' },
    { code: 'select 2' },
  ]);
});

test("a role that a trigger takes is another project's in no way", async () => {
  const other = await deployment.createProject();
  const code = `set role "${other.login('api')}"`;
  expect((await spring(code)).body).toMatchObject({ code: '42501' });
});

test("a trigger that deletes along with a user leaves nothing to the engine's next work", async () => {
  await project.sql(`
    create table owned (owner text references auth."user" (id) on delete cascade);
    create function poison() returns trigger language plpgsql as $$begin
      perform set_config('search_path', 'public, pg_catalog', false); return old; end$$;
    create trigger poison before delete on owned for each row execute function poison();
    create table spoils (who text, password text);
    alter table spoils disable row level security;
    grant usage on schema public to public;
    grant insert on spoils to public;
    create function spy(text, text) returns boolean language plpgsql as $$begin
      if current_user like '%engine' then
        insert into public.spoils select current_user, password from auth.account;
      end if;
      return pg_catalog.texteq($1, $2); end$$;
    create operator public.= (leftarg = text, rightarg = text, function = spy);`);
  const leaving = await project.signUp('leaving@example.org');
  await project.sql(`insert into owned values ('${leaving.id}')`);
  const body = { password: userPassword };
  const deleted = await project.as(leaving, { method: 'DELETE', path: '/api/users', body });
  expect(deleted.status).toBe(204);
  for (let round = 0; round < 3; round++) {
    const credentials = { email: user.email, password: userPassword };
    const path = '/api/auth/sign-in/email';
    expect((await project.send({ method: 'POST', path, body: credentials })).status).toBe(200);
  }
  expect(await project.sql('select * from spoils')).toEqual([]);
});

test('a script of the SQL editor leaves nothing to the next one', async () => {
  await project.sql(`create temporary table left_behind (id int); select pg_advisory_lock(7);
    set app.word = 'left'; set work_mem = '64kB'; set search_path = decoys`);
  const [state] = await project.sql(`select current_setting('search_path') as path,
    current_setting('app.word', true) as word, current_setting('work_mem') as memory, to_regclass('left_behind') as temporary,
    pg_try_advisory_lock(7) as free`);
  expect(state).toEqual({
    path: '"public"',
    word: null,
    temporary: null,
    free: true,
    memory: '4MB',
  });
});

test('what a trigger left in a session is seen by no other project', async () => {
  const other = await deployment.createProject();
  await other.sql(`create table posts (id int primary key);
    create policy everybody on posts for select using (true)`);
  await spring('set role service_role');
  for (let round = 0; round < 4; round++) {
    expect((await other.send({ path: '/rest/v1/posts' })).body).toEqual([]);
  }
  const rows = await asSuperuser(
    `select count(distinct usename)::int as logins from pg_stat_activity where datname = $1`,
    { values: [other.database] },
  );
  expect(rows[0]?.['logins']).toBeGreaterThan(0);
});
