// The logins and the database of one project on the server: created, looked up and dropped.
import { type Client, DatabaseError } from 'pg';
import { fail } from '#libs/errors';
import { withAdmin, quoted, type DatabaseServer } from './database-server.js';
import { loginKinds, type DatabaseNames, type LoginKind } from './names.js';
import { projectRights } from './project-rights.js';
import { loginVerifier } from './scram-verifier.js';

/** The passwords of a project's logins. */
export type LoginPasswords = Readonly<Record<LoginKind, string>>;

/**
 * The options of each login. The connection limit counts across all processes; the budget of a process stays far below
 * it. Logins inherit from their roles only if they use the rights without `set role`.
 */
const logins: Readonly<Record<LoginKind, { readonly options: string; readonly roles: string }>> = {
  owner: { options: 'noinherit connection limit 20', roles: '' },
  editor: { options: 'noinherit connection limit 10', roles: 'service_role' },
  api: {
    options: 'noinherit connection limit 60',
    roles: 'anon, authenticated, service_role',
  },
  engine: { options: 'inherit connection limit 40', roles: 'platform_engine' },
  platform: { options: 'inherit connection limit 5', roles: 'platform_engine' },
  deleter: { options: 'noinherit connection limit 10', roles: '' },
};

/** Whether the server has anything with the names of a project. */
export async function hasDatabaseObjects(
  server: DatabaseServer,
  names: DatabaseNames,
): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    const reply = await client.query(
      `select from pg_database where datname = $1
       union all select from pg_roles where rolname = any ($2)`,
      [names.database, loginKinds.map((kind) => names[kind])],
    );
    return reply.rowCount !== 0;
  });
}

/**
 * The connection limit that PostgreSQL gives a database whose removal was interrupted by a crash of the server. Such a
 * database can only be dropped: it accepts no connection, and no `alter database`.
 */
const invalidLimit = -2;

/** Whether a database exists and accepts connections. */
export async function hasDatabase(server: DatabaseServer, database: string): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    const reply = await client.query(
      'select from pg_database where datname = $1 and datconnlimit <> $2',
      [database, invalidLimit],
    );
    return reply.rowCount !== 0;
  });
}

/** Drops a database whose removal was interrupted by a crash of the server. */
export async function dropInvalidDatabase(server: DatabaseServer, database: string): Promise<void> {
  await withAdmin(server, undefined, async (client) => {
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1 and datconnlimit = $2',
      [database, invalidLimit],
    );
    if (rowCount !== 0) await client.query(`drop database if exists ${quoted(database)}`);
  });
}

/** Creates the missing logins of a project, all or none. Returns whether any were missing. */
export async function ensureRoles(
  server: DatabaseServer,
  names: DatabaseNames,
  passwords: LoginPasswords,
): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      'select rolname from pg_roles where rolname = any ($1)',
      [loginKinds.map((kind) => names[kind])],
    );
    const found = new Set(rows.map(({ rolname }) => rolname));
    const missing = loginKinds.filter((kind) => !found.has(names[kind]));
    const statements = await Promise.all(
      missing.map((kind) => creationOf(kind, names[kind], passwords[kind])),
    );
    if (statements.length === 0) return false;
    await client.query([...statements, useReserve(missing.map((kind) => names[kind]))].join('\n'));
    return true;
  });
}

async function creationOf(kind: LoginKind, name: string, password: string): Promise<string> {
  const { options, roles } = logins[kind];
  const create = `create role ${quoted(name)} login ${options} password '${await loginVerifier(kind, password)}';`;
  return roles === '' ? create : `${create}\ngrant ${roles} to ${quoted(name)};`;
}

/** Logins that may use the server's reserved connections: all but those of owners. */
export const isPlatformLogin = (name: string): boolean => !name.endsWith('_owner');

/**
 * The statement that lets the platform's logins among `names` use the reserved connections of PostgreSQL 16 and later.
 * They do not inherit from other roles; the grant enables it for this role.
 */
export function useReserve(names: readonly string[]): string {
  const grants = names
    .filter((name) => isPlatformLogin(name))
    .map(
      (name) =>
        `grant pg_use_reserved_connections to ${quoted(name)} with inherit true, set false;`,
    )
    .join('\n');
  if (grants === '') return '';
  return `
do $do$
begin
  if pg_catalog.current_setting('server_version_num')::pg_catalog.int4 operator(pg_catalog.>=) 160000 then
    execute $grants$ ${grants} $grants$;
  end if;
end
$do$;`;
}

/**
 * How long the drop waits for a lock: of a neighbour on an object with grants to the logins, or on a login itself,
 * which an uncommitted grant locks; milliseconds.
 */
