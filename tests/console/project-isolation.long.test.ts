// What the logins of project A may not do, tried in SQL against the server and against project B.
import { createProject, getProjectRecord } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { withClient } from '../support/test-server.js';
import { openFixture, uniqueWord, type ControlPlaneFixture } from './control-plane-fixture.js';

const kinds = ['owner', 'editor', 'api', 'engine', 'deleter', 'lab'] as const;
type Login = (typeof kinds)[number];

let fixture: ControlPlaneFixture;
let refs: { a: string; b: string };
const urls = new Map<string, string>();

beforeAll(async () => {
  fixture = await openFixture();
  refs = { a: uniqueWord('ia'), b: uniqueWord('ib') };
  for (const ref of [refs.a, refs.b]) {
    const { organizationId } = fixture;
    await createProject(fixture.context, fixture.actor, { name: ref, ref, organizationId });
    const record = await getProjectRecord(fixture.context, ref);
    if (record === undefined) throw new Error('no record');
    const { host, port, name, logins } = record.database;
    for (const login of kinds) {
      const { user, password } = logins[login];
      const url = new URL(`postgres://${user}:${password}@localhost:${port}/${name}`);
      url.searchParams.set('host', host);
      urls.set(`${ref} ${login}`, url.href);
    }
  }
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const urlOf = (ref: string, login: Login): URL => new URL(urls.get(`${ref} ${login}`) ?? '');

/** The database identifier of a project, with which the names of its logins begin. */
const idOf = (ref: string): string => urlOf(ref, 'owner').pathname.slice('/p_'.length);

/** The SQLSTATE with which a statement of project A's login ends, or `ok`. */
async function tryAsA(login: Login, sql: string): Promise<string> {
  return withClient(urlOf(refs.a, login).href, async (client) => {
    try {
      await client.query(sql.replaceAll('{{a}}', idOf(refs.a)).replaceAll('{{b}}', idOf(refs.b)));
      return 'ok';
    } catch (error) {
      if (error instanceof pg.DatabaseError) return error.code ?? 'no code';
      throw error;
    }
  });
}

describe('connecting', () => {
  const targets = [
    { name: 'project B', database: () => urlOf(refs.b, 'owner').pathname.slice(1) },
    { name: 'the control plane', database: () => fixture.databaseName },
    { name: 'the maintenance database', database: () => 'postgres' },
    { name: 'template1', database: () => 'template1' },
    { name: 'the template of text ids', database: () => templateOf('text') },
  ];
  const templateOf = (idType: string): string =>
    `rowhouse_template_${idType}_${fixture.context.release.hash}`;
  test.each(targets.flatMap((target) => kinds.map((login) => ({ ...target, login }))))(
    'the $login of A cannot connect to $name',
    async ({ login, database }) => {
      const url = urlOf(refs.a, login);
      url.pathname = `/${database()}`;
      const attempt = withClient(url.href, async () => undefined);
      // 42501: no right to connect; 55000: the database takes no connections at all.
      await expect(attempt).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|55000)$/),
      });
    },
  );
});

const denied = '42501';

describe('the owner may work in the own schema', () => {
  test.each([
    'create table notes (id int primary key); drop table notes',
    'create table posts (author text references auth."user" (id)); drop table posts',
    'create policy p on t using (auth.uid() = id)',
    'create schema extra; drop schema extra',
    'create extension citext; drop extension citext',
    'select id, email from auth."user"',
    'select id from auth.organization',
    'select version()',
    'select relname from pg_class limit 1',
  ])('%s', async (sql) => {
    await tryAsA('owner', 'create table if not exists t (id text)');
    expect(await tryAsA('owner', sql)).toBe('ok');
  });
});

