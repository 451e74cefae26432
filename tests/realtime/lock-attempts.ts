// Sees how often the product has waited for a lock, so that a test can wait for attempts in the place of seconds.
import type { Client } from 'pg';

import { waitFor } from '#libs/testing';

interface LockAttempts {
  /** Looks for waits. Returns how many have been seen since the first look; one between two looks is missed. */
  look(): Promise<number>;
  /** How many of the waits that were seen were at the same time. */
  mostAtOnce(): number;
}

/** Counts in the database of the client. */
export function lockAttempts(client: Client): LockAttempts {
  const seen = new Set<string>();
  let most = 0;
  return {
    async look() {
      const { rows } = await client.query<{ attempt: string }>(`
        select concat(l.pid, ' ', l.waitstart) as attempt
        from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and not l.granted and l.waitstart is not null`);
      for (const { attempt } of rows) seen.add(attempt);
      most = Math.max(most, rows.length);
      return seen.size;
    },
    mostAtOnce: () => most,
  };
}

/** Resolves when the product has tried often enough for a lock that lasts. */
export async function waitForAttempts(attempts: LockAttempts, times = 3): Promise<void> {
  const until = `${times} attempts wait for a lock`;
  await waitFor(async () => (await attempts.look()) >= times, { until, ms: 20_000 });
}
