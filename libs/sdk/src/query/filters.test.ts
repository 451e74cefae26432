import { describe, expect, test } from 'vitest';

import { createClient } from '../client.js';
import { reservedNames } from '../encode.js';
import { recordingFetch } from '../../tests/recording-fetch.js';

const { fetch, sent } = recordingFetch({ body: [] });
const rows = () => createClient('http://shop.test', undefined, { fetch }).from('t').select();
type Rows = ReturnType<typeof rows>;

describe('each filter is one parameter', () => {
  test.each<[name: string, filter: (rows: Rows) => unknown, parameter: [string, string]]>([
    ['eq', (r) => r.eq('a', 1), ['a', 'eq.1']],
    ['eq takes quotes and commas as they are', (r) => r.eq('a', '"x",y'), ['a', 'eq."x",y']],
    ['eq takes a date', (r) => r.eq('a', new Date(0)), ['a', 'eq.1970-01-01T00:00:00.000Z']],
    ['neq', (r) => r.neq('a', 'x'), ['a', 'neq.x']],
    ['gt', (r) => r.gt('a', 1), ['a', 'gt.1']],
    ['gte', (r) => r.gte('a', 1), ['a', 'gte.1']],
    ['lt', (r) => r.lt('a', 1), ['a', 'lt.1']],
    ['lte', (r) => r.lte('a', 1), ['a', 'lte.1']],
    ['isDistinct', (r) => r.isDistinct('a', 1), ['a', 'isdistinct.1']],
    ['like', (r) => r.like('a', '%x%'), ['a', 'like.%x%']],
    ['ilike', (r) => r.ilike('a', 'x*'), ['a', 'ilike.x*']],
    ['likeAllOf', (r) => r.likeAllOf('a', ['x%', 'y,"']), ['a', 'like(all).{x%,"y,\\""}']],
    ['likeAnyOf', (r) => r.likeAnyOf('a', ['x%']), ['a', 'like(any).{x%}']],
    ['ilikeAllOf', (r) => r.ilikeAllOf('a', ['x%']), ['a', 'ilike(all).{x%}']],
    ['ilikeAnyOf', (r) => r.ilikeAnyOf('a', ['x%']), ['a', 'ilike(any).{x%}']],
    ['regexMatch', (r) => r.regexMatch('a', '^x+$'), ['a', 'match.^x+$']],
    ['regexIMatch', (r) => r.regexIMatch('a', '^x'), ['a', 'imatch.^x']],
    ['is null', (r) => r.is('a', null), ['a', 'is.null']],
    ['is true', (r) => r.is('a', true), ['a', 'is.true']],
    ['in', (r) => r.in('a', ['x', 'y,"z"']), ['a', 'in.(x,"y,\\"z\\"")']],
    ['in of nothing', (r) => r.in('a', []), ['a', 'in.()']],
    ['notIn', (r) => r.notIn('a', [1, 2]), ['a', 'not.in.(1,2)']],
    ['contains of a list', (r) => r.contains('a', ['x', 'y z']), ['a', 'cs.{x,"y z"}']],
    ['contains of an object', (r) => r.contains('a', { b: 1 }), ['a', 'cs.{"b":1}']],
    ['contains of a range', (r) => r.contains('a', '[1,2)'), ['a', 'cs.[1,2)']],
    ['containedBy', (r) => r.containedBy('a', [1]), ['a', 'cd.{1}']],
    ['overlaps', (r) => r.overlaps('a', [1]), ['a', 'ov.{1}']],
    ['rangeGt', (r) => r.rangeGt('a', '[1,2)'), ['a', 'sr.[1,2)']],
    ['rangeGte', (r) => r.rangeGte('a', '[1,2)'), ['a', 'nxl.[1,2)']],
    ['rangeLt', (r) => r.rangeLt('a', '[1,2)'), ['a', 'sl.[1,2)']],
    ['rangeLte', (r) => r.rangeLte('a', '[1,2)'), ['a', 'nxr.[1,2)']],
    ['rangeAdjacent', (r) => r.rangeAdjacent('a', '[1,2)'), ['a', 'adj.[1,2)']],
    ['textSearch', (r) => r.textSearch('a', "'fat' & 'cat'"), ['a', "fts.'fat' & 'cat'"]],
    ['textSearch plain', (r) => r.textSearch('a', 'x', { type: 'plain' }), ['a', 'plfts.x']],
    ['textSearch phrase', (r) => r.textSearch('a', 'x', { type: 'phrase' }), ['a', 'phfts.x']],
    [
      'textSearch websearch',
      (r) => r.textSearch('a', 'x', { type: 'websearch', config: 'english' }),
      ['a', 'wfts(english).x'],
    ],
    ['not', (r) => r.not('a', 'is', null), ['a', 'not.is.null']],
    ['not with a list for in', (r) => r.not('a', 'in', [1, 'b,c']), ['a', 'not.in.(1,"b,c")']],
    ['not with text for in', (r) => r.not('a', 'in', '(1,2)'), ['a', 'not.in.(1,2)']],
    ['filter', (r) => r.filter('a', 'eq(any)', [1, 2]), ['a', 'eq(any).{1,2}']],
    ['or with text', (r) => r.or('a.eq.1,b.is.null'), ['or', '(a.eq.1,b.is.null)']],
    [
      'or with parts',
      (r) =>
        r.or([
          ['a', 'eq', 'x,y'],
          {
            and: [
              ['b', 'gt', 1],
              ['b', 'lt', 5],
            ],
          },
        ]),
      ['or', '(a.eq."x,y",and(b.gt.1,b.lt.5))'],
    ],
    [
      'or of an embed',
      (r) => r.or('a.eq.1', { referencedTable: 'author' }),
      ['author.or', '(a.eq.1)'],
    ],
    ['a column of an embed', (r) => r.eq('author.name', 'Ada'), ['author.name', 'eq.Ada']],
    ['a path into JSON', (r) => r.eq('data->a->>0', 'x'), ['data->a->>0', 'eq.x']],
    ['a name with a blank', (r) => r.eq('Server Today', 1), ['"Server Today"', 'eq.1']],
    ['a name in quotes', (r) => r.eq('"a.b"', 1), ['"a.b"', 'eq.1']],
    ['a name with a quote', (r) => r.eq('5" disk', 1), [String.raw`"5\" disk"`, 'eq.1']],
    ['a name of letters', (r) => r.eq('größe', 1), ['größe', 'eq.1']],
    ['a parameter of an embed', (r) => r.gt('a.b.order', 1), ['a.b."order"', 'gt.1']],
    ['an embed called not', (r) => r.eq('not.or', 1), ['"not"."or"', 'eq.1']],
    ['a quoted embed', (r) => r.eq('"a->b".limit', 1), ['"a->b"."limit"', 'eq.1']],
    ['a path with a dot', (r) => r.eq('and->a.b->0->>"c"', 1), ['"and"->"a.b"->0->>c', 'eq.1']],
    ['match', (r) => r.match({ offset: 1 }), ['"offset"', 'eq.1']],
    ['not', (r) => r.not('not', 'is', true), ['"not"', 'not.is.true']],
    ['filter', (r) => r.filter('columns', 'like(any)', ['x']), ['"columns"', 'like(any).{x}']],
    [
      'names in or',
      (r) =>
        r.or([
          ['or', 'eq', 1],
          ['a.b', 'eq', 2],
          ['order->>a,b', 'eq', 3],
        ]),
      ['or', '("or".eq.1,"a.b".eq.2,"order"->>"a,b".eq.3)'],
    ],
    [
      'or of an embed called not',
      (r) => r.or('a.eq.1', { referencedTable: 'x.not' }),
      ['x."not".or', '(a.eq.1)'],
    ],
  ])('%s', async (_, filter, parameter) => {
    const query = rows();
    filter(query);
    await query;
    expect(sent.at(-1)?.params).toEqual([['select', '*'], parameter]);
  });
});

