// Addresses of a database server for proxies of tests: a Unix socket or TCP, as its connection string says.
import type { IpcSocketConnectOpts, TcpSocketConnectOpts } from 'node:net';

import { Client } from 'pg';

/** Returns the address to which `connect` of node:net opens a bare connection, from a connection string. */
export function addressOf(databaseUrl: string): IpcSocketConnectOpts | TcpSocketConnectOpts {
  const { host, port } = new Client({ connectionString: databaseUrl });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** Returns the connection string that leads to the server through a proxy at this port of this machine. */
export function urlThrough(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
