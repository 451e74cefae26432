// Connections of the bench itself: always the superuser's, to make and to clear what is measured.

import { Client } from 'pg';
import type { Login } from './baseline-login.js';

/** Where the measured database is, without who connects. */
export interface DatabaseAddress {
  /** A host name, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** The connection string of another database of the same server. */
export function urlOfDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

export function addressOf(serverUrl: string, database: string): DatabaseAddress {
  const { host, port } = new Client({ connectionString: serverUrl });
  return { host, port, database };
}

export function urlOfLogin(address: DatabaseAddress, login: Login): string {
  const { host, port, database } = address;
  const url = new URL(
    `postgres://${login.user}:${login.password}@localhost:${String(port)}/${database}`,
  );
  url.searchParams.set('host', host);
  return url.href;
}

/**
 * A connection string as variables of the environment, for clients that take no folder of a socket in a
 * string.
 */
export function variablesOf(url: string): Record<string, string> {
  const { host, port, user = '', password = '', database = '' } = new Client(url);
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
  };
}

/** The application name in pg_stat_activity that only the bench's own connections have. */
export const BENCH_APPLICATION = 'rowhouse-bench';

export async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: BENCH_APPLICATION });
  await client.connect();
  return client;
}
