import { expect, test } from 'vitest';
import type { BenchResults } from '../demands.js';
import { RateBook, type Measurement, type SeriesKey } from '../rate-book.js';
import { checkDemands } from '../report.js';
import {
  API_WRITE,
  BULK_CAPTURED,
  BULK_PLAIN,
  BULK_QUIET,
  BURST,
  BURST_SOCKET_IO,
  CONNECTED,
  CROWDED_CAPTURED,
  CROWDED_PLAIN,
  DECIDE_SHARED,
  FAN_OUT,
  FAN_OUT_RAW,
  INGEST,
  REALTIME_DEMANDS,
  ROW_CAPTURED,
  ROW_PLAIN,
  USER_QUERIES,
} from './demands.js';

function measured(): RateBook {
  const rates = new RateBook();
  const add = (key: SeriesKey, perSecond: number, more: Partial<Measurement> = {}): void =>
    rates.add(key, { perSecond, ...more });
  add(ROW_PLAIN, 1_000);
  add(ROW_CAPTURED, 800);
  add(BULK_PLAIN, 300);
  add(BULK_CAPTURED, 100);
  add(BULK_QUIET, 300);
  add(CROWDED_PLAIN, 10_000);
  add(CROWDED_CAPTURED, 6_000);
  add(API_WRITE, 100, { p50Ms: 4 });
  add(DECIDE_SHARED, 30_000, { p50Ms: 333 });
  add(USER_QUERIES, 1_000);
  add(FAN_OUT_RAW, 50_000, { cpuMicros: 8 });
  add(FAN_OUT, 40_000, { cpuMicros: 10 });
  add(BURST_SOCKET_IO, 100_000, { cpuMicros: 7 });
  add(BURST, 900_000, { cpuMicros: 0.49 });
  add(CONNECTED, 700, { grownBytes: 25_000, grownHeapBytes: 12_000 });
  add(INGEST, 15_000);
  return rates;
}

test.each([
  { title: 'insert with changes / without', is: 1.25, verdict: 'met' },
  { title: '1,000-row insert with changes / without', is: 3, verdict: 'met' },
  {
    title: '1,000-row insert with changes that no client asks for / without',
    is: 1,
    verdict: 'stretch met',
  },
  { title: 'inserts of 24 clients with changes / without', is: 0.6, verdict: 'NOT MET' },
  {
    title: 'from a write over the API to its client, p50',
    is: 4,
    verdict: 'stretch met',
  },
  {
    title: 'decisions with a sub-select, 1 change by 10,000 users',
    is: 30_000,
    verdict: 'NOT MET',
  },
  { title: 'decisions / a transaction for each user, 1 change', is: 30, verdict: 'met' },
  {
    title: 'CPU of a message to 1,000 / a frame that is written to each',
    is: 1.25,
    verdict: 'met',
  },
  { title: 'the same / an event of Socket.IO for each', is: 0.07, verdict: 'met' },
  { title: 'memory of an idle connection', is: 25, verdict: 'met' },
  { title: 'of it the heap', is: 12, verdict: 'no bar' },
  { title: 'changes to 100 clients', is: 15_000, verdict: 'met' },
])('$title: $verdict', ({ title, is, verdict }) => {
  const results: BenchResults = {
    rates: measured(),
    fleet: undefined,
    saves: undefined,
    heap: undefined,
  };
  const found = checkDemands(results, REALTIME_DEMANDS).find((one) => one.title === title);
  expect(found?.value).toBeCloseTo(is);
  expect(found?.verdict).toBe(verdict);
});

test('each figure has a title of its own', () => {
  const titles = REALTIME_DEMANDS.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
