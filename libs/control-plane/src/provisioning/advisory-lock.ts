import type { Client } from 'pg';

/** The number for a lock's name. The types are exact, so that no other function can match. */
const key = 'pg_catalog.hashtextextended($1::pg_catalog.text, 0::pg_catalog.int8)';

/**
 * Runs `work` while this connection holds the advisory lock `name`. Waits for it as long as a statement may take:
 * another process may migrate or create for minutes. `work` runs with the former lock timeout. Locks are per database,
 * and a project can take any lock in its own: connect to the maintenance database for them.
 */
export async function withLock<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ before: string }>(
    `select pg_catalog.current_setting('lock_timeout') as before`,
  );
  await client.query('set lock_timeout = 0');
  await client.query(`select pg_catalog.pg_advisory_lock(${key})`, [name]);
  return whileHeld(client, name, async () => {
    await client.query(`select pg_catalog.set_config('lock_timeout', $1, false)`, [
      rows[0]?.before,
    ]);
    return work();
  });
}

/** Like {@link withLock}, but throws lock_not_available (55P03) after the lock timeout of the connection. */
export async function withLockInTime<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`select pg_catalog.pg_advisory_lock(${key})`, [name]);
  return whileHeld(client, name, work);
}

/** Like {@link withLock}, but returns `undefined` at once if another connection holds the lock. */
export async function tryWithLock<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const reply = await client.query<{ held: boolean }>(
    `select pg_catalog.pg_try_advisory_lock(${key}) as held`,
    [name],
  );
  if (reply.rows[0]?.held !== true) return undefined;
  return whileHeld(client, name, work);
}

async function whileHeld<T>(client: Client, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await unlock(client, name);
  }
}

/** A lost connection has lost its locks, and the error of the work contains the reason. */
async function unlock(client: Client, name: string): Promise<void> {
  await client.query(`select pg_catalog.pg_advisory_unlock(${key})`, [name]).catch(() => undefined);
}
