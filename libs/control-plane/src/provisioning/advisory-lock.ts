import type { Client } from 'pg';

/** The number of a lock's name. The types are exact, so that no other function fits better. */
const key = 'pg_catalog.hashtextextended($1::pg_catalog.text, 0::pg_catalog.int8)';

/**
 * Runs `work` while this connection holds the advisory lock `name`, waiting for it.
 * Locks are per database, and a project can take any in its own: connect to the maintenance database for them.
 */
export async function withLock<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`select pg_catalog.pg_advisory_lock(${key})`, [name]);
  try {
    return await work();
  } finally {
    await unlock(client, name);
  }
}

/** Like {@link withLock}, but `undefined` comes back at once when another connection holds the lock. */
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
  try {
    return await work();
  } finally {
    await unlock(client, name);
  }
}

/** A connection that is lost has lost its locks, and the error of the work says why. */
async function unlock(client: Client, name: string): Promise<void> {
  await client.query(`select pg_catalog.pg_advisory_unlock(${key})`, [name]).catch(() => undefined);
}
