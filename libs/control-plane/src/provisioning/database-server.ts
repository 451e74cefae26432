// The PostgreSQL server of the projects, as its superuser reaches it.
import type { ConnectionOptions } from 'node:tls';

import { LastingClient } from '#libs/postgres-client';
import pg from 'pg';

/** The address of the server. Projects do not store it: a restart may change the port. */
export interface DatabaseServer {
  /** A superuser connection string; the database in it is the maintenance database. */
  readonly adminUrl: string;
  /** Where the platform connects: a host name, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Where owners of projects connect with their own tools: the host name in the connection string. */
  readonly ownerHost: string;
  /** TLS according to the connection string. */
  readonly ssl: boolean | ConnectionOptions;
}

/**
 * The address in a superuser connection string. A parameter `host` of the string is for the platform alone, which
 * connects over a Unix socket by it while owners use the host name.
 */
export function databaseServer(adminUrl: string): DatabaseServer {
  const { host, port, ssl } = new pg.Client({ connectionString: adminUrl });
  return { adminUrl, host, port, ssl, ownerHost: ownerHostOf(adminUrl, host) };
}

function ownerHostOf(adminUrl: string, host: string): string {
  if (!host.startsWith('/')) return host;
  // The host name of a connection string can be the folder of the socket itself, in percent-encoding, or absent.
  const { hostname } = URL.canParse(adminUrl) ? new URL(adminUrl) : { hostname: '' };
  if (hostname === '' || hostname.includes('%')) return 'localhost';
  return hostname.replace(/^\[(.+)\]$/, '$1');
}

/** How long the server may take to open a session; milliseconds. */
const connectMs = 10_000;
const clientConfig = {
  application_name: 'rowhouse provisioning',
  connectionTimeoutMillis: connectMs,
} as const;
/** How long a statement may wait for a lock, which a project may hold; milliseconds. */
const lockTimeoutMs = 10_000;
/** The timeout of a statement; copying or dropping a large database takes minutes. */
const statementTimeoutMs = 600_000;

/**
 * Runs `work` on a superuser connection to `database` (absent: the maintenance database). Projects cannot add anything
 * to its search path, no trigger fires, and no statement waits longer than ten seconds for a lock. Only `withLock`
 * waits longer, for other processes of the platform.
 */
export async function withAdmin<T>(
  server: DatabaseServer,
  database: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (database === undefined) return withMaintenanceClient(server, work);
  const url = new URL(server.adminUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return withClient({ connectionString: url.href }, async (client) => {
    // Triggers are code of a project or of its platform role: none of it may run with the superuser's rights.
    await client.query(`${pinnedSettings} set session_replication_role = replica;`);
    return work(client);
  });
}

/** How long a connection to the maintenance database is kept for the next step; milliseconds. */
const keepMs = 2_000;
const pools = new WeakMap<DatabaseServer, pg.Pool>();

/**
 * No code of a project runs in the maintenance database, so the steps of a creation or a deletion share connections to
 * it. Each step gets a reset session; a connection whose work failed is closed.
 */
async function withMaintenanceClient<T>(
  server: DatabaseServer,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const pool = maintenancePool(server);
  const client = await pool.connect();
  let isClean = false;
  try {
    await client.query(pinnedSettings);
    const value = await work(client);
    isClean = await client.query('discard all').then(
      () => true,
      () => false,
    );
    return value;
  } finally {
    client.release(!isClean);
  }
}

function maintenancePool(server: DatabaseServer): pg.Pool {
  const known = pools.get(server);
  if (known) return known;
  const pool = new pg.Pool({
    ...clientConfig,
    connectionString: server.adminUrl,
    Client: LastingClient,
    // No step waits for another one.
    max: Number.MAX_SAFE_INTEGER,
    idleTimeoutMillis: keepMs,
    allowExitOnIdle: true,
  });
  // The loss of an idle connection does not matter.
  pool.on('error', () => undefined);
  pools.set(server, pool);
  return pool;
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

/** `set` is not a function, so a project cannot replace it. */
const pinnedSettings = `
set search_path = pg_catalog, pg_temp;
set lock_timeout = ${lockTimeoutMs};
set statement_timeout = ${statementTimeoutMs};
set idle_in_transaction_session_timeout = ${statementTimeoutMs};
set standard_conforming_strings = on;
set transform_null_equals = off;
set default_transaction_read_only = off;
set row_security = on;`;

async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new LastingClient({ ...config, ...clientConfig });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
