// Every filter of the published client, each by the planets that it leaves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { observatorySql } from './support/observatory.js';
import { clientOf, type PublishedClient } from './support/published-client.js';

let deployment: Deployment;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  const project = await deployment.createProject();
  await project.sql(observatorySql);
  client = clientOf(project);
});
afterAll(() => deployment.close());

const planets = () => client.from('planets').select('id').order('id');
type Planets = ReturnType<typeof planets>;

interface Case {
  readonly name: string;
  readonly filter: (rows: Planets) => Planets;
  readonly ids: readonly number[];
}

async function expectIds({ filter, ids }: Case): Promise<void> {
  const { data, error, status } = await filter(planets());
  expect(error).toBeNull();
  expect(status).toBe(200);
  expect(data).toEqual(ids.map((id) => ({ id })));
}

describe('comparisons', () => {
  const cases: readonly Case[] = [
    { name: 'eq of a number', filter: (rows) => rows.eq('moon_count', 1), ids: [2] },
    { name: 'eq of text with , and ()', filter: (rows) => rows.eq('name', 'X, (lost)'), ids: [6] },
    { name: 'eq of the word null', filter: (rows) => rows.eq('name', 'null'), ids: [] },
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
    { name: 'is null', filter: (rows) => rows.is('moon_count', null), ids: [5, 6] },
    { name: 'is true', filter: (rows) => rows.is('has_rings', true), ids: [4] },
    { name: 'is false', filter: (rows) => rows.is('has_rings', false), ids: [1, 2, 3] },
    {
      name: 'isDistinct keeps NULL',
      filter: (rows) => rows.isDistinct('moon_count', 1),
      ids: [1, 3, 4, 5, 6],
    },
    { name: 'in of numbers', filter: (rows) => rows.in('id', [1, 3, 99]), ids: [1, 3] },
    {
      name: 'in of text with , and ()',
      filter: (rows) => rows.in('name', ['X, (lost)', 'Mars']),
      ids: [3, 6],
    },
    { name: 'in of nothing is no row', filter: (rows) => rows.in('id', []), ids: [] },
    {
      name: 'notIn leaves NULL out',
      filter: (rows) => rows.notIn('moon_count', [1, 2]),
      ids: [1, 4],
    },
    {
      name: 'match of several columns',
      filter: (rows) => rows.match({ star_id: 1, moon_count: 2, mass: undefined }),
      ids: [3],
    },
    {
      name: 'filter takes the operator as text',
      filter: (rows) => rows.filter('moon_count', 'gte', 2),
      ids: [3, 4],
    },
    {
      name: 'filter takes a list as text',
      filter: (rows) => rows.filter('name', 'in', '("X, (lost)",Earth)'),
      ids: [2, 6],
    },
  ];
  test.each(cases)('$name', expectIds);
});

describe('patterns', () => {
  const cases: readonly Case[] = [
    { name: 'like with %', filter: (rows) => rows.like('name', '%r%'), ids: [1, 2, 3, 4, 5] },
    { name: 'like with *', filter: (rows) => rows.like('name', 'M*'), ids: [1, 3] },
    { name: 'like without a wildcard', filter: (rows) => rows.like('name', 'Mar'), ids: [] },
    { name: 'ilike', filter: (rows) => rows.ilike('name', 'm%'), ids: [1, 3] },
    { name: 'likeAllOf', filter: (rows) => rows.likeAllOf('name', ['%M%', '%s']), ids: [3] },
    { name: 'likeAnyOf', filter: (rows) => rows.likeAnyOf('name', ['M*', '*th']), ids: [1, 2, 3] },
    { name: 'ilikeAllOf', filter: (rows) => rows.ilikeAllOf('name', ['%m%', '%C%']), ids: [1] },
    { name: 'ilikeAnyOf', filter: (rows) => rows.ilikeAnyOf('name', ['JU%', 'e%']), ids: [2, 4] },
    { name: 'regexMatch', filter: (rows) => rows.regexMatch('name', '^[EJ]'), ids: [2, 4] },
    { name: 'regexIMatch', filter: (rows) => rows.regexIMatch('name', '^(m|x)'), ids: [1, 3, 6] },
  ];
  test.each(cases)('$name', expectIds);
});

