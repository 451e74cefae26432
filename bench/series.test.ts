import { expect, test } from '@jest/globals';
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

test('rounds go through every series in turn, and the tables are made new after each insert', async () => {
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
    reset,
    say: () => undefined,
  });
  expect(order).toEqual(['insert', 'reset', 'single', 'insert', 'reset', 'single']);
  expect(rates.series().map(({ rounds }) => rounds.length)).toEqual([2, 2]);
});

test('a series that fails ends the run with its name', async () => {
  const series: Series = {
    key: { target: 'peer', work: 'single', connections: 128 },
    measure: () => Promise.reject(new Error('stuck')),
  };
  const run = measureRounds([series], new RateBook(), {
    rounds: 1,
    reset: () => Promise.resolve(),
    say: () => undefined,
  });
  await expect(run).rejects.toThrow('peer, single, 128 connections');
});
