// Connections of the bench itself: always the superuser's, to make and to clear what is measured.

import { Client } from 'pg';
import type { Login } from './baseline-login.js';

/** Where the measured database is, without who connects. */
export interface DatabaseAddress {
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
  const url = new URL(serverUrl);
  return { host: url.hostname, port: Number(url.port === '' ? 5432 : url.port), database };
}

export function urlOfLogin(address: DatabaseAddress, login: Login): string {
  const { host, port, database } = address;
  return `postgres://${login.user}:${login.password}@${host}:${String(port)}/${database}`;
}

/** How the bench's own connections are told from the product's in pg_stat_activity. */
export const BENCH_APPLICATION = 'rowhouse-bench';

export async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: BENCH_APPLICATION });
  await client.connect();
  return client;
}
