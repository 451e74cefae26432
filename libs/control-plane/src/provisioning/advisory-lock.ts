import type { Client } from 'pg';

/**
 * Runs `work` while this connection holds the advisory lock `name`, waiting for it.
 * Locks are per database: all who must exclude each other connect to the same one.
 */
export async function withLock<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}

/** Like {@link withLock}, but `undefined` comes back at once when another connection holds the lock. */
export async function tryWithLock<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const reply = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
    [name],
  );
  if (reply.rows[0]?.held !== true) return undefined;
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}
