// What the SQL editor of project A may not do to the server and to project B.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { loginKinds } from '../../libs/control-plane/src/provisioning/names.js';

import { asSuperuser } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { digestOf, openNeighbors, type Neighbors } from './neighbors.js';

let site: Neighbors;
beforeAll(async () => {
  site = await openNeighbors();
});
afterAll(() => site.close());

/** `{a}` and `{b}` stand for the refs of the projects. */
function filled(sql: string): string {
  return sql
    .replaceAll('{a}', site.a.project.databaseId)
    .replaceAll('{b}', site.b.project.databaseId);
}

function edit(query: string): Promise<Reply> {
  const body = { query: filled(query) };
  return site.a.project.asService({ method: 'POST', path: '/api/admin/sql', body });
}

describe('the owner of A is refused', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await digestOf(site.b.project);
  });
  afterAll(async () => {
    expect(await digestOf(site.b.project)).toEqual(before);
  });

  test.each([
    { name: 'to become the owner of B', sql: 'set role "{b}_owner"' },
    { name: "to become B's api login", sql: 'set role "{b}_api"' },
    { name: "to become B's engine login", sql: 'set role "{b}_engine"' },
    { name: 'to become the superuser', sql: 'set role postgres' },
    { name: 'to become service_role', sql: 'set role service_role' },
    { name: 'to become authenticated', sql: 'set role authenticated' },
    { name: 'to become the platform', sql: 'set role platform_engine' },
    { name: 'to become a server role', sql: 'set role pg_execute_server_program' },
    { name: 'the session of B', sql: 'set session authorization "{b}_owner"' },
    { name: 'the session of the superuser', sql: 'set session authorization postgres' },
    { name: 'roles of its own', sql: 'create role mallory' },
    { name: 'membership in the owner of B', sql: 'grant "{b}_owner" to "{a}_owner"' },
    { name: 'membership in service_role', sql: 'grant service_role to "{a}_owner"' },
    { name: 'to be superuser', sql: 'alter role "{a}_owner" superuser' },
    { name: 'to skip row level security', sql: 'alter role "{a}_owner" bypassrls' },
    { name: 'more connections', sql: 'alter role "{a}_owner" connection limit -1' },
    { name: 'the password of B', sql: `alter role "{b}_owner" password 'x'` },
    { name: 'settings of the owner of B', sql: `alter role "{b}_owner" set work_mem = '1GB'` },
    { name: 'settings of the database of B', sql: `alter database p_{b} set work_mem = '1GB'` },
    { name: 'the database of B', sql: 'drop database p_{b}' },
    { name: 'databases of its own', sql: 'create database mallory template p_{b}' },
    { name: 'settings of the server', sql: `alter system set log_statement = 'all'` },
    { name: 'to reload the server', sql: 'select pg_reload_conf()' },
    { name: 'to skip triggers', sql: 'set session_replication_role = replica' },
    { name: 'dblink', sql: 'create extension dblink' },
    { name: 'postgres_fdw', sql: 'create extension postgres_fdw' },
    { name: 'wrappers of foreign data', sql: 'create foreign data wrapper w' },
    { name: 'the passwords', sql: 'select rolpassword from pg_authid' },
    { name: 'the passwords in the old view', sql: 'select passwd from pg_shadow' },
    { name: 'the replication slots', sql: 'select * from pg_replication_slots' },
    { name: 'to read a file', sql: `select pg_read_file('/etc/passwd')` },
    { name: 'to read a file as bytes', sql: `select pg_read_binary_file('/etc/passwd')` },
    { name: 'to look at a file', sql: `select pg_stat_file('/etc/passwd')` },
    { name: 'to list a folder', sql: `select pg_ls_dir('.')` },
    { name: 'to import a file', sql: `select lo_import('/etc/passwd')` },
    { name: 'to export a file', sql: `select lo_export(lo_create(0), '/tmp/mallory')` },
    { name: 'to copy from a file', sql: `create table f (t text); copy f from '/etc/passwd'` },
    { name: 'to copy to a file', sql: `copy posts to '/tmp/mallory'` },
    { name: 'to copy from a program', sql: `create table f (t text); copy f from program 'id'` },
    { name: 'to copy to a program', sql: `copy posts to program 'cat'` },
    {
      name: 'functions in C',
      sql: `create function f() returns int language c as 'libc.so.6', 'getpid'`,
    },
    {
      name: 'functions of the server',
      sql: `create function f() returns int language internal as 'pg_backend_pid'`,
    },
    { name: 'to load a library', sql: `load '/tmp/mallory.so'` },
    {
      name: 'to turn the event triggers off',
      sql: 'alter event trigger platform_enable_rls disable',
    },
    { name: 'to drop the event triggers', sql: 'drop event trigger platform_version_ddl' },
    {
      name: 'to own the event triggers',
      sql: 'alter event trigger platform_version_drop owner to current_user',
    },
    {
      name: 'event triggers of its own',
      sql: 'create event trigger e on ddl_command_end execute function platform.move_schema_version()',
    },
    {
      name: 'to replace auth.uid',
      sql: `create or replace function auth.uid() returns text language sql as 'select 1::text'`,
    },
    { name: 'to drop auth.uid', sql: 'drop function auth.uid() cascade' },
    {
      name: 'functions in auth',
      sql: `create function auth.now() returns int language sql as 'select 1'`,
    },
    {
      name: 'functions in platform',
      sql: `create function platform.f() returns int language sql as 'select 1'`,
    },
    {
      name: 'functions in pg_catalog',
      sql: `create function pg_catalog.f() returns int language sql as 'select 1'`,
    },
    { name: 'to rename auth', sql: 'alter schema auth rename to mine' },
    { name: 'hashes of session tokens', sql: 'select "tokenHash" from auth.session' },
    { name: 'password hashes', sql: 'select password from auth.account' },
    { name: 'signing keys', sql: 'select "privateKey" from auth.jwks' },
    { name: 'to make administrators', sql: `update auth."user" set role = 'ADMIN'` },
    {
      name: 'triggers on users',
      sql: `create function t() returns trigger language plpgsql as 'begin return new; end'; create trigger t before update on auth."user" for each row execute function t()`,
    },
    { name: 'policies on sessions', sql: 'create policy p on auth.session using (true)' },
    { name: 'settings', sql: 'select * from platform.app_settings' },
    { name: 'versions of settings', sql: 'select * from platform.settings_history' },
    { name: 'the audit log', sql: 'delete from platform.audit_log' },
    { name: 'the schema version', sql: 'update platform.schema_version set version = 1' },
    { name: 'a publication of everything', sql: 'create publication p for all tables' },
    {
      name: 'a subscription to B',
      sql: `create subscription s connection 'dbname=p_{b}' publication p with (connect = false)`,
    },
  ])('$name', async ({ sql }) => {
    const reply = await edit(sql);
    expect(reply.body).toMatchObject({ status: 403, code: '42501' });
  });

  test('a query across databases', async () => {
    const reply = await edit('select * from p_{b}.public.posts');
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.text).not.toContain('post of b');
  });

  test.each(['pg_terminate_backend', 'pg_cancel_backend'])('%s on work of B', async (name) => {
    const { databaseUrl } = site.b.project;
    const victim = new pg.Client({ connectionString: databaseUrl });
    await victim.connect();
    try {
      const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
      const reply = await edit(`select ${name}(${rows[0]?.pid ?? 0})`);
      // The same as for a process that does not exist.
      expect(reply.body).toMatchObject({ rows: [{ [name]: false }] });
      // The signal of a success would end this.
      await victim.query('select pg_sleep(0.05)');
    } finally {
      await victim.end();
    }
  });
});

