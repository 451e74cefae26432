import { expect, test } from 'vitest';
import type { LoadResult } from './load-plan.js';
import { RateBook, type SeriesKey } from './rate-book.js';
import { measureRounds, perReply, type Series } from './series.js';

const result: LoadResult = {
  kind: 'result',
  replies: 500,
  failures: 0,
  seconds: 2,
  p50Ms: 1,
  p99Ms: 3,
  serverCpuMicros: 25_000,
};

test('a result becomes a rate and the CPU time of one reply', () => {
  expect(perReply(result)).toEqual({ perSecond: 250, p50Ms: 1, p99Ms: 3, cpuMicros: 50 });
});

test('no replies: a rate of nought, and no times at all', () => {
  expect(perReply({ ...result, replies: 0 })).toEqual({ perSecond: 0 });
});

test('rounds go through every series in turn, and the tables are made new after each write', async () => {
  const order: string[] = [];
  const seriesOf = (work: SeriesKey['work']): Series => ({
    key: { target: 'product', work, connections: 32 },
    measure() {
      order.push(work);
      return Promise.resolve({ perSecond: 1 });
    },
  });
  const reset = (): Promise<void> => Promise.resolve(void order.push('reset'));
  const rates = new RateBook();
  await measureRounds([seriesOf('insert'), seriesOf('single')], rates, {
    rounds: 2,
    writes: ({ work }) => work === 'insert',
    reset,
    say: () => undefined,
  });
  expect(order).toEqual(['insert', 'reset', 'single', 'insert', 'reset', 'single']);
  expect(rates.series().map(({ rounds }) => rounds.length)).toEqual([2, 2]);
});

test('a series that fails is noted with its reason and measured no more; the others go on', async () => {
  let tries = 0;
  const failing: Series = {
    key: { target: 'product', work: 'embed', connections: 128 },
    measure() {
      tries += 1;
      return Promise.reject(new Error('stuck'));
    },
  };
  const going: Series = {
    key: { target: 'product', work: 'single', connections: 32 },
    measure: () => Promise.resolve({ perSecond: 1 }),
  };
  const rates = new RateBook();
  await measureRounds([failing, going], rates, {
    rounds: 2,
    writes: () => false,
    reset: () => Promise.resolve(),
    say: () => undefined,
  });
  expect(tries).toBe(1);
  expect(rates.failures()).toEqual([
    { target: 'product', work: 'embed', reason: 'with 128 connections: stuck' },
  ]);
  expect(rates.median(going.key)).toBe(1);
});
