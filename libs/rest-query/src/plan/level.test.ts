import { describe, expect, test } from 'vitest';
import { planOf } from '../../tests/plan-of.js';
import { filterText, orderText, outputsText } from '../../tests/plan-text.js';
import { LIMITS } from '../../tests/run-request.js';
import { sampleCatalog } from '../../tests/sample-catalog.js';
import type { EmbedPlan, Level } from '../types/plan.js';

function levelOf(table: string, queryString: string, maxRows = 1000): Level {
  const plan = planOf(sampleCatalog, { table, queryString }, { ...LIMITS, maxRows });
  if (plan.kind !== 'read') throw new Error('this is no read');
  return plan.rows.level;
}

/** The embed that a path of positions leads to. */
function embedOf(level: Level, ...path: readonly number[]): EmbedPlan {
  const [first = 0, ...rest] = path;
  const embed = level.embeds[first];
  if (!embed) throw new Error('there is no such embed');
  return rest.length === 0 ? embed : embedOf(embed.level, ...rest);
}

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('what is embedded', () => {
  test.each([
    ['to one: an object', 'moons', 'select=id,planets(id)', 'id, planets=planets{id}'],
    ['to many: an array', 'planets', 'select=moons(id)', 'moons=moons[id]'],
    ['one to one: an object', 'planets', 'select=capitals(name)', 'capitals=capitals{name}'],
    ['through a junction', 'planets', 'select=missions(id)', 'missions=missions[id]'],
    ['an alias is the name', 'planets', 'select=m:moons(id)', 'm=moons[id]'],
    ['the column of a key', 'moons', 'select=planet_id(id)', 'planet_id=planets{id}'],
    ['a computed relation', 'planets', 'select=nearest_moon(id)', 'nearest_moon=moons{id}'],
    ['nothing is shown of an empty one', 'planets', 'select=id,moons()', 'id'],
    ['to any depth', 'planets', 'select=moons(craters(id))', 'moons=moons[craters=craters[id]]'],
    [
      'twice with an alias',
      'planets',
      'select=moons(id),m:moons(id)',
      'moons=moons[id], m=moons[id]',
    ],
    [
      'before a column of its name',
      'moons',
      'select=planet_id(id),planet_id',
      'planet_id=planets{id}',
    ],
    [
      'behind a column of its name',
      'moons',
      'select=planet_id,planet_id(id)',
      'planet_id=planets{id}',
    ],
  ])('%s', (_name, table, query, outputs) => {
    expect(outputsText(levelOf(table, query))).toBe(outputs);
  });

  test.each([
    ['two of one name', 'planets', 'select=moons(id),moons(name)', 'PGRST100'],
    ['two of one alias', 'planets', 'select=a:moons(id),a:missions(id)', 'PGRST100'],
    ['no relationship', 'planets', 'select=craters(id)', 'PGRST200'],
    ['no relationship inside an embed', 'planets', 'select=moons(visits(id))', 'PGRST200'],
    ['a blocked table', 'planets', 'select=session(token)', 'PGRST200'],
    ['an unknown column inside an embed', 'planets', 'select=moons(nope)', 'PGRST204'],
    [
      'a computed relation of the owner',
      'planets',
      'select=secret_moon(id)',
      'DEFINER_NOT_ALLOWED',
    ],
    ['a computed column of the owner', 'planets', 'select=secret_name', 'DEFINER_NOT_ALLOWED'],
  ])('%s is refused', (_name, table, query, expected) => {
    expect(() => levelOf(table, query)).toThrow(code(expected));
  });

  test('a function of the owner is allowed when the settings list it', () => {
    for (const name of ['secret_name', 'public.secret_name']) {
      const limits = { ...LIMITS, definerFunctions: [name] };
      expect(() =>
        planOf(sampleCatalog, { queryString: 'select=secret_name' }, limits),
      ).not.toThrow();
    }
  });
});

describe('clauses of embeds', () => {
  test.each([
    ['by the relation', 'select=moons(id)&moons.name=eq.x', [0], 'and(name eq)'],
    ['by the alias', 'select=m:moons(id)&m.name=eq.x', [0], 'and(name eq)'],
    [
      'by the relation of an aliased one',
      'select=m:moons(id)&moons.name=eq.x',
      [0],
      'and(name eq)',
    ],
    [
      'by the alias before a relation',
      'select=x:missions(id),missions:moons(id)&missions.mass=eq.1',
      [1],
      'and(mass eq)',
    ],
    ['at depth', 'select=moons(craters(id))&moons.craters.width=gt.1', [0, 0], 'and(width gt)'],
    [
      'by aliases at depth',
      'select=m:moons(c:craters(id))&m.c.width=gt.1',
      [0, 0],
      'and(width gt)',
    ],
    [
      'logic trees',
      'select=moons(id)&moons.or=(id.eq.1,name.eq.a)',
      [0],
      'and(or(id eq, name eq))',
    ],
    ['of an empty one', 'select=moons()&moons.id=eq.1', [0], 'and(id eq)'],
  ])('%s', (_name, query, path, where) => {
    expect(filterText(embedOf(levelOf('planets', query), ...path).level.where)).toBe(where);
  });

  test.each([
    ['an embed that is not there', 'select=id&moons.id=eq.1', 'PGRST108'],
    ['one at another depth', 'select=moons(craters(id))&craters.id=eq.1', 'PGRST108'],
    ['an order of one that is not there', 'select=id&moons.order=id', 'PGRST108'],
    ['two with that relation', 'select=a:moons(id),b:moons(id)&moons.id=eq.1', 'PGRST100'],
    ['one by two names', 'select=m:moons(id)&m.id=eq.1&moons.id=eq.2', 'PGRST100'],
  ])('%s is refused', (_name, query, expected) => {
    expect(() => levelOf('planets', query)).toThrow(code(expected));
  });

  test.each([
    ['maxRows is the default', 'select=moons(id)', { offset: 0, limit: 50 }],
    ['and the ceiling', 'select=moons(id)&moons.limit=51', { offset: 0, limit: 50 }],
    [
      'a limit and an offset',
      'select=moons(id)&moons.limit=3&moons.offset=2',
      { offset: 2, limit: 3 },
    ],
    ['no row at all', 'select=moons(id)&moons.limit=0', { offset: 0, limit: 0 }],
    ['to one: none', 'select=capitals(name)', { offset: 0, limit: undefined }],
    [
      'to one: the one asked for',
      'select=capitals(name)&capitals.limit=0',
      { offset: 0, limit: 0 },
    ],
  ])('window: %s', (_name, query, window) => {
    expect(embedOf(levelOf('planets', query, 50)).window).toEqual(window);
  });

  test('maxRows holds at every depth', () => {
    const level = levelOf('planets', 'select=moons(craters(id))', 7);
    expect(embedOf(level, 0, 0).window.limit).toBe(7);
  });
});

