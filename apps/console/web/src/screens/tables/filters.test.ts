import { describe, expect, test } from 'vitest';

import { countQueryOf, filterInWords, operatorsFor, queryOf } from './filters.js';
import { filtersOf, readSearch, sortOf, sortsOf, whereOf } from './search.js';

const columns = ['id', 'name'];
const query = (more: object = {}) =>
  decodeURIComponent(queryOf({ columns, filters: [], sorts: [], primaryKey: ['id'], ...more }));

describe('a query', () => {
  test('casts every column to text and ends its order with the primary key', () => {
    const sorts = [{ column: 'name', isDescending: true }];
    expect(query({ sorts })).toBe('select="id"::text,"name"::text&order="name".desc,"id".asc');
  });

  test('names a key that is sorted by only once', () => {
    const sorts = [{ column: 'id', isDescending: true }];
    expect(query({ sorts })).toContain('order="id".desc');
    expect(query({ sorts })).not.toContain('"id".asc');
  });

  test('has the window at its end', () => {
    const rows = { columns, filters: [], sorts: [], primaryKey: [] };
    expect(queryOf(rows, { offset: 200, limit: 100 })).toMatch(/&limit=100&offset=200$/);
  });

  test.each([
    { operator: 'eq', value: 'a&b=c', parameter: '"name"=eq.a&b=c' },
    { operator: 'in', value: 'a, "b,c" ,d"e', parameter: String.raw`"name"=in.("a","b,c","d\"e")` },
    { operator: 'in', value: '', parameter: '"name"=in.()' },
    { operator: 'is', value: 'null', parameter: '"name"=is.null' },
    { operator: 'not.ilike', value: '*x*', parameter: '"name"=not.ilike.*x*' },
  ] as const)('filters by $operator $value', ({ operator, value, parameter }) => {
    expect(query({ filters: [{ column: 'name', operator, value }] })).toContain(`&${parameter}`);
  });

  test('quotes names that mean something else in an address', () => {
    const filters = [{ column: 'sel"ect', operator: 'eq', value: '1' }] as const;
    expect(query({ filters })).toContain(String.raw`&"sel\"ect"=eq.1`);
  });

  test('counts with the filters and without the order', () => {
    const filters = [{ column: 'name', operator: 'eq', value: 'x' }] as const;
    const counted = countQueryOf({ columns, filters, sorts: [], primaryKey: ['id'] });
    expect(decodeURIComponent(counted)).toBe('select="id"&"name"=eq.x');
  });
});

describe('an address', () => {
  const known = new Set(columns);
  const search = readSearch({
    table: 42,
    where: [
      ['name', 'eq', 'x'],
      ['name', 'drop', 'x'],
      ['name', 'eq', 5],
      'x',
      ['gone', 'eq', 'x'],
    ],
    sort: ['-name', 'id', '-gone', 7],
    at: -3,
    hide: 'name',
  });

  test('keeps what can be meant and drops the rest', () => {
    expect(search).toMatchObject({ table: '42', at: undefined, hide: undefined });
    expect(filtersOf(search, known)).toEqual([{ column: 'name', operator: 'eq', value: 'x' }]);
    expect(sortsOf(search, known)).toEqual([
      { column: 'name', isDescending: true },
      { column: 'id', isDescending: false },
    ]);
  });

  test('says the same after it is written again', () => {
    const [filters, sorts] = [filtersOf(search, known), sortsOf(search, known)];
    const again = readSearch({ where: whereOf(filters), sort: sortOf(sorts) });
    expect(filtersOf(again, known)).toEqual(filters);
    expect(sortsOf(again, known)).toEqual(sorts);
  });

  test('sorts by a column whose name begins with a minus', () => {
    expect(sortsOf({ sort: ['-x'] }, new Set(['-x', 'x']))).toEqual([
      { column: '-x', isDescending: false },
    ]);
  });
});

test.each([
  { operator: 'is', value: 'not_null', words: 'name is not NULL' },
  { operator: 'gte', value: '5', words: 'name is at least 5' },
  { operator: 'eq', value: '', words: 'name is (empty)' },
] as const)('in words: $words', ({ operator, value, words }) => {
  expect(filterInWords({ column: 'name', operator, value })).toBe(words);
});

test('json is compared with nothing but NULL, jsonb by what it contains', () => {
  const column = {
    name: 'x',
    category: 'U',
    isNullable: true,
    default: null,
    isGenerated: false,
    identity: null,
    enumValues: null,
    comment: null,
  };
  expect(operatorsFor({ ...column, type: 'json', baseType: 'json' })).toEqual(['is']);
  expect(operatorsFor({ ...column, type: 'jsonb', baseType: 'jsonb' })).toContain('cs');
});
