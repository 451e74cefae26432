// What the run prints.
import type { Outcome } from './case.js';
import { shownMs } from './figures.js';

export interface Result extends Outcome {
  readonly name: string;
  readonly tookMs: number;
  /** The load average of the machine at its end: times of a busy machine say little. */
  readonly load: number;
}

/** So many failures of a case are shown; equal ones once. */
const shownFailures = 8;

/** The lines about a case: one with its figures, and one for each failure. */
export function linesOf({ name, tookMs, load, measured, failures }: Result): readonly string[] {
  const verdict = failures.length === 0 ? 'pass' : 'FAIL';
  const unique = [...new Set(failures)];
  const left = unique.length - shownFailures;
  return [
    `${verdict}  ${name.padEnd(18)}${shownMs(tookMs).padStart(9)}  ${measured} (load ${load.toFixed(1)})`,
    ...unique.slice(0, shownFailures).map((failure) => `      ${failure}`),
    ...(left > 0 ? [`      and ${left} more`] : []),
  ];
}

/** The end of the report. `processors` is how many the run could use. */
export function summaryOf(results: readonly Result[], processors: number): string {
  const failed = results.filter(({ failures }) => failures.length > 0).map(({ name }) => name);
  const counts = `${results.length - failed.length} of ${results.length} passed`;
  const highest = Math.max(0, ...results.map(({ load }) => load)).toFixed(1);
  const machine = `processors: ${processors}, load: ${highest} at most`;
  return [counts, ...(failed.length === 0 ? [] : [`failed: ${failed.join(', ')}`]), machine].join(
    '; ',
  );
}
