// The part of the sweep for captured changes. Processes that listen trim the outbox themselves, in shorter intervals;
// this is for what they have left behind.
import type { EngineQueries } from '#libs/database';

/** What one transaction deletes. */
const rowsPerStep = 10_000;

const retention = `interval '10 minutes'`;

/**
 * Returns SQL conditions for whether captured changes are older than clients may come back for, and whether the gate of
 * a table is open although the interest in it has ended, at the time `at`, which is SQL.
 */
export const changesConditions = (at: string): Readonly<Record<'changes' | 'gates', string>> => ({
  changes: `(select at from realtime.outbox order by txid, seq limit 1)
    operator(pg_catalog.<) (${at} operator(pg_catalog.-) ${retention})`,
  gates: `exists (select from realtime.interest
    where until operator(pg_catalog.<) (${at} operator(pg_catalog.-) ${retention}))`,
});

/**
 * Closes gates without interest, and deletes changes that every position of the last ten minutes has seen. Without a
 * position that old it makes one for the next call. Returns how many were deleted.
 */
export async function trimChanges(db: EngineQueries, signal: AbortSignal): Promise<number> {
  await db.queryAsEngine(`select realtime.listen('{}', 'sweep', 0)`);
  for (let deleted = 0; ;) {
    // In steps, each a transaction of its own.
    const [row] = await db.queryAsEngine<{ count: number }>(
      'select realtime.trim_outbox($1) as count',
      [rowsPerStep],
    );
    const count = row?.count ?? 0;
    deleted += count;
    if (count < rowsPerStep || signal.aborted) return deleted;
  }
}
