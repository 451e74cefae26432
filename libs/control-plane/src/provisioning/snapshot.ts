// Copies of a project's database, created with `create database ... template`. PostgreSQL cannot copy a database that
// is in use, so the project is unavailable while it is copied. No login can connect to a copy.
import type { Client } from 'pg';
import { randomBytes } from 'node:crypto';

import { fail } from '#libs/errors';
import { quoteIdent } from '#libs/wire';
import { isCollationRefusal } from './collation-version.js';
import { withAdmin, type DatabaseServer } from './database-server.js';
import type { DatabaseNames } from './names.js';
import { dropDatabase } from './drop-database.js';
import { databaseRights, revokeLogins } from './project-rights.js';

const nameBytes = 10;

/** Returns a name for a snapshot. Neighbors cannot guess it. */
export const newSnapshotName = (): string =>
  `rowhouse_snapshot_${randomBytes(nameBytes).toString('hex')}`;

/**
 * Ends the connections to a database, copies it, and opens it to the platform's login alone. Throws
 * COLLATION_VERSION_CHANGED if PostgreSQL refuses to copy it.
 */
export async function takeSnapshot(
  server: DatabaseServer,
  names: DatabaseNames,
  snapshot: string,
): Promise<void> {
  const database = quoteIdent(names.database);
  await withAdmin(server, undefined, async (client) => {
    await closeDatabase(client, names.database);
    await copy(client, names.database, snapshot);
    await client.query(
      `${revokeLogins(names)}\nalter database ${database} allow_connections true;`,
    );
  });
}

async function copy(client: Client, database: string, snapshot: string): Promise<void> {
  try {
    await client.query(
      `create database ${quoteIdent(snapshot)} template ${quoteIdent(database)} allow_connections false`,
    );
  } catch (error) {
    if (!(await isCollationRefusal(client, database, error))) throw error;
    throw fail('COLLATION_VERSION_CHANGED', { database }, { cause: error });
  }
}

async function closeDatabase(client: Client, database: string): Promise<void> {
  await client.query(`alter database ${quoteIdent(database)} allow_connections false`);
  await client.query(
    `select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity
     where datname operator(pg_catalog.=) $1`,
    [database],
  );
}

/**
 * Replaces the database of a project by its snapshot, and opens the database to the logins. If the snapshot does not
 * exist (not taken yet, or already in place), it only opens the database. May be repeated after a crash.
 */
export async function putSnapshotBack(
  server: DatabaseServer,
  names: DatabaseNames,
  snapshot: string,
): Promise<void> {
  const hasCopy = await withAdmin(server, undefined, (client) => isThere(client, snapshot));
  if (hasCopy) await dropDatabase(server, names.database);
  await withAdmin(server, undefined, async (client) => {
    const database = quoteIdent(names.database);
    const rename = hasCopy ? `alter database ${quoteIdent(snapshot)} rename to ${database};` : '';
    await client.query(
      `${rename}\n${databaseRights(names)}\nalter database ${database} allow_connections true;`,
    );
  });
}

async function isThere(client: Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_catalog.pg_database where datname operator(pg_catalog.=) $1',
    [database],
  );
  return rowCount !== 0;
}
