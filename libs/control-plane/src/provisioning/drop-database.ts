// Drops the database of a project. The sessions in it end first; a drop that takes long reports what it waits for.
import { setTimeout as delay } from 'node:timers/promises';
import { fail, isOutage } from '#libs/errors';
import { type Client, DatabaseError } from 'pg';
import { quoteIdent } from '#libs/wire';
import { withAdmin, type DatabaseServer } from './database-server.js';
import { invalidLimit, mayBeCausedByNeighbor } from './project-database.js';

/** How long one attempt to drop a database waits: long enough for the lock watch to end a session that blocks it. */
const dropLockMs = 2_000;
const dropAttempts = 5;
const heldReason =
  'The database is in use, or a session of another project holds a lock on it; the worker tries again';
/** SQLSTATE object_in_use: a worker of autovacuum, for example, did not end within five seconds. */
const inUse = '55006';

/** PostgreSQL itself looks for remaining sessions only every 100 ms. */
const sessionCheckMs = 2;
/** After this time the drop does the rest; milliseconds. */
const sessionsMs = 100;

/** How often a drop that takes long is looked at; milliseconds. */
const watchMs = 1_000;

/** The events that keep a drop waiting (manual, table 27.4), as an operator reads them after "waits for". */
const waits: Readonly<Record<string, string>> = {
  CheckpointStart: 'a checkpoint of the database server',
  CheckpointDone: 'a checkpoint of the database server',
  ProcSignalBarrier: 'a session of the database server that does not react',
  object: 'a session that holds a lock on the database',
};

export interface DropWatch {
  /** Receives what a drop waits for, each time it changes; undefined when the wait is over. */
  readonly onWait: (reason: string | undefined) => Promise<void>;
  /** Receives an error other than an outage, which ends the reports. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Ends every connection to the database of a project and drops it, if it exists. A neighbor that holds a lock on it
 * delays this by at most ten seconds, a session that does not end by at most 25; then it throws CONFLICT. A checkpoint
 * takes as long as the disk of the server needs.
 */
export async function dropDatabase(
  server: DatabaseServer,
  database: string,
  watch?: DropWatch,
): Promise<void> {
  await withAdmin(server, undefined, async (client) => {
    await client.query(`set lock_timeout = ${dropLockMs}`);
    const drop = () => client.query(`drop database if exists ${quoteIdent(database)} with (force)`);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await endConnectionsTo(client, database);
        await (watch ? whileWatched(server, { client, watch }, drop) : drop());
        return;
      } catch (error) {
        const isHeld =
          mayBeCausedByNeighbor(error) || (error instanceof DatabaseError && error.code === inUse);
        if (!isHeld) throw error;
        if (attempt === dropAttempts)
          throw fail('CONFLICT', { reason: heldReason }, { cause: error });
      }
    }
  });
}

/** Ends the connections to a database, and waits for a moment until they are gone. */
async function endConnectionsTo(client: Client, database: string): Promise<void> {
  const deadline = performance.now() + sessionsMs;
  for (;;) {
    const { rowCount } = await client.query(
      `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
       where datname operator(pg_catalog.=) $1`,
      [database],
    );
    if (rowCount === 0 || performance.now() > deadline) return;
    await delay(sessionCheckMs);
  }
}

interface Watched {
  /** The connection that drops. */
  readonly client: Client;
  readonly watch: DropWatch;
}

async function whileWatched(
  server: DatabaseServer,
  watched: Watched,
  drop: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await watched.client.query<{ pid: number }>(
    'select pg_catalog.pg_backend_pid() as pid',
  );
  const stop = new AbortController();
  const watching = watchWaits(server, { pid: rows[0]?.pid, watch: watched.watch }, stop.signal);
  try {
    await drop();
  } finally {
    stop.abort();
    await watching;
  }
}

/** Reports until `signal` aborts. The drop is what matters: a failure to look at it ends the reports alone. */
async function watchWaits(
  server: DatabaseServer,
  { pid, watch }: { readonly pid: number | undefined; readonly watch: DropWatch },
  signal: AbortSignal,
): Promise<void> {
  try {
    await reportWaits(server, { pid, onWait: watch.onWait }, signal);
  } catch (error) {
    // The drop notices an outage itself.
    if (!isOutage(error)) watch.onFailure(error);
  }
}

async function reportWaits(
  server: DatabaseServer,
  { pid, onWait }: { readonly pid: number | undefined; readonly onWait: DropWatch['onWait'] },
  signal: AbortSignal,
): Promise<void> {
  let reported: string | undefined;
  while (await pauseUnlessAborted(signal)) {
    const reason = await withAdmin(server, undefined, (client) => findWait(client, pid));
    if (reason === reported) continue;
    await onWait(reason);
    reported = reason;
  }
  if (reported !== undefined) await onWait(undefined);
}

/** Waits for the next look; false when `signal` aborts. */
async function pauseUnlessAborted(signal: AbortSignal): Promise<boolean> {
  await delay(watchMs, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

async function findWait(client: Client, pid: number | undefined): Promise<string | undefined> {
  const { rows } = await client.query<{ event: string | null }>(
    'select wait_event as event from pg_catalog.pg_stat_get_activity($1)',
    [pid],
  );
  return waits[rows[0]?.event ?? ''];
}

/** Drops a database whose removal was interrupted by a crash of the server. */
export async function dropInvalidDatabase(server: DatabaseServer, database: string): Promise<void> {
  await withAdmin(server, undefined, async (client) => {
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1 and datconnlimit = $2',
      [database, invalidLimit],
    );
    if (rowCount !== 0) await client.query(`drop database if exists ${quoteIdent(database)}`);
  });
}
