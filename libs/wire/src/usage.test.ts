import { expect, test } from 'vitest';

import { addUsage, latencyBoundsMs, latencyPercentile, noUsage } from './usage.js';

/** Counts by the index of their bucket. */
const counted = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: latencyBoundsMs.length + 1 }, (_, bucket) => counts[bucket] ?? 0);

test('counts of two spans are added, and connections are the most of both', () => {
  const one = { ...noUsage, requests: 2, bytesSent: 5, connections: 3, latency: counted({ 1: 2 }) };
  const two = {
    ...noUsage,
    requests: 1,
    serverErrors: 1,
    connections: 2,
    latency: counted({ 13: 1 }),
  };
  expect(addUsage(one, two)).toEqual({
    ...noUsage,
    requests: 3,
    serverErrors: 1,
    bytesSent: 5,
    connections: 3,
    latency: counted({ 1: 2, 13: 1 }),
  });
});

test.each([
  { name: 'no request', latency: {}, share: 0.95, ms: null },
  { name: 'the end of a bucket', latency: { 3: 10 }, share: 1, ms: 10 },
  { name: 'the middle of a bucket', latency: { 3: 10 }, share: 0.5, ms: 7.5 },
  { name: 'the first bucket', latency: { 0: 4 }, share: 0.5, ms: 0.5 },
  { name: 'a few slow ones', latency: { 1: 90, 8: 10 }, share: 0.95, ms: 375 },
  { name: 'slower than every bound', latency: { 13: 1 }, share: 0.95, ms: 10_000 },
])('a percentile of $name', ({ latency, share, ms }) => {
  expect(latencyPercentile(counted(latency), share)).toBe(ms);
});
