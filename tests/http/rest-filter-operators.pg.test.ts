// Spec, "Filter operators": every row of the table. Planet 6 has no value but its name, `null`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table texts (id int primary key, text text, vector tsvector, document jsonb);
    create policy everybody on texts for select using (true);
    insert into texts (id, text) values
      (1, 'The fat cats ate rats'), (2, 'A cat sat on the mat'), (3, 'rats, mats & a*b'),
      (4, 'with "quotes", commas (and) braces'), (5, '50% off_now'), (6, null);
    update texts set vector = to_tsvector('english', text), document = to_jsonb(text);
    create table sets (id int primary key, numbers int[], range int4range, document jsonb);
    create policy everybody on sets for select using (true);
    insert into sets values
      (1, '{1,2,3}', '[1,5)', '{"a": 1, "b": [1, 2]}'), (2, '{2}', '[5,9)', '{"a": 2}'),
      (3, '{}', '[3,7)', '{}'), (4, null, null, null);`);
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

describe('eq, neq', () => {
  test.each<Row>([
    { name: 'eq is equal', filter: 'kind=eq.gas', ids: [4] },
    { name: 'eq of a number', filter: 'mass=eq.1.0', ids: [3] },
    { name: 'eq of a boolean', filter: 'has_rings=eq.true', ids: [4] },
    { name: 'eq of a date', filter: 'found=eq.2016-08-24', ids: [5] },
    { name: 'eq of an array', filter: 'colors=eq.{yellow,white}', ids: [2] },
    { name: 'neq is not equal and excludes NULL', filter: 'kind=neq.rocky', ids: [4] },
    {
      name: 'two filters of one column are both held',
      filter: 'id=neq.1&id=neq.2',
      ids: [3, 4, 5, 6],
    },
  ])('$name', expectIds('planets'));
});

describe('gt, gte, lt, lte', () => {
  test.each<Row>([
    { name: 'gt', filter: 'mass=gt.1', ids: [4, 5] },
    { name: 'gte', filter: 'mass=gte.1', ids: [3, 4, 5] },
    { name: 'lt', filter: 'mass=lt.0.815', ids: [1] },
    { name: 'lte', filter: 'mass=lte.0.815', ids: [1, 2] },
    { name: 'of texts', filter: 'name=gt.Saturn&id=lt.5', ids: [2] },
  ])('$name', expectIds('planets'));
});

describe('like, ilike', () => {
  test.each<Row>([
    { name: '* is translated to %', filter: 'text=like.*cat*', ids: [1, 2] },
    { name: 'at the beginning', filter: 'text=like.A*', ids: [2] },
    { name: 'at the end', filter: 'text=like.*rats', ids: [1] },
    { name: '% itself works too', filter: 'text=like.%25rats', ids: [1] },
    { name: 'an unanchored pattern is an exact match', filter: 'text=like.rats', ids: [] },
    { name: 'exactly', filter: 'text=like.The%20fat%20cats%20ate%20rats', ids: [1] },
    { name: 'like heeds case', filter: 'text=like.THE*', ids: [] },
    { name: 'ilike does not', filter: 'text=ilike.THE*', ids: [1] },
    { name: 'an unanchored ilike is exact but for case', filter: 'text=ilike.CAT', ids: [] },
    { name: '_ is one character', filter: 'text=like.*off_now', ids: [5] },
    { name: 'a backslash escapes', filter: 'text=like.50%5C%25*', ids: [5] },
  ])('$name', expectIds('texts'));
});

describe('match, imatch', () => {
  test.each<Row>([
    { name: 'match is the regex ~', filter: 'text=match.^The.*rats$', ids: [1] },
    { name: 'match is not anchored', filter: 'text=match.[cm]at%5Cy', ids: [2] },
    { name: 'match heeds case', filter: 'text=match.^the', ids: [] },
    { name: 'imatch is the regex ~*', filter: 'text=imatch.^the', ids: [1] },
    { name: 'a star stays a star', filter: 'text=match.a%5C*b', ids: [3] },
  ])('$name', expectIds('texts'));

  test('a broken regex is 400', async () => {
    const reply = await sky.get('texts?text=match.[a');
    expect([reply.status, reply.body]).toMatchObject([400, { code: '2201B' }]);
  });
});

describe('in', () => {
  test.each<Row>([
    { name: 'in.(a,b,c)', filter: 'name=in.(Earth,Venus,Pluto)', ids: [2, 3] },
    { name: 'numbers', filter: 'id=in.(1,4)', ids: [1, 4] },
    { name: 'one value', filter: 'id=in.(4)', ids: [4] },
    { name: 'no value is no row', filter: 'id=in.()', ids: [] },
    { name: 'not.in.() is every row', filter: 'id=not.in.()', ids: [1, 2, 3, 4, 5, 6] },
    { name: 'the word null is the text null', filter: 'name=in.(null,b)', ids: [5, 6] },
  ])('$name', expectIds('planets'));

  test.each<Row>([
    {
      name: 'quoted values may contain commas',
      filter: 'text=in.("rats,%20mats%20%26%20a*b","A%20cat%20sat%20on%20the%20mat")',
      ids: [2, 3],
    },
    {
      name: 'a backslash escapes quotes inside quotes',
      filter: 'text=in.("with%20%5C"quotes%5C",%20commas%20(and)%20braces")',
      ids: [4],
    },
  ])('$name', expectIds('texts'));

  test('a value of another type is 400', async () => {
    const reply = await sky.get('planets?id=in.(1,x)');
    expect([reply.status, reply.body]).toMatchObject([400, { code: '22P02' }]);
  });
});

describe('is', () => {
  test.each<Row>([
    { name: 'is.null', filter: 'kind=is.null', ids: [6] },
    { name: 'is.true', filter: 'has_rings=is.true', ids: [4] },
    { name: 'is.false', filter: 'has_rings=is.false', ids: [1, 2, 3] },
    { name: 'is.unknown', filter: 'has_rings=is.unknown', ids: [5, 6] },
    { name: 'in any case', filter: 'kind=is.NULL', ids: [6] },
    { name: 'not.is.null', filter: 'kind=not.is.null', ids: [1, 2, 3, 4, 5] },
    { name: 'it is the only way to reach NULL: not eq', filter: 'name=eq.null', ids: [6] },
    { name: 'nor neq', filter: 'kind=neq.null', ids: [1, 2, 3, 4, 5] },
    { name: 'nor a negated eq', filter: 'kind=not.eq.rocky', ids: [4] },
  ])('$name', expectIds('planets'));

  test('is takes no other value', async () => {
    const reply = await sky.get('planets?kind=is.rocky');
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST100' }]);
  });
});

describe('isdistinct', () => {
  test.each<Row>([
    {
      name: 'IS DISTINCT FROM counts NULL as a value',
      filter: 'kind=isdistinct.rocky',
      ids: [4, 6],
    },
    { name: 'negated', filter: 'kind=not.isdistinct.rocky', ids: [1, 2, 3, 5] },
  ])('$name', expectIds('planets'));
});

describe('fts, plfts, phfts, wfts', () => {
  test.each<Row>([
    { name: 'fts on tsvector', filter: 'vector=fts.cat%26rat', ids: [1] },
    { name: 'fts with or', filter: 'vector=fts.cat|rat', ids: [1, 2, 3] },
    { name: 'plfts takes plain words', filter: 'vector=plfts.cats%20rats', ids: [1] },
    { name: 'phfts takes a phrase', filter: 'vector=phfts.fat%20cats', ids: [1] },
    { name: 'phfts heeds the order', filter: 'vector=phfts.cats%20fat', ids: [] },
    { name: 'wfts takes what people type', filter: 'vector=wfts.cat%20-rat', ids: [2] },
    { name: 'wfts with a phrase', filter: 'vector=wfts."fat%20cats"', ids: [1] },
    { name: 'a configuration in parentheses', filter: 'vector=fts(english).cats', ids: [1, 2] },
    { name: 'another configuration', filter: 'vector=fts(simple).cats', ids: [] },
    { name: 'text columns', filter: 'text=plfts(english).cat', ids: [1, 2] },
    { name: 'json columns', filter: 'document=wfts(english).cat', ids: [1, 2] },
    { name: 'negated', filter: 'vector=not.fts.cat', ids: [3, 4, 5] },
  ])('$name', expectIds('texts'));

  test.each([
    { name: 'a broken query', filter: 'vector=fts.cat%20rat', code: '42601' },
    { name: 'an unknown configuration', filter: 'vector=fts(klingon).cat', code: '42704' },
    { name: 'a number', filter: 'id=fts.1', code: '42883' },
  ])('$name is 400', async ({ filter, code }) => {
    const reply = await sky.get(`texts?${filter}`);
    expect([reply.status, reply.body]).toMatchObject([400, { code }]);
  });
});

describe('cs, cd, ov', () => {
  test.each<Row>([
    { name: 'cs of arrays contains', filter: 'numbers=cs.{2}', ids: [1, 2] },
    { name: 'cs of the empty array', filter: 'numbers=cs.{}', ids: [1, 2, 3] },
    { name: 'cs of ranges', filter: 'range=cs.[3,4)', ids: [1, 3] },
    { name: 'cs of jsonb', filter: 'document=cs.{"b":[1]}', ids: [1] },
    { name: 'cd of arrays is contained by', filter: 'numbers=cd.{1,2,3,4}', ids: [1, 2, 3] },
    { name: 'cd of ranges', filter: 'range=cd.[1,7)', ids: [1, 3] },
    { name: 'cd of jsonb', filter: 'document=cd.{"a":2,"c":3}', ids: [2, 3] },
    { name: 'ov of arrays overlaps', filter: 'numbers=ov.{3,4}', ids: [1] },
    { name: 'ov of ranges', filter: 'range=ov.[6,7)', ids: [2, 3] },
  ])('$name', expectIds('sets'));

  test.each([
    { name: 'cs on an integer column', path: 'sets?id=cs.{1}', code: '42883' },
    { name: 'cs on a text column', path: 'texts?text=cs.{1}', code: '42883' },
    // PostgreSQL has several operators <@ that an unknown text could go with.
    { name: 'cd on an integer column', path: 'sets?id=cd.{1}', code: '42725' },
    { name: 'ov on a text column', path: 'texts?text=ov.{1}', code: '42883' },
  ])('$name is 400', async ({ path, code }) => {
    const reply = await sky.get(path);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ status: 400, code });
  });
});

describe('sl, sr, nxr, nxl, adj', () => {
  test.each<Row>([
    { name: 'sl is strictly left', filter: 'range=sl.[7,10)', ids: [1, 3] },
    { name: 'sr is strictly right', filter: 'range=sr.[1,5)', ids: [2] },
    { name: 'nxr does not extend to the right', filter: 'range=nxr.[1,7)', ids: [1, 3] },
    { name: 'nxl does not extend to the left', filter: 'range=nxl.[3,7)', ids: [2, 3] },
    { name: 'adj is adjacent', filter: 'range=adj.[9,11)', ids: [2] },
  ])('$name', expectIds('sets'));
});
