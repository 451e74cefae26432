// Ends sessions of projects whose locks make other projects or the platform wait. A project's login reaches objects
// that all projects share: PostgreSQL locks a database before it checks its owner, and every session may change the
// settings of its own login and fill the table of locks.
//
// The statements of every round read no table: while the table of locks is full, the shared catalogs cannot be opened.
import { setTimeout as delay } from 'node:timers/promises';
import { LastingClient } from '#libs/postgres-client';
import pg from 'pg';
import type { DatabaseServer } from './database-server.js';
import { Rounds } from './lock-rounds.js';
import type { LockWatchLimits, LockWatchReports } from './lock-reports.js';

const intervalMs = 500;
/** The pause after a session was ended: its project often has others. */
const alertIntervalMs = 100;
const alertMs = 10_000;
const reconnectMs = 1_000;
const connectMs = 10_000;
const statementMs = 8_000;
/** The driver's timeout for a server that does not answer at all. */
const answerMs = 10_000;

/** The fraction of the table of locks that the sessions of one project may fill. */
const shareOfLocks = 0.25;

export interface LockWatch {
  /** Ends the watch and waits for its last statement. */
  close(): Promise<void>;
}

/** Starts to watch the locks of a server, and reconnects when the connection is lost. */
export function openLockWatch(
  server: DatabaseServer,
  reports: LockWatchReports,
  { autovacuumMs = 300_000, oldTransactions = 300_000_000, stuckMs = 10_000 }: LockWatchLimits = {},
): LockWatch {
  const stop = new AbortController();
  const running = watchUntil(
    stop.signal,
    { server, autovacuumMs, oldTransactions, stuckMs },
    reports,
  );
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

interface Watched extends Required<LockWatchLimits> {
  readonly server: DatabaseServer;
}

async function watchUntil(
  signal: AbortSignal,
  watched: Watched,
  reports: LockWatchReports,
): Promise<void> {
  let isFailing = false;
  const onFailure = (error: unknown): void => {
    if (!isFailing && !signal.aborted) reports.onFailure(error);
    isFailing = true;
  };
  while (!signal.aborted) {
    try {
      await watchOnce(signal, watched, {
        onEnded: (session) => reports.onEnded(session),
        onStuck: (session) => reports.onStuck(session),
        onRound: () => (isFailing = false),
        onFailure,
      });
    } catch (error) {
      onFailure(error);
    }
    await pause(reconnectMs, signal);
  }
}

interface ConnectionReports extends LockWatchReports {
  readonly onRound: () => void;
}

/** Watches over one connection, until it breaks or `signal` aborts. */
async function watchOnce(
  signal: AbortSignal,
  { server, ...limits }: Watched,
  reports: ConnectionReports,
): Promise<void> {
  const client = new LastingClient({
    connectionString: server.adminUrl,
    application_name: 'rowhouse lock watch',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  try {
    await client.connect();
    await client.query(
      `set search_path = pg_catalog, pg_temp; set statement_timeout = ${statementMs}`,
    );
    const lockLimit = await readLockLimit(client);
    const round = new Rounds(client, { ...limits, lockLimit }, reports);
    let alertUntil = 0;
    while (!signal.aborted) {
      try {
        if (await round.run()) alertUntil = performance.now() + alertMs;
        reports.onRound();
      } catch (error) {
        // The connection is kept while it answers: a server whose table of locks is full opens no session.
        if (!(error instanceof pg.DatabaseError)) throw error;
        reports.onFailure(error);
      }
      await pause(performance.now() < alertUntil ? alertIntervalMs : intervalMs, signal);
    }
  } finally {
    await client.end().catch(() => undefined); // It was never open, or it is broken.
  }
}

/** Ends early if `signal` aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** How many locks the sessions of one project may hold. */
async function readLockLimit(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ capacity: number }>(
    `select pg_catalog.current_setting('max_locks_per_transaction')::pg_catalog.int4 * (
       pg_catalog.current_setting('max_connections')::pg_catalog.int4
       + pg_catalog.current_setting('max_prepared_transactions')::pg_catalog.int4
     ) as capacity`,
  );
  return Math.floor((rows[0]?.capacity ?? 0) * shareOfLocks);
}
