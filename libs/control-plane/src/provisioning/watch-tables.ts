// Gives tables that exist the triggers that capture their changes. The project may be in use: each table has a
// transaction of its own, and waits for its lock only briefly, because writers wait behind it.
import { setTimeout as pause } from 'node:timers/promises';
import pg, { type Client } from 'pg';

/** How long one attempt waits for the lock of a table; milliseconds. */
const lockMs = 500;
const pauseMs = 250;
/** How long a table may stay locked by others. Steps of the migration wait as long for a lock. */
const maxWaitMs = 10_000;
/** lock_not_available, and deadlock_detected: a transaction that holds the lock waits for another table. */
const busyStates: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Makes the triggers of all tables right; those that have the right ones already are not locked. Run it as the
 * superuser after the steps of migrations/project-superuser, outside of a transaction. Throws 55P03 for a table that
 * stays locked; those before it are done then, and the next call goes on with the rest.
 */
export async function watchTables(client: Client, limits = { maxWaitMs }): Promise<void> {
  let waiting = await findTables(client);
  const deadline = performance.now() + limits.maxWaitMs;
  while (waiting.length > 0) {
    waiting = await watchEach(client, waiting, performance.now() > deadline);
    if (waiting.length > 0) await pause(pauseMs);
  }
}

/** Returns the tables that are locked by others; throws for the first of them if it is the last attempt. */
async function watchEach(
  client: Client,
  tables: readonly number[],
  isLast: boolean,
): Promise<readonly number[]> {
  const locked: number[] = [];
  for (const table of tables) {
    try {
      await watch(client, table);
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && busyStates.has(error.code);
      if (!isBusy || isLast) throw error;
      locked.push(table);
    }
  }
  return locked;
}

/** A table that was dropped meanwhile needs nothing. The time to wait for a lock is that of this statement alone. */
async function watch(client: Client, table: number): Promise<void> {
  await client.query(
    `select pg_catalog.set_config('lock_timeout', $2, true), pg_catalog.rowhouse_watch_table(c.oid)
     from pg_catalog.pg_class c where c.oid operator(pg_catalog.=) $1::pg_catalog.oid`,
    [table, String(lockMs)],
  );
}

async function findTables(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ table: number }>(
    'select u.oid as table from pg_catalog.unnest(pg_catalog.rowhouse_unwatched_tables()) u (oid)',
  );
  return rows.map(({ table }) => table);
}