describe('filters', () => {
  test.each([
    ['!inner', 'select=moons!inner(id)&moons.id=eq.1', 'and(has moons)'],
    ['!inner beside a filter', 'select=moons!inner(id)&id=eq.1', 'and(id eq, has moons)'],
    ['!inner at depth', 'select=moons!inner(craters!inner(id))', 'and(has moons)'],
    ['!left asks for nothing', 'select=moons!left(id)', 'and()'],
    ['a row', 'select=moons(id)&moons=not.is.null', 'and(has moons)'],
    ['a row, in one word', 'select=moons(id)&moons=is.not_null', 'and(has moons)'],
    ['no row', 'select=m:moons()&m=is.null', 'and(not has moons)'],
    ['in a tree', 'select=moons()&or=(moons.is.null,mass.gt.1)', 'and(or(not has moons, mass gt))'],
    ['a column before an embed', 'select=mass:moons(id)&mass=is.null', 'and(mass is)'],
    ['a computed column', 'full_name=eq.x', 'and(full_name(t) eq)'],
  ])('%s', (_name, query, where) => {
    expect(filterText(levelOf('planets', query).where)).toBe(where);
  });

  test('!inner inside an embed is a filter of its level', () => {
    const level = levelOf('planets', 'select=moons(craters!inner(id))');
    expect(filterText(level.where)).toBe('and()');
    expect(filterText(embedOf(level).level.where)).toBe('and(has craters)');
  });

  test('a condition about an embed is about the embed that is shown', () => {
    const level = levelOf('planets', 'select=...moons!inner(count())&moons.mass=gt.1');
    const [leaf] = level.where.kind === 'and' ? level.where.nodes : [];
    expect(leaf).toEqual({ kind: 'leaf', leaf: { kind: 'related', embed: level.embeds[0] } });
  });

  test.each([
    ['another operator on an embed', 'select=moons(id)&moons=eq.1', 'PGRST120'],
    ['another keyword on an embed', 'select=moons(id)&moons=is.true', 'PGRST120'],
    ['a path into an embed', 'select=moons(id)&moons->id=is.null', 'PGRST120'],
    ['an embed that is not there', 'select=id&moons=is.null', 'PGRST204'],
    ['an embed of two that it may mean', 'select=a:moons(),b:moons()&moons=is.null', 'PGRST100'],
  ])('%s is refused', (_name, query, expected) => {
    expect(() => levelOf('planets', query)).toThrow(code(expected));
  });
});

describe('order', () => {
  test.each([
    ['a column', 'moons', 'order=mass.desc', ['mass']],
    ['a path', 'moons', 'order=data->a->>b', ['data->a->>b']],
    ['a computed column', 'planets', 'order=full_name', ['full_name(t)']],
    [
      'a to-one embed',
      'moons',
      'select=planets(id)&order=planets(name),id',
      ['planets(name)', 'id'],
    ],
    ['its alias', 'moons', 'select=p:planets()&order=p(full_name)', ['planets(full_name(t))']],
    ['one row back', 'planets', 'select=capitals(name)&order=capitals(name)', ['capitals(name)']],
    ['a spread one', 'moons', 'select=...planets(name)&order=planets(mass)', ['planets(mass)']],
  ])('%s', (_name, table, query, order) => {
    expect(levelOf(table, query).order.map(({ value }) => orderText(value))).toEqual(order);
  });

  test('inside an embed', () => {
    const level = levelOf('planets', 'select=moons(planets(id))&moons.order=planets(name)');
    expect(embedOf(level).level.order.map(({ value }) => orderText(value))).toEqual([
      'planets(name)',
    ]);
  });

  test.each([
    ['an embed that is not there', 'moons', 'select=id&order=planets(name)', 'PGRST108'],
    ['a to-many embed', 'planets', 'select=moons(id)&order=moons(id)', 'PGRST118'],
    ['an unknown column of it', 'moons', 'select=planets(id)&order=planets(nope)', 'PGRST204'],
    ['an unknown column', 'moons', 'order=nope', 'PGRST204'],
  ])('%s is refused', (_name, table, query, expected) => {
    expect(() => levelOf(table, query)).toThrow(code(expected));
  });
});
