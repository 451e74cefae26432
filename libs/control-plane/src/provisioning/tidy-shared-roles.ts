import { type Client, DatabaseError } from 'pg';
import { withLock } from './advisory-lock.js';
import { withAdmin, type DatabaseServer } from './database-server.js';

/** How long one command waits for a session that changes the same role; milliseconds. */
const tidyLockMs = 50;
/** How long all commands may take; the next run continues. */
const tidyMs = 10_000;

/**
 * SQLSTATEs caused by a project that changes the same row at the same time: internal_error ("tuple concurrently
 * updated"), undefined_object and invalid_catalog_name for logins and databases that are gone, lock_not_available,
 * deadlock_detected, and out_of_memory (of the table of locks).
 */
const passingStates: readonly (string | undefined)[] = [
  'XX000',
  '42704',
  '3D000',
  '55P03',
  '40P01',
  '53200',
];

const findCommands = `
with shared as (
  select oid, rolname, rolpassword from pg_catalog.pg_authid
  where not rolcanlogin
    and (rolname in ('anon', 'authenticated', 'service_role') or pg_catalog.starts_with(rolname::pg_catalog.text, 'platform_'))
)
select pg_catalog.format('alter role %I reset all', rolname) as command from shared
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
join pg_catalog.pg_authid login on login.oid = roleid and login.rolcanlogin`;

/**
 * Removes settings, passwords and memberships from the roles that all projects share. A function of a project that runs
 * as a shared role may write its settings and its password, and in PostgreSQL 15 make it a member of the login of the
 * project; other projects cannot see them. Returns how many commands have to be repeated later, because a project
 * changes the same role or ten seconds have passed.
 */
export async function tidySharedRoles(server: DatabaseServer): Promise<number> {
  return withAdmin(server, undefined, (client) =>
    // Two processes that change the same row would make each other fail.
    withLock(client, 'rowhouse shared roles', () => runCommands(client)),
  );
}

async function runCommands(client: Client): Promise<number> {
  const endsAt = performance.now() + tidyMs;
  await client.query(`set lock_timeout = ${tidyLockMs}`);
  const { rows } = await client.query<{ command: string }>(findCommands);
  let left = rows.length;
  for (const { command } of rows) {
    if (performance.now() > endsAt) break;
    try {
      await client.query(command); // One after the other, each in a transaction of its own.
      left -= 1;
    } catch (error) {
      if (!(error instanceof DatabaseError && passingStates.includes(error.code))) throw error;
    }
  }
  return left;
}
