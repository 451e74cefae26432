// Spec, "Range / Content-Range", and the row "Range header" of the limits.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table rows (id int primary key);
    create policy everybody on rows using (true);
    insert into rows select generate_series(0, 56);
    create function rows_from(first int) returns setof rows stable language sql
      as 'select * from rows where id >= first';`);
});
afterAll(() => sky.close());

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const read = async (path: string, headers: Record<string, string>) => {
  const reply = await sky.get(path, headers);
  const ids = Array.isArray(reply.body) ? reply.body.map((row: { id: number }) => row.id) : [];
  return { reply, ids };
};

describe('Range: 0-9 counts rows, inclusive', () => {
  test.each([
    { name: 'ten rows', range: '0-9', ids: numbers(0, 9), contentRange: '0-9/*' },
    { name: 'one row', range: '5-5', ids: [5], contentRange: '5-5/*' },
    { name: 'with the unit', range: 'items=10-11', ids: [10, 11], contentRange: '10-11/*' },
    { name: 'an open end', range: '50-', ids: numbers(50, 56), contentRange: '50-56/*' },
    { name: 'beyond the last row', range: '55-99', ids: [55, 56], contentRange: '55-56/*' },
    { name: 'behind the last row', range: '57-60', ids: [], contentRange: '*/*' },
    {
      name: 'another unit is ignored',
      range: 'bytes=0-1',
      ids: numbers(0, 56),
      contentRange: '0-56/*',
    },
    {
      name: 'nonsense is ignored',
      range: 'first ten',
      ids: numbers(0, 56),
      contentRange: '0-56/*',
    },
  ])('$name: $range', async ({ range, ids, contentRange }) => {
    const answer = await read('rows?order=id', { range });
    expect(answer.reply.status).toBe(200);
    expect(answer.ids).toEqual(ids);
    expect(answer.reply.headers).toMatchObject({
      'content-range': contentRange,
      'range-unit': 'items',
    });
  });

  test('on the rows of a function too', async () => {
    const answer = await read('rpc/rows_from?first=10&order=id', { range: '1-2' });
    expect(answer.ids).toEqual([11, 12]);
    expect(answer.reply.headers['content-range']).toBe('1-2/*');
  });
});

describe('it is used only when limit/offset are absent', () => {
  test.each([
    { name: 'limit', query: 'limit=2', ids: [0, 1], contentRange: '0-1/*' },
    { name: 'offset', query: 'offset=55', ids: [55, 56], contentRange: '55-56/*' },
    { name: 'both', query: 'limit=1&offset=20', ids: [20], contentRange: '20-20/*' },
  ])('$name', async ({ query, ids, contentRange }) => {
    const answer = await read(`rows?order=id&${query}`, { range: '10-19' });
    expect(answer.ids).toEqual(ids);
    expect(answer.reply.headers['content-range']).toBe(contentRange);
  });

  test('a limit of an embed is no limit of the rows', async () => {
    const path = 'planets?select=id,moons(id)&moons.limit=1&order=id';
    expect((await read(path, { range: '1-2' })).ids).toEqual([2, 3]);
  });
});

test('Range applies to GET: other methods ignore it', async () => {
  const headers = { range: '0-1', prefer: 'return=representation,tx=rollback' };
  const removed = await sky.send('DELETE', 'rows?id=lt.5', { headers });
  expect(removed.body).toHaveLength(5);
  expect(removed.headers['content-range']).toBe('0-4/*');
  const inverted = await sky.send('DELETE', 'rows?id=lt.5', {
    headers: { range: '9-0', prefer: 'tx=rollback' },
  });
  expect(inverted.status).toBe(200);
});

describe('every collection response returns Content-Range and Range-Unit: items', () => {
  test.each([
    { name: '0-9/57 with a count', path: 'rows?limit=10', prefer: 'count=exact', range: '0-9/57' },
    {
      name: '0-9/* when no count was requested',
      path: 'rows?limit=10',
      prefer: '',
      range: '0-9/*',
    },
    { name: 'no rows', path: 'rows?id=lt.0', prefer: '', range: '*/*' },
    { name: 'no rows, counted', path: 'rows?id=lt.0', prefer: 'count=exact', range: '*/0' },
    { name: 'limit=0', path: 'rows?limit=0', prefer: '', range: '*/*' },
    { name: 'the rows of a function', path: 'rpc/rows_from?first=50', prefer: '', range: '0-6/*' },
    { name: 'as CSV', path: 'rows?limit=3', prefer: '', accept: 'text/csv', range: '0-2/*' },
  ])('GET: $name', async ({ path, prefer, accept = 'application/json', range }) => {
    const reply = await sky.get(path, { prefer, accept });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-range': range, 'range-unit': 'items' });
  });

  test.each([
    { method: 'POST', path: 'rows', body: [{ id: 100 }, { id: 101 }], range: '0-1/*' },
    { method: 'PATCH', path: 'rows?id=eq.3', body: { id: 103 }, range: '0-0/*' },
    { method: 'DELETE', path: 'rows?id=lt.3', body: undefined, range: '0-2/*' },
    { method: 'DELETE', path: 'rows?id=lt.0', body: undefined, range: '*/*' },
    { method: 'POST', path: 'rows', body: [], range: '*/*' },
  ])('$method $path', async ({ method, path, body, range }) => {
    const headers = { prefer: 'tx=rollback' };
    const reply = await sky.send(method, path, { headers, ...(body && { body }) });
    expect(reply.headers).toMatchObject({ 'content-range': range, 'range-unit': 'items' });
  });
});

describe('416 PGRST103', () => {
  test.each([
    { name: 'an inverted Range header', query: '', headers: { range: '9-0' } },
    { name: 'a negative limit', query: 'limit=-1', headers: {} },
    {
      name: 'an offset behind the end that is counted',
      query: 'offset=60',
      headers: { prefer: 'count=exact' },
      contentRange: '*/57',
    },
    {
      name: 'a Range behind the end that is counted',
      query: '',
      headers: { prefer: 'count=exact', range: '60-69' },
      contentRange: '*/57',
    },
  ])('$name', async ({ query, headers, contentRange }) => {
    const reply = await sky.get(`rows?${query}`, headers);
    expect(reply.status).toBe(416);
    expect(reply.body).toMatchObject({ code: 'PGRST103', status: 416 });
    expect(reply.headers['content-range']).toBe(contentRange);
  });

  test.each(['offset=0', 'offset=-5'])('%s is no offset', async (query) => {
    const { reply, ids } = await read(`rows?order=id&limit=1&${query}`, {});
    expect([reply.status, ids]).toEqual([200, [0]]);
  });
});
