import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, MAGAZINE, type Row } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'trees',
    `${MAGAZINE} create table places (id int primary key, name text, tags text[], "a.b" int);
     insert into places values
      (1, 'Big city,4th', '{x,y}', 1), (2, 'a(b)"c"', '{"p,q"}', 2), (3, 'plain', null, null), (4, '', '{}', 3);`,
  );
});

afterAll(() => database.close());

describe('trees', () => {
  test.each([
    { tree: 'or=(id.eq.1,id.eq.3)', ids: [1, 3] },
    { tree: 'and=(id.gt.1,id.lt.4)', ids: [2, 3] },
    { tree: 'not.or=(id.eq.1,id.eq.3)', ids: [2, 4] },
    { tree: 'not.and=(id.gt.1,id.lt.4)', ids: [1, 4] },
    { tree: 'or=(id.eq.1,and(id.gt.1,not.or(id.eq.2,id.eq.3)))', ids: [1, 4] },
    { tree: 'or=(id.not.in.(1,2),name.like."*ity,4*")', ids: [1, 3, 4] },
    { tree: 'or=( id.eq.1 , id.eq.2 )', ids: [1, 2] },
    { tree: 'or=(name.eq."a(b)\\"c\\"",id.eq.4)', ids: [2, 4] },
    { tree: 'or=(name.eq."",name.is.null)', ids: [4] },
    { tree: 'or=(tags.cs.{x,y},id.eq.3)', ids: [1, 3] },
    { tree: 'or=(tags.eq.{"p,q"},id.in.(3,4))', ids: [2, 3, 4] },
    { tree: 'or=(id.eq(any).{1,4},name.like(all).{p*,*n})', ids: [1, 3, 4] },
    { tree: 'and=(or(id.eq.1,id.eq.2),or(id.eq.2,id.eq.3))', ids: [2] },
    { tree: 'or=("a.b".eq.3,id.eq.1)', ids: [1, 4] },
    { tree: 'or=(id.eq.1,id.eq.2)&id=gt.1', ids: [2] },
    { tree: 'or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3)', ids: [2] },
  ])('$tree', async ({ tree, ids }) => {
    const rows = JSON.parse(await database.get('places', `select=id&order=id&${tree}`));
    expect(rows.map(({ id }: { id: number }) => id)).toEqual(ids);
  });
});

describe('in embeds', () => {
  test.each<Row>([
    {
      name: 'or at the level of an embed',
      query:
        'select=id,comments(id)&comments.or=(likes.gt.4,likes.is.null)&comments.order=id&id=eq.1',
      body: '[{"id":1,"comments":[{"id":1},{"id":3}]}]',
    },
    {
      name: 'not.and, two levels down',
      table: 'authors',
      query:
        'select=id,posts!author_id(id,comments(id))&posts.order=id&posts.comments.not.and=(id.gt.1,id.lt.4)&id=eq.1',
      body: '[{"id":1,"posts":[{"id":1,"comments":[{"id":1}]},{"id":2,"comments":[{"id":4}]}]}]',
    },
    {
      name: 'with !inner the tree filters the rows above',
      query: 'select=id,comments!inner()&comments.or=(likes.gt.6,body.eq.none)',
      body: '[{"id":2}]',
    },
    {
      name: 'an or keeps to itself beside the join',
      query: 'select=id,comments(id)&comments.or=(id.eq.1,id.eq.4)&order=id&limit=2',
      body: '[{"id":1,"comments":[{"id":1}]},{"id":2,"comments":[{"id":4}]}]',
    },
  ])('$name', async ({ table = 'posts', query, body }) => {
    expect(compact(await database.get(table, query))).toBe(body);
  });
});
