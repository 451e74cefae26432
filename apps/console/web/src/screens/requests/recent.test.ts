import { describe, expect, test } from 'vitest';

import {
  addressOf,
  belongsTo,
  filterRequests,
  keptRequests,
  type RecentRequest,
  withNews,
} from './recent.js';
import { hasFilters, readSearch } from './search.js';

const request = (requestId: string, fields: Partial<RecentRequest> = {}): RecentRequest => ({
  at: '2030-01-01T00:00:00.000Z',
  requestId,
  method: 'GET',
  route: '/rest/v1/:table',
  status: 200,
  code: null,
  ms: 1,
  databaseMs: null,
  credential: 'none',
  userId: null,
  ...fields,
});
const idsOf = (list: readonly RecentRequest[]) => list.map(({ requestId }) => requestId);

describe('news', () => {
  const list = [request('b'), request('a')];

  test('come before the list, each once', () => {
    expect(idsOf(withNews(list, [request('c'), request('b')]))).toEqual(['c', 'b', 'a']);
    expect(withNews(list, [request('a')])).toBe(list);
  });

  test('of the same id are another request at another time', () => {
    const again = request('b', { at: '2030-01-01T00:00:01.000Z' });
    expect(idsOf(withNews(list, [again]))).toEqual(['b', 'b', 'a']);
    expect(addressOf(again)).not.toBe(addressOf(request('b')));
  });

  test('push the oldest out', () => {
    const full = Array.from({ length: keptRequests }, (_, n) => request(`${n}`));
    const next = idsOf(withNews(full, [request('new')]));
    expect([next.length, next[0], next.at(-1)]).toEqual([keptRequests, 'new', '998']);
  });
});

test.each([
  { list: undefined, fields: {}, expected: true },
  { list: 'failed', fields: { status: 399 }, expected: false },
  { list: 'failed', fields: { status: 400 }, expected: true },
  { list: 'slow', fields: { ms: 999.9 }, expected: false },
  { list: 'slow', fields: { ms: 1_000 }, expected: true },
] as const)('the list $list has $fields: $expected', ({ list, fields, expected }) => {
  expect(belongsTo(list, request('a', fields))).toBe(expected);
});

test.each([
  { name: 'no filter', search: {}, ids: ['ok', 'moved', 'refused', 'broken'] },
  { name: 'a class of status', search: { status: '4xx' }, ids: ['refused'] },
  { name: 'another one', search: { status: '5xx' }, ids: ['broken'] },
  { name: 'a method', search: { method: 'POST' }, ids: ['refused'] },
  { name: 'a caller', search: { caller: 'session' }, ids: ['broken'] },
  { name: 'a part of a path', search: { q: ' RPC/' }, ids: ['refused'] },
  { name: 'a part of a code', search: { q: 'pgrst' }, ids: ['broken'] },
  { name: 'a part of an id', search: { q: 'mov' }, ids: ['moved'] },
  { name: 'a user', search: { q: 'user-1' }, ids: ['broken'] },
  { name: 'two of them', search: { status: '2xx', method: 'POST' }, ids: [] },
] as const)('$name', ({ search, ids }) => {
  const list = [
    request('ok'),
    request('moved', { status: 302 }),
    request('refused', { status: 403, method: 'POST', route: '/rest/v1/rpc/:function' }),
    request('broken', { status: 500, code: 'PGRST000', credential: 'session', userId: 'user-1' }),
  ];
  expect(idsOf(filterRequests(list, search))).toEqual(ids);
});

describe('the address', () => {
  test.each([
    { name: 'nothing', given: {}, expected: {} },
    {
      name: 'filters',
      given: { list: 'slow', status: '4xx', method: 'GET', caller: 'none', q: 42, live: 'off' },
      expected: {
        list: 'slow',
        status: '4xx',
        method: 'GET',
        caller: 'none',
        q: '42',
        live: 'off',
      },
    },
    {
      name: 'what is not valid',
      given: { list: 'all', status: 404, method: 'get', caller: 'nobody', q: '', live: 'on' },
      expected: {},
    },
  ])('has $name', ({ given, expected }) => {
    const found = Object.entries(readSearch(given)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  test('says whether anything is filtered', () => {
    expect(hasFilters({ list: 'slow', live: 'off', open: 'x' })).toBe(false);
    expect(hasFilters({ q: 'x' })).toBe(true);
  });
});
