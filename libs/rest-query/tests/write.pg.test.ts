import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import type { RunRequest } from './run-request.js';
import { EMPTY_TABLES, REPRESENTATION, send, WRITE_TABLES, type Write } from './write-setup.js';

let database: RestDatabase;
let run: RunRequest;

beforeAll(async () => {
  database = await openRestDatabase('write', WRITE_TABLES, { maxRows: 2 });
  run = database.run;
});

afterAll(() => database.close());

beforeEach(async () => {
  await database.client.query(EMPTY_TABLES);
});

const post = (write: Write) => send(run, 'POST', write);
const patch = (write: Write) => send(run, 'PATCH', write);
const remove = (write: Write) => send(run, 'DELETE', write);

const rowsOf = (sql: string) => database.rowsOf(sql);

describe('POST', () => {
  test('one object, one row, nothing in the body', async () => {
    const answer = await post({
      body: { name: 'Mars', mass: 0.6, feel: 'calm', about: { a: [1] } },
    });
    expect(answer).toMatchObject({ status: 201, body: undefined });
    expect(answer.headers['content-range']).toBe('0-0/*');
    expect(await rowsOf('select name, mass::text, feel, about from planets')).toEqual([
      ['Mars', '0.6', 'calm', { a: [1] }],
    ]);
  });

  test('rows come back in the order of the body, with the selected columns, past maxRows', async () => {
    const { body, headers } = await post({
      query: 'select=id,n:name,loud',
      prefer: `${REPRESENTATION}, count=exact`,
      body: [{ name: 'c', slug: 'x' }, { name: 'a' }, { name: 'b', slug: 'y' }],
    });
    expect(JSON.parse(body ?? '')).toEqual([
      { id: 1, n: 'c', loud: 'X' },
      { id: 2, n: 'a', loud: null },
      { id: 3, n: 'b', loud: 'Y' },
    ]);
    expect(headers['content-range']).toBe('0-2/3');
    expect(headers['preference-applied']).toBe('return=representation, count=exact');
  });

  test.each([
    { name: '[] writes nothing', body: [], rows: [] },
    { name: '{} is a row of defaults', body: {}, rows: [[5, null]] },
    {
      name: '[{},{}] are two',
      body: [{}, {}],
      rows: [
        [5, null],
        [5, null],
      ],
    },
    {
      name: 'a missing key is NULL',
      body: [{ a: 1 }, { b: 2 }],
      rows: [
        [1, null],
        [null, 2],
      ],
    },
    {
      name: 'or its default, if that is preferred',
      prefer: 'missing=default',
      body: [{ a: 1 }, { b: 2 }, { a: null }],
      rows: [
        [1, null],
        [5, 2],
        [null, null],
      ],
    },
    {
      name: 'columns leave other keys out',
      query: 'columns="b"',
      body: [{ a: 1, b: 2, c: 3 }],
      rows: [[5, 2]],
    },
    {
      name: 'columns that no row has are NULL',
      query: 'columns=a,b',
      body: [{ b: 2 }],
      rows: [[null, 2]],
    },
    {
      name: 'or their defaults',
      query: 'columns=a,b',
      prefer: 'missing=default',
      body: [{ b: 2 }],
      rows: [[5, 2]],
    },
  ])('$name', async ({ query, prefer, body, rows }) => {
    const write = { table: 'keyless', ...(query && { query }), ...(prefer && { prefer }), body };
    expect((await post(write)).status).toBe(201);
    expect(await rowsOf('select a, b from keyless')).toEqual(rows);
  });

  test('defaults per row: identity, expression with a quote, NULL given on purpose', async () => {
    await post({
      prefer: 'missing=default',
      body: [{ id: 10, mass: 1 }, { name: 'x' }, { name: 'y', made: null, id: 11 }],
    });
    expect(await rowsOf('select id, name, mass, made is null from planets order by id')).toEqual([
      [1, 'x', null, false],
      [10, "no'name", '1', false],
      [11, 'y', null, true],
    ]);
  });

  test('text arrays, unicode, quotes and numbers of any size arrive as they are', async () => {
    const row = { name: `'"\\ ä日 $1`, tags: ['a,b', '"', null], mass: 1e30, slug: '' };
    const { body } = await post({
      query: 'select=name,tags,mass,slug',
      prefer: REPRESENTATION,
      body: row,
    });
    expect(JSON.parse(body ?? '')).toEqual([row]);
  });

  test.each([
    { name: 'a generated column', body: { loud: 'x' }, code: '428C9' },
    { name: 'a value of the wrong type', body: { mass: 'heavy' }, code: '22P02' },
    { name: 'a value that is no member of the enum', body: { feel: 'odd' }, code: '22P02' },
    { name: 'NULL where it must not be', body: { name: null }, code: '23502' },
    { name: 'a NUL in a text', body: { name: 'a\0b' }, code: '22P05' },
  ])('$name is refused by PostgreSQL: $code', async ({ body, code }) => {
    await expect(post({ body })).rejects.toMatchObject({ code });
    expect(await rowsOf('select * from planets')).toEqual([]);
  });

  test.each([
    {
      name: 'one column',
      table: 'planets',
      body: { name: 'x' },
      location: '/rest/v1/planets?id=eq.1',
    },
    {
      name: 'two columns, percent-encoded',
      table: 'pairs',
      body: { 'a b': 3, b: 'x&y=z' },
      location: '/rest/v1/pairs?a%20b=eq.3&b=eq.x%26y%3Dz',
    },
    { name: 'no key', table: 'keyless', body: { a: 1 }, location: undefined },
    { name: 'many rows', table: 'planets', body: [{ name: 'x' }], location: undefined },
  ])('headers-only names the new row: $name', async ({ table, body, location }) => {
    const answer = await post({ table, prefer: 'return=headers-only', body });
    expect(answer).toMatchObject({ status: 201, body: undefined });
    expect(answer.headers['location']).toBe(location);
  });
});

