// A function such as exec_sql(text) that requests call: it may go back to the login of its session. There it reads what
// the lookup of callers needs and nothing more. No statement takes it further, and a password or a setting that it
// changes is restored.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import {
  openControlPlane,
  projectsContext,
  repairChangedLogins,
  type ControlPlane,
} from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let user: SignedIn;
let controlPlane: ControlPlane;
beforeAll(async () => {
  deployment = await Deployment.open({ env: { ROLES: 'api,console' } });
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  await project.sql(`create function exec_sql(sql text) returns text language plpgsql as $$
    begin execute sql; return current_user; exception when others then return sqlstate; end $$`);
  user = await project.signUp('user@example.org');
  controlPlane = await openControlPlane({
    databaseUrl: testDatabaseUrl(),
    databaseName: deployment.ground.databaseName,
    masterKey: deployment.ground.masterKey,
    reservedRefs: [],
  });
}, 60_000);
afterAll(async () => {
  await controlPlane.close();
  await deployment.close();
});

const harmless = { path: '/rest/v1/rpc/exec_sql?sql=select%201' };
/** The refs of the projects whose logins were restored. */
const repair = async () => {
  const { restored } = await repairChangedLogins(
    projectsContext(controlPlane, () => Promise.resolve()),
    {
      signal: new AbortController().signal,
      onFailure: (_ref, error) => {
        throw error;
      },
    },
  );
  return restored;
};
const run = async (as: 'service' | 'user', sql: string): Promise<unknown> => {
  const call = { method: 'POST', path: '/rest/v1/rpc/exec_sql', body: { sql } };
  const reply = as === 'user' ? await project.as(user, call) : await project.asService(call);
  return reply.body;
};

describe.each(['service', 'user'] as const)('called by %s', (as) => {
  test.each([
    { name: 'the password of another login', sql: `alter role "{owner}" password 'x'` },
    { name: 'the password of the engine', sql: `alter role "{engine}" password 'x'` },
    { name: 'the password of a neighbor', sql: `alter role "{neighbor}" password 'x'` },
    {
      name: 'its own password, as the role of the request',
      sql: `alter role "{api}" password 'x'`,
    },
    { name: 'the session of the superuser', sql: 'set session authorization postgres' },
    { name: 'the session of the owner', sql: 'set session authorization "{owner}"' },
    { name: 'the owner', sql: 'set role none; set role "{owner}"' },
    { name: 'the engine', sql: 'reset role; set role "{engine}"' },
    { name: 'the platform', sql: 'set session authorization default; set role platform_engine' },
    { name: 'more rights', sql: 'set role none; alter role current_user superuser' },
    { name: 'more connections', sql: 'set role none; alter role current_user connection limit -1' },
    { name: 'a longer life', sql: `set role none; alter role current_user valid until 'infinity'` },
    { name: 'new members', sql: 'set role none; create role mallory role current_user' },
    { name: 'the passwords', sql: 'set role none; perform rolpassword from pg_authid' },
  ])('it does not get $name', async ({ sql }) => {
    const text = sql
      .replaceAll('{owner}', project.login('owner'))
      .replaceAll('{engine}', project.login('engine'))
      .replaceAll('{api}', project.login('api'))
      .replaceAll('{neighbor}', neighbor.login('api'));
    const block = text.includes('perform')
      ? `do $do$ begin ${text.replace('set role none;', "execute 'set role none';")}; end $do$`
      : text;
    expect(await run(as, block)).toBe('42501');
  });

  test.each([
    { name: 'a password', sql: `set role none; alter role current_user password 'stolen'` },
    {
      name: 'a password of the user',
      sql: `reset role; alter user current_user password 'stolen'`,
    },
    {
      name: 'a password in the session of the login',
      sql: `set session authorization default; alter role session_user password 'stolen'`,
    },
    {
      name: 'a setting',
      sql: 'set role none; alter role current_user set default_transaction_read_only = on',
    },
  ])('$name that it changes is restored, and the project is served', async ({ sql }) => {
    expect(await repair()).toEqual([]);
    expect(await run(as, sql)).not.toBe('42501');
    expect(await signsIn('stolen')).toBe(sql.includes('stolen'));
    expect(await repair()).toEqual([project.ref]);
    expect(await signsIn('stolen')).toBe(false);
    expect(await repair()).toEqual([]);
    await asSuperuser('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', {
      values: [project.login('api')],
    });
    // Requests that were on their way meet the end of their connections.
    await waitFor(async () => (await project.asService(harmless)).status === 200);
    const settings = await asSuperuser(
      `select setconfig from pg_db_role_setting where setrole = $1::regrole`,
      { values: [`"${project.login('api')}"`] },
    );
    expect(settings).toEqual([]);
  });
});

