// Rows are read in windows: as many at a time as one request takes.
import type { RowTexts } from './staging.js';

/** Rows of a request. A project may have set a lower limit; then a window takes several requests. */
export const windowSize = 100;
/** Rows beyond those in sight that are read as well. */
const margin = 40;

/** The numbers of the first and the last window. */
export interface Windows {
  readonly first: number;
  readonly last: number;
}

export function windowsFor(first: number, last: number): Windows {
  return {
    first: Math.floor(Math.max(0, first - margin) / windowSize),
    last: Math.floor((last + margin) / windowSize),
  };
}

/** An estimate is replaced by what was read: the end of the table, or rows behind the estimated end. */
export function corrected(
  total: number | undefined,
  count: 'exact' | 'estimated',
  read: { readonly parts: readonly (readonly RowTexts[] | undefined)[]; readonly first: number },
): number | undefined {
  if (count === 'exact' || total === undefined) return total;
  let known = total;
  for (const [index, part] of read.parts.entries()) {
    if (!part) continue;
    const offset = (read.first + index) * windowSize;
    if (part.length === windowSize) known = Math.max(known, offset + windowSize + 1);
    else if (part.length > 0 || offset === 0) return offset + part.length;
    else known = Math.min(known, offset);
  }
  return known;
}
