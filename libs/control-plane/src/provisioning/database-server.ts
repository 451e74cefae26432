// The PostgreSQL server on which the projects live, as its superuser reaches it.
import type { ConnectionOptions } from 'node:tls';

import { LastingClient } from '#libs/postgres-client';
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

/** How long the server may take to open a session; milliseconds. */
const connectMs = 10_000;
/** How long a statement may wait for a lock, which a project may hold; milliseconds. */
const lockTimeoutMs = 10_000;
/** How long it may take in all; copying or dropping a large database takes minutes. */
const statementTimeoutMs = 600_000;

/**
 * Runs `work` on a superuser connection to `database` (absent: the maintenance database). The search path holds
 * nothing that a project can add to, no trigger fires, and no statement waits longer than ten seconds for a lock. Only
 * `withLock` waits longer, for other processes of the platform.
 */
export async function withAdmin<T>(
  server: DatabaseServer,
  database: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(server.adminUrl);
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`;
  return withClient({ connectionString: url.href }, async (client) => {
    await client.query(pinnedSettings);
    // Triggers are code of a project or of its platform role: none of it runs with the superuser's rights.
    if (database !== undefined) await client.query('set session_replication_role = replica');
    return work(client);
  });
}

/** Runs `work` on a connection of a project's platform login, with the same settings as {@link withAdmin}. */
export async function withPlatform<T>(
  server: DatabaseServer,
  target: { readonly database: string; readonly user: string; readonly password: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { host, port, ssl } = server;
  return withClient({ host, port, ssl, ...target }, async (client) => {
    await client.query(pinnedSettings);
    return work(client);
  });
}

/** `set` is not a function: nothing that a project has made can take its place. */
const pinnedSettings = `
set search_path = pg_catalog, pg_temp;
set lock_timeout = ${lockTimeoutMs};
set statement_timeout = ${statementTimeoutMs};
set idle_in_transaction_session_timeout = ${statementTimeoutMs};
set standard_conforming_strings = on;
set transform_null_equals = off;
set row_security = on;`;

async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new LastingClient({
    ...config,
    application_name: 'rowhouse provisioning',
    connectionTimeoutMillis: connectMs,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Quoted for use in SQL text. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);
