import { quoted, withAdmin, type DatabaseServer } from './database-server.js';
import { withLock } from './advisory-lock.js';

// anon, authenticated and service_role are the roles of requests. platform_engine holds the rights on accounts and
// settings, platform_deleter deletes users, platform_owner owns the platform's schemas in the templates.
// Each role is made by its own statement, so that a role that is there already keeps its oid and grants.
const roles = `
do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_engine') then
    create role platform_engine nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_deleter') then
    create role platform_deleter nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_owner') then
    create role platform_owner nologin in role platform_engine;
  end if;
end
$$`;

/**
 * A function of a project that runs as a shared role may write the settings and the password of that role, and in
 * PostgreSQL 15 make it a member of the project's login. Projects are not shown any of it; here it is removed.
 * Such a function may run at the same time, hold a lock, or drop the login: the next start removes the rest.
 */
const tidySharedRoles = `
do $$
declare
  command pg_catalog.text;
begin
  for command in
    with shared as (
      select oid, rolname, rolpassword from pg_catalog.pg_authid
      where not rolcanlogin
        and (rolname in ('anon', 'authenticated', 'service_role') or pg_catalog.starts_with(rolname::pg_catalog.text, 'platform_'))
    )
    select pg_catalog.format('alter role %I reset all', rolname) from shared
    where exists (select from pg_catalog.pg_db_role_setting where setrole = shared.oid and setdatabase = 0)
    union all
    select pg_catalog.format('alter role %I in database %I reset all', rolname, datname) from shared
    join pg_catalog.pg_db_role_setting on setrole = shared.oid
    join pg_catalog.pg_database on pg_database.oid = setdatabase
    union all
    select pg_catalog.format('alter role %I password null', rolname) from shared where rolpassword is not null
    union all
    select pg_catalog.format('revoke %I from %I', login.rolname, shared.rolname) from shared
    join pg_catalog.pg_auth_members on member = shared.oid
    join pg_catalog.pg_authid login on login.oid = roleid and login.rolcanlogin
  loop
    begin
      execute command;
    exception
      -- internal_error is "tuple concurrently updated", invalid_catalog_name a database that is gone.
      when internal_error or undefined_object or invalid_catalog_name or lock_not_available or deadlock_detected then
        null;
    end;
  end loop;
end
$$`;

/** How long one command waits for a session that changes the same role; milliseconds. */
const tidyLockMs = 1_000;

/**
 * Makes the roles that all projects share, and closes the databases that belong to no project to their
 * logins. Idempotent and safe to run from several processes at once.
 */
export async function ensureClusterRoles(
  server: DatabaseServer,
  controlPlaneDatabase: string,
): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    withLock(client, 'rowhouse cluster roles', async () => {
      await client.query(roles);
      await client.query(`set lock_timeout = ${tidyLockMs}`);
      await client.query(tidySharedRoles);
      await client.query('set lock_timeout = 0');
      const open = await client.query<{ datname: string }>(
        `select datname from pg_database
         where (datname = any ($1) or datname = pg_catalog.current_database())
           and pg_catalog.has_database_privilege('anon', oid, 'connect')`,
        [['postgres', 'template1', controlPlaneDatabase]],
      );
      for (const { datname } of open.rows) {
        await client.query(`revoke connect, temporary on database ${quoted(datname)} from public`);
      }
    }),
  );
}
