import { expect, test } from 'vitest';
import { RateBook, type Measurement, type SeriesKey } from '../rate-book.js';
import { checkDemands } from '../report.js';
import { CALL, COLD, DENO, DENO_FRONT, FIRST_BYTE, FUNCTION_DEMANDS, IDLE } from './demands.js';

function measured(): RateBook {
  const rates = new RateBook();
  const add = (key: SeriesKey, perSecond: number, more: Partial<Measurement> = {}): void =>
    rates.add(key, { perSecond, ...more });
  add(DENO, 20_000);
  add(DENO_FRONT, 6_000);
  add(CALL, 3_000);
  add(COLD, 10, { p50Ms: 95 });
  add(FIRST_BYTE, 500, { p50Ms: 6 });
  add(IDLE, 10, { grownBytes: 14.5e6 });
  return rates;
}

test.each([
  { title: 'a call that starts a process, p50', is: 95, verdict: 'met' },
  { title: 'calls, 16 at once', is: 3_000, verdict: 'NOT MET' },
  { title: 'calls / bare Deno', is: 0.15, verdict: 'no bar' },
  { title: 'calls / bare node:http in front of the same Deno', is: 0.5, verdict: 'no bar' },
  { title: "from a function's first byte to its client's, p50", is: 6, verdict: 'NOT MET' },
  { title: 'memory of an idle function, mean PSS of 50', is: 14.5, verdict: 'met' },
])('$title: $verdict', ({ title, is, verdict }) => {
  const results = { rates: measured(), fleet: undefined, saves: undefined, heap: undefined };
  const found = checkDemands(results, FUNCTION_DEMANDS).find((one) => one.title === title);
  expect(found?.value).toBeCloseTo(is);
  expect(found?.verdict).toBe(verdict);
});
