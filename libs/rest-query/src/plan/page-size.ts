import type { Window } from '../types/grammar.js';
import type { Limits } from './context.js';

/** Returns the most rows that a list of the answer may have: `maxRows` is both the default and the ceiling of `limit`. */
export function pageSize({ maxRows }: Limits, { limit }: Window): number {
  return Math.min(limit ?? maxRows, maxRows);
}
