import { describe, expect, test } from 'vitest';
import { planOf } from '../../tests/plan-of.js';
import { embedText, outputsText } from '../../tests/plan-text.js';
import { sampleCatalog } from '../../tests/sample-catalog.js';
import type { Level } from '../types/plan.js';

function levelOf(table: string, queryString: string): Level {
  const plan = planOf(sampleCatalog, { table, queryString });
  if (plan.kind !== 'read') throw new Error('this is no read');
  return plan.rows.level;
}

describe('columns', () => {
  test.each([
    ['all of them, computed ones not', 'planets', '', 'id, name, mass, found_at'],
    ['aliases and casts', 'planets', 'select=n:name,mass::text', 'n=name, mass=mass::text'],
    ['a computed column', 'planets', 'select=id,full_name', 'id, full_name=full_name(t)'],
    ['the last key of a path', 'moons', 'select=data->a->b', 'b=data->a->b'],
    ['the last key before indexes', 'moons', 'select=data->0->a->>2', 'a=data->0->a->>2'],
    ['the column before indexes', 'moons', 'select=data->0', 'data=data->0'],
    ['the key before an empty one', 'moons', 'select=data->a->""', 'a=data->a->'],
    ['the column before an empty key', 'moons', 'select=data->""', 'data=data->'],
    ['an alias of a path', 'moons', 'select=x:data->>a::int', 'x=data->>a::int4'],
    ['of one name the later', 'planets', 'select=name,id,name:mass', 'name=mass, id'],
  ])('%s', (_name, table, query, outputs) => {
    const level = levelOf(table, query);
    expect(outputsText(level)).toBe(outputs);
    expect(level.isGrouped).toBe(false);
  });
});

describe('aggregates', () => {
  test.each([
    ['the number of rows', 'select=count()', 'count=count(*)'],
    ['with an alias and a cast', 'select=n:count()::text', 'n=count(*)::text'],
    ['of a column, called by the function', 'select=mass.sum()', 'sum=sum(mass)'],
    ['casts before and after', 'select=m:mass::int.avg()::text', 'm=avg(mass::int4)::text'],
    ['of a path', 'select=data->>a::int.max()', 'max=max(data->>a::int4)'],
    ['beside what groups', 'select=name,mass.min()', 'name, min=min(mass)'],
    ['in the place of a column of its name', 'select=sum:name,mass.sum()', 'sum=sum(mass)'],
  ])('%s', (_name, query, outputs) => {
    const level = levelOf('moons', query);
    expect(outputsText(level)).toBe(outputs);
    expect(level.isGrouped).toBe(true);
  });

  test('inside a to-many embed they are over its rows', () => {
    const level = levelOf('planets', 'select=id,moons(mass.avg())');
    expect(outputsText(level)).toBe('id, moons=moons[avg=avg(mass)]');
    expect([level.isGrouped, level.embeds[0]?.level.isGrouped]).toEqual([false, true]);
  });
});

describe('spreads', () => {
  test.each([
    ['to one', 'moons', 'select=id,...planets(name)', 'id, name=planets.name'],
    ['aliases inside', 'moons', 'select=...planets(p:name)', 'p=planets.p'],
    ['to many', 'planets', 'select=...moons(name,id)', 'name=moons.name, id=moons.id'],
    ['an embed inside', 'moons', 'select=...planets(capitals(name))', 'capitals=planets.capitals'],
    ['a spread inside', 'craters', 'select=...moons(...planets(name))', 'name=moons.name'],
    ['in the place of a column', 'moons', 'select=name,...planets(name)', 'name=planets.name'],
    ['replaced by a column', 'moons', 'select=...planets(name),name', 'name'],
    ['nothing of an empty one', 'moons', 'select=id,...planets()', 'id'],
  ])('%s', (_name, table, query, outputs) => {
    expect(outputsText(levelOf(table, query))).toBe(outputs);
  });

  test.each([
    ['moons', 'select=...planets(id)', 'columns'],
    ['planets', 'select=...moons(id)', 'column-arrays'],
    ['planets', 'select=moons(id)', 'array'],
    ['moons', 'select=planets(id)', 'object'],
    ['moons', 'select=...planets()', 'hidden'],
  ])('%s?%s is %s', (table, query, form) => {
    expect(levelOf(table, query).embeds[0]?.form).toBe(form);
  });

  test.each([
    [
      'an aggregate over a to-one spread is lifted',
      'moons',
      'select=name,...planets(mass.avg())',
      'name, avg=avg(planets.avg)',
      'planets{avg=mass}',
      [true, false],
    ],
    [
      'the number of its rows is that of the level',
      'moons',
      'select=...planets(name,count())',
      'name=planets.name, count=count(*)',
      'planets{name}',
      [true, false],
    ],
    [
      'through two spreads',
      'craters',
      'select=...moons(...planets(mass.sum()))',
      'sum=sum(moons.sum)',
      'moons{sum=planets.sum}',
      [true, false],
    ],
    [
      'not out of a to-many spread',
      'planets',
      'select=id,...moons(mass.sum())',
      'id, sum=moons.sum',
      'moons[sum=sum(mass)]',
      [false, true],
    ],
    [
      'a cast of the value stays inside',
      'moons',
      'select=...planets(mass::int.sum()::text)',
      'sum=sum(planets.sum)',
      'planets{sum=mass::int4}',
      [true, false],
    ],
  ])('%s', (_name, table, query, outputs, embed, isGrouped) => {
    const level = levelOf(table, query);
    const [first] = level.embeds;
    expect(outputsText(level)).toBe(outputs);
    expect(first && embedText(first)).toBe(embed);
    expect([level.isGrouped, first?.level.isGrouped]).toEqual(isGrouped);
  });
});
