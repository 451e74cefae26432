import { expect, test } from 'vitest';

import { filterByKeys, filtersOf, hasWindow, narrowed } from './narrowed-query.js';

test.each([
  ['', []],
  ['id=eq.1&select=id,name&order=id&limit=1&offset=2', ['id=eq.1']],
  [
    'or=(id.eq.1,id.eq.2)&not.and=(a.eq.1,b.eq.2)',
    ['or=(id.eq.1,id.eq.2)', 'not.and=(a.eq.1,b.eq.2)'],
  ],
  ['select=*,author(*)&author.name=eq.Ada&author.or=(a.eq.1)&title=eq.x', ['title=eq.x']],
  ['data->>a.b=eq.1', ['data->>a.b=eq.1']],
  ['%22a.b%22=eq.1', ['%22a.b%22=eq.1']],
  ['columns=a,b&on_conflict=id', []],
])('the filters of %s', (query, filters) => {
  expect(filtersOf(query)).toEqual(filters);
});

test.each([
  ['id=eq.1', false],
  ['limit=1', true],
  ['id=eq.1&offset=3', true],
])('%s limits the rows: %s', (query, isLimited) => {
  expect(hasWindow(query)).toBe(isLimited);
});

test('keys are quoted, whatever they contain', () => {
  const filter = filterByKeys([
    { id: '1', 'a b': 'x",)\\' },
    { id: '2', 'a b': 'y' },
  ]);
  expect(decodeURIComponent(filter)).toBe(
    'or=(and("id".eq."1","a b".eq."x\\",)\\\\"),and("id".eq."2","a b".eq."y"))',
  );
});

test('a narrowed query has its own columns, order and limit', () => {
  expect(narrowed(['id=eq.1'], { select: '"id"', order: '"id"', limit: 5 })).toBe(
    'id=eq.1&select=%22id%22&order=%22id%22&limit=5',
  );
});