describe('arrays, JSON and ranges', () => {
  const cases: readonly Case[] = [
    {
      name: 'contains of an array',
      filter: (rows) => rows.contains('tags', ['cold', 'rocky']),
      ids: [3],
    },
    {
      name: 'contains of JSON',
      filter: (rows) => rows.contains('facts', { air: { main: 'nitrogen' } }),
      ids: [2],
    },
    {
      name: 'contains of a range',
      filter: (rows) => rows.contains('orbit', '[148,150)'),
      ids: [2],
    },
    {
      name: 'containedBy an array',
      filter: (rows) => rows.containedBy('tags', ['rocky', 'hot', 'cold']),
      ids: [1, 3, 5],
    },
    {
      name: 'containedBy JSON',
      filter: (rows) => rows.containedBy('facts', { days: 88, air: null, more: 1 }),
      ids: [1],
    },
    {
      name: 'containedBy a range',
      filter: (rows) => rows.containedBy('orbit', '[0,250)'),
      ids: [1, 2, 3],
    },
    {
      name: 'overlaps of arrays',
      filter: (rows) => rows.overlaps('tags', ['hot', 'gas']),
      ids: [1, 4],
    },
    {
      name: 'overlaps of ranges',
      filter: (rows) => rows.overlaps('orbit', '[60,150)'),
      ids: [1, 2],
    },
    { name: 'rangeGt', filter: (rows) => rows.rangeGt('orbit', '[0,206)'), ids: [3, 4] },
    { name: 'rangeGte', filter: (rows) => rows.rangeGte('orbit', '[147,148)'), ids: [2, 3, 4] },
    { name: 'rangeLt', filter: (rows) => rows.rangeLt('orbit', '[147,148)'), ids: [1] },
    { name: 'rangeLte', filter: (rows) => rows.rangeLte('orbit', '[0,153)'), ids: [1, 2] },
    {
      name: 'rangeAdjacent',
      filter: (rows) => rows.rangeAdjacent('orbit', '[153,206)'),
      ids: [2, 3],
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
    { name: 'an element of an array', filter: (rows) => rows.eq('tags->>0', 'gas'), ids: [4] },
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
      name: 'with a configuration',
      filter: (rows) => rows.textSearch('about', 'biggest', { type: 'plain', config: 'simple' }),
      ids: [4],
    },
    {
      name: 'with another configuration finds other words',
      filter: (rows) => rows.textSearch('about', 'moon', { config: 'simple' }),
      ids: [2],
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
    {
      name: 'not is null',
      filter: (rows) => rows.not('moon_count', 'is', null),
      ids: [1, 2, 3, 4],
    },
    { name: 'not in', filter: (rows) => rows.not('id', 'in', '(1,2,3)'), ids: [4, 5, 6] },
    { name: 'not contains', filter: (rows) => rows.not('tags', 'cs', '{rocky}'), ids: [4, 5] },
    { name: 'or', filter: (rows) => rows.or('id.eq.1,name.eq.Mars'), ids: [1, 3] },
    {
      name: 'and within or',
      filter: (rows) => rows.or('id.eq.6,and(moon_count.gte.1,has_rings.is.false)'),
      ids: [2, 3, 6],
    },
    {
      name: 'not within or',
      filter: (rows) => rows.or('moon_count.not.is.null,not.and(id.gt.0,id.lt.6)'),
      ids: [1, 2, 3, 4, 6],
    },
    {
      name: 'two or are both required',
      filter: (rows) => rows.or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3'),
      ids: [2],
    },
    {
      name: 'or beside a filter',
      filter: (rows) => rows.or('id.eq.1,id.eq.4').is('has_rings', true),
      ids: [4],
    },
    {
      name: 'quoted text within or',
      filter: (rows) => rows.or('name.eq."X, (lost)",name.like."Mer*"'),
      ids: [1, 6],
    },
    {
      name: 'a list within or',
      filter: (rows) => rows.or('id.in.(1,2),tags.cs.{gas,cold}'),
      ids: [1, 2, 4],
    },
    {
      name: 'a quantified pattern within or',
      filter: (rows) => rows.or('name.like(any).{Ma*,Me*},id.eq.5'),
      ids: [1, 3, 5],
    },
    {
      name: 'a JSON path within or',
      filter: (rows) => rows.or('facts->air->>main.eq.hydrogen,facts->days.eq.88'),
      ids: [1, 4],
    },
    {
      name: 'text search within or',
      filter: (rows) => rows.or('about_words.wfts(english).water,id.eq.1'),
      ids: [1, 2],
    },
  ];
  test.each(cases)('$name', expectIds);
});
