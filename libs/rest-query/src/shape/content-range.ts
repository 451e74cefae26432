import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { CountRule } from '../types/plan.js';

/**
 * The header Content-Range for `count` rows from `offset` on, both ends inclusive: `0-9/57`, `0-9/*` without a total,
 * an asterisk before the slash if there are no rows.
 */
export function contentRange(offset: number, count: number, total: number | undefined): string {
  const rows = count === 0 ? '*' : `${offset}-${offset + count - 1}`;
  return `${rows}/${total ?? '*'}`;
}

/** How many rows of `total` a window contains. */
export function shownRows(
  total: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): number {
  return Math.min(limit, Math.max(0, total - offset));
}

/**
 * The total of the rows that match a filter, from the results of the count's statements (`countStatements`). An
 * estimate is exact up to `maxRows`; above that it is the planner's guess, but never less than was counted.
 */
export function readTotal(
  count: CountRule,
  texts: readonly string[],
  maxRows: number,
): number | undefined {
  const [first = '', second = ''] = texts;
  switch (count) {
    case 'none':
      return undefined;
    case 'exact':
    case 'bounded':
      return Number(first);
    case 'planned':
      return plannedRows(first);
    case 'estimated': {
      const counted = Number(first);
      return counted <= maxRows ? counted : Math.max(counted, plannedRows(second));
    }
  }
}

// EXPLAIN (FORMAT JSON) is an array of one object: [{"Plan": {"Plan Rows": 57, …}}].
function plannedRows(text: string): number {
  const explained: unknown = JSON.parse(text);
  const plan: unknown = Array.isArray(explained) ? property(explained[0], 'Plan') : undefined;
  const rows = property(plan, 'Plan Rows');
  return typeof rows === 'number' ? rows : 0;
}

function property(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Throws PGRST103 (416) if a window begins after the last of `total` rows. */
export function checkOffset(offset: number, total: number): void {
  if (offset <= total) return;
  throw fail(
    'PGRST103',
    { reason: `it begins at row ${offset}, but there are ${total} rows` },
    { details: { offset, total }, headers: { 'content-range': `*/${total}` } },
  );
}
