import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact, MAGAZINE, type Row } from './embed-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';
import { REPRESENTATION, send } from './write-setup.js';

let database: RestDatabase;

// The table `odd` has columns that are called like parts of a statement.
beforeAll(async () => {
  database = await openRestDatabase(
    'computed',
    `${MAGAZINE}
     create function full_name(authors) returns text language sql stable
       as $$ select $1.name || coalesce(' of ' || $1.country, '') $$;
     create function facts(authors) returns jsonb language sql stable
       as $$ select jsonb_build_object('letters', length($1.name)) $$;
     create function works(authors) returns setof posts language sql stable
       as $$ select * from posts where author_id = $1.id or editor_id = $1.id $$;
     create function latest(authors) returns setof posts rows 1 language sql stable
       as $$ select * from posts where author_id = $1.id order by id desc $$;
     create function writer(posts) returns authors language sql stable
       as $$ select a from authors a where a.id = $1.author_id $$;
     create table odd (id int primary key, t text, r text, e1 text, c1 text, t1 int, author_id int references authors);
     insert into odd values (1, 'T', 'R', 'E', 'C', 7, 1);
     create function shout(odd) returns text language sql stable as $$ select $1.t || '!' $$;
     create function mates(odd) returns setof odd language sql stable as $$ select * from odd $$;`,
  );
});

afterAll(() => database.close());

const check = async ({ table = 'authors', query, body }: Row): Promise<void> => {
  expect(compact(await database.get(table, query))).toBe(body);
};

describe('columns', () => {
  test.each<Row>([
    {
      name: 'selected by name, cast, aliased',
      query: 'select=id,full_name,l:facts->>letters,n:full_name::varchar&id=eq.1',
      body: '[{"id":1,"full_name":"Ann of se","l":"3","n":"Ann of se"}]',
    },
    { name: 'no part of *', query: 'id=eq.3', body: '[{"id":3,"name":"Cyd","country":null}]' },
    {
      name: 'filtered and ordered by',
      query: 'select=id&full_name=like.* of *&order=full_name.desc',
      body: '[{"id":2},{"id":1}]',
    },
    {
      name: 'in an embed, beside another embed',
      table: 'posts',
      query: 'select=id,authors!author_id(full_name,profiles(bio))&id=eq.1',
      body: '[{"id":1,"authors":{"full_name":"Ann of se","profiles":{"bio":"writes"}}}]',
    },
    {
      name: 'aggregated by',
      query: 'select=full_name,count()&id=eq.3',
      body: '[{"full_name":"Cyd","count":1}]',
    },
    {
      name: 'of a table whose columns are called like parts of the statement',
      table: 'odd',
      query: 'select=t,r,e1,c1,t1,shout,authors(name),mates(t1,shout)',
      body: '[{"t":"T","r":"R","e1":"E","c1":"C","t1":7,"shout":"T!","authors":{"name":"Ann"},"mates":[{"t1":7,"shout":"T!"}]}]',
    },
    {
      name: 'a row that is one column called r',
      table: 'odd',
      query: 'select=r',
      body: '[{"r":"R"}]',
    },
  ])('$name', check);
});

describe('relations', () => {
  test.each<Row>([
    {
      name: 'to many, with clauses of their own',
      query: 'select=id,works(id,title)&works.order=id.desc&works.limit=2&works.id=neq.2&id=eq.1',
      body: '[{"id":1,"works":[{"id":3,"title":"three"},{"id":1,"title":"one"}]}]',
    },
    {
      name: 'to one, although the function gives more rows',
      query: 'select=id,latest(id)&order=id',
      body: '[{"id":1,"latest":{"id":2}},{"id":2,"latest":{"id":3}},{"id":3,"latest":null}]',
    },
    {
      name: 'to one by a function that gives no set: NULL is null',
      table: 'posts',
      query: 'select=id,writer(name)&id=in.(3,4)&order=id',
      body: '[{"id":3,"writer":{"name":"Bob"}},{"id":4,"writer":null}]',
    },
    {
      name: 'inner',
      query: 'select=id,latest!inner(id)&latest.title=eq.three',
      body: '[{"id":2,"latest":{"id":3}}]',
    },
    {
      name: 'a null filter',
      table: 'posts',
      query: 'select=id,writer()&writer=is.null',
      body: '[{"id":4}]',
    },
    {
      name: 'with embeds inside',
      query: 'select=id,works(id,comments(id))&works.comments.order=id&works.id=eq.1&id=eq.2',
      body: '[{"id":2,"works":[{"id":1,"comments":[{"id":1},{"id":2},{"id":3}]}]}]',
    },
    {
      name: 'spread',
      table: 'posts',
      query: 'select=id,...writer(name,full_name)&id=eq.1',
      body: '[{"id":1,"name":"Ann","full_name":"Ann of se"}]',
    },
    {
      name: 'ordered by',
      table: 'posts',
      query: 'select=id,writer()&order=writer(full_name).desc.nullslast,id&limit=2',
      body: '[{"id":3},{"id":1}]',
    },
  ])('$name', check);

  test('of a long page, which is joined', async () => {
    const { body } = await database.run({
      table: 'posts',
      queryString: 'select=id,writer(full_name)&order=id&limit=500',
    });
    expect(compact(body ?? '')).toBe(
      '[{"id":1,"writer":{"full_name":"Ann of se"}},{"id":2,"writer":{"full_name":"Ann of se"}},{"id":3,"writer":{"full_name":"Bob of fr"}},{"id":4,"writer":null}]',
    );
  });
});

test('in the representation of a write', async () => {
  const write = {
    table: 'odd',
    query: 'select=id,shout,authors(full_name,latest(id)),mates(id)',
    prefer: REPRESENTATION,
    body: { id: 2, t: 'new', author_id: 2 },
  };
  const { body } = await send(database.run, 'POST', write);
  expect(compact(body ?? '')).toBe(
    '[{"id":2,"shout":"new!","authors":{"full_name":"Bob of fr","latest":{"id":3}},"mates":[{"id":1}]}]',
  );
});
