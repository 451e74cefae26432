import { expect, test } from 'vitest';

import { latencyBoundsMs, noUsage } from '#libs/wire';

import { type FinishedRequest, Traffic } from './traffic.js';

function record(
  traffic: Traffic,
  area: FinishedRequest['area'],
  status: number,
  durationMs: number,
  more: Partial<FinishedRequest> = {},
): void {
  const nothing = { bytesReceived: 0, bytesSent: 0, isOfOperator: false };
  traffic.record({ area, status, durationMs, ...nothing, ...more });
}

test('requests are counted by area and class of status', () => {
  const traffic = new Traffic();
  record(traffic, 'rest', 200, 1);
  record(traffic, 'rest', 206, 1);
  record(traffic, 'auth', 401, 1);
  record(traffic, 'admin', 503, 1);
  record(traffic, 'other', 499, 1);
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
  for (const ms of [0.5, 1, 3, 99, 20_000]) record(traffic, 'rest', 200, ms);
  const { buckets, count, sumMs } = traffic.latencyOf('rest');
  expect(buckets).toHaveLength(latencyBoundsMs.length);
  expect(buckets.slice(0, 3)).toEqual([2, 2, 3]);
  expect(buckets.at(-1)).toBe(4);
  expect(count).toBe(5);
  expect(sumMs).toBeCloseTo(20_103.5);
  expect(traffic.latencyOf('auth').count).toBe(0);
});

test('what was counted since the last time is taken once', () => {
  const traffic = new Traffic();
  expect(traffic.takeUsage(1)).toBeUndefined();
  record(traffic, 'rest', 200, 3);
  record(traffic, 'auth', 404, 3);
  record(traffic, 'auth', 500, 20_000, { bytesReceived: 100, bytesSent: 2_000 });
  traffic.countSignIn();
  const first = traffic.takeUsage(4);
  expect(first).toMatchObject({ requests: 3, clientErrors: 1, serverErrors: 1, signIns: 1 });
  expect(first).toMatchObject({ bytesReceived: 100, bytesSent: 2_000, connections: 4 });
  expect(first?.latency.filter((count) => count > 0)).toEqual([2, 1]);
  expect(traffic.takeUsage(4)).toBeUndefined();
  record(traffic, 'rest', 200, 3, { bytesReceived: 1, bytesSent: 2 });
  expect(traffic.takeUsage(2)).toMatchObject({ requests: 1, serverErrors: 0, bytesSent: 2 });
  expect(traffic.latencyOf('rest').count).toBe(2);
});

test('requests of operators are in the figures of the server and in no usage', () => {
  const traffic = new Traffic();
  const ofOperator = { isOfOperator: true, bytesReceived: 10, bytesSent: 20 };
  record(traffic, 'admin', 200, 3, ofOperator);
  record(traffic, 'rest', 500, 3, ofOperator);
  expect(traffic.takeUsage(2)).toEqual({ ...noUsage, connections: 2 });
  expect(traffic.takeUsage(2)).toBeUndefined();
  record(traffic, 'rest', 200, 3);
  expect(traffic.takeUsage(2)).toMatchObject({ requests: 1, serverErrors: 0, bytesSent: 0 });
  expect(traffic.listCounts().filter(({ count }) => count > 0)).toHaveLength(3);
  expect(traffic.latencyOf('rest').count).toBe(2);
});