test('filters of one request all hold, also several on one column', async () => {
  await rows().gt('a', 1).lt('a', 9).match({ b: 'x', c: null });
  expect(sent.at(-1)?.params).toEqual([
    ['select', '*'],
    ['a', 'gt.1'],
    ['a', 'lt.9'],
    ['b', 'eq.x'],
    ['c', 'eq.null'],
  ]);
});

test.each([...reservedNames])(
  'a filter on a column called %s stays beside every modifier',
  async (name) => {
    await rows().eq(name, 1).select('b').order('b').range(0, 2).gt(name, 0);
    expect(sent.at(-1)?.params).toEqual([
      ['select', 'b'],
      ['order', 'b.asc'],
      ['offset', '0'],
      ['limit', '3'],
      [`"${name}"`, 'eq.1'],
      [`"${name}"`, 'gt.0'],
    ]);
  },
);

test.each([
  { column: 'order', term: '"order".asc' },
  { column: 'a.b', term: '"a.b".asc' },
  { column: 'a,b', term: '"a,b".asc' },
  { column: 'price (EUR)', term: '"price (EUR)".asc' },
  { column: 'data->a.b->>0', term: 'data->"a.b"->>0.asc' },
  { column: 'author(limit)', term: 'author("limit").asc' },
  { column: '"a(b"("c)")', term: '"a(b"("c)").asc' },
])('order by $column is $term', async ({ column, term }) => {
  await rows().order(column);
  await rows().order(column, { referencedTable: 'a.limit' });
  expect(sent.slice(-2).map(({ params }) => params[1])).toEqual([
    ['order', term],
    ['a."limit".order', term],
  ]);
});

test('a filter of a call by GET is in a tree, where it cannot be an argument', async () => {
  const client = createClient('http://shop.test', undefined, { fetch });
  const call = client.rpc('f', { limit: 3, 'a.b': 'eq.1' }, { get: true });
  await call.eq('id', 'x,y').in('id', [1, 2]).is('done', null).eq('author.name', 'Ada').limit(5);
  expect(sent.at(-1)?.params).toEqual([
    ['limit', '5'],
    ['"limit"', '3'],
    ['"a.b"', 'eq.1'],
    ['and', '(id.eq."x,y")'],
    ['and', '(id.in."(1,2)")'],
    ['and', '(done.is.null)'],
    ['author.name', 'eq.Ada'],
  ]);
});
