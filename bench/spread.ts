import { median } from './rate-book.js';

/** The figures of times that were taken one by one. */
export interface Spread {
  readonly median: number;
  readonly max: number;
}

/** The spread of some values; both figures are 0 when there are none. */
export function spread(values: readonly number[]): Spread {
  return { median: median(values) ?? 0, max: Math.max(0, ...values) };
}
