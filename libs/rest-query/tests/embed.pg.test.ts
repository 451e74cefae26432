import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, MAGAZINE, type Row } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

beforeAll(async () => {
  database = await openRestDatabase(
    'embed',
    `${MAGAZINE}
     create table big (id int primary key, author_id int references authors);
     insert into big select i, i % 3 + 1 from generate_series(1, 2000) i;
     create table "Escap3e;" ("so6meIdColumn" int primary key, "na""me" text);
     create table "ghostBusters" (
       "do$llar$s" int primary key, "Server Today" int references "Escap3e;", "päth.x" text
     );
     insert into "Escap3e;" values (1, 'who''s'), (2, null);
     insert into "ghostBusters" values (1, 1, 'ö'), (2, 1, 'x y'), (3, 2, '"');
     analyze;`,
  );
});

afterAll(() => database.close());

const check = async ({ table = 'posts', query, body }: Row): Promise<void> => {
  expect(compact(await database.get(table, query))).toBe(body);
};

describe('to-one', () => {
  test.each<Row>([
    {
      name: 'an object, null without a row',
      query: 'select=id,author:author_id(name)&id=in.(1,4)&order=id',
      body: '[{"id":1,"author":{"name":"Ann"}},{"id":4,"author":null}]',
    },
    {
      name: 'by the table and the column of the key',
      query: 'select=id,authors!editor_id(id,name)&id=eq.1',
      body: '[{"id":1,"authors":{"id":2,"name":"Bob"}}]',
    },
    {
      name: 'by the constraint',
      query: 'select=authors!posts_editor_id_fkey(name)&id=eq.1',
      body: '[{"authors":{"name":"Bob"}}]',
    },
    {
      name: 'one table twice under two names',
      query: 'select=a:authors!author_id(name),e:authors!editor_id(name)&id=eq.3',
      body: '[{"a":{"name":"Bob"},"e":{"name":"Ann"}}]',
    },
    {
      name: 'all columns',
      query: 'select=author:author_id(*)&id=eq.1',
      body: '[{"author":{"id":1,"name":"Ann","country":"se"}}]',
    },
    {
      name: 'a row of NULLs is an object',
      query: 'select=id,author:author_id(country)&author_id=eq.3',
      body: '[]',
    },
    {
      name: 'back along a unique key',
      table: 'authors',
      query: 'select=name,profiles(bio)&order=id',
      body: '[{"name":"Ann","profiles":{"bio":"writes"}},{"name":"Bob","profiles":{"bio":null}},{"name":"Cyd","profiles":null}]',
    },
    {
      name: 'a composite key, in another order than the target has',
      table: 'articles',
      query: 'select=title,issues(title)&order=id',
      body: '[{"title":"snow","issues":{"title":"winter"}},{"title":"ice","issues":{"title":"winter"}},{"title":"sun","issues":{"title":"again"}},{"title":"none","issues":null}]',
    },
    {
      name: 'of a partitioned table',
      table: 'visits',
      query: 'select=id,posts(title)&order=id',
      body: '[{"id":1,"posts":{"title":"one"}},{"id":2,"posts":{"title":"one"}},{"id":3,"posts":{"title":"two"}}]',
    },
    {
      name: 'a filter takes the object away, not the row',
      query: 'select=id,author:author_id(name)&author.name=eq.Bob&order=id&limit=3',
      body: '[{"id":1,"author":null},{"id":2,"author":null},{"id":3,"author":{"name":"Bob"}}]',
    },
  ])('$name', check);
});

describe('to-many', () => {
  test.each<Row>([
    {
      name: 'a list, empty without rows',
      query: 'select=id,comments(id)&comments.order=id&order=id&limit=3',
      body: '[{"id":1,"comments":[{"id":1},{"id":2},{"id":3}]},{"id":2,"comments":[{"id":4}]},{"id":3,"comments":[]}]',
    },
    {
      name: 'of a composite key',
      table: 'issues',
      query: 'select=title,articles(id)&articles.order=id.desc&order=year,number',
      body: '[{"title":"winter","articles":[{"id":2},{"id":1}]},{"title":"spring","articles":[]},{"title":"again","articles":[{"id":3}]}]',
    },
    {
      name: 'of a partitioned table',
      query: 'select=id,visits(id,day)&visits.order=id&id=eq.1',
      body: '[{"id":1,"visits":[{"id":1,"day":"2010-05-05"},{"id":2,"day":"2030-05-05"}]}]',
    },
    {
      name: 'filtered and ordered by itself',
      query: 'select=id,comments(likes)&comments.likes=gte.1&comments.order=likes.desc&id=eq.1',
      body: '[{"id":1,"comments":[{"likes":5},{"likes":1}]}]',
    },
    {
      name: 'by the alias',
      query: 'select=id,c:comments(id)&c.id=eq.2&id=eq.1',
      body: '[{"id":1,"c":[{"id":2}]}]',
    },
    {
      name: 'one table twice, each with its own filter',
      query: 'select=a:comments(id),b:comments(id)&a.id=eq.1&b.id=gt.1&b.order=id&id=eq.1',
      body: '[{"a":[{"id":1}],"b":[{"id":2},{"id":3}]}]',
    },
    {
      name: 'within each other, to any depth',
      table: 'authors',
      query:
        'select=name,posts!author_id(title,comments(id,posts(id,author:author_id(name))))&posts.order=id&posts.comments.order=id.desc&posts.comments.limit=1&id=eq.1',
      body: '[{"name":"Ann","posts":[{"title":"one","comments":[{"id":3,"posts":{"id":1,"author":{"name":"Ann"}}}]},{"title":"two","comments":[{"id":4,"posts":{"id":2,"author":{"name":"Ann"}}}]}]}]',
    },
  ])('$name', check);
});

