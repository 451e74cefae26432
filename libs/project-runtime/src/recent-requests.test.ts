import { expect, test } from 'vitest';

import { RecentRequests } from './recent-requests.js';

const request = (
  requestId: string,
  more: { readonly status?: number; readonly ms?: number } = {},
) =>
  ({
    requestId,
    startedAt: 0,
    method: 'GET',
    route: '/rest/v1/:table',
    status: 200,
    code: null,
    ms: 1,
    databaseMs: null,
    credential: 'none',
    userId: null,
    ...more,
  }) as const;
const idsOf = ({ requests }: ReturnType<RecentRequests['list']>) =>
  requests.map(({ requestId }) => requestId);

test('the newest come first, in pages', () => {
  const recent = new RecentRequests();
  for (const id of ['a', 'b', 'c']) recent.record(request(id));
  const first = recent.list({ kind: 'all', limit: 2 });
  expect(idsOf(first)).toEqual(['c', 'b']);
  const second = recent.list({ kind: 'all', limit: 2, before: first.next ?? 0 });
  expect([idsOf(second), second.next]).toEqual([['a'], null]);
});

test('the last 1,000 are kept, and apart from them 1,000 that failed or were slow', () => {
  const recent = new RecentRequests();
  recent.record(request('refused', { status: 403 }));
  recent.record(request('slow', { ms: 1_000 }));
  recent.record(request('broken', { status: 500, ms: 3_000 }));
  for (let n = 0; n < 1_000; n++) recent.record(request(`fine ${n}`));
  const all = idsOf(recent.list({ kind: 'all', limit: 2_000 }));
  expect([all.length, all[0], all[999]]).toEqual([1_000, 'fine 999', 'fine 0']);
  expect(idsOf(recent.list({ kind: 'failed', limit: 10 }))).toEqual(['broken', 'refused']);
  expect(idsOf(recent.list({ kind: 'slow', limit: 10 }))).toEqual(['broken', 'slow']);
  for (let n = 0; n < 1_000; n++) recent.record(request(`bad ${n}`, { status: 500 }));
  expect(recent.list({ kind: 'slow', limit: 10 }).requests).toEqual([]);
});

test('a watcher sees what comes after it, until it leaves; there are ten at most', () => {
  const recent = new RecentRequests();
  recent.record(request('before'));
  const seen: string[] = [];
  const leave = recent.watch(({ requestId }) => seen.push(requestId));
  const others = Array.from({ length: 9 }, () => recent.watch(() => undefined));
  expect(() => recent.watch(() => undefined)).toThrow(
    expect.objectContaining({ code: 'LIVE_FEED_BUSY' }),
  );
  recent.record(request('now'));
  leave();
  recent.record(request('later'));
  expect(seen).toEqual(['now']);
  for (const each of others) each();
  recent.watch(() => undefined);
});