const neighbourLockMs = 1_000;

/**
 * SQLSTATEs that a neighbour can cause: lock_not_available, deadlock_detected, dependent_objects_still_exist (rights
 * that it has granted meanwhile), internal_error ("tuple concurrently updated"), out_of_memory (of the table of
 * locks), query_canceled; and undefined_object, when another process has dropped a login.
 */
const neighbourStates: readonly (string | undefined)[] = [
  '55P03',
  '40P01',
  '2BP01',
  'XX000',
  '53200',
  '57014',
  '42704',
];

const isOfNeighbour = (error: unknown): boolean =>
  error instanceof DatabaseError && neighbourStates.includes(error.code);

/**
 * Drops the logins of {@link ensureRoles}, as far as they exist, with all rights that other projects have granted to
 * them. Returns false if a neighbour prevents it, for example with a lock: the logins have to be dropped later.
 */
export async function dropRoles(server: DatabaseServer, names: DatabaseNames): Promise<boolean> {
  const roles = loginKinds.map((kind) => names[kind]);
  return withAdmin(server, undefined, async (client) => {
    await client.query(`set lock_timeout = ${neighbourLockMs}`);
    const { rows: found } = await client.query<{ rolname: string }>(
      'select rolname from pg_roles where rolname = any ($1)',
      [roles],
    );
    if (found.length === 0) return true;
    const quotedNames = found.map(({ rolname }) => quoted(rolname));
    const list = quotedNames.join(', ');
    try {
      await client.query(quotedNames.map((name) => `alter role ${name} nologin;`).join('\n'));
      for (const database of await listDependents(client, roles)) {
        // Another project has granted rights on its own objects to these roles. One after the other: there are few.
        await withAdmin(server, database, async (other) => {
          await other.query(`set lock_timeout = ${neighbourLockMs}`);
          await other.query(`drop owned by ${list}`);
        });
      }
      await client.query(`drop role ${list}`);
      return true;
    } catch (error) {
      if (isOfNeighbour(error)) return false;
      throw error;
    }
  });
}

/**
 * The databases in which something depends on one of the roles. The array keeps the planner at the index: the table has
 * rows of every database, and a join reads them all.
 */
async function listDependents(client: Client, roles: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select distinct datname from pg_shdepend
     join pg_database on pg_database.oid = dbid
     where refclassid = 'pg_authid'::pg_catalog.regclass
       and refobjid = any (array(select oid from pg_roles where rolname = any ($1))) and datallowconn`,
    [roles],
  );
  return rows.map(({ datname }) => datname);
}

/** Copies the template. Only the superuser can connect until {@link grantRights}. */
export async function createDatabase(
  server: DatabaseServer,
  database: string,
  template: string,
): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    client.query(
      `create database ${quoted(database)} template ${quoted(template)} connection limit 0`,
    ),
  );
}

/** Lets the logins of a project connect to its database, after a creation, a deletion or a snapshot has closed it. */
export async function openToLogins(server: DatabaseServer, database: string): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    client.query(`alter database ${quoted(database)} connection limit -1 allow_connections true`),
  );
}

/** How long one attempt to drop a database waits: long enough for the lock watch to end a session that blocks it. */
const dropLockMs = 2_000;
const dropAttempts = 5;
const heldReason =
  'The database is in use, or a session of another project holds a lock on it; the worker tries again';
/** SQLSTATE object_in_use: a worker of autovacuum, for example, did not end within five seconds. */
const inUse = '55006';

/**
 * Ends every connection to the database of a project and drops it, if it exists. A neighbour that holds a lock on it
 * delays this by at most ten seconds, a session that does not end by at most 25; then it throws CONFLICT.
 */
export async function dropDatabase(server: DatabaseServer, database: string): Promise<void> {
  await withAdmin(server, undefined, async (client) => {
    await client.query(`set lock_timeout = ${dropLockMs}`);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`drop database if exists ${quoted(database)} with (force)`);
        return;
      } catch (error) {
        const isHeld =
          isOfNeighbour(error) || (error instanceof DatabaseError && error.code === inUse);
        if (!isHeld) throw error;
        if (attempt === dropAttempts)
          throw fail('CONFLICT', { reason: heldReason }, { cause: error });
      }
    }
  });
}

/** Hands the copy of a template over to the roles of its project, and opens it to them. */
export async function grantRights(server: DatabaseServer, names: DatabaseNames): Promise<void> {
  await withAdmin(server, names.database, (client) =>
    client.query(
      `reassign owned by platform_owner to ${quoted(names.platform)};\n${projectRights(names)}`,
    ),
  );
}
