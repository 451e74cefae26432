import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, MAGAZINE, type Row } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase('inner', MAGAZINE, { maxRows: 3 });
});

afterAll(() => database.close());

/** The ids that a filter on posts leaves, and the total that the count gives. */
async function idsOf(query: string, table = 'posts'): Promise<unknown> {
  const { body, headers } = await database.run({
    table,
    queryString: `${query}&order=id`,
    headers: { prefer: 'count=exact' },
  });
  const rows: { id: number }[] = JSON.parse(body ?? '');
  return { ids: rows.map(({ id }) => id), total: headers['content-range']?.split('/')[1] };
}

describe('the count follows the embeds that filter', () => {
  test.each([
    { query: 'select=id,comments!inner(id)', ids: [1, 2], total: '2' },
    { query: 'select=id,comments!left(id)', ids: [1, 2, 3], total: '4' },
    { query: 'select=id,comments!inner(id)&comments.likes=gt.5', ids: [2], total: '1' },
    { query: 'select=id,comments!inner()&comments.likes=gt.5', ids: [2], total: '1' },
    { query: 'select=id,author:author_id!inner(id)&author.name=eq.Ann', ids: [1, 2], total: '2' },
    {
      query:
        'select=id,author:author_id!inner(id,profiles!inner(bio))&author.profiles.bio=not.is.null',
      ids: [1, 2],
      total: '2',
    },
    { query: 'select=id,author:author_id(id,profiles!inner(bio))', ids: [1, 2, 3], total: '4' },
    { query: 'select=id,comments(id)&comments=is.null', ids: [3, 4], total: '2' },
    { query: 'select=id,comments(id)&comments=not.is.null', ids: [1, 2], total: '2' },
    { query: 'select=id,comments()&comments=is.not_null', ids: [1, 2], total: '2' },
    {
      query: 'select=id,comments()&not.and=(comments.is.null,id.gt.3)',
      ids: [1, 2, 3],
      total: '3',
    },
    {
      query: 'select=id,comments(),tags()&or=(comments.is.null,tags.is.null)',
      ids: [3, 4],
      total: '2',
    },
    {
      query:
        'select=id,c:comments(),tags()&c.likes=gt.5&tags.name=eq.blue&or=(c.not.is.null,tags.not.is.null)',
      ids: [2, 3],
      total: '2',
    },
    { query: 'select=id,tags!inner()&tags.name=in.(red,blue)', ids: [1, 3], total: '2' },
    { query: 'select=id,comments!inner()&comments.limit=0', ids: [], total: '0' },
    { query: 'select=id,comments!inner()&comments.offset=2', ids: [1], total: '1' },
    { query: 'select=id,comments!inner()&comments.limit=1', ids: [1, 2], total: '2' },
  ])('$query', async ({ query, ids, total }) => {
    expect(await idsOf(query)).toEqual({ ids, total });
  });

  test('planned and estimated counts too', async () => {
    const queryString = 'select=id,comments!inner(id)&comments.likes=gt.5';
    for (const count of ['planned', 'estimated']) {
      const { headers } = await database.run({
        table: 'posts',
        queryString,
        headers: { prefer: `count=${count}` },
      });
      expect(headers['content-range']).toMatch(/^0-0\/\d+$/);
    }
  });

  test('HEAD counts without reading', async () => {
    const answer = await database.run({
      table: 'posts',
      method: 'HEAD',
      queryString: 'select=id,comments!inner(id)',
      headers: { prefer: 'count=exact' },
    });
    expect(answer.headers['content-range']).toBe('0-1/2');
  });
});

describe('windows of embeds', () => {
  test.each<Row>([
    {
      name: 'the limit is per parent, not of all',
      query: 'select=id,comments(id)&comments.order=id&comments.limit=1&order=id&limit=2',
      body: '[{"id":1,"comments":[{"id":1}]},{"id":2,"comments":[{"id":4}]}]',
    },
    {
      name: 'offset',
      query: 'select=id,comments(id)&comments.order=id&comments.offset=1&comments.limit=1&id=eq.1',
      body: '[{"id":1,"comments":[{"id":2}]}]',
    },
    {
      name: 'at depth',
      table: 'authors',
      query:
        'select=id,posts!author_id(id,comments(id))&posts.order=id&posts.comments.order=id.desc&posts.comments.limit=1&id=eq.1',
      body: '[{"id":1,"posts":[{"id":1,"comments":[{"id":3}]},{"id":2,"comments":[{"id":4}]}]}]',
    },
    {
      name: 'limit=0 of a to-one embed leaves null',
      query: 'select=id,author:author_id(id)&author.limit=0&id=eq.1',
      body: '[{"id":1,"author":null}]',
    },
    {
      name: 'limit=0 of a to-many embed leaves an empty list',
      query: 'select=id,comments(id)&comments.limit=0&id=eq.1',
      body: '[{"id":1,"comments":[]}]',
    },
  ])('$name', async ({ table = 'posts', query, body }) => {
    expect(compact(await database.get(table, query))).toBe(body);
  });

  test('maxRows is the ceiling of every list', async () => {
    await database.client.query(
      'insert into comments select i, 4, i, null from generate_series(100, 109) i',
    );
    for (const limit of ['', '&comments.limit=9']) {
      const query = `select=comments(id)&comments.order=id${limit}&id=eq.4`;
      expect(compact(await database.get('posts', query))).toBe(
        '[{"comments":[{"id":100},{"id":101},{"id":102}]}]',
      );
    }
    await database.client.query('delete from comments where id >= 100');
  });
});

describe('row level security in embeds', () => {
  const reader = `rest_query_reader_${process.pid}`;
  beforeAll(async () => {
    await database.client.query(`
      create role ${reader};
      grant usage on schema public to ${reader};
      grant select on all tables in schema public to ${reader};
      alter table comments enable row level security;
      alter table authors enable row level security;
      alter table post_tags enable row level security;
      create policy liked on comments for select using (likes > 5);
      create policy bob on authors for select using (name = 'Bob');
      create policy first on post_tags for select using (post_id = 1)`);
  });
  afterAll(() => database.client.query(`drop owned by ${reader}; drop role ${reader}`));

  const asReader = async (query: string): Promise<string> => {
    await database.client.query(`set role ${reader}`);
    try {
      return compact(await database.get('posts', query));
    } finally {
      await database.client.query('reset role');
    }
  };

  test.each([
    {
      name: 'a child that a policy hides is not embedded',
      query: 'select=id,comments(id)&order=id&limit=2',
      body: '[{"id":1,"comments":[]},{"id":2,"comments":[{"id":4}]}]',
    },
    {
      name: 'and does not count for !inner',
      query: 'select=id,comments!inner(id)&order=id',
      body: '[{"id":2,"comments":[{"id":4}]}]',
    },
    {
      name: 'nor for a null filter',
      query: 'select=id,comments()&comments=is.null&order=id',
      body: '[{"id":1},{"id":3},{"id":4}]',
    },
    {
      name: 'a parent that a policy hides is null',
      query: 'select=id,author:author_id(name)&order=author(name),id&limit=3',
      body: '[{"id":3,"author":{"name":"Bob"}},{"id":1,"author":null},{"id":2,"author":null}]',
    },
    {
      name: 'a junction that a policy hides leads nowhere',
      query: 'select=id,tags(id)&tags.order=id&order=id&limit=2',
      body: '[{"id":1,"tags":[{"id":1},{"id":2}]},{"id":2,"tags":[]}]',
    },
  ])('$name', async ({ query, body }) => {
    expect(await asReader(query)).toBe(body);
  });
});