test('catalogs that all databases share show nothing of B', async () => {
  const shown = await edit(`
    select jsonb_build_object(
      'settings', (select jsonb_agg(s) from pg_settings s),
      'tables', (select jsonb_agg(t) from pg_stat_all_tables t),
      'applicable', (select jsonb_agg(r) from information_schema.applicable_roles r),
      'enabled', (select jsonb_agg(r) from information_schema.enabled_roles r),
      'catalog', (select jsonb_agg(c) from information_schema.information_schema_catalog_name c),
      'databases', (select jsonb_agg(d) from pg_database d),
      'roles', (select jsonb_agg(r) from pg_roles r),
      'members', (select jsonb_agg(m) from pg_auth_members m),
      'sessions', (select jsonb_agg(s) from pg_stat_activity s),
      'figures', (select jsonb_agg(d) from pg_stat_database d),
      'locks', (select jsonb_agg(l) from pg_locks l),
      'role settings', (select jsonb_agg(s) from pg_db_role_setting s),
      'prepared', (select jsonb_agg(p) from pg_prepared_xacts p),
      'default rights', (select jsonb_agg(d) from pg_default_acl d),
      'mappings', (select jsonb_agg(m) from information_schema.user_mappings m)) as shown`);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain(site.a.project.databaseId);
  expect(shown.text).not.toContain(site.b.project.databaseId);
  const size = await edit(`select pg_database_size('p_{b}') as size`);
  expect(size.body).toMatchObject({ rows: [{ size: null }] });
});

describe('a function with the rights of its owner', () => {
  test('reads no more than the owner', async () => {
    await edit(`create function tokens() returns setof bytea language sql security definer
      as 'select "tokenHash" from auth.session'`);
    expect((await edit('select tokens()')).body).toMatchObject({ code: '42501' });
    await edit('drop function if exists tokens()');
  });

  test('cannot change its role', async () => {
    await edit(`create or replace function climb() returns text language plpgsql security definer as
      $$begin set local role service_role; return current_user; end$$`);
    // PostgreSQL: no change of role in a function with the rights of its owner.
    expect((await edit('select climb()')).body).toMatchObject({ code: '42501' });
    await edit('drop function climb()');
  });
});

describe('the logins of A', () => {
  const logins = async () => {
    const rows = await asSuperuser('select rolname from pg_roles where starts_with(rolname, $1)', {
      values: [`${site.a.project.databaseId}_`],
    });
    return rows.map(({ rolname }) => String(rolname));
  };

  test('are one for each kind of work', async () => {
    const { project } = site.a;
    expect((await logins()).toSorted()).toEqual(
      loginKinds.map((kind) => project.login(kind)).toSorted(),
    );
  });

  test.each(['p_{b}', 'control plane', 'postgres', 'template1'])(
    'may not connect to %s',
    async (target) => {
      const database =
        target === 'control plane' ? site.deployment.ground.databaseName : filled(target);
      for (const login of await logins()) {
        const rows = await asSuperuser(
          `select has_database_privilege($1, $2, 'connect') as connect,
             has_database_privilege($1, $2, 'create') as create,
             has_database_privilege($1, $2, 'temporary') as temporary`,
          { values: [login, database] },
        );
        expect({ login, ...rows[0] }).toEqual({
          login,
          connect: false,
          create: false,
          temporary: false,
        });
      }
    },
  );

  test('the connection string of A opens A and nothing else', async () => {
    const url = new URL(site.a.project.databaseUrl);
    await connect(url.href);
    url.pathname = `/${site.b.project.database}`;
    await expect(connect(url.href)).rejects.toMatchObject({ code: '42501' });
  });
});

async function connect(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.end();
}
