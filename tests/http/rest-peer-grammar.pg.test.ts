// Small rules of the grammar in which this API answers as PostgREST does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create type reading as (a int, b text);
    create domain good_reading as reading;
    create domain best_reading as good_reading;
    create domain star as stars;
    create function one_reading() returns good_reading stable language sql as
      'select row(1, ''x'')::good_reading';
    create function some_readings() returns setof best_reading stable language sql as
      'select row(i, ''x'')::best_reading from generate_series(1, 2) i';
    create function a_star() returns star stable language sql as
      'select s::star from stars s where id = 1';
    create function answer() returns int stable language sql as 'select 42';
    create function raise_state(state text) returns void language plpgsql as
      $$ begin raise exception 'no' using errcode = state; end $$;
    create table counted (id int primary key, count int);
    create policy everybody on counted using (true);
    insert into counted values (1, 7);`);
});
afterAll(() => sky.close());

describe('Prefer: count=none', () => {
  test('asks for no count, and nothing is applied', async () => {
    const reply = await sky.get('stars?limit=1', { prefer: 'count=none' });
    expect(reply).toMatchObject({ status: 200, headers: { 'content-range': '0-0/*' } });
    expect(reply.headers).not.toHaveProperty('preference-applied');
  });
});

describe('a bare count', () => {
  test.each([
    {
      name: 'in an embed',
      path: 'planets?select=name,moons(count)&id=in.(3,4)&order=id',
      body: [
        { name: 'Earth', moons: [{ count: 1 }] },
        { name: 'Saturn', moons: [{ count: 3 }] },
      ],
    },
    { name: 'with an alias', path: 'stars?select=n:count', body: [{ n: 3 }] },
    { name: 'with a cast', path: 'stars?select=count::text', body: [{ count: '3' }] },
    { name: 'is a column first', path: 'counted?select=count', body: [{ count: 7 }] },
  ])('$name', async ({ path, body }) => {
    expect((await sky.get(path)).body).toEqual(body);
  });
});

describe('Content-Range of a function', () => {
  test.each([
    { name: 'one value', path: 'rpc/answer', prefer: 'count=exact', range: '0-0/1' },
    { name: 'one value, not counted', path: 'rpc/answer', prefer: '', range: '0-0/*' },
    { name: 'one row', path: 'rpc/one_reading', prefer: 'count=exact', range: '0-0/1' },
    { name: 'a set', path: 'rpc/some_readings', prefer: 'count=exact', range: '0-1/2' },
  ])('$name', async ({ path, prefer, range }) => {
    const reply = await sky.get(path, { prefer });
    expect(reply).toMatchObject({ status: 200, headers: { 'content-range': range } });
  });
});

test('a function that gives a domain over a composite type gives rows', async () => {
  expect((await sky.get('rpc/one_reading')).body).toEqual({ a: 1, b: 'x' });
  expect((await sky.get('rpc/some_readings?select=a&a=gt.1')).body).toEqual([{ a: 2 }]);
  expect((await sky.get('rpc/a_star?select=name')).body).toEqual({ name: 'Sun' });
});

describe('texts of requests', () => {
  test.each([
    { name: 'a list of blanks is empty', path: 'stars?id=in.(%20%20%20)&select=id', body: [] },
    { name: 'blanks before a list', path: 'stars?id=in.(%202,3)&select=id', ids: [2, 3] },
    { name: 'a parenthesis too many', path: 'stars?or=(id.eq.1,id.eq.2))&select=id', ids: [1, 2] },
  ])('$name', async ({ path, ids }) => {
    expect(await sky.idsOf(`${path}&order=id`)).toEqual(ids ?? []);
  });

  test.each([
    { name: 'no index', method: 'GET', path: 'planets?select=extra->>--34' },
    { name: 'no index either', method: 'GET', path: 'planets?select=extra->-x' },
    { name: 'no index in a filter', method: 'GET', path: 'planets?extra->>-78xy=eq.1' },
    { name: 'empty columns', method: 'POST', path: 'stars?columns=' },
    { name: 'something else behind a tree', method: 'GET', path: 'stars?or=(id.eq.1)x' },
  ])('$name is refused', async ({ method, path }) => {
    const reply = await sky.send(method, path, method === 'POST' ? { body: [{ id: 9 }] } : {});
    expect(reply).toMatchObject({ status: 400, body: { code: 'PGRST100' } });
  });
});

test.each(['P0004', '54001'])('SQLSTATE %s is 500', async (state) => {
  const reply = await sky.send('POST', 'rpc/raise_state', { body: { state } });
  expect(reply).toMatchObject({ status: 500, body: { code: state } });
});