describe('the owner may not', () => {
  test.each([
    { name: 'see the passwords', sql: 'select * from pg_authid' },
    { name: 'become the superuser', sql: 'set role postgres' },
    { name: "become B's owner", sql: 'set role {{b}}_owner' },
    { name: 'become the platform engine', sql: 'set role platform_engine' },
    { name: 'become the own engine', sql: 'set role {{a}}_engine' },
    { name: 'become service_role', sql: 'set role service_role' },
    { name: 'take the session of the superuser', sql: 'set session authorization postgres' },
    { name: 'make roles', sql: 'create role mallory' },
    { name: 'make databases', sql: 'create database mallory' },
    { name: 'grant itself service_role', sql: 'grant service_role to {{a}}_owner' },
    { name: 'change the own attributes', sql: 'alter role {{a}}_owner superuser' },
    { name: 'change the password of B', sql: `alter role {{b}}_owner password 'x'` },
    { name: 'write a file', sql: `copy (select 1) to '/tmp/mallory'` },
    { name: 'read a file', sql: `create table f (t text); copy f from '/etc/passwd'` },
    { name: 'run a program', sql: `create table g (t text); copy g from program 'id'` },
    { name: 'read a file by function', sql: `select pg_read_file('/etc/passwd')` },
    { name: 'list a folder', sql: `select pg_ls_dir('.')` },
    { name: 'import a large object from a file', sql: `select lo_import('/etc/passwd')` },
    { name: 'write in C', sql: `create function f() returns int language c as 'x', 'y'` },
    {
      name: 'make event triggers',
      sql: 'create function e() returns event_trigger language plpgsql as $$begin end$$; create event trigger e on ddl_command_end execute function e()',
    },
    { name: 'turn off the event triggers', sql: 'alter event trigger platform_enable_rls disable' },
    { name: 'skip triggers', sql: 'set session_replication_role = replica' },
    { name: 'change settings of the server', sql: `alter system set log_statement = 'all'` },
    { name: 'read hashes of session tokens', sql: 'select "tokenHash" from auth.session' },
    { name: 'read password hashes', sql: 'select password from auth.account' },
    { name: 'read one-time codes', sql: 'select value from auth.verification' },
    { name: 'read signing keys', sql: 'select "privateKey" from auth.jwks' },
    { name: 'read second factors', sql: 'select secret from auth."twoFactor"' },
    { name: 'read API keys', sql: 'select key from auth.apikey' },
    { name: 'write users', sql: `update auth."user" set role = 'ADMIN'` },
    {
      name: 'put a trigger on users',
      sql: 'create trigger x after insert on auth."user" execute function now()',
    },
    {
      name: 'replace auth.uid()',
      sql: `create or replace function auth.uid() returns text language sql return ''`,
    },
    { name: 'read settings', sql: 'select * from platform.app_settings' },
    { name: 'read the audit log', sql: 'select * from platform.audit_log' },
    { name: 'change the schema version', sql: 'update platform.schema_version set version = 1' },
    { name: 'drop the schema auth', sql: 'drop schema auth cascade' },
    { name: 'drop the own database', sql: 'drop database p_{{a}}' },
    { name: 'rename the own database', sql: 'alter database p_{{a}} rename to mallory' },
    {
      name: 'make subscriptions',
      sql: `create subscription s connection 'host=127.0.0.1' publication p with (connect = false)`,
    },
  ])('$name', async ({ sql }) => {
    const state = await tryAsA('owner', sql);
    expect(state).toBe(denied);
  });

  test.each([
    'dblink',
    'postgres_fdw',
    'file_fdw',
    'adminpack',
    'pg_stat_statements',
    'pageinspect',
  ])('install %s', async (extension) => {
    // 42501: not trusted; 0A000 and 58P01: not on this server at all.
    const state = await tryAsA('owner', `create extension ${extension}`);
    expect(['42501', '0A000', '58P01']).toContain(state);
  });

  test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
    'end work of B with %s',
    async (functionName) => {
      await withClient(urlOf(refs.b, 'owner').href, async (victim) => {
        const reply = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
        const pid = reply.rows[0]?.pid ?? 0;
        const refused = `do $$ begin if ${functionName}(${pid}) then raise 'it did'; end if; end $$`;
        expect(await tryAsA('owner', refused)).toBe('ok');
        await victim.query('select 1');
      });
    },
  );
});

