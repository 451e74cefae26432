// The owner changes the schema while the API is used. Every answer is right, or an error that says "again":
// 409 for a serialization failure or a deadlock, 503 with Retry-After. Everything else fails these tests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table authors (id int primary key, name text not null);
    create table posts (id int primary key, author_id int references authors (id), title text not null, views int default 0);
    create table entries (id bigint primary key generated always as identity, worker int, n int);
    insert into authors select i, 'author ' || i from generate_series(1, 5) i;
    insert into posts select i, 1 + i % 5, 'post ' || i from generate_series(1, 50) i;
    create policy anything on authors using (true);
    create policy anything on posts using (true);
    create policy anything on entries using (true);
    create function titles(author int) returns setof posts stable language sql
      as 'select * from posts where author_id = author order by id limit 3';`);
});
afterAll(() => deployment.close());

const CHANGES: readonly string[] = [
  'alter table posts add column extra text default $$new$$',
  'drop policy anything on posts; create policy anything on posts using (id > 0)',
  'create index posts_title on posts (title)',
  'alter table posts alter column views type bigint',
  'create table comments (id int primary key, post_id int references posts (id), author_id int references authors (id))',
  'create or replace function titles(author int) returns setof posts stable language sql as $$ select * from posts where author_id = author order by id limit 3 $$',
  'alter table entries add column note text',
  'alter table posts drop column extra',
  'drop index posts_title',
  'drop table comments',
  'alter table authors add column born date',
  'alter table posts alter column views type int',
  'alter table entries drop column note',
  'alter table authors drop column born',
];

const isRetryable = ({ status, headers, body }: Reply): boolean =>
  (status === 409 && /"code":"(40001|40P01)"/.test(JSON.stringify(body))) ||
  (status === 503 && headers['retry-after'] !== undefined);

/** Makes one change. The system may choose it as the victim of a deadlock with readers: it is made again then. */
async function change(query: string): Promise<void> {
  const call: Call = { method: 'POST', path: '/api/admin/sql', body: { query } };
  for (let tries = 1; ; tries++) {
    const reply = await project.asService(call);
    if (reply.status === 200) return;
    if (!isRetryable(reply) || tries === 10) throw new Error(`${query}: ${reply.text}`);
  }
}

interface Worker {
  readonly name: string;
  readonly call: (turn: number) => Call;
  /** Whether the answer, which is no retryable error, is right. */
  readonly isRight: (reply: Reply) => boolean;
}

const rowsOf = (reply: Reply): readonly object[] =>
  reply.status === 200 && Array.isArray(reply.body) ? reply.body : [];
const insert = (turn: number, worker: number) => ({ worker, n: turn });

const workers: readonly Worker[] = [
  {
    name: 'reads with an embed',
    call: () => ({ path: '/rest/v1/posts?select=id,title,author:authors(name)&id=eq.7' }),
    isRight: ({ text }) => text === '[{"id":7,"title":"post 7","author":{"name":"author 3"}}]',
  },
  {
    name: 'reads of all columns',
    call: () => ({ path: '/rest/v1/posts?limit=20&order=id' }),
    isRight: (reply) => {
      const rows = rowsOf(reply);
      const widths = new Set(rows.map((row) => Object.keys(row).length));
      return rows.length === 20 && widths.size === 1 && (widths.has(4) || widths.has(5));
    },
  },
  {
    name: 'embeds of many, counted',
    call: () => ({
      path: '/rest/v1/authors?select=*,posts(*)&id=eq.1&posts.limit=2&posts.order=id',
      headers: { prefer: 'count=exact' },
    }),
    isRight: (reply) =>
      rowsOf(reply).length === 1 &&
      reply.text.includes('"posts":[{"id":5,') &&
      reply.text.includes('{"id":10,'),
  },
  {
    name: 'calls',
    call: () => ({ path: '/rest/v1/rpc/titles?author=2&select=id' }),
    isRight: ({ text }) => text === '[{"id":1},{"id":6},{"id":11}]',
  },
  {
    name: 'writes',
    call: (turn) => ({
      method: 'POST',
      path: '/rest/v1/entries?select=worker,n',
      body: insert(turn, 1),
      headers: { prefer: 'return=representation' },
    }),
    isRight: ({ status, text }) => status === 201 && text.startsWith('[{"worker":1,"n":'),
  },
  {
    name: 'inspected writes',
    call: (turn) => ({
      method: 'POST',
      path: '/rest/v1/entries',
      body: insert(turn, 2),
      headers: { prefer: 'return=representation, max-affected=1' },
    }),
    isRight: ({ status, text }) => status === 201 && text.includes('"worker":2'),
  },
  {
    name: 'batches',
    call: (turn) => ({
      method: 'POST',
      path: '/rest/v1/batch',
      body: {
        operations: [
          { method: 'POST', model: 'entries', body: insert(turn, 3) },
          {
            method: 'PATCH',
            model: 'entries',
            match: { id: { $ref: '/0/0/id' } },
            body: { worker: 4 },
          },
        ],
      },
    }),
    isRight: ({ status, text }) =>
      status === 200 && text.includes('"worker":3') && text.includes('"worker":4'),
  },
];

test('beside changes of the schema every answer is right or retryable, and no write is lost or doubled', async () => {
  const stop = { isSet: false };
  const seen = workers.map(({ name }) => ({
    name,
    right: 0,
    retryable: 0,
    wrong: new Set<string>(),
  }));
  const running = workers.map(async ({ call, isRight }, index) => {
    const counts = seen[index];
    for (let turn = 0; counts && !stop.isSet; turn++) {
      const reply = await project.send(call(turn));
      if (isRight(reply)) counts.right++;
      else if (isRetryable(reply)) counts.retryable++;
      else counts.wrong.add(`${reply.status} ${reply.text.slice(0, 300)}`);
    }
  });
  try {
    for (let round = 0; round < 6; round++) {
      for (const statement of CHANGES) await change(statement);
    }
  } finally {
    stop.isSet = true;
    await Promise.all(running);
  }
  expect(seen.map(({ name, wrong }) => ({ name, wrong: [...wrong] }))).toEqual(
    workers.map(({ name }) => ({ name, wrong: [] })),
  );
  for (const { right, retryable } of seen) expect(right).toBeGreaterThan(10 * retryable);
  const written = await project.sql(
    'select worker, count(*)::int as rows, count(distinct n)::int as turns from entries group by worker order by worker',
  );
  const [plain, inspected, batched] = seen.slice(4).map(({ right }) => right);
  expect(written).toEqual([
    { worker: 1, rows: plain, turns: plain },
    { worker: 2, rows: inspected, turns: inspected },
    { worker: 4, rows: batched, turns: batched },
  ]);
});

describe('the very next request sees', () => {
  const get = (path: string) => project.send({ path: `/rest/v1/${path}` });

  test('a new column and its end, twenty times', async () => {
    for (let n = 0; n < 20; n++) {
      await project.sql(`alter table authors add column c${n} int default ${n}`);
      expect((await get(`authors?select=c${n}&id=eq.1`)).body).toEqual([{ [`c${n}`]: n }]);
      expect((await get('authors?id=eq.1')).body).toEqual([
        { id: 1, name: 'author 1', [`c${n}`]: n },
      ]);
      const patch = { method: 'PATCH', path: '/rest/v1/authors?id=eq.1', body: { [`c${n}`]: -1 } };
      expect((await project.send(patch)).status).toBe(200);
      await project.sql(`alter table authors drop column c${n}`);
      expect((await get(`authors?select=c${n}`)).body).toMatchObject({ code: 'PGRST204' });
      expect((await get('authors?id=eq.1')).body).toEqual([{ id: 1, name: 'author 1' }]);
    }
  });

  test('a new table, its relationship, and its end', async () => {
    expect((await get('likes')).body).toMatchObject({ code: 'PGRST205' });
    expect((await get('posts?select=id,likes(id)')).body).toMatchObject({ code: 'PGRST200' });
    await project.sql(`create table likes (id int primary key, post_id int references posts (id));
      create policy anything on likes using (true); insert into likes values (1, 1)`);
    expect((await get('posts?select=id,likes(id)&id=eq.1')).body).toEqual([
      { id: 1, likes: [{ id: 1 }] },
    ]);
    await project.sql('drop table likes');
    expect((await get('posts?select=id,likes(id)')).body).toMatchObject({ code: 'PGRST200' });
  });

  test('a second relationship between the same tables', async () => {
    const path = 'posts?select=id,authors(id)&id=eq.1';
    expect((await get(path)).status).toBe(200);
    await project.sql('alter table posts add column editor_id int references authors (id)');
    expect((await get(path)).body).toMatchObject({ code: 'PGRST201', status: 300 });
    await project.sql('alter table posts drop column editor_id');
    expect((await get(path)).status).toBe(200);
  });

  test('another type, another name, another policy', async () => {
    await project.sql(`create table things (id int, size int); insert into things values (1, 5);
      create policy anything on things using (true)`);
    expect((await get('things?size=eq.5')).body).toEqual([{ id: 1, size: 5 }]);
    await project.sql('alter table things alter column size type text using size::text || $$ cm$$');
    expect((await get('things?size=eq.5 cm'.replace(' ', '%20'))).body).toEqual([
      { id: 1, size: '5 cm' },
    ]);
    await project.sql('alter table things rename column size to length');
    expect((await get('things')).body).toEqual([{ id: 1, length: '5 cm' }]);
    await project.sql('alter policy anything on things using (false)');
    expect((await get('things')).body).toEqual([]);
  });
});
