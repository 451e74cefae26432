import { expect, test } from 'vitest';
import type { BenchResults } from '../demands.js';
import { RateBook, type Measurement, type SeriesKey } from '../rate-book.js';
import { AUTH_DEMANDS, HASH, SIGN_IN } from './demands.js';
import { heapPerProject } from './heap.js';
import { summarizeSaves } from './saves.js';

function measured(): BenchResults {
  const rates = new RateBook();
  const add = (
    target: SeriesKey['target'],
    work: SeriesKey['work'],
    perSecond: Measurement['perSecond'],
  ): void => rates.add({ target, work, connections: 32 }, { perSecond });
  rates.add(SIGN_IN, { perSecond: 60 });
  rates.add(HASH, { perSecond: 80 });
  add('product', 'get-session', 400);
  add('product', 'single', 8_000);
  add('node-http', 'hello', 40_000);
  add('baseline', 'single', 900);
  add('baseline-claims', 'single', 1_000);
  return {
    rates,
    fleet: undefined,
    saves: summarizeSaves([{ savedMs: 20, servedMs: 3 }]),
    heap: heapPerProject({ before: 1e6, withTables: 3e6, withEngines: 11e6 }, 20),
  };
}

test.each([
  { title: 'sign-ins / their hash alone', is: 0.75 },
  { title: 'sign-ins', is: 60 },
  { title: 'live session lookup in the database, single', is: 10 },
  { title: 'get-session', is: 400 },
  { title: 'get-session / single row, same sessions', is: 0.05 },
  { title: 'get-session / bare node:http', is: 0.01 },
  { title: 'from the answer to a save to the first request under it, median', is: 3 },
  { title: 'a save and the first request under it, median', is: 23 },
  { title: 'heap of a live project', is: 500 },
  { title: 'of it the auth engine', is: 400 },
])('$title', ({ title, is }) => {
  const demand = AUTH_DEMANDS.find((one) => one.title === title);
  expect(demand?.value(measured())).toBeCloseTo(is);
});
