import type { EngineQueries } from '#libs/database';

const sweepRows = 1000;
const maxSweeps = 100;
/** Messages that wait longer than this and have no record are recorded again. */
const overdueMinutes = 10;

const isWorthless = `status = 'failed' and sealed_values is not null and expires_at <= pg_catalog.now()`;
const isOverdue = `status in ('queued', 'sending', 'void')
  and next_try_at < pg_catalog.now() - pg_catalog.make_interval(mins => ${overdueMinutes})`;

function isOld(days: string): string {
  return `created_at < pg_catalog.now() - pg_catalog.make_interval(days => ${days})`;
}

/**
 * Returns SQL conditions for whether {@link sweepMessages} and {@link listOverdue} have something to do. `keepDays` is
 * SQL.
 */
export function messageConditions(
  keepDays: string,
): Readonly<Record<'oldMessages' | 'worthlessValues' | 'overdueMessages', string>> {
  const exists = (condition: string) => `exists (select from platform.messages where ${condition})`;
  return {
    oldMessages: exists(isOld(keepDays)),
    worthlessValues: exists(isWorthless),
    overdueMessages: exists(isOverdue),
  };
}

/**
 * Deletes messages older than `keepDays`, and the values of failed messages that can no longer be sent. Works in
 * batches. Returns how many messages were deleted.
 */
export async function sweepMessages(db: EngineQueries, keepDays: number): Promise<number> {
  await db.queryAsEngine(
    `update platform.messages set sealed_values = null
     where ${isWorthless}`,
  );
  let swept = 0;
  for (let batch = 0; batch < maxSweeps; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await db.queryAsEngine(
      `delete from platform.messages where id in (
         select id from platform.messages
         where ${isOld('$1')}
         limit ${sweepRows} for update skip locked
       ) returning 1`,
      [keepDays],
    );
    swept += rows.length;
    if (rows.length < sweepRows) break;
  }
  return swept;
}

/** The ids of messages that are long overdue: their records may be lost, for example after a backup was restored. */
export async function listOverdue(db: EngineQueries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly id: string }>(
    `select id::pg_catalog.text from platform.messages
     where ${isOverdue}
     limit ${sweepRows}`,
  );
  return rows.map(({ id }) => id);
}
