// Spec, "Filter operators": the rules below the table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create type place as (x int, label text);
    create table papers (
      id int primary key, title text, data json, more jsonb, place place, scores int[]);
    create policy everybody on papers for select using (true);
    insert into papers values
      (1, 'one', '{"a": {"b": [10, {"c": "deep"}]}, "n": 9}', '{"odd key": 1, "n": 9}', '(1,home)', '{7,8}'),
      (2, 'two', '{"a": null, "n": 10}', '{"n": 10}', '(2,away)', '{9}'),
      (3, null, null, null, null, null);`);
});
afterAll(() => sky.close());

interface Row {
  readonly name: string;
  readonly filter: string;
  readonly ids: readonly number[];
}

const expectIds =
  (table: string) =>
  async ({ filter, ids }: Row) => {
    expect(await sky.idsOf(`${table}?select=id&order=id&${filter}`)).toEqual(ids);
  };
const expectRefusal = async ({ path, code }: { readonly path: string; readonly code: string }) => {
  const reply = await sky.get(path);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ code, status: 400 });
};

describe('any operator is negated with the prefix not.', () => {
  test.each<Row>([
    { name: 'eq', filter: 'kind=not.eq.rocky', ids: [4] },
    { name: 'neq', filter: 'kind=not.neq.rocky', ids: [1, 2, 3, 5] },
    { name: 'gt', filter: 'mass=not.gt.1', ids: [1, 2, 3] },
    { name: 'like', filter: 'name=not.like.*r*', ids: [2, 5, 6] },
    { name: 'imatch', filter: 'name=not.imatch.^[a-m]', ids: [2, 4, 6] },
    { name: 'in', filter: 'id=not.in.(1,2,3)', ids: [4, 5, 6] },
    { name: 'is', filter: 'has_rings=not.is.true', ids: [1, 2, 3, 5, 6] },
    { name: 'cs', filter: 'colors=not.cs.{white}', ids: [1, 4] },
    { name: 'sl', filter: 'orbit=not.sl.[100,200]', ids: [2, 3, 4] },
    { name: 'fts', filter: 'story=not.fts.world', ids: [4, 5] },
    { name: 'like(any)', filter: 'name=not.like(any).{M*,V*}', ids: [3, 4, 5, 6] },
  ])('$name', expectIds('planets'));
});

describe('modifiers any and all are supported where the comparable standard supports them', () => {
  test.each<Row>([
    { name: 'eq(any)', filter: 'id=eq(any).{1,3}', ids: [1, 3] },
    { name: 'gt(all)', filter: 'id=gt(all).{1,3}', ids: [4, 5, 6] },
    { name: 'gte(any)', filter: 'id=gte(any).{4,5}', ids: [4, 5, 6] },
    { name: 'lt(any)', filter: 'id=lt(any).{2,3}', ids: [1, 2] },
    { name: 'lte(all)', filter: 'id=lte(all).{2,3}', ids: [1, 2] },
    { name: 'like(any), with * for %', filter: 'name=like(any).{M*,E*}', ids: [1, 3] },
    { name: 'like(all)', filter: 'name=like(all).{*e*,*r*}', ids: [1] },
    { name: 'ilike(any)', filter: 'name=ilike(any).{m*,v*}', ids: [1, 2] },
    { name: 'match(any)', filter: 'name=match(any).{^E,^V}', ids: [2, 3] },
    { name: 'imatch(all)', filter: 'name=imatch(all).{^s,n$}', ids: [4] },
  ])('$name', expectIds('planets'));

  test.each([
    'neq(any)',
    'in(any)',
    'is(any)',
    'cs(all)',
    'eq(some)',
    'fts(any)',
    'isdistinct(any)',
  ])('%s is none of them: 400', async (operator) => {
    const reply = await sky.get(`planets?colors=${operator}.{a}`);
    expect(reply.status).toBe(400);
  });
});

describe('values are sent untyped and coerced from the operand’s type', () => {
  test.each<Row>([
    { name: 'a number with another notation', filter: 'mass=eq.1e0', ids: [3] },
    { name: 'a boolean word', filter: 'has_rings=eq.yes', ids: [4] },
    { name: 'a timestamp word', filter: 'created_at=lte.now', ids: [1, 2, 3, 4, 5, 6] },
    { name: 'eq.null matches the literal string null', filter: 'name=eq.null', ids: [6] },
    { name: 'quotes belong to the value', filter: 'name=eq."Earth"', ids: [] },
    { name: 'dots belong to the value', filter: 'name=eq.Earth.', ids: [] },
    { name: 'an empty value is the empty text', filter: 'name=neq.', ids: [1, 2, 3, 4, 5, 6] },
    { name: 'SQL is text', filter: `name=eq.x'%20or%20'1'='1`, ids: [] },
  ])('$name', expectIds('planets'));

  test.each([
    { name: 'no integer', path: 'planets?id=eq.abc', code: '22P02' },
    { name: 'eq.null on a number', path: 'planets?mass=eq.null', code: '22P02' },
    { name: 'no date', path: 'planets?found=eq.2016-13-40', code: '22008' },
    { name: 'an integer out of range', path: 'planets?id=eq.99999999999', code: '22003' },
    { name: 'no array', path: 'planets?colors=cs.white', code: '22P02' },
  ])('$name is 400 $code', expectRefusal);
});

describe('JSON traversal in filters', () => {
  test.each<Row>([
    { name: 'col->>key is text', filter: 'data->>n=eq.9', ids: [1] },
    { name: 'texts compare as texts', filter: 'data->>n=gt.10', ids: [1] },
    { name: '-> yields JSON: numbers compare as numbers', filter: 'data->n=gt.9', ids: [2] },
    { name: 'JSON texts are quoted', filter: 'data->a->b->1->c=eq."deep"', ids: [1] },
    { name: 'col->0->>key by index and key', filter: 'data->a->b->1->>c=eq.deep', ids: [1] },
    { name: 'an index from the end', filter: 'data->a->b->-2=eq.10', ids: [1] },
    { name: 'JSON null is a value', filter: 'data->a=is.null', ids: [3] },
    { name: 'its text is NULL', filter: 'data->>a=is.null', ids: [2, 3] },
    { name: 'keys may hold blanks', filter: 'more->>odd%20key=eq.1', ids: [1] },
    { name: 'composite columns', filter: 'place->>label=eq.away', ids: [2] },
    { name: 'array columns', filter: 'scores->>0=eq.9', ids: [2] },
  ])('$name', expectIds('papers'));
});

describe('JSON traversal in select', () => {
  test.each([
    { name: 'col->>key (text)', select: 'data->>n', body: { n: '9' } },
    { name: '-> yields JSON', select: 'data->n', body: { n: 9 } },
    { name: 'col->0->>key', select: 'data->a->b->1->>c', body: { c: 'deep' } },
    { name: 'the name is the last key, not the index', select: 'data->a->b->0', body: { b: 10 } },
    { name: 'an alias', select: 'x:data->a->b->0', body: { x: 10 } },
    { name: 'a cast', select: 'data->>n::int', body: { n: 9 } },
    { name: 'what is not there is null', select: 'data->a->nothing->>c', body: { c: null } },
    { name: 'composite columns', select: 'place->label', body: { label: 'home' } },
    { name: 'array columns', select: 'scores->1', body: { scores: 8 } },
  ])('$name', async ({ select, body }) => {
    const reply = await sky.get(`papers?select=${select}&id=eq.1`);
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: [body] });
  });
});

describe('logic trees', () => {
  test.each<Row>([
    {
      name: 'or=(a.eq.x,and(b.gte.3,c.eq.y))',
      filter: 'or=(name.eq.b,and(mass.gte.1,kind.eq.gas))',
      ids: [4, 5],
    },
    { name: 'and=(…)', filter: 'and=(mass.gte.1,kind.eq.rocky)', ids: [3, 5] },
    { name: 'not.and=(...)', filter: 'not.and=(id.gte.2,id.lte.4)', ids: [1, 5, 6] },
    { name: 'not.or=(...)', filter: 'not.or=(id.eq.1,id.eq.2)', ids: [3, 4, 5, 6] },
    { name: 'not inside', filter: 'or=(id.eq.1,not.and(id.lt.5,id.gt.0))', ids: [1, 5, 6] },
    {
      name: 'not of an operator inside',
      filter: 'and=(id.not.in.(1,2),mass.not.is.null)',
      ids: [3, 4, 5],
    },
    { name: 'beside a column filter', filter: 'or=(id.eq.1,id.eq.4)&kind=eq.gas', ids: [4] },
    {
      name: 'two trees are both held',
      filter: 'or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3)',
      ids: [2],
    },
    { name: 'lists inside', filter: 'or=(id.in.(1,2),name.in.("null",x))', ids: [1, 2, 6] },
    {
      name: 'quoted values inside may contain commas',
      filter: 'or=(name.eq."a,b",id.eq.1)',
      ids: [1],
    },
    { name: 'array literals inside', filter: 'or=(colors.cs.{yellow,white},id.eq.1)', ids: [1, 2] },
    {
      name: 'JSON paths inside',
      filter: 'or=(extra->>moons.eq.146,extra->air->>gas.eq.N2)',
      ids: [3, 4],
    },
    { name: 'modifiers inside', filter: 'or=(name.like(any).{M*,V*},id.eq.6)', ids: [1, 2, 6] },
    { name: 'blanks are optional', filter: 'or=(%20id.eq.1%20,%20id.eq.2%20)', ids: [1, 2] },
    {
      name: 'and and or nest arbitrarily',
      filter:
        'and=(or(id.eq.1,and(id.gt.2,or(kind.eq.gas,not.or(kind.eq.gas,kind.eq.rocky),id.eq.3))),id.lt.5)',
      ids: [1, 3, 4],
    },
  ])('$name', expectIds('planets'));

  test.each([
    { name: 'no parentheses', path: 'planets?or=id.eq.1', code: 'PGRST100' },
    { name: 'an open parenthesis', path: 'planets?or=(id.eq.1', code: 'PGRST100' },
    { name: 'an unknown operator', path: 'planets?or=(id.is1.1)', code: 'PGRST100' },
    { name: 'an unknown column', path: 'planets?or=(nothing.eq.1)', code: 'PGRST204' },
  ])('$name is 400', expectRefusal);
});
