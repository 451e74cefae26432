import { expect, test } from 'vitest';

import { latencyBoundsMs, Traffic } from './traffic.js';

test('requests are counted by area and class of status', () => {
  const traffic = new Traffic();
  traffic.record('rest', 200, 1);
  traffic.record('rest', 206, 1);
  traffic.record('auth', 401, 1);
  traffic.record('admin', 503, 1);
  traffic.record('other', 499, 1);
  const counted = traffic.listCounts().filter(({ count }) => count > 0);
  expect(counted).toEqual([
    { area: 'rest', status: '2xx', count: 2 },
    { area: 'auth', status: '4xx', count: 1 },
    { area: 'admin', status: '5xx', count: 1 },
    { area: 'other', status: '4xx', count: 1 },
  ]);
});

test('latencies fall into buckets that add up', () => {
  const traffic = new Traffic();
  for (const ms of [0.5, 1, 3, 99, 20_000]) traffic.record('rest', 200, ms);
  const { buckets, count, sumMs } = traffic.latencyOf('rest');
  expect(buckets).toHaveLength(latencyBoundsMs.length);
  expect(buckets.slice(0, 3)).toEqual([2, 2, 3]);
  expect(buckets.at(-1)).toBe(4);
  expect(count).toBe(5);
  expect(sumMs).toBeCloseTo(20_103.5);
  expect(traffic.latencyOf('auth').count).toBe(0);
});
