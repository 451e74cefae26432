import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsOn, FUNCTIONS } from './call-setup.js';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;
let post: ReturnType<typeof callsOn>['post'];
let get: ReturnType<typeof callsOn>['get'];

beforeAll(async () => {
  database = await openRestDatabase('call', FUNCTIONS);
  ({ post, get } = callsOn(database.run));
});

afterAll(() => database.close());

const OBJECT = 'application/vnd.pgrst.object+json';

describe('arguments', () => {
  test.each([
    { fn: 'add', query: 'a=1&b=2', body: '{"a":1,"b":2}', answer: '3' },
    { fn: 'add', query: 'a=1', body: '{"a":1}', answer: '11' },
    { fn: 'greet', query: 'name=eq.Ann', body: '{"name":"eq.Ann"}', answer: '"hi eq.Ann"' },
    {
      fn: 'greet',
      query: 'name=%C3%A4%22%2C()',
      body: '{"name":"ä\\",()"}',
      answer: '"hi ä\\",()"',
    },
    { fn: 'greet', query: 'name=', body: '{"name":""}', answer: '"hi "' },
    { fn: 'nothing', query: '', body: '{}', answer: 'null' },
    { fn: 'as_json', query: 'v={"a":[1]}', body: '{"v":{"a":[1]}}', answer: '{"a": [1]}' },
    { fn: 'as_jsonb', query: 'v={"b":1e2}', body: '{"v":{"b":1e2}}', answer: '{"b": 100}' },
    {
      fn: 'kinds',
      query: 'n=1.50&d=2024-01-02&t={a,"b,c"}&m=calm&p=(1,x)&r=[1,3)',
      body: '{"n":1.50,"d":"2024-01-02","t":["a","b,c"],"m":"calm","p":{"a":1,"b":"x"},"r":"[1,3)"}',
      answer: '"1.50|2024-01-02|{a,\\"b,c\\"}|calm|(1,x)|[1,3)"',
    },
    { fn: 'Camel Case', query: 'Max%20Rows=7', body: '{"Max Rows":7}', answer: '7' },
    { fn: 'same', query: 'id=4&id=5', body: '{"id":5}', answer: '5' },
  ])('$fn($query)', async ({ fn, query, body, answer }) => {
    const encoded = query.replaceAll(/["{}[\]]/g, encodeURIComponent);
    expect(await get({ fn, query: encoded })).toMatchObject({ status: 200, body: answer });
    expect(await post({ fn, body })).toMatchObject({ status: 200, body: answer });
  });

  test.each([
    { fn: 'echo', body: '{"x":[1]}', prefer: 'params=single-object', answer: '{"x":[1]}' },
    { fn: 'raw_json', body: '[{"x":1}]', answer: '[{"x":1}]' },
    { fn: 'raw_text', body: 'plain "text"', type: 'text/plain', answer: '"plain \\"text\\""' },
    { fn: 'raw_bytes', body: '\\x00ff10', type: 'application/octet-stream', answer: '3' },
  ])('$fn takes the whole body', async ({ answer, ...call }) => {
    expect((await post(call)).body).toBe(answer);
  });

  test.each([
    { name: 'a value of the wrong type', call: { fn: 'add', body: '{"a":"x"}' }, code: '22P02' },
    {
      name: 'one that is no member of the enum',
      call: { fn: 'kinds', body: '{"n":1,"d":null,"t":null,"m":"odd","p":null,"r":null}' },
      code: '22P02',
    },
    { name: 'an unknown argument', call: { fn: 'add', body: '{"z":1}' }, code: 'PGRST202' },
  ])('$name is refused: $code', async ({ call, code }) => {
    await expect(post(call)).rejects.toMatchObject({ code });
  });

  test('no argument is SQL', async () => {
    for (const attack of ["'); drop table tags; --", '$1', '\\', '" := 1); --']) {
      const body = JSON.stringify({ name: attack });
      expect((await post({ fn: 'greet', body })).body).toBe(JSON.stringify(`hi ${attack}`));
      const query = `name=${encodeURIComponent(attack)}`;
      expect((await get({ fn: 'greet', query })).body).toBe(JSON.stringify(`hi ${attack}`));
    }
  });
});

describe('answers', () => {
  test.each([
    {
      name: 'a composite is an object',
      fn: 'one_pair',
      body: '{"a":1}',
      answer: '{"a":1,"b":"x"}',
    },
    { name: 'a composite that is NULL', fn: 'no_pair', answer: 'null' },
    {
      name: 'out arguments',
      fn: 'outs',
      body: '{"a":3}',
      answer: '{"twice":6,"half":1.5000000000000000}',
    },
    { name: 'a set of scalars', fn: 'numbers', body: '{"n":3}', answer: '[1,2,3]' },
    { name: 'NULLs of a set', fn: 'gaps', answer: '["a",null]' },
    {
      name: 'a set of composites, one of NULLs',
      fn: 'pairs',
      answer: '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":null,"b":null}]',
    },
    {
      name: 'a table',
      fn: 'squares',
      body: '{"n":2}',
      answer: '[{"i":1,"square":1},{"i":2,"square":4}]',
    },
    { name: 'an empty set', fn: 'numbers', body: '{"n":0}', answer: '[]' },
    {
      name: 'a row of a table',
      fn: 'first_post',
      query: 'select=id,title',
      answer: '{"id":1,"title":"one"}',
    },
    { name: 'no row of a table', fn: 'no_post', answer: 'null' },
  ])('$name', async ({ answer, ...call }) => {
    expect(await post(call)).toMatchObject({ status: 200, body: answer });
  });

  test('void is 204 without a body', async () => {
    const answer = await post({ fn: 'store', body: '{"title":"grey"}' });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(answer.headers['content-type']).toBeUndefined();
    expect(await database.rowsOf("select count(*)::int from tags where name = 'grey'")).toEqual([
      [1],
    ]);
    await expect(get({ fn: 'store', query: 'title=x' })).rejects.toMatchObject({ code: '25006' });
  });

  test.each([
    {
      name: 'CSV of a set',
      call: { fn: 'numbers', body: '{"n":2}' },
      body: 'numbers\r\n1\r\n2\r\n',
    },
    {
      name: 'CSV of one value',
      call: { fn: 'greet', body: '{"name":"a,b"}' },
      body: 'greet\r\n"hi a,b"\r\n',
    },
    { name: 'CSV of rows', call: { fn: 'pairs' }, body: 'a,b\r\n1,x\r\n2,y\r\n,\r\n' },
    { name: 'CSV of no composite', call: { fn: 'no_pair' }, body: 'a,b\r\n' },
  ])('$name', async ({ call, body }) => {
    const answer = await post({ ...call, accept: 'text/csv' });
    expect(answer.body).toBe(body);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  test('one object of a set', async () => {
    const single = { fn: 'all_posts', accept: OBJECT };
    expect((await post({ ...single, query: 'select=id&id=eq.2' })).body).toBe('{"id":2}');
    await expect(post(single)).rejects.toMatchObject({ code: 'PGRST116', status: 406 });
    expect((await post({ fn: 'add', body: '{"a":1}', accept: OBJECT })).body).toBe('11');
  });

  test('return=minimal runs and says nothing', async () => {
    const answer = await post({ fn: 'all_posts', prefer: 'return=minimal, count=exact' });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(answer.headers).toMatchObject({
      'content-range': '0-3/4',
      'preference-applied': 'return=minimal, count=exact',
    });
  });
});

describe('results with rows are read like tables', () => {
  test.each([
    { query: 'select=id&views=gt.10&order=views.desc', answer: '[{"id":2},{"id":3}]' },
    {
      query: 'select=id,author:author_id(name)&order=id.desc&limit=2',
      answer: '[{"id":4,"author":null},{"id":3,"author":{"name":"Bob"}}]',
    },
    {
      query: 'select=id,comments!inner(likes)&comments.likes=gt.5',
      answer: '[{"id":2,"comments":[{"likes":7}]}]',
    },
    { query: 'select=id&or=(id.eq.1,title.eq.four)&order=id&offset=1', answer: '[{"id":4}]' },
    {
      query: 'select=count(),...author_id(name)&author_id=eq.1',
      answer: '[{"count":2,"name":"Ann"}]',
    },
    { query: 'select=about->a->b->>0&about->a=not.is.null', answer: '[{"b":"x"}]' },
  ])('$query', async ({ query, answer }) => {
    for (const fn of ['all_posts', 'counted_posts']) {
      expect(JSON.parse((await post({ fn, query })).body ?? '')).toEqual(JSON.parse(answer));
      const counted = await post({ fn, query, prefer: 'count=exact' });
      expect(JSON.parse(counted.body ?? '')).toEqual(JSON.parse(answer));
    }
  });

  test('columns of a table result', async () => {
    const query = 'select=square&i=gt.1&order=i.desc&limit=1';
    const answer = await post({ fn: 'squares', body: '{"n":3}', query });
    expect(answer.body).toBe('[{"square":9}]');
  });
});
