// The logins and the database of one project on the server: created, looked up and dropped.
import { type Client, DatabaseError } from 'pg';
import { quoteIdent } from '#libs/wire';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { loginKinds, type DatabaseNames, type LoginKind } from './names.js';
import { projectRights } from './project-rights.js';
import { loginVerifier } from './scram-verifier.js';

/** The passwords of a project's logins. */
export type LoginPasswords = Readonly<Record<LoginKind, string>>;

/**
 * The options of each login. The connection limit counts across all processes. Those of `owner` and `api` hold until
 * the worker sets what the deployment allows; that of `api` suits one API process with the default budget, and its
 * successor in a rolling upgrade. Logins inherit from their roles only if they use the rights without `set role`.
 */
const logins: Readonly<Record<LoginKind, { readonly options: string; readonly roles: string }>> = {
  owner: { options: 'noinherit connection limit 20', roles: '' },
  editor: {
    options: 'noinherit connection limit 10',
    roles: 'anon, authenticated, service_role',
  },
  api: {
    options: 'noinherit connection limit 16',
    roles: 'anon, authenticated, service_role',
  },
  engine: { options: 'inherit connection limit 40', roles: 'platform_engine' },
  platform: { options: 'inherit connection limit 5', roles: 'platform_engine' },
  deleter: { options: 'noinherit connection limit 10', roles: '' },
  // A member of the owner too, see `creationOf`.
  lab: { options: 'noinherit connection limit 5', roles: 'anon, authenticated, service_role' },
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
export const invalidLimit = -2;

/** Whether a database exists and is whole. */
export async function hasDatabase(server: DatabaseServer, database: string): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    return (await findAccess(client, database)) !== undefined;
  });
}

/** Whether the logins of a project may connect to its database; undefined if it does not exist or is not whole. */
async function findAccess(
  client: Client,
  database: string,
): Promise<{ readonly isOpen: boolean } | undefined> {
  const { rows } = await client.query<{ isOpen: boolean }>(
    `select datallowconn and datconnlimit = -1 as "isOpen"
     from pg_database where datname = $1 and datconnlimit <> $2`,
    [database, invalidLimit],
  );
  return rows[0];
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
      missing.map((kind) => creationOf(kind, names, passwords[kind])),
    );
    if (statements.length === 0) return false;
    await client.query([...statements, useReserve(missing.map((kind) => names[kind]))].join('\n'));
    return true;
  });
}

async function creationOf(
  kind: LoginKind,
  names: DatabaseNames,
  password: string,
): Promise<string> {
  const { options, roles: fixed } = logins[kind];
  const name = quoteIdent(names[kind]);
  const create = `create role ${name} login ${options} password '${await loginVerifier(kind, password)}';`;
  // Policies are changed as the owner and tried as the roles of requests, in one transaction.
  const roles = kind === 'lab' ? `${fixed}, ${quoteIdent(names.owner)}` : fixed;
  return roles === '' ? create : `${create}\ngrant ${roles} to ${name};`;
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
        `grant pg_use_reserved_connections to ${quoteIdent(name)} with inherit true, set false;`,
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
 * How long the drop waits for a lock: of a neighbor on an object with grants to the logins, or on a login itself,
 * which an uncommitted grant locks; milliseconds.
 */
const neighborLockMs = 1_000;

/**
 * SQLSTATEs that a neighbor can cause: lock_not_available, deadlock_detected, dependent_objects_still_exist (rights
 * that it has granted meanwhile), internal_error ("tuple concurrently updated"), out_of_memory (of the table of
 * locks), query_canceled; and undefined_object, when another process has dropped a login.
 */
const neighborStates: readonly (string | undefined)[] = [
  '55P03',
  '40P01',
  '2BP01',
  'XX000',
  '53200',
  '57014',
  '42704',
];

/** Whether a neighbor may have caused the error of a statement. */
export const mayBeCausedByNeighbor = (error: unknown): boolean =>
  error instanceof DatabaseError && neighborStates.includes(error.code);

/**
 * Drops the logins of {@link ensureRoles}, as far as they exist, with all rights that other projects have granted to
 * them. Returns false if a neighbor prevents it, for example with a lock: the logins have to be dropped later.
 */
export async function dropRoles(server: DatabaseServer, names: DatabaseNames): Promise<boolean> {
  const roles = loginKinds.map((kind) => names[kind]);
  return withAdmin(server, undefined, async (client) => {
    await client.query(`set lock_timeout = ${neighborLockMs}`);
    const { rows: found } = await client.query<{ rolname: string }>(
      'select rolname from pg_roles where rolname = any ($1)',
      [roles],
    );
    if (found.length === 0) return true;
    const quotedNames = found.map(({ rolname }) => quoteIdent(rolname));
    const list = quotedNames.join(', ');
    try {
      await client.query(closeLoginsSql(quotedNames));
      for (const database of await listDependents(client, roles)) {
        // Another project has granted rights on its own objects to these roles. One after the other: there are few.
        await withAdmin(server, database, async (other) => {
          await other.query(`set lock_timeout = ${neighborLockMs}`);
          await other.query(`drop owned by ${list}`);
        });
      }
      await client.query(`drop role ${list}`);
      return true;
    } catch (error) {
      if (mayBeCausedByNeighbor(error)) return false;
      throw error;
    }
  });
}

/** One query, one transaction. The drop that follows, or the next attempt, waits for the disk. */
const closeLoginsSql = (quotedNames: readonly string[]): string =>
  [
    'set local synchronous_commit = off;',
    ...quotedNames.map((name) => `alter role ${name} nologin;`),
  ].join('\n');

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
      `create database ${quoteIdent(database)} template ${quoteIdent(template)} connection limit 0`,
    ),
  );
}

/**
 * Lets the logins of a project connect to its database, after a creation, a deletion or a snapshot has closed it.
 * Returns false if the database does not exist or is not whole.
 */
export async function openToLogins(server: DatabaseServer, database: string): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    const access = await findAccess(client, database);
    if (access?.isOpen === false) {
      await client.query(
        `alter database ${quoteIdent(database)} connection limit -1 allow_connections true`,
      );
    }
    return access !== undefined;
  });
}

/** Hands the copy of a template over to the roles of its project, and opens it to them. */
export async function grantRights(server: DatabaseServer, names: DatabaseNames): Promise<void> {
  await withAdmin(server, names.database, (client) =>
    client.query(
      `reassign owned by platform_owner to ${quoteIdent(names.platform)};\n${projectRights(names)}`,
    ),
  );
}
