import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, MAGAZINE, type Row } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'spread',
    `${MAGAZINE}
     create table sales (id int primary key, shop text, kind text, price numeric, raw json, extra jsonb);
     insert into sales values
      (1, 'north', 'tea', 2.50, '{"n": 1}', '{"n": 3}'), (2, 'north', 'tea', 3, '{"n": 1}', '{"n": 4}'),
      (3, 'north', 'pot', 20, null, '{"n": 5}'), (4, 'south', 'tea', 2, '{"n": 2}', null),
      (5, 'south', 'pot', null, null, null);`,
  );
});

afterAll(() => database.close());

const check = async ({ table = 'posts', query, body }: Row): Promise<void> => {
  expect(compact(await database.get(table, query))).toBe(body);
};

describe('spread', () => {
  test.each<Row>([
    {
      name: 'of a to-one embed: columns, NULL without a row',
      query: 'select=id,...author_id(author:name,country)&order=id',
      body: '[{"id":1,"author":"Ann","country":"se"},{"id":2,"author":"Ann","country":"se"},{"id":3,"author":"Bob","country":"fr"},{"id":4,"author":null,"country":null}]',
    },
    {
      name: 'through a spread',
      query: 'select=id,...author_id(name,...profiles(bio))&order=id.desc&limit=2',
      body: '[{"id":4,"name":null,"bio":null},{"id":3,"name":"Bob","bio":null}]',
    },
    {
      name: 'of an embed within',
      query: 'select=id,...author_id(name,profiles(bio))&id=eq.1',
      body: '[{"id":1,"name":"Ann","profiles":{"bio":"writes"}}]',
    },
    {
      name: 'of a to-many embed: lists',
      query: 'select=id,...comments(body,likes)&comments.order=id&order=id&limit=3',
      body: '[{"id":1,"body":["first","second","third"],"likes":[5,1,null]},{"id":2,"body":["fourth"],"likes":[7]},{"id":3,"body":[],"likes":[]}]',
    },
    {
      name: 'of a junction',
      query: 'select=id,...tags(tag:name)&tags.order=name&order=id&limit=2',
      body: '[{"id":1,"tag":["green","red"]},{"id":2,"tag":["green"]}]',
    },
    {
      name: 'inner, filtered',
      query: 'select=id,...author_id!inner(name)&author_id.name=eq.Bob',
      body: '[{"id":3,"name":"Bob"}]',
    },
    {
      name: 'in an embed',
      table: 'authors',
      query: 'select=id,posts!author_id(...editor_id(name))&posts.order=id&id=eq.1',
      body: '[{"id":1,"posts":[{"name":"Bob"},{"name":null}]}]',
    },
  ])('$name', check);
});

describe('aggregates', () => {
  test.each<Row>([
    { name: 'of all rows', table: 'sales', query: 'select=count()', body: '[{"count":5}]' },
    {
      name: 'each function, casts before and after',
      table: 'sales',
      query:
        'select=s:price.sum(),a:price.avg()::int,lo:price.min(),hi:price.max(),n:price.count(),t:price::int.sum()::text',
      body: '[{"s":27.5,"a":7,"lo":2,"hi":20,"n":4,"t":"28"}]',
    },
    {
      name: 'by the other columns',
      table: 'sales',
      query: 'select=shop,kind,price.sum()&order=shop,kind',
      body: '[{"shop":"north","kind":"pot","sum":20},{"shop":"north","kind":"tea","sum":5.5},{"shop":"south","kind":"pot","sum":null},{"shop":"south","kind":"tea","sum":2}]',
    },
    {
      name: 'limit and offset count groups',
      table: 'sales',
      query: 'select=shop,count()&order=shop&limit=1&offset=1',
      body: '[{"shop":"south","count":2}]',
    },
    {
      name: 'filters come before',
      table: 'sales',
      query: 'select=kind,count()&price=gt.2&order=kind',
      body: '[{"kind":"pot","count":1},{"kind":"tea","count":2}]',
    },
    {
      name: 'of a JSON path',
      table: 'sales',
      query: 'select=extra->n::int.sum()',
      body: '[{"sum":12}]',
    },
    {
      name: 'by a column of type json',
      table: 'sales',
      query: 'select=raw,count()&id=lt.3',
      body: '[{"raw":{"n":1},"count":2}]',
    },
    {
      name: 'by a cast and by a JSON path',
      table: 'sales',
      query: 'select=id::text,raw->n,count()&id=eq.1',
      body: '[{"id":"1","n":1,"count":1}]',
    },
    {
      name: 'in a to-many embed',
      query: 'select=id,comments(count(),likes.sum())&order=id&limit=2',
      body: '[{"id":1,"comments":[{"count":3,"sum":6}]},{"id":2,"comments":[{"count":1,"sum":7}]}]',
    },
    {
      name: 'by a to-one embed',
      query: 'select=author_id(name),count(),views.sum()&author_id=eq.1',
      body: '[{"author_id":{"name":"Ann"},"count":2,"sum":40}]',
    },
    {
      name: 'over a to-one spread: lifted to the level that spreads',
      table: 'comments',
      query: 'select=...posts(views.sum(),title)&post_id=eq.1',
      body: '[{"sum":30,"title":"one"}]',
    },
    {
      name: 'over a spread of a spread',
      table: 'comments',
      query: 'select=count(),...posts(...author_id(country.max(),name))&post_id=not.is.null',
      body: '[{"count":4,"max":"se","name":"Ann"}]',
    },
    {
      name: 'of a to-many spread',
      query: 'select=id,...comments(count())&id=eq.1',
      body: '[{"id":1,"count":[3]}]',
    },
  ])('$name', check);

  test('groups of a to-many embed and of a spread', async () => {
    const byTags = await database.json({
      table: 'posts',
      queryString: 'select=tags(name),count()',
    });
    expect(byTags).toHaveLength(4);
    const queryString = 'select=views.sum(),...author_id(name)&author_id=not.is.null';
    const bySpread = await database.json({ table: 'posts', queryString });
    expect(bySpread).toEqual(
      expect.arrayContaining([
        { sum: 40, name: 'Ann' },
        { sum: 20, name: 'Bob' },
      ]),
    );
  });

  test('groups are counted as rows', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await database.run({
        table: 'sales',
        method,
        queryString: 'select=shop,count()&limit=1',
        headers: { prefer: 'count=exact' },
      });
      expect(headers['content-range']).toBe('0-0/2');
    }
  });

  test.each(['select=count()&order=price', 'select=price::text,count()&order=price'])(
    'an order that is no group is refused: %s',
    async (queryString) => {
      const request = database.run({ table: 'sales', queryString });
      await expect(request).rejects.toMatchObject({
        code: 'PGRST100',
        message: expect.stringContaining('order names price'),
      });
    },
  );

  test('in CSV', async () => {
    const csv = await database.get('sales', 'select=shop,count()&order=shop', 'text/csv');
    expect(csv).toBe('shop,count\r\nnorth,3\r\nsouth,2\r\n');
  });
});
