import type { EngineQueries } from '#libs/database';

const sweepRows = 1000;
const maxSweeps = 100;
/** Messages that wait for longer than this and have no note are noted again. */
const overdueMinutes = 10;

/**
 * Deletes messages older than `keepDays`, and the values of those that failed and can no longer be sent. Works in
 * batches. Answers how many are deleted.
 */
export async function sweepMessages(db: EngineQueries, keepDays: number): Promise<number> {
  await db.queryAsEngine(
    `update platform.messages set sealed_values = null
     where status = 'failed' and sealed_values is not null and expires_at <= pg_catalog.now()`,
  );
  let swept = 0;
  for (let batch = 0; batch < maxSweeps; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await db.queryAsEngine(
      `delete from platform.messages where id in (
         select id from platform.messages
         where created_at < pg_catalog.now() - pg_catalog.make_interval(days => $1)
         limit ${sweepRows} for update skip locked
       ) returning 1`,
      [keepDays],
    );
    swept += rows.length;
    if (rows.length < sweepRows) break;
  }
  return swept;
}

/** The ids of messages that are long due: their notes may be lost, as after the restoration of a backup. */
export async function listOverdue(db: EngineQueries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly id: string }>(
    `select id::pg_catalog.text from platform.messages
     where status in ('queued', 'sending', 'void')
       and next_try_at < pg_catalog.now() - pg_catalog.make_interval(mins => $1)
     limit ${sweepRows}`,
    [overdueMinutes],
  );
  return rows.map(({ id }) => id);
}
