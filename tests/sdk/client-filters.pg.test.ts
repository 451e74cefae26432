// Every filter of our client, each by the planets that it leaves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
});
afterAll(() => workbench.close());

const planets = () => client.from('planets').select('id').order('id');
type Planets = ReturnType<typeof planets>;

interface Case {
  readonly name: string;
  readonly filter: (rows: Planets) => Planets;
  readonly ids: readonly number[];
}

async function expectIds({ filter, ids }: Case): Promise<void> {
  const answer = await filter(planets());
  expect(answer).toEqual({
    data: ids.map((id) => ({ id })),
    error: null,
    count: null,
    status: 200,
    statusText: 'OK',
  });
}

describe('comparisons', () => {
  const cases: readonly Case[] = [
    { name: 'eq of a number', filter: (rows) => rows.eq('moon_count', 1), ids: [2] },
    { name: 'eq of text with , and ()', filter: (rows) => rows.eq('name', 'X, (lost)'), ids: [6] },
    { name: 'eq of the word null', filter: (rows) => rows.eq('name', 'null'), ids: [] },
    { name: 'eq of true', filter: (rows) => rows.eq('has_rings', true), ids: [4] },
    { name: 'eq of a list', filter: (rows) => rows.eq('tags', ['gas', 'cold']), ids: [4] },
    { name: 'neq leaves NULL out', filter: (rows) => rows.neq('moon_count', 1), ids: [1, 3, 4] },
    { name: 'gt', filter: (rows) => rows.gt('mass', 1.07), ids: [4] },
    { name: 'gte', filter: (rows) => rows.gte('mass', 1.07), ids: [4, 5] },
    { name: 'lt', filter: (rows) => rows.lt('mass', 0.11), ids: [1] },
    { name: 'lte', filter: (rows) => rows.lte('mass', 0.11), ids: [1, 3] },
    {
      name: 'two filters on one column',
      filter: (rows) => rows.gt('mass', 0.1).lt('mass', 1.05),
      ids: [2, 3],
    },
    {
      name: 'isDistinct keeps NULL',
      filter: (rows) => rows.isDistinct('moon_count', 1),
      ids: [1, 3, 4, 5, 6],
    },
    { name: 'is null', filter: (rows) => rows.is('moon_count', null), ids: [5, 6] },
    { name: 'is true', filter: (rows) => rows.is('has_rings', true), ids: [4] },
    { name: 'is false', filter: (rows) => rows.is('has_rings', false), ids: [1, 2, 3] },
    { name: 'in of numbers', filter: (rows) => rows.in('id', [1, 3, 99]), ids: [1, 3] },
    {
      name: 'in of text with , and () and "',
      filter: (rows) => rows.in('name', ['X, (lost)', 'say "x", \\y', 'Mars']),
      ids: [3, 6],
    },
    { name: 'in of nothing is no row', filter: (rows) => rows.in('id', []), ids: [] },
    {
      name: 'notIn leaves NULL out',
      filter: (rows) => rows.notIn('moon_count', [1, 2]),
      ids: [1, 4],
    },
    {
      name: 'notIn of nothing is every row',
      filter: (rows) => rows.notIn('id', []),
      ids: [1, 2, 3, 4, 5, 6],
    },
    {
      name: 'match of several columns',
      filter: (rows) => rows.match({ star_id: 1, moon_count: 2 }),
      ids: [3],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('patterns', () => {
  const cases: readonly Case[] = [
    { name: 'like with %', filter: (rows) => rows.like('name', '%r%'), ids: [1, 2, 3, 4, 5] },
    { name: 'like with *', filter: (rows) => rows.like('name', 'M*'), ids: [1, 3] },
    { name: 'like without a wildcard', filter: (rows) => rows.like('name', 'Mar'), ids: [] },
    { name: 'like minds case', filter: (rows) => rows.like('name', 'm%'), ids: [] },
    { name: 'ilike', filter: (rows) => rows.ilike('name', 'm%'), ids: [1, 3] },
    { name: 'likeAllOf', filter: (rows) => rows.likeAllOf('name', ['%M%', '%s']), ids: [3] },
    {
      name: 'likeAnyOf, also with a comma',
      filter: (rows) => rows.likeAnyOf('name', ['M*s', 'X, *', '*th']),
      ids: [2, 3, 6],
    },
    { name: 'ilikeAllOf', filter: (rows) => rows.ilikeAllOf('name', ['%m%', '%C%']), ids: [1] },
    {
      name: 'ilikeAnyOf',
      filter: (rows) => rows.ilikeAnyOf('name', ['m*s', 'EARTH']),
      ids: [2, 3],
    },
    { name: 'regexMatch', filter: (rows) => rows.regexMatch('name', '^M.*s$'), ids: [3] },
    { name: 'regexIMatch', filter: (rows) => rows.regexIMatch('name', '^m|TH$'), ids: [1, 2, 3] },
    {
      name: 'regexMatch with the characters of the grammar',
      filter: (rows) => rows.regexMatch('name', '^X, \\((lost|found)\\)$'),
      ids: [6],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('arrays, ranges and JSON', () => {
  const cases: readonly Case[] = [
    { name: 'contains of a list', filter: (rows) => rows.contains('tags', ['cold']), ids: [3, 4] },
    {
      name: 'contains of an object',
      filter: (rows) => rows.contains('facts', { air: { main: 'nitrogen' } }),
      ids: [2],
    },
    { name: 'contains of a range', filter: (rows) => rows.contains('orbit', '[50,60]'), ids: [1] },
    {
      name: 'containedBy of a list',
      filter: (rows) => rows.containedBy('tags', ['rocky', 'hot', 'cold']),
      ids: [1, 3, 5],
    },
    {
      name: 'containedBy of a range',
      filter: (rows) => rows.containedBy('orbit', '[100,300)'),
      ids: [2, 3],
    },
    {
      name: 'overlaps of a list',
      filter: (rows) => rows.overlaps('tags', ['water', 'gas']),
      ids: [2, 4],
    },
    {
      name: 'overlaps of a range',
      filter: (rows) => rows.overlaps('orbit', '[60,150]'),
      ids: [1, 2],
    },
    { name: 'rangeGt', filter: (rows) => rows.rangeGt('orbit', '[100,210)'), ids: [4] },
    { name: 'rangeGte', filter: (rows) => rows.rangeGte('orbit', '[147,148)'), ids: [2, 3, 4] },
    { name: 'rangeLt', filter: (rows) => rows.rangeLt('orbit', '[150,210)'), ids: [1] },
    { name: 'rangeLte', filter: (rows) => rows.rangeLte('orbit', '[150,250)'), ids: [1, 2, 3] },
    {
      name: 'rangeAdjacent',
      filter: (rows) => rows.rangeAdjacent('orbit', '[70,147)'),
      ids: [1, 2],
    },
    {
      name: 'a JSON path as text',
      filter: (rows) => rows.eq('facts->air->>main', 'carbon dioxide'),
      ids: [3],
    },
    { name: 'a JSON path as JSON', filter: (rows) => rows.gt('facts->days', 400), ids: [3, 4] },
    {
      name: 'a JSON path through an index',
      filter: (rows) => rows.eq('facts->air->parts->>1', 'O2'),
      ids: [2],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('text search', () => {
  const cases: readonly Case[] = [
    {
      name: 'with the operators of to_tsquery',
      filter: (rows) => rows.textSearch('about_words', 'moon & !small'),
      ids: [2],
    },
    {
      name: 'of plain words',
      filter: (rows) => rows.textSearch('about_words', 'planets moons', { type: 'plain' }),
      ids: [2, 3],
    },
    {
      name: 'of a phrase',
      filter: (rows) => rows.textSearch('about_words', 'big moon', { type: 'phrase' }),
      ids: [2],
    },
    {
      name: 'as in a web search',
      filter: (rows) =>
        rows.textSearch('about_words', 'gas or "red planet"', { type: 'websearch' }),
      ids: [3, 4],
    },
    {
      name: 'of a text column with a configuration',
      filter: (rows) => rows.textSearch('about', 'moons', { config: 'simple' }),
      ids: [3],
    },
    {
      name: 'of each type with a configuration',
      filter: (rows) => rows.textSearch('about', 'moons', { type: 'plain', config: 'english' }),
      ids: [2, 3],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('logic', () => {
  const cases: readonly Case[] = [
    {
      name: 'not eq leaves NULL out',
      filter: (rows) => rows.not('mass', 'eq', 1),
      ids: [1, 3, 4, 5],
    },
    { name: 'not is null', filter: (rows) => rows.not('mass', 'is', null), ids: [1, 2, 3, 4, 5] },
    { name: 'not in of a list', filter: (rows) => rows.not('id', 'in', [1, 2, 3]), ids: [4, 5, 6] },
    { name: 'not cs of a list', filter: (rows) => rows.not('tags', 'cs', ['rocky']), ids: [4, 5] },
    { name: 'or as text', filter: (rows) => rows.or('id.eq.1,name.eq.Mars'), ids: [1, 3] },
    {
      name: 'or as parts, quoted by itself',
      filter: (rows) =>
        rows.or([
          ['name', 'eq', 'X, (lost)'],
          ['name', 'eq', 'say "x"'],
          ['id', 'in', [1, 2]],
          ['tags', 'cs', ['gas', 'cold']],
        ]),
      ids: [1, 2, 4, 6],
    },
    {
      name: 'and within or',
      filter: (rows) =>
        rows.or([
          ['id', 'eq', 6],
          {
            and: [
              ['moon_count', 'gte', 1],
              ['has_rings', 'is', false],
            ],
          },
        ]),
      ids: [2, 3, 6],
    },
    {
      name: 'not and NULL within or',
      filter: (rows) =>
        rows.or([['moon_count', 'not.is', null], 'not.and(id.gt.0,id.lt.6)', ['id', 'eq', 5]]),
      ids: [1, 2, 3, 4, 5, 6],
    },
    {
      name: 'two or are both required',
      filter: (rows) => rows.or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3'),
      ids: [2],
    },
    {
      name: 'filter with any operator',
      filter: (rows) => rows.filter('moon_count', 'not.gte', 2).filter('id', 'in', [1, 2, 3]),
      ids: [1, 2],
    },
    {
      name: 'filter with a quantified operator',
      filter: (rows) => rows.filter('id', 'gt(all)', '{2,4}'),
      ids: [5, 6],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('related rows', () => {
  const named = (rows: PromiseLike<{ data: { id: number }[] | null }>) =>
    rows.then(({ data }) => data?.map(({ id }) => id));

  test('a filter on an embed with !inner keeps the rows that have one', async () => {
    const rows = client.from('planets').select('id, moons!inner(id)').order('id');
    expect(await named(rows.gt('moons.radius_km', 1700))).toEqual([2, 4]);
  });

  test('or on a referenced table is about that table', async () => {
    const { data } = await client
      .from('planets')
      .select('id, moons(name)')
      .in('id', [3, 4])
      .or([['name', 'eq', 'Deimos'], 'radius_km.gt.2500'], { referencedTable: 'moons' })
      .order('id');
    expect(data).toEqual([
      { id: 3, moons: [{ name: 'Deimos' }] },
      { id: 4, moons: [{ name: 'Ganymede' }] },
    ]);
  });

  test('a null filter on an embed keeps the rows that have none', async () => {
    const rows = client.from('planets').select('id, atmospheres()').order('id');
    expect(await named(rows.filter('atmospheres', 'is', null))).toEqual([1, 4, 5, 6]);
  });
});
