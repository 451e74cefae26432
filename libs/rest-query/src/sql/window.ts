import type { EmbedPlan, ReadPlan } from '../types/plan.js';
import type { Draft } from './draft.js';

/** The requested window of the ordered rows of a level. */
export interface Page {
  /** ` limit … offset …`, or nothing. */
  readonly tail: string;
  /** Whether there are at most a few rows. */
  readonly isShort: boolean;
}

/** Up to this number of rows, a subquery for each row is faster than a join, which may read the whole other table. */
const MAX_SHORT = 100;

/** All rows, for a level with at most a few. */
export const FEW_ROWS: Page = { tail: '', isShort: true };

/** The rows of one answer. The number of rows to skip is a value, not part of the statement. */
export function answerPage(draft: Draft, { hasOffset, limit }: ReadPlan['window']): Page {
  const offset = hasOffset ? ` offset ${draft.value({ from: 'offset' })}` : '';
  return { tail: ` limit ${limit}${offset}`, isShort: limit <= MAX_SHORT };
}

/** The rows of an embed within the rows of `parent`. */
export function embedPage({ relationship, window }: EmbedPlan, parent: Page): Page {
  // A function that leads to one row may still return more.
  const isOneByPromise = relationship.kind === 'computed' && relationship.cardinality === 'one';
  const limit = window.limit ?? (isOneByPromise ? 1 : undefined);
  const offset = window.offset > 0 ? ` offset ${window.offset}` : '';
  return {
    tail: (limit === undefined ? '' : ` limit ${limit}`) + offset,
    isShort: relationship.cardinality === 'many' || parent.isShort,
  };
}
