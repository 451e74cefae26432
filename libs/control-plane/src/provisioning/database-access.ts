// Which logins of a project may connect. A login cannot change its own right to connect or the limit of the database.
import type { Client } from 'pg';

import { quoteIdent } from '#libs/wire';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { endConnectionsOf, isLoginLocked } from './login-state.js';
import type { DatabaseNames } from './names.js';

/** The connection limit of a database to which only superusers can connect. */
export const closedDatabaseLimit = 0;

/** How often the owner's sessions are ended while one of them holds a lock on the login. */
const maxAttempts = 5;

interface DatabaseAccess {
  /** Whether the owner may connect. */
  readonly admitsOwner: boolean;
  /** Whether any login of the project may. */
  readonly admitsLogins: boolean;
}

/** The access that the server allows. */
export interface PresentAccess {
  readonly admitsOwner: boolean;
  readonly limit: number;
}

/** Opens or closes a database and the login of its owner, and ends the sessions that are no longer allowed. */
export async function setDatabaseAccess(
  client: Client,
  names: DatabaseNames,
  { admitsOwner, admitsLogins }: DatabaseAccess,
): Promise<void> {
  const { database, owner } = names;
  const limit = admitsLogins ? -1 : closedDatabaseLimit;
  await client.query(`alter database ${quoteIdent(database)} connection limit ${limit}`);
  const alter = `alter role ${quoteIdent(owner)} ${admitsOwner ? 'login' : 'nologin'}`;
  for (let attempt = 1; ; attempt += 1) {
    // A session of the owner may hold a lock on its login.
    if (!admitsOwner) await endConnectionsOf(client, owner);
    try {
      await client.query(alter);
      break;
    } catch (error) {
      if (!isLoginLocked(error) || admitsOwner || attempt === maxAttempts) throw error;
    }
  }
  if (!admitsOwner) await endConnectionsOf(client, owner);
  if (!admitsLogins) await endConnections(client, database);
}

async function endConnections(client: Client, database: string): Promise<void> {
  await client.query(
    `select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity
     where datname operator(pg_catalog.=) $1`,
    [database],
  );
}

/** Returns the access to each existing database, by its name. */
export async function listAccess(
  server: DatabaseServer,
  projects: readonly DatabaseNames[],
): Promise<ReadonlyMap<string, PresentAccess>> {
  return withAdmin(server, undefined, async (client) => {
    const { rows } = await client.query<PresentAccess & { readonly database: string }>(
      `select wanted.database, role.rolcanlogin as "admitsOwner", datconnlimit as "limit"
       from rows from (
         pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])
       ) as wanted (database, owner)
       join pg_catalog.pg_database on datname operator(pg_catalog.=) wanted.database::pg_catalog.name
       join pg_catalog.pg_roles role on role.rolname operator(pg_catalog.=) wanted.owner::pg_catalog.name
       where datallowconn`,
      [projects.map(({ database }) => database), projects.map(({ owner }) => owner)],
    );
    return new Map(rows.map(({ database, ...access }) => [database, access]));
  });
}
