// The functions of pg_catalog that answer with the rights of their owner: their owners are no superusers. What code of a
// project writes about a role that all projects share, no other project reads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { databaseServer } from '../../libs/control-plane/src/provisioning/database-server.js';
import { tidySharedRoles } from '../../libs/control-plane/src/provisioning/tidy-shared-roles.js';
import { asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  [a, b] = [await deployment.createProject(), await deployment.createProject()];
  await a.sql(`create function run_sql(sql text) returns text language plpgsql as $$
    begin execute sql; return 'done'; exception when others then return sqlstate; end $$`);
}, 60_000);
afterAll(() => deployment.close());

/** Runs SQL in a function of A that is called over the REST API: `done`, or the SQLSTATE that it raised. */
async function runOverRest(sql: string): Promise<unknown> {
  const call = { method: 'POST', path: '/rest/v1/rpc/run_sql', body: { sql } };
  return (await a.send(call)).body;
}

describe('functions that run with the rights of their owner', () => {
  const definers = `select proname as name, rolname as owner, rolcanlogin, rolsuper
    from pg_proc join pg_authid on pg_authid.oid = proowner
    where pronamespace = 'pg_catalog'::regnamespace and prosecdef`;

  test('belong to two roles that nobody can sign in as or become', async () => {
    const rows = await asSuperuser(definers, { database: a.database });
    expect(rows.length).toBeGreaterThan(40);
    const owners = new Set(rows.map(({ owner }) => owner));
    expect(owners).toEqual(new Set(['platform_catalog', 'platform_signals']));
    expect(rows.filter(({ rolsuper, rolcanlogin }) => rolsuper || rolcanlogin)).toEqual([]);
    const signals = rows.filter(({ owner }) => owner === 'platform_signals');
    expect(signals.map(({ name }) => name).toSorted()).toEqual([
      'pg_cancel_backend',
      'pg_terminate_backend',
    ]);
    const members = await asSuperuser(
      `select from pg_auth_members join pg_roles on pg_roles.oid = roleid
       where rolname in ('platform_catalog', 'platform_signals')`,
    );
    expect(members).toEqual([]);
  });

  test('find their names where no session can put others', async () => {
    const { database } = b;
    // A body of the SQL standard was read when the function was made, and its names were looked up then.
    const open = `select oid::regprocedure::text as name from pg_proc
      where prosecdef and not (prosqlbody is not null or exists (
        select from unnest(proconfig) as setting where setting ~ '^search_path=(?:.*, )?pg_temp$'))
      order by name`;
    expect(await asSuperuser(open, { database })).toEqual([]);
    const planted = [
      'none',
      `set search_path = pg_catalog`,
      `set search_path = pg_temp, pg_catalog`,
    ];
    for (const [index, clause] of planted.entries()) {
      await asSuperuser(
        `create function storage.planted_${index}() returns int language sql security definer
           ${clause === 'none' ? '' : clause} as 'select 1'`,
        { database },
      );
    }
    await asSuperuser(
      `create function storage.pinned() returns int language sql security definer
         set search_path = pg_catalog, pg_temp as 'select 1'`,
      { database },
    );
    await asSuperuser(
      'create function storage.read() returns int language sql security definer return 1',
      { database },
    );
    const found = await asSuperuser(open, { database });
    expect(found.map(({ name }) => name)).toEqual(
      planted.map((_clause, index) => `storage.planted_${index}()`),
    );
  });

  test.each([
    { name: 'read passwords', role: 'platform_catalog', sql: 'select rolpassword from pg_authid' },
    {
      name: 'read passwords of the table',
      role: 'platform_catalog',
      sql: 'select rolpassword from pg_rowhouse.pg_authid',
    },
    { name: 'read files', role: 'platform_catalog', sql: `select pg_read_file('/etc/passwd')` },
    { name: 'run programs', role: 'platform_catalog', sql: `copy (select 1) to program 'cat'` },
    {
      name: 'signal sessions',
      role: 'platform_catalog',
      sql: 'select hidden_pg_cancel_backend(1)',
    },
    { name: 'become another role', role: 'platform_catalog', sql: 'set role platform_engine' },
    { name: 'read rows of projects', role: 'platform_catalog', sql: 'select from storage.files' },
    { name: 'read accounts', role: 'platform_catalog', sql: 'select from auth."user"' },
    { name: 'make objects', role: 'platform_catalog', sql: 'create table public.t (id int)' },
    {
      name: 'read connection strings',
      role: 'platform_catalog',
      sql: 'select subconninfo from pg_rowhouse.pg_subscription',
    },
    { name: 'read roles', role: 'platform_signals', sql: 'select rolsuper from pg_authid' },
    {
      name: 'read databases',
      role: 'platform_signals',
      sql: 'select from pg_rowhouse.pg_database',
    },
  ])('cannot $name', async ({ role, sql }) => {
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${a.database}`;
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      await client.query(`set session authorization ${role}`);
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });
});

describe('what code of A writes about a shared role', () => {
  const shown = async (sql: string): Promise<string> => JSON.stringify(await b.sql(sql));

  test('as a setting is not shown to B, and removed by the worker', async () => {
    expect(await runOverRest(`alter role anon set application_name = 'letter'`)).toBe('done');
    expect(await runOverRest(`alter role anon password 'letter'`)).toBe('done');
    expect(await runOverRest('comment on role anon is $$letter$$')).toBe('42501');
    try {
      for (const project of [a, b]) {
        for (const sql of [
          'select * from pg_db_role_setting',
          'select * from pg_roles',
          'select * from pg_user',
          'select * from pg_shdescription',
        ]) {
          expect(JSON.stringify(await project.sql(sql))).not.toContain('letter');
        }
      }
      const anon = await b.sql(`select rolname from pg_roles where rolname = 'anon'`);
      expect(anon).toEqual([{ rolname: 'anon' }]);
    } finally {
      await tidySharedRoles(databaseServer(testDatabaseUrl()));
    }
    const left = await asSuperuser(
      `select pg_authid.rolpassword, rolconfig from pg_authid join pg_roles using (rolname)
       where rolname = 'anon'`,
    );
    expect(left).toEqual([{ rolpassword: null, rolconfig: null }]);
  });

  test('as a member of the owner of A is not shown to B, and removed by the worker', async () => {
    const login = a.login('owner');
    const grant = `grant "${login}" to anon`;
    // The owner of A may do it in PostgreSQL 15; newer ones refuse it.
    const [reply] = await a.sql(`select run_sql(${pg.escapeLiteral(grant)}) as done`);
    expect(['done', '42501']).toContain(reply?.['done']);
    if (reply?.['done'] !== 'done') await asSuperuser(grant);
    try {
      expect(await shown('select * from pg_roles')).not.toContain(login);
      const memberships = 'select roleid, member from pg_auth_members';
      const [role] = await asSuperuser('select oid::text from pg_roles where rolname = $1', {
        values: [login],
      });
      expect(await shown(memberships)).not.toContain(`"roleid":${String(role?.['oid'])}`);
    } finally {
      await tidySharedRoles(databaseServer(testDatabaseUrl()));
    }
    const left = await asSuperuser(
      `select from pg_auth_members where member = 'anon'::regrole and roleid = '"${login}"'::regrole`,
    );
    expect(left).toEqual([]);
  });

  test('nothing can be written to the other shared catalogs', async () => {
    for (const sql of [
      'comment on database postgres is $$letter$$',
      `comment on database "${a.database}" is $$letter$$`,
      'alter role all set work_mem = 4096',
      `alter database "${a.database}" set "mail.box" = 'letter'`,
      'grant set on parameter work_mem to anon',
      `select pg_replication_origin_create('letter')`,
      `create tablespace letter location '/tmp'`,
      `create subscription letter connection '' publication p with (connect = false)`,
      'security label on role anon is $$letter$$',
      'create role letter',
    ]) {
      const [anon, owner] = [
        await runOverRest(sql),
        await a.sql(`select run_sql(${pg.escapeLiteral(sql)}) as done`),
      ];
      expect({ sql, anon, owner }).not.toMatchObject({ anon: 'done' });
      expect({ sql, owner }).not.toMatchObject({ owner: [{ done: 'done' }] });
    }
  });
});