describe('behind its own login a function', () => {
  const asLogin = (sql: string) => run('service', `set role none; ${sql}`);

  test('reads these columns and no others', async () => {
    await project.sql(`create table own (id int);
      create function readable(columns json) returns json language plpgsql as $$
      declare each json; found json[] := '{}';
      begin
        set role none;
        for each in select json_array_elements(columns) loop
          begin
            execute format('select %I from %I.%I', each ->> 2, each ->> 0, each ->> 1);
            found := found || each;
          exception when insufficient_privilege then null;
          end;
        end loop;
        return json_build_object('role', current_user, 'found', found);
      end $$`);
    const columns = await listColumns();
    expect(columns.length).toBeGreaterThan(200);
    expect(columns).toContainEqual(['public', 'own', 'id']);
    const call = { method: 'POST', path: '/rest/v1/rpc/readable', body: { columns } };
    const of = (schema: string, table: string, names: string) =>
      names.split(' ').map((name) => [schema, table, name]);
    expect((await project.asService(call)).body).toEqual({
      role: project.login('api'),
      found: [
        ...of('auth', 'apikey', 'enabled expiresAt id key permissions referenceId remaining'),
        ...of(
          'auth',
          'session',
          'aal activeOrganizationId activeTeamId expiresAt id tokenHash userId',
        ),
        ...of('auth', 'user', 'claims id status'),
        ...of('platform', 'schema_version', 'is_only_row version'),
        // Sealed, see kept-settings and stored-catalog.
        ...of('platform', 'settings_version', 'is_only_row sealed sealed_version version'),
        ...of('platform', 'stored_catalog', 'is_only_row made_for schema_version sealed'),
      ],
    });
  });

  test('finds the hash of a session token, and no token', async () => {
    const { token } = await project.signUp('hashed@example.org');
    await project.sql(`create function hashes() returns text language plpgsql as $$begin
      set role none; return (select string_agg(s::text, ' ') from (
        select id, "tokenHash", "userId", aal from auth.session) s); end $$`);
    const rows = (await project.asService({ path: '/rest/v1/rpc/hashes' })).text;
    expect(rows).toContain(createHash('sha256').update(token).digest('hex'));
    expect(rows).not.toContain(token.split('.')[0]);
  });

  test.each([
    { name: 'passwords', sql: 'select password from auth.account' },
    { name: 'how many accounts there are', sql: 'select count(*) from auth.account' },
    { name: 'the keys that sign tokens', sql: 'select * from auth.jwks' },
    { name: 'settings', sql: 'select * from platform.app_settings' },
    { name: 'versions of settings', sql: 'select * from platform.settings_history' },
    { name: 'addresses', sql: 'select email from auth."user"' },
    { name: 'codes', sql: 'select * from auth.verification' },
    { name: 'secrets of second factors', sql: 'select * from auth."twoFactor"' },
    { name: 'mails', sql: 'select * from platform.inbox' },
    { name: 'the audit log', sql: 'select * from platform.audit_log' },
    { name: 'files', sql: 'select * from storage.stored_files' },
    { name: 'tables of the project', sql: 'select * from public.own' },
  ])('does not read $name', async ({ sql }) => {
    expect(await asLogin(sql)).toBe('42501');
  });

  test('writes to no table but the outbox of changes, whose triggers run as the writer', async () => {
    const tables = await asSuperuser(
      `select relnamespace::regnamespace::text || '.' || relname as name from pg_class
       where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and oid >= 16384
         and has_schema_privilege($1, relnamespace, 'usage') and (
           relkind <> 'S' and has_any_column_privilege($1, oid, 'insert, update, references')
           or relkind <> 'S' and has_table_privilege($1, oid, 'delete, truncate, trigger')
           or relkind = 'S' and has_sequence_privilege($1, oid, 'usage, update'))`,
      { database: project.database, values: [project.login('api')] },
    );
    expect(tables).toEqual([{ name: 'realtime.outbox' }]);
    expect(await asLogin(`delete from auth.session`)).toBe('42501');
    expect(await asLogin(`update platform.schema_version set version = 0`)).toBe('42501');
    expect(await asLogin(`update realtime.outbox set n = null`)).toBe('42501');
    expect(await asLogin(`select from realtime.outbox`)).toBe('42501');
    expect(await asLogin(`create table public.mine ()`)).toBe('42501');
    expect(await asLogin(`create temporary table mine ()`)).toBe('42501');
  });
});

/** The columns of all tables of a project, as lists of schema, table and column. */
async function listColumns(): Promise<unknown[]> {
  const rows = await asSuperuser(
    `select json_build_array(nspname, relname, attname) as "column"
     from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
       and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
     order by nspname, relname, attname collate "C"`,
    { database: project.database },
  );
  return rows.map(({ column }) => column);
}

test('settings that an owner makes for tools of its own stay', async () => {
  await project.sql(`alter role current_user set application_name = 'mine'`);
  expect(await repair()).toEqual([]);
  const [row] = await asSuperuser(
    `select setconfig::text from pg_db_role_setting where setrole = $1::regrole`,
    { values: [`"${project.login('owner')}"`] },
  );
  expect(row).toEqual({ setconfig: '{application_name=mine}' });
});

/** Whether the login of requests opens a connection with a password. */
async function signsIn(password: string): Promise<boolean> {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${project.database}`;
  url.username = project.login('api');
  url.password = password;
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
