import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'search',
    `create domain lexemes as tsvector;
     create table texts (id int primary key, body text, short varchar(80), doc json, docb jsonb, vector tsvector, lex lexemes);
     insert into texts select i, b, b, json_build_object('t', b), jsonb_build_object('t', b),
         to_tsvector('english', b), to_tsvector('english', b)
       from (values (1, 'It is kind of fun to do the impossible'), (2, 'But also fun to do what is possible'),
                    (3, 'Fat cats ate rats'), (4, 'It is impossible')) v(i, b);
     create table spans (
       id int primary key, reach int4range, at tstzrange, days daterange, parts int4multirange,
       tags text[], sizes int[], about jsonb, net inet, name text
     );
     insert into spans values
      (1, '[1,5)', '[2024-01-01,2024-02-01)', '[2024-01-01,2024-02-01)', '{[1,3),[7,9)}', '{a,b}', '{1,2}', '{"a": 1, "b": [1,2]}', '10.0.0.0/8', 'x'),
      (2, '[5,10)', '[2024-02-01,2024-03-01)', '[2024-02-01,2024-03-01)', '{[3,5)}', '{b}', '{2,3}', '{"a": 2}', '10.1.0.0/16', 'y'),
      (3, '[20,)', null, null, null, '{}', null, '[1, 2]', null, null);`,
  );
});

afterAll(() => database.close());

async function idsOf(table: string, filter: string): Promise<unknown> {
  const equals = filter.indexOf('=');
  const condition = `${filter.slice(0, equals)}=${encodeURIComponent(filter.slice(equals + 1))}`;
  const rows = JSON.parse(await database.get(table, `select=id&order=id&${condition}`));
  return rows.map(({ id }: { id: number }) => id);
}

describe('full-text search', () => {
  test.each([
    { filter: 'vector=fts.impossible', ids: [1, 4] },
    { filter: 'vector=fts(english).fun & possible', ids: [2] },
    { filter: 'vector=plfts(english).The Fat Rats', ids: [3] },
    { filter: 'vector=phfts(english).Fat Cats', ids: [3] },
    { filter: 'vector=wfts(english).fun -impossible', ids: [2] },
    { filter: 'vector=not.fts.impossible', ids: [2, 3] },
    { filter: 'lex=fts(english).cats', ids: [3] },
    { filter: 'body=fts(english).cats', ids: [3] },
    { filter: 'body=plfts.impossible', ids: [1, 4] },
    { filter: 'short=wfts(simple).cats or possible', ids: [2, 3] },
    { filter: 'short=wfts(simple).cat', ids: [] },
    { filter: 'doc=fts(english).rat', ids: [3] },
    { filter: 'docb=plfts(english).rat', ids: [3] },
    { filter: 'doc->>t=fts(english).rat', ids: [3] },
    { filter: 'docb->t=fts(english).rat', ids: [3] },
    { filter: 'or=(vector.fts(english).cats,vector.plfts(english).kind)', ids: [1, 3] },
  ])('$filter', async ({ filter, ids }) => {
    expect(await idsOf('texts', filter)).toEqual(ids);
  });

  test.each([
    { filter: 'vector=fts.fun possible', code: '42601' },
    { filter: 'vector=fts(nosuch).x', code: '42704' },
    { filter: 'id=fts.x', code: '42883' },
  ])('$filter fails in PostgreSQL with $code', async ({ filter, code }) => {
    await expect(idsOf('texts', filter)).rejects.toMatchObject({ code });
  });
});

describe('ranges, arrays and containment', () => {
  test.each([
    { filter: 'reach=cs.[2,3]', ids: [1] },
    { filter: 'reach=cd.[0,10)', ids: [1, 2] },
    { filter: 'reach=ov.[4,6]', ids: [1, 2] },
    { filter: 'reach=sl.[5,6)', ids: [1] },
    { filter: 'reach=sr.[1,4]', ids: [2, 3] },
    { filter: 'reach=nxr.[0,10)', ids: [1, 2] },
    { filter: 'reach=nxl.[5,6)', ids: [2, 3] },
    { filter: 'reach=adj.[10,20)', ids: [2, 3] },
    { filter: 'reach=not.ov.[4,6]', ids: [3] },
    { filter: 'at=cs.[2024-01-05,2024-01-06)', ids: [1] },
    { filter: 'days=adj.[2024-03-01,2024-04-01)', ids: [2] },
    { filter: 'parts=cs.{[7,8)}', ids: [1] },
    { filter: 'tags=cs.{b}', ids: [1, 2] },
    { filter: 'tags=cd.{b,c}', ids: [2, 3] },
    { filter: 'tags=ov.{a,z}', ids: [1] },
    { filter: 'tags=eq.{a,b}', ids: [1] },
    { filter: 'sizes=cs.{2}', ids: [1, 2] },
    { filter: 'sizes=ov.{3}', ids: [2] },
    { filter: 'about=cs.{"b": [2]}', ids: [1] },
    { filter: 'about=cs.[2]', ids: [3] },
    { filter: 'about=cd.{"a": 2, "z": 0}', ids: [2] },
    { filter: 'net=sl.10.0.0.0/8', ids: [2] },
  ])('$filter', async ({ filter, ids }) => {
    expect(await idsOf('spans', filter)).toEqual(ids);
  });

  test.each([
    { filter: 'id=cs.{1}', code: '42883' },
    { filter: 'name=cs.{x}', code: '42883' },
    { filter: 'reach=cs.nonsense', code: '22P02' },
    { filter: 'tags=ov.nonsense', code: '22P02' },
  ])('$filter fails in PostgreSQL with $code', async ({ filter, code }) => {
    await expect(idsOf('spans', filter)).rejects.toMatchObject({ code });
  });
});
