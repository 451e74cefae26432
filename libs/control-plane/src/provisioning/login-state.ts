// The passwords and settings of a project's logins. A login may change both of itself; here they are compared and
// restored. Settings of the owner's login are for the owner's tools and are left alone, but for those that end its
// sessions.
import { type Client, DatabaseError } from 'pg';
import { fail } from '#libs/errors';
import { quoteIdent } from '#libs/wire';
import { withLockInTime } from './advisory-lock.js';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { loginKinds, namesOf } from './names.js';
import type { LoginPasswords } from './project-database.js';
import { loginVerifier } from './scram-verifier.js';

/** How long a statement waits for a session that holds a lock on a login; milliseconds. */
const loginLockMs = 1_000;

/** SQLSTATEs that such a session causes: lock_not_available, deadlock_detected, and "tuple concurrently updated". */
const lockedStates: readonly (string | undefined)[] = ['55P03', '40P01', 'XX000'];

/**
 * Runs `work` on a superuser connection while no other process works on the logins of the project `ref`. Throws
 * CONFLICT if a session of the project, or another process, holds a lock on them for longer than a second.
 */
export async function withLoginLock<T>(
  server: DatabaseServer,
  ref: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withAdmin(server, undefined, async (client) => {
    await client.query(`set lock_timeout = ${loginLockMs}`);
    try {
      return await withLockInTime(client, `rowhouse logins ${ref}`, () => work(client));
    } catch (error) {
      if (!isLoginLocked(error)) throw error;
      const reason = 'A session holds a lock on the logins of this project; end it and try again';
      throw fail('CONFLICT', { reason }, { cause: error });
    }
  });
}

/** Whether a statement failed because a session holds a lock on a login. */
export function isLoginLocked(error: unknown): boolean {
  return error instanceof DatabaseError && lockedStates.includes(error.code);
}

/**
 * The stored size of settings of one login that are compared as they are; bytes. The platform gives a login none, and a
 * login may give itself as many as the server stores: the text of all of them could be too long for the server.
 */
const mostSettings = 2_000;

/** The logins that only the platform uses. */
const platformLogins = loginKinds.filter((kind) => kind !== 'owner');

/**
 * Settings by which a login ends each of its sessions: at the start, for a library that does not exist, or with the
 * first statement. Of all settings that a login may change, no other does.
 */
const endingSettings = ['local_preload_libraries', 'idle_session_timeout', 'transaction_timeout'];

/**
 * Returns a function that gives the logins of a database id these passwords, resets settings that change how the
 * platform's own sessions begin and those by which the owner has locked itself out, and returns the digest of the
 * result. Passwords are hashed before it runs.
 */
export async function prepareLogins(
  databaseId: string,
  passwords: LoginPasswords,
): Promise<(client: Client) => Promise<string | undefined>> {
  const names = namesOf(databaseId);
  const changes = await Promise.all(
    loginKinds.map(
      async (kind) =>
        `alter role ${quoteIdent(names[kind])} password '${await loginVerifier(kind, passwords[kind])}';`,
    ),
  );
  const resets = (place: string): string[] =>
    platformLogins.map((kind) => `alter role ${quoteIdent(names[kind])}${place} reset all;`);
  return (client) =>
    // A change that a login commits between the restore and the digest is not in this snapshot: it shows as a
    // difference later.
    inSnapshot(client, async () => {
      // A login may have settings of its own for every database, also for those of others.
      const { rows } = await client.query<{ name: string }>(
        `select datname as name from pg_catalog.pg_database where datname operator(pg_catalog.=) $1 or oid in (
           select setdatabase from pg_catalog.pg_db_role_setting where setrole in (
             select oid from pg_catalog.pg_roles where rolname operator(pg_catalog.=) any ($2::pg_catalog.name[])))`,
        [names.database, platformLogins.map((kind) => names[kind])],
      );
      const ofDatabases = rows.flatMap(({ name }) => resets(` in database ${quoteIdent(name)}`));
      const ofOwner = await ownerResets(client, names.owner);
      await client.query([...changes, ...resets(''), ...ofDatabases, ...ofOwner].join('\n'));
      return (await digestOn(client, [databaseId])).get(databaseId);
    });
}

/** The statements that reset the {@link endingSettings} of an owner. */
async function ownerResets(client: Client, owner: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; database: string | null }>(
    `select pg_catalog.split_part(entry, '=', 1) as name, datname as database
     from pg_catalog.pg_db_role_setting
     left join pg_catalog.pg_database on pg_database.oid = setdatabase
     cross join pg_catalog.unnest(setconfig) entry
     where setrole = (select oid from pg_catalog.pg_roles where rolname operator(pg_catalog.=) $1)
       and pg_catalog.split_part(entry, '=', 1) operator(pg_catalog.=) any ($2::pg_catalog.text[])`,
    [owner, endingSettings],
  );
  return rows.map(({ name, database }) => {
    const place = database === null ? '' : ` in database ${quoteIdent(database)}`;
    return `alter role ${quoteIdent(owner)}${place} reset ${quoteIdent(name)};`;
  });
}

async function inSnapshot<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Returns a digest of passwords and settings for each database id that has logins on the server. */
export async function digestLogins(
  server: DatabaseServer,
  databaseIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return withAdmin(server, undefined, (client) => digestOn(client, databaseIds));
}

/** Like {@link digestLogins}, over an open connection. */
export async function digestOn(
  client: Client,
  databaseIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; digest: string }>(
    `select login.id, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.string_agg(
         coalesce(role.rolpassword, '') || ' ' || case
           when pg_catalog.pg_column_size(setting.setconfig) > ${mostSettings} then 'too long'
           else coalesce(setting.setconfig::pg_catalog.text, '') end,
         ' ' order by role.rolname, setting.setdatabase
       ), 'UTF8')), 'hex') as digest
     from pg_catalog.unnest($1::pg_catalog.text[]) as login (id)
     cross join pg_catalog.unnest($2::pg_catalog.text[]) as kind (name)
     join pg_catalog.pg_authid role on role.rolname = login.id || '_' || kind.name
     left join pg_catalog.pg_db_role_setting setting
       on setting.setrole = role.oid and kind.name <> 'owner'
     group by login.id`,
    [databaseIds, loginKinds],
  );
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

/** Ends the connections of a login and waits for their end, at most five seconds for each. */
export async function endConnectionsOf(client: Client, login: string): Promise<void> {
  await client.query(
    `select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity
     where usename operator(pg_catalog.=) $1`,
    [login],
  );
}