describe('the api login', () => {
  test.each([
    'select id, "tokenHash", "userId", "expiresAt", aal, "activeOrganizationId", "activeTeamId" from auth.session',
    'select id, status, claims from auth."user"',
    `select auth.membership_claims('u', 'o', 't')`,
    'select version from platform.schema_version',
    'begin; set local role anon; select auth.uid(); commit',
    'begin; set local role authenticated; commit',
    'begin; set local role service_role; commit',
  ])('may: %s', async (sql) => {
    expect(await tryAsA('api', sql)).toBe('ok');
  });

  test.each([
    'select "ipAddress" from auth.session',
    'select role from auth.member',
    'select * from auth.session',
    'select name from auth."user"',
    'select "phoneNumber" from auth."user"',
    'select password from auth.account',
    'select value from auth.verification',
    'select "privateKey" from auth.jwks',
    'select * from platform.app_settings',
    'update platform.schema_version set version = 1',
    `insert into auth.session (id, "tokenHash") values ('a', 'b')`,
    'select * from public.secrets',
    'create table public.mallory (id int)',
    'create temporary table mallory (id int)',
    'set role platform_engine',
    'set role {{a}}_owner',
    'set role {{b}}_api',
    'set role postgres',
  ])('may not: %s', async (sql) => {
    await tryAsA('owner', 'create table if not exists public.secrets (id int)');
    expect(await tryAsA('api', sql)).toBe(denied);
  });

  test('anon under it sees no auth table at all', async () => {
    expect(await tryAsA('api', 'set role anon; select id from auth."user"')).toBe(denied);
    expect(await tryAsA('api', 'set role service_role; select id from auth."user"')).toBe(denied);
  });
});

describe('the engine login', () => {
  test.each([
    'select password from auth.account',
    'select name from platform.app_settings',
    `insert into auth.verification (id, identifier, value, "expiresAt") values ('v', 'a', 'b', now())`,
  ])('may: %s', async (sql) => {
    expect(await tryAsA('engine', sql)).toBe('ok');
  });

  test.each([
    'select * from public.secrets',
    'set role anon',
    'set role service_role',
    'set role {{a}}_owner',
    'create table auth.mallory (id int)',
    'alter table auth."user" add column x int',
    'drop table auth."user"',
  ])('may not: %s', async (sql) => {
    await tryAsA('owner', 'create table if not exists public.secrets (id int)');
    expect(await tryAsA('engine', sql)).toBe(denied);
  });
});

test('tables of the owner are open to the roles of requests, closed by row level security', async () => {
  await tryAsA('owner', `create table rows_of_a (id int); insert into rows_of_a values (1)`);
  const count = (role: string): Promise<unknown> =>
    withClient(urlOf(refs.a, 'api').href, async (client) => {
      await client.query(`set role ${role}`);
      const reply = await client.query<{ n: number }>('select count(*)::int as n from rows_of_a');
      return reply.rows[0]?.n;
    });
  expect(await count('anon')).toBe(0);
  expect(await count('authenticated')).toBe(0);
  expect(await count('service_role')).toBe(1);
  expect(await tryAsA('api', 'set role anon; truncate rows_of_a')).toBe(denied);
});

test('a function of the owner that runs with its rights reaches no further than the owner', async () => {
  await tryAsA(
    'owner',
    `create function tokens() returns setof text language sql security definer
     as 'select relname::text from pg_class'`,
  );
  expect(await tryAsA('api', 'set role anon; select tokens()')).toBe('ok');
  await tryAsA(
    'owner',
    `create function more() returns setof text language sql security definer
     as 'select "userAgent" from auth.session'`,
  );
  expect(await tryAsA('api', 'set role anon; select more()')).toBe(denied);
});
