// The figures of edge functions, and their bars.

import { at, perSecond, rate, type Bars, type Demand } from '../demands.js';
import type { Measurement, SeriesKey } from '../rate-book.js';

/** As many as a function answers at the same time by default. */
export const CALLS_AT_ONCE = 16;
export const IDLE_FUNCTIONS = 50;
const BYTES_OF_MEGABYTE = 1_000_000;

export const DENO = at('deno', 'function-call', CALLS_AT_ONCE);
export const DENO_FRONT = at('deno-front', 'function-call', CALLS_AT_ONCE);
export const CALL = at('product', 'function-call', CALLS_AT_ONCE);
export const COLD = at('product', 'function-cold', 1);
export const FIRST_BYTE = at('product', 'function-first-byte', 1);
export const IDLE = at('product', 'function-idle', 1);

function reading(
  title: string,
  key: SeriesKey,
  { unit, read }: Pick<Demand, 'unit'> & { read: (of: Measurement) => number | undefined },
  bars: Bars,
): Demand {
  const value: Demand['value'] = ({ rates }) => rates.median(key, read);
  return { title, unit, better: 'lower', of: [key], ...bars, value };
}

function middle(title: string, key: SeriesKey, bars: Bars): Demand {
  return reading(title, key, { unit: 'ms', read: ({ p50Ms }) => p50Ms }, bars);
}

export const FUNCTION_DEMANDS: readonly Demand[] = [
  middle('a call that starts a process, p50', COLD, { demand: 100 }),
  perSecond('calls, 16 at once', CALL, { demand: 5_000 }),
  rate('calls / bare Deno', [CALL, DENO]),
  rate('calls / bare node:http in front of the same Deno', [CALL, DENO_FRONT]),
  middle("from a function's first byte to its client's, p50", FIRST_BYTE, { demand: 5 }),
  reading(
    `memory of an idle function, mean PSS of ${String(IDLE_FUNCTIONS)}`,
    IDLE,
    {
      unit: 'MB',
      read: ({ grownBytes }) => grownBytes && grownBytes / BYTES_OF_MEGABYTE,
    },
    { demand: 15 },
  ),
];
