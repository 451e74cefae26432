import type { EngineQueries } from '#libs/database';
import { now, type SweepValues } from '#libs/sql-text';

const tables = ['edge_function_logs', 'edge_function_invocations'] as const;
type Table = (typeof tables)[number];

/** Rows of each table that are kept. */
const maxRows = 100_000;
const sweepRows = 1_000;
const maxSweeps = 200;

/** Too old, or more rows than this have come since. */
function isWorthless(table: Table, { at, keepDays }: SweepValues): string {
  return `(at operator(pg_catalog.<) (${at} operator(pg_catalog.-) pg_catalog.make_interval(days => ${keepDays}))
    or id operator(pg_catalog.<=) ((select last.id from platform.${table} last
      order by last.id desc limit 1) operator(pg_catalog.-) ${maxRows}::pg_catalog.int8))`;
}

/** Returns SQL conditions for whether {@link sweepFunctions} has something to do. */
export function functionConditions(
  values: SweepValues,
): Readonly<Record<'functionLogs' | 'functionInvocations', string>> {
  const exists = (table: Table): string =>
    `exists (select from platform.${table} where ${isWorthless(table, values)})`;
  return {
    functionLogs: exists('edge_function_logs'),
    functionInvocations: exists('edge_function_invocations'),
  };
}

/**
 * Deletes logs and invocations older than `keepDays`, and those beyond the number that is kept. Works in batches. Returns
 * how many were deleted.
 */
export async function sweepFunctions(db: EngineQueries, keepDays: number): Promise<number> {
  let swept = 0;
  for (const table of tables) {
    for (let batch = 0; batch < maxSweeps; batch += 1) {
      // One batch after the other: each is a transaction of its own.
      const rows = await db.queryAsEngine(
        `delete from platform.${table} where id operator(pg_catalog.=) any (array(
           select id from platform.${table}
           where ${isWorthless(table, { at: now, keepDays: '$1' })}
           order by id limit ${sweepRows}
         )) returning 1`,
        [keepDays],
      );
      swept += rows.length;
      if (rows.length < sweepRows) break;
    }
  }
  return swept;
}
