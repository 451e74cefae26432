// The PostgreSQL server on which the projects live, as its superuser reaches it.
import type { ConnectionOptions } from 'node:tls';

import pg from 'pg';

/** Where the server is. Projects keep no coordinates of their own: a restart may change the port. */
export interface DatabaseServer {
  /** A superuser connection string; the database in it is the maintenance database. */
  readonly adminUrl: string;
  readonly host: string;
  readonly port: number;
  /** TLS as the connection string asks for it. */
  readonly ssl: boolean | ConnectionOptions;
}

/** The coordinates in a superuser connection string. */
export function databaseServer(adminUrl: string): DatabaseServer {
  const { host, port, ssl } = new pg.Client({ connectionString: adminUrl });
  return { adminUrl, host, port, ssl };
}

/** Runs `work` on a superuser connection to `database` (absent: the maintenance database). */
export async function withAdmin<T>(
  server: DatabaseServer,
  database: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(server.adminUrl);
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`;
  const client = new pg.Client({
    connectionString: url.href,
    application_name: 'rowhouse provisioning',
  });
  // A lost connection fails the statement that waits for it; without one it is nobody's loss.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Quoted for use in SQL text. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);