describe('PATCH and DELETE', () => {
  beforeEach(async () => {
    await database.client.query(
      "insert into planets (id, name, mass) values (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)",
    );
  });
  const names = () => rowsOf('select id, name from planets order by id');

  test('PATCH changes what matches and says how many', async () => {
    const answer = await patch({ query: 'id=gte.2', body: { name: 'x' } });
    expect(answer).toMatchObject({ status: 200, body: undefined });
    expect(answer.headers['content-range']).toBe('0-1/*');
    expect(await names()).toEqual([
      [1, 'a'],
      [2, 'x'],
      [3, 'x'],
    ]);
  });

  test('a representation is ordered and shows the new values', async () => {
    const write = { query: 'id=gte.1&select=id,name&order=mass.desc', prefer: REPRESENTATION };
    const { body } = await patch({ ...write, body: { name: 'x' } });
    expect(body).toBe('[{"id":3,"name":"x"},{"id":2,"name":"x"},{"id":1,"name":"x"}]');
  });

  test('PATCH that matches nothing is 404', async () => {
    const write = { query: 'id=eq.9', body: { name: 'x' } };
    await expect(patch(write)).rejects.toMatchObject({ code: 'NO_ROWS_MATCHED', status: 404 });
  });

  test.each([{ body: {} }, { body: [] }])('PATCH with $body touches nothing', async ({ body }) => {
    const answer = await patch({ query: 'id=eq.1&select=id', prefer: REPRESENTATION, body });
    expect(answer).toMatchObject({ status: 200, body: '[]' });
    expect(answer.headers['content-range']).toBe('*/*');
  });

  test('a column that columns names and the body lacks becomes NULL, or its default', async () => {
    const write = { query: 'id=eq.1&columns=name,mass', body: { mass: 9 } };
    await expect(patch(write)).rejects.toMatchObject({ code: '23502' });
    await patch({ ...write, prefer: 'missing=default' });
    expect(await rowsOf('select name, mass from planets where id = 1')).toEqual([["no'name", '9']]);
    await patch({ query: 'id=eq.2&columns=name', prefer: 'missing=default', body: {} });
    expect(await rowsOf('select name from planets where id = 2')).toEqual([["no'name"]]);
  });

  test('DELETE removes what matches; nothing is no error', async () => {
    const answer = await remove({
      query: 'id=lt.3&select=id',
      prefer: `${REPRESENTATION}, count=exact`,
    });
    expect(answer).toMatchObject({ status: 200, body: '[{"id":1},{"id":2}]' });
    expect(answer.headers['content-range']).toBe('0-1/2');
    expect((await remove({ query: 'id=lt.3' })).headers['content-range']).toBe('*/*');
    expect(await names()).toEqual([[3, 'c']]);
  });

  test('without a filter every row is touched: the executor asks for an administrator', async () => {
    await remove({});
    expect(await names()).toEqual([]);
  });
});

test('CSV of written rows', async () => {
  const { body } = await post({
    query: 'select=id,name',
    accept: 'text/csv',
    prefer: REPRESENTATION,
    body: [{ name: 'a,b' }, { name: 'c' }],
  });
  expect(body).toBe('id,name\r\n1,"a,b"\r\n2,c\r\n');
});
