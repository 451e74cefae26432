import { describe, expect, test } from 'vitest';

import { listQuery, nextOrder } from './list-query.js';
import { isAll, readSearch } from './search.js';

const now = Date.parse('2026-03-31T12:00:30.500Z');

describe('the address of the users', () => {
  test('keeps what is known, and nothing else', () => {
    expect(
      readSearch({
        q: 42,
        kind: 'admin',
        status: 'asleep',
        provider: 'google',
        signedIn: 'never',
        created: 'century',
        sort: 'name.asc',
        page: 3,
        open: 'u1',
        part: 'sessions',
        dialog: 'destroy',
        other: 1,
      }),
    ).toEqual({
      q: '42',
      kind: 'admin',
      status: undefined,
      provider: 'google',
      signedIn: 'never',
      created: undefined,
      sort: 'name.asc',
      page: 3,
      open: 'u1',
      part: 'sessions',
      dialog: undefined,
    });
  });

  test.each([0, 1, -2, 1.5, '2', null])('the page %j is the first one', (page) => {
    expect(readSearch({ page }).page).toBeUndefined();
  });

  test('says nothing of what is usual', () => {
    expect(readSearch({ sort: 'createdAt.desc', part: 'overview', q: '' })).toEqual(readSearch({}));
  });

  test('without search and filters asks for all users', () => {
    expect(isAll({ q: '  ', sort: 'name.asc', page: 2, open: 'u' })).toBe(true);
    expect(isAll({ provider: 'google' })).toBe(false);
    expect(isAll({ q: 'a' })).toBe(false);
  });
});

describe('the query of the list', () => {
  test.each([
    { name: 'everybody, the newest first', search: {}, query: {} },
    { name: 'a search without its spaces', search: { q: ' ada ' }, query: { search: 'ada' } },
    {
      name: 'users are no guests',
      search: { kind: 'user' },
      query: { role: 'USER', isAnonymous: 'false' },
    },
    { name: 'guests', search: { kind: 'guest' }, query: { isAnonymous: 'true' } },
    {
      name: 'never signed in',
      search: { signedIn: 'never' },
      query: { hasSignedIn: 'false' },
    },
    {
      name: 'signed in within a week, from a whole minute',
      search: { signedIn: 'week' },
      query: { lastSignInFrom: '2026-03-24T12:00:00.000Z' },
    },
    {
      name: 'made within a day',
      search: { created: 'day', status: 'inactive' },
      query: { status: 'inactive', createdFrom: '2026-03-30T12:00:00.000Z' },
    },
  ] as const)('$name', ({ search, query }) => {
    expect(listQuery(search, now)).toEqual({ orderBy: 'createdAt.desc', ...query });
  });
});

test.each([
  ['createdAt.desc', 'name', 'name.asc'],
  ['name.asc', 'name', 'name.desc'],
  ['name.desc', 'name', 'name.asc'],
  ['name.asc', 'lastSignInAt', 'lastSignInAt.desc'],
  ['createdAt.desc', 'createdAt', 'createdAt.asc'],
] as const)('after %s the heading of %s gives %s', (current, field, next) => {
  expect(nextOrder(current, field)).toBe(next);
});
