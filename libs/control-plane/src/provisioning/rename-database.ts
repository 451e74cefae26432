// Projects of releases before 0.2 have names on the database server that contain their ref, which neighbors can guess.
// They are renamed once, before the first connection of this release.
import type { Client } from 'pg';

import { quoteIdent } from '#libs/wire';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { namesOf, type DatabaseNames } from './names.js';

/** The logins of a project before its database got an identifier of its own. */
const renamedLogins = ['owner', 'api', 'engine'] as const;

/**
 * Renames the database and the logins of a project to the names of its identifier. Does nothing if they have them. Ends
 * the connections to the database: PostgreSQL cannot rename a database that is in use.
 */
export async function renameDatabase(
  server: DatabaseServer,
  project: { readonly ref: string; readonly databaseId: string },
): Promise<void> {
  const from = namesOf(project.ref);
  const to = namesOf(project.databaseId);
  await withAdmin(server, undefined, async (client) => {
    const found = await client.query(
      'select from pg_catalog.pg_database where datname operator(pg_catalog.=) $1',
      [from.database],
    );
    if (found.rowCount !== 0) await renameAll(client, from, to);
  });
}

async function renameAll(client: Client, from: DatabaseNames, to: DatabaseNames): Promise<void> {
  const database = quoteIdent(from.database);
  await client.query(`alter database ${database} allow_connections false`);
  await client.query(
    `select pg_catalog.pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity
     where datname operator(pg_catalog.=) $1`,
    [from.database],
  );
  const logins = renamedLogins.map(
    (login) => `alter role ${quoteIdent(from[login])} rename to ${quoteIdent(to[login])};`,
  );
  // One simple query is one transaction: after a failure the database is closed until the next attempt.
  await client.query(`
alter database ${database} rename to ${quoteIdent(to.database)};
alter database ${quoteIdent(to.database)} allow_connections true;
${logins.join('\n')}`);
}
