// The figures of authentication and their bars. The session lookup is one of them: it is among the
// figures of the tables, too, and is measured once.

import {
  at,
  LOOKUP_DEMANDS,
  perSecond,
  rate,
  type Bars,
  type BenchResults,
  type Demand,
  type Unit,
} from '../demands.js';

// More than there are threads that hash, so that none waits for work; few enough that a sign-in is over long
// before its round is.
const SIGN_INS_AT_ONCE = 8;

export const HASH = at('hash', 'sign-in', SIGN_INS_AT_ONCE);
export const SIGN_IN = at('product', 'sign-in', SIGN_INS_AT_ONCE);
export const GET_SESSION = at('product', 'get-session');
const BYTES_OF_KILOBYTE = 1000;

/** A figure of the product that is no rate; absent bars: it is reported and not compared. */
function single(
  title: string,
  unit: Unit,
  bars: Bars,
  value: (results: BenchResults) => number | undefined,
): Demand {
  return { title, unit, better: 'lower', of: [], ...bars, value };
}

function kilobytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / BYTES_OF_KILOBYTE;
}

export const AUTH_DEMANDS: readonly Demand[] = [
  rate('sign-ins / their hash alone', [SIGN_IN, HASH], { demand: 0.6 }),
  perSecond('sign-ins', SIGN_IN),
  ...LOOKUP_DEMANDS,
  perSecond('get-session', GET_SESSION),
  rate('get-session / single row, same sessions', [GET_SESSION, at('product', 'single')]),
  rate('get-session / bare node:http', [GET_SESSION, at('node-http', 'hello')]),
  single(
    'from the answer to a save to the first request under it, median',
    'ms',
    { demand: 50 },
    ({ saves }) => saves?.servedMs.median,
  ),
  single(
    'a save and the first request under it, median',
    'ms',
    {},
    ({ saves }) => saves?.wholeMs.median,
  ),
  single('heap of a live project', 'kB', { demand: 500 }, ({ heap }) =>
    kilobytes(heap?.projectBytes),
  ),
  single('of it the auth engine', 'kB', {}, ({ heap }) => kilobytes(heap?.engineBytes)),
];
