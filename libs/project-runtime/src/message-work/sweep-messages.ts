import type { EngineQueries } from '#libs/database';
import { now, type SweepValues } from '#libs/sql-text';

const sweepRows = 1000;
const maxSweeps = 100;
/** Messages that wait longer than this and have no record are recorded again. */
const overdueMinutes = 10;

const isWorthless = (at: string): string =>
  `status = 'failed' and sealed_values is not null and expires_at <= ${at}`;
const isOverdue = (at: string): string => `status in ('queued', 'sending', 'void')
  and next_try_at < ${at} - pg_catalog.make_interval(mins => ${overdueMinutes})`;

function isOld({ at, keepDays }: SweepValues): string {
  return `created_at < ${at} - pg_catalog.make_interval(days => ${keepDays})`;
}

/** Returns SQL conditions for whether {@link sweepMessages} and {@link listOverdue} have something to do. */
export function messageConditions(
  values: SweepValues,
): Readonly<Record<'oldMessages' | 'worthlessValues' | 'overdueMessages', string>> {
  const exists = (condition: string) => `exists (select from platform.messages where ${condition})`;
  return {
    oldMessages: exists(isOld(values)),
    worthlessValues: exists(isWorthless(values.at)),
    overdueMessages: exists(isOverdue(values.at)),
  };
}

/**
 * Deletes messages older than `keepDays`, and the values of failed messages that can no longer be sent. Works in
 * batches. Returns how many messages were deleted.
 */
export async function sweepMessages(db: EngineQueries, keepDays: number): Promise<number> {
  await db.queryAsEngine(
    `update platform.messages set sealed_values = null
     where ${isWorthless(now)}`,
  );
  let swept = 0;
  for (let batch = 0; batch < maxSweeps; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await db.queryAsEngine(
      `delete from platform.messages where id in (
         select id from platform.messages
         where ${isOld({ at: now, keepDays: '$1' })}
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
     where ${isOverdue(now)}
     limit ${sweepRows}`,
  );
  return rows.map(({ id }) => id);
}