describe('junctions', () => {
  test.each<Row>([
    {
      name: 'many to many',
      query: 'select=id,tags(name)&tags.order=name&order=id',
      body: '[{"id":1,"tags":[{"name":"green"},{"name":"red"}]},{"id":2,"tags":[{"name":"green"}]},{"id":3,"tags":[{"name":"blue"}]},{"id":4,"tags":[]}]',
    },
    {
      name: 'and back',
      table: 'tags',
      query: 'select=name,posts(id)&posts.order=id.desc&name=eq.green',
      body: '[{"name":"green","posts":[{"id":2},{"id":1}]}]',
    },
    {
      name: 'named by the junction',
      query: 'select=tags!post_tags(id)&tags.limit=1&tags.order=id&id=eq.1',
      body: '[{"tags":[{"id":1}]}]',
    },
    {
      name: 'step by step, with the columns of the junction',
      query: 'select=post_tags(place,tags(name))&post_tags.order=place&id=eq.1',
      body: '[{"post_tags":[{"place":1,"tags":{"name":"green"}},{"place":2,"tags":{"name":"red"}}]}]',
    },
    {
      name: 'inner: rows without one are gone',
      query: 'select=id,tags!inner(name)&tags.name=eq.green&order=id',
      body: '[{"id":1,"tags":[{"name":"green"}]},{"id":2,"tags":[{"name":"green"}]}]',
    },
  ])('$name', check);
});

describe('self references', () => {
  test.each<Row>([
    {
      name: 'the column leads to the parent',
      table: 'people',
      query: 'select=name,boss(name)&order=id&limit=2',
      body: '[{"name":"Eve","boss":null},{"name":"Fay","boss":{"name":"Eve"}}]',
    },
    {
      name: 'the table by the column leads to the children',
      table: 'people',
      query: 'select=name,team:people!boss(name)&team.order=id&id=in.(1,3)&order=id',
      body: '[{"name":"Eve","team":[{"name":"Fay"},{"name":"Gus"}]},{"name":"Gus","team":[{"name":"Hal"}]}]',
    },
    {
      name: 'the constraint leads to the parent',
      table: 'people',
      query: 'select=name,people_deputy_fkey(name)&id=eq.3',
      body: '[{"name":"Gus","people_deputy_fkey":{"name":"Fay"}}]',
    },
    {
      name: 'both directions at depth',
      table: 'people',
      query: 'select=boss(name,team:people!boss(name,boss(id)))&boss.team.order=id&id=eq.2',
      body: '[{"boss":{"name":"Eve","team":[{"name":"Fay","boss":{"id":1}},{"name":"Gus","boss":{"id":1}}]}}]',
    },
  ])('$name', check);
});

describe('order by a to-one relation', () => {
  test.each<Row>([
    {
      name: 'ascending, NULL last',
      query: 'select=id,author:author_id(name)&order=author(name).asc,id.desc',
      body: '[{"id":2,"author":{"name":"Ann"}},{"id":1,"author":{"name":"Ann"}},{"id":3,"author":{"name":"Bob"}},{"id":4,"author":null}]',
    },
    {
      name: 'descending, NULL at the end',
      query: 'select=id,author:author_id()&order=author(name).desc.nullslast,id&limit=2',
      body: '[{"id":3},{"id":1}]',
    },
    {
      name: 'before the limit, and the columns of other embeds stay in order',
      query: 'select=id,e:editor_id(name),comments(id)&comments.limit=1&order=e(name)&limit=2',
      body: '[{"id":3,"e":{"name":"Ann"},"comments":[]},{"id":1,"e":{"name":"Bob"},"comments":[{"id":1}]}]',
    },
    {
      name: 'within an embed',
      table: 'authors',
      query:
        'select=posts!author_id(id,e:editor_id(id))&posts.order=e(name).desc.nullslast&id=eq.1',
      body: '[{"posts":[{"id":1,"e":{"id":2}},{"id":2,"e":null}]}]',
    },
  ])('$name', check);
});

describe('odd names', () => {
  test.each<Row>([
    {
      name: 'to one',
      table: 'ghostBusters',
      query: 'select=do$llar$s,Escap3e;(na"me)&order=do$llar$s&"Server Today"=lt.9&limit=1',
      body: '[{"do$llar$s":1,"Escap3e;":{"na\\"me":"who\'s"}}]',
    },
    {
      name: 'by a column with a blank, under a name with quotes',
      table: 'ghostBusters',
      query: 'select="it\'s; \\"it\\"":"Server Today"(*)&do$llar$s=eq.3',
      body: '[{"it\'s; \\"it\\"":{"so6meIdColumn":2,"na\\"me":null}}]',
    },
    {
      name: 'to many, with clauses',
      table: 'Escap3e;',
      query:
        'select=so6meIdColumn,ghostBusters(Server Today,"päth.x")&ghostBusters.order="päth.x".desc&ghostBusters.limit=1&so6meIdColumn=eq.1',
      body: '[{"so6meIdColumn":1,"ghostBusters":[{"Server Today":1,"päth.x":"ö"}]}]',
    },
  ])('$name', async ({ table = '', query, body }) => {
    expect(compact(await database.get(table, encodeURI(query)))).toBe(body);
  });
});

test('PostgreSQL may join by hash: the order of the request stays', async () => {
  const { client } = database;
  await client.query('set enable_nestloop = off');
  const { body } = await database.run({
    table: 'big',
    queryString: 'select=id,authors(name)&order=id.desc',
  });
  await client.query('reset enable_nestloop');
  const rows: { id: number }[] = JSON.parse(body ?? '');
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_unused, i) => 2000 - i));
});
