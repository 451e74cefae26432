// Opens connections with pg, which implements authentication and TLS, and takes the socket over from it where this
// library implements the protocol. Every failure to connect becomes DATABASE_UNAVAILABLE: the caller cannot fix a
// refused password.

import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import type { Client } from 'pg';
import { databaseAway } from '#libs/errors';
import { LastingClient } from '#libs/postgres-client';

/** One login role of a project database. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly ssl?: boolean | ConnectionOptions | undefined;
}

/** Options that all connections of one kind share. */
export interface ConnectionPlan {
  readonly address: DatabaseAddress;
  readonly login: Login;
  /** The role that the session runs as from the start; absent: the login itself. */
  readonly role?: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Schemas in which unqualified names are looked up; fixed for the life of the connection. */
  readonly searchPath: readonly string[];
  readonly statementTimeoutMs: number;
  /** Whether it can write while the database is above its limit; default false. */
  readonly writesAlways?: boolean;
  readonly connectTimeoutMs: number;
}

/** The key with which a cancel request identifies a backend. */
export interface BackendKey {
  readonly processId: number;
  readonly secretKey: number;
}

/** A socket that has authenticated and waits for its first query. */
export interface ReadySocket extends BackendKey {
  readonly stream: Duplex;
}

/** The server ends a transaction that is left open for longer than this. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const KEEP_ALIVE_AFTER_MS = 30_000;
/** Added to the limit that the server itself enforces. */
export const REPLY_GRACE_MS = 5_000;
const CANCEL_TIMEOUT_MS = 2_000;
const CANCEL_REQUEST_CODE = 80_877_102;

/** Opens a connected pg client. `onLost` is called at most once, if it dies later. Throws DATABASE_UNAVAILABLE. */
export async function openClient(plan: ConnectionPlan, onLost: () => void): Promise<Client> {
  const client = newClient(plan);
  client.on('error', onLost);
  try {
    await client.connect();
  } catch (error) {
    throw databaseAway(error);
  }
  client.on('end', onLost);
  return client;
}

/** Connects with pg and takes the socket over. Throws DATABASE_UNAVAILABLE. */
export function openSocket(plan: ConnectionPlan): Promise<ReadySocket> {
  const client = newClient(plan);
  return new Promise((resolve, reject) => {
    client.on('error', (error) => reject(databaseAway(error)));
    // The callback runs while pg reads ReadyForQuery, so no later byte reaches its parser.
    client.connect((error: Error | null) => {
      if (error) reject(databaseAway(error));
      else resolve(takeOver(client));
    });
  });
}

function newClient(plan: ConnectionPlan): Client {
  const { address, login } = plan;
  return new LastingClient({
    host: address.host,
    port: address.port,
    database: address.database,
    ssl: address.ssl ?? false,
    user: login.user,
    password: login.password,
    application_name: plan.applicationName,
    connectionTimeoutMillis: plan.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // A reply that takes longer than the server's own limit means a dead connection.
    query_timeout: plan.statementTimeoutMs + REPLY_GRACE_MS,
    options: startupOptions(plan),
  });
}

/**
 * Settings that apply from the first byte and override those of the role and the database. Times and dates have one
 * fixed form; compiling plans at run time costs more than short queries take.
 */
function startupOptions(plan: ConnectionPlan): string {
  const settings: Readonly<Record<string, string>> = {
    search_path: plan.searchPath.map((schema) => `"${schema}"`).join(','),
    statement_timeout: String(plan.statementTimeoutMs),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    standard_conforming_strings: 'on',
    timezone: 'UTC',
    datestyle: 'ISO',
    // Requests do not use notices of functions.
    client_min_messages: 'warning',
    intervalstyle: 'postgres',
    jit: 'off',
    ...(plan.writesAlways === true && { default_transaction_read_only: 'off' }),
    ...(plan.role !== undefined && { role: plan.role }),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

function takeOver(client: Client): ReadySocket {
  const { stream } = client.connection;
  for (const event of ['data', 'error', 'close', 'end']) stream.removeAllListeners(event);
  client.connection.removeAllListeners();
  client.removeAllListeners();
  return { stream, ...backendOf(client) };
}

/** The key of the backend behind a connected client. */
export function backendOf(client: Client): BackendKey {
  return { processId: keyPart(client, 'processID'), secretKey: keyPart(client, 'secretKey') };
}

/** pg keeps the key of the backend in properties that its types leave out. */
function keyPart(client: Client, name: string): number {
  const value: unknown = Reflect.get(client, name);
  return typeof value === 'number' ? value : 0;
}

/**
 * Makes the server cancel the current statement of a backend (manual, "Canceling Requests in Progress"). Resolves when
 * the server has passed the request on or could not be reached; never rejects.
 */
export function sendCancelRequest(address: DatabaseAddress, backend: BackendKey): Promise<void> {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  request.writeInt32BE(backend.processId, 8);
  request.writeInt32BE(backend.secretKey, 12);
  return new Promise((resolve) => {
    const { host, port } = address;
    const socket = host.startsWith('/')
      ? connectTcp(`${host}/.s.PGSQL.${port}`)
      : connectTcp(port, host);
    socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy());
    // The outcome is the same either way: the statement ends by itself or by its timeout.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.on('connect', () => socket.write(request));
    socket.resume();
  });
}
