import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsOn, FUNCTIONS } from './call-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;
let post: ReturnType<typeof callsOn>['post'];
let get: ReturnType<typeof callsOn>['get'];

beforeAll(async () => {
  database = await openRestDatabase('effects', FUNCTIONS);
  ({ post, get } = callsOn(database.run));
});

afterAll(() => database.close());

describe('Content-Range', () => {
  test.each([
    { name: 'a set', call: { fn: 'numbers', query: 'n=5' }, range: '0-4/*' },
    {
      name: 'a page of it',
      call: { fn: 'numbers', query: 'n=5&limit=2&offset=1' },
      range: '1-2/*',
    },
    {
      name: 'counted',
      call: { fn: 'numbers', query: 'n=5&limit=2&offset=1', prefer: 'count=exact' },
      range: '1-2/5',
    },
    {
      name: 'counted, filtered',
      call: { fn: 'all_posts', query: 'id=gt.1&limit=1', prefer: 'count=exact' },
      range: '0-0/3',
    },
    {
      name: 'any way of counting is exact',
      call: { fn: 'all_posts', query: 'limit=1', prefer: 'count=planned' },
      range: '0-0/4',
    },
    {
      name: 'groups',
      call: { fn: 'all_posts', query: 'select=author_id,count()&limit=1', prefer: 'count=exact' },
      range: '0-0/3',
    },
    { name: 'nothing', call: { fn: 'numbers', query: 'n=0', prefer: 'count=exact' }, range: '*/0' },
    { name: 'no set', call: { fn: 'add', query: 'a=1', prefer: 'count=exact' }, range: '0-0/1' },
  ])('$name', async ({ call, range }) => {
    expect((await get(call)).headers['content-range']).toBe(range);
    const head = await get(call, 'HEAD');
    expect(head.headers['content-range']).toBe(range);
    expect(head.body).toBeUndefined();
  });

  test('an offset behind a known end is 416', async () => {
    const call = { fn: 'numbers', query: 'n=2&offset=5', prefer: 'count=exact' };
    await expect(get(call)).rejects.toMatchObject({ code: 'PGRST103', status: 416 });
  });
});

describe('the body of a function runs exactly once', () => {
  const runs = async (): Promise<number> => {
    const [row] = await database.rowsOf("select nextval('runs')::int");
    return Number(row?.[0]);
  };
  test.each([
    { call: { fn: 'ran' } },
    {
      call: {
        fn: 'posts_from',
        body: '{"first_id":1}',
        query: 'select=id,author:author_id(name)&limit=500',
      },
    },
    {
      call: {
        fn: 'posts_from',
        body: '{"first_id":1}',
        query: 'select=id,author:author_id!inner(name)&limit=5',
        prefer: 'count=exact',
      },
    },
    {
      call: {
        fn: 'posts_from',
        body: '{"first_id":1}',
        query: 'select=id,comments!inner(),tags!inner(id)&order=id',
      },
    },
    { call: { fn: 'counted_posts' } },
    { call: { fn: 'counted_posts', prefer: 'count=exact' } },
    { call: { fn: 'counted_posts', prefer: 'return=minimal' } },
    { call: { fn: 'counted_posts', prefer: 'return=minimal, count=exact' } },
    {
      call: {
        fn: 'counted_posts',
        query: 'select=id,author:author_id!inner(name),comments(id)&order=author(name)&limit=500',
      },
    },
    {
      call: { fn: 'counted_posts', query: 'select=author_id(name),count()', prefer: 'count=exact' },
    },
  ])('$call', async ({ call }) => {
    await database.client.query(
      'set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off',
    );
    const before = await runs();
    await post(call);
    expect((await runs()) - before).toBe(2);
    await database.client.query("reset all; set timezone = 'UTC'");
  });
});

describe('what a function says about its answer', () => {
  const say = (status: string | null, headers: string | null): ReturnType<typeof post> =>
    post({ fn: 'answer', body: JSON.stringify({ status, headers }) });

  test('status and headers', async () => {
    const headers = '[{"Cache-Control":"no-store"},{"x-a":"1"},{"X-A":"2"}]';
    const answer = await say('202', headers);
    expect(answer).toMatchObject({ status: 202, body: '"ok"' });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-a': '1, 2' });
  });

  test('nothing of it stays for the next call', async () => {
    await say('202', '[{"x-a":"1"}]');
    const answer = await post({ fn: 'add', body: '{"a":1}' });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('x-a');
  });

  test('what cannot be used is an error that names the setting', async () => {
    await expect(say('abc', null)).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
      message: expect.stringContaining('response.status'),
    });
    await expect(say(null, '{}')).rejects.toMatchObject({
      message: expect.stringContaining('response.headers'),
    });
  });
});

test('max-affected and tx=rollback', async () => {
  const prefer = 'handling=strict, max-affected=2';
  await expect(post({ fn: 'counted_posts', prefer })).rejects.toMatchObject({ code: 'PGRST124' });
  const stored = await post({ fn: 'store', body: '{"title":"dry"}', prefer: 'tx=rollback' });
  expect(stored.status).toBe(204);
  expect(await database.rowsOf("select 1 from tags where name = 'dry'")).toEqual([]);
});
