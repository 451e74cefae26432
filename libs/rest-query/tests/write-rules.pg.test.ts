import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import type { RunRequest } from './run-request.js';
import {
  EMPTY_TABLES,
  OBJECT,
  REPRESENTATION,
  send,
  WRITE_TABLES,
  type Write,
} from './write-setup.js';

let database: RestDatabase;
let run: RunRequest;

beforeAll(async () => {
  database = await openRestDatabase('rules', WRITE_TABLES, { maxRows: 2 });
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

describe('upserts', () => {
  beforeEach(async () => {
    await database.client.query("insert into planets (id, name, slug) values (1, 'old', 's')");
  });

  test.each([
    {
      name: 'merge on the primary key',
      body: [
        { id: 1, name: 'new' },
        { id: 2, name: 'two' },
      ],
      query: '',
      resolution: 'merge-duplicates',
      rows: [
        [1, 'new', 's'],
        [2, 'two', null],
      ],
      answered: 2,
    },
    {
      name: 'merge on another key',
      body: [{ slug: 's', name: 'new' }],
      query: '&on_conflict=slug',
      resolution: 'merge-duplicates',
      rows: [[1, 'new', 's']],
      answered: 1,
    },
    {
      name: 'merge with nothing but the key',
      body: [{ slug: 's' }],
      query: '&on_conflict=slug',
      resolution: 'merge-duplicates',
      rows: [[1, 'old', 's']],
      answered: 1,
    },
    {
      name: 'ignore',
      body: [{ id: 1, name: 'new' }],
      query: '',
      resolution: 'ignore-duplicates',
      rows: [[1, 'old', 's']],
      answered: 0,
    },
  ])('$name', async ({ body, query, resolution, rows, answered }) => {
    const prefer = `resolution=${resolution}, ${REPRESENTATION}`;
    const answer = await post({ query: `select=id${query}`, prefer, body });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body ?? '')).toHaveLength(answered);
    expect(await rowsOf('select id, name, slug from planets order by id')).toEqual(rows);
  });

  test('a target without a unique key is refused by PostgreSQL', async () => {
    const write = {
      query: 'on_conflict=mass',
      prefer: 'resolution=merge-duplicates',
      body: { mass: 1 },
    };
    await expect(post(write)).rejects.toMatchObject({ code: '42P10' });
  });

  test('without a primary key an upsert inserts', async () => {
    const write = { table: 'keyless', prefer: 'resolution=merge-duplicates', body: { a: 1 } };
    await post(write);
    await post(write);
    expect(await rowsOf('select a from keyless')).toEqual([[1], [1]]);
  });

  test('without a resolution a duplicate is an error', async () => {
    await expect(post({ body: { id: 1 } })).rejects.toMatchObject({ code: '23505' });
  });
});

describe('checks before the commit', () => {
  beforeEach(async () => {
    await database.client.query("insert into planets (id, name) values (1, 'a'), (2, 'b')");
  });
  const intact = [
    [1, 'a'],
    [2, 'b'],
  ];

  test.each([
    { name: 'one object, two rows', accept: OBJECT, prefer: '', code: 'PGRST116' },
    { name: 'one object, minimal', accept: OBJECT, prefer: 'return=minimal', code: 'PGRST116' },
    {
      name: 'max-affected',
      accept: '*/*',
      prefer: 'handling=strict, max-affected=1',
      code: 'PGRST124',
    },
  ])('$name: refused and rolled back', async ({ accept, prefer, code }) => {
    const write = { query: 'id=gt.0', accept, prefer };
    await expect(patch({ ...write, body: { name: 'x' } })).rejects.toMatchObject({ code });
    await expect(remove(write)).rejects.toMatchObject({ code });
    expect(await rowsOf('select id, name from planets order by id')).toEqual(intact);
    await expect(post({ accept, prefer, body: [{ id: 8 }, { id: 9 }] })).rejects.toMatchObject({
      code,
    });
    expect(await rowsOf('select id, name from planets order by id')).toEqual(intact);
  });

  test('one object is written and answered', async () => {
    const answer = await patch({
      query: 'id=eq.1&select=id,name',
      accept: OBJECT,
      prefer: REPRESENTATION,
      body: { name: 'x' },
    });
    expect(answer).toMatchObject({ status: 200, body: '{"id":1,"name":"x"}' });
  });

  test('a dry run reports and leaves no trace', async () => {
    const answer = await remove({
      query: 'id=gt.0&select=id',
      prefer: `${REPRESENTATION}, tx=rollback`,
    });
    expect(answer).toMatchObject({ status: 200, body: '[{"id":1},{"id":2}]' });
    expect(answer.headers['preference-applied']).toBe('return=representation, tx=rollback');
    expect(await rowsOf('select id, name from planets order by id')).toEqual(intact);
  });

  test('a dry run finds what the commit would have found', async () => {
    const write = { table: 'children', prefer: 'tx=rollback', body: { id: 1, parent: 5 } };
    await expect(post(write)).rejects.toMatchObject({ code: '23503' });
  });
});
