// Columns, arguments and embeds with names that the REST grammar has for something else, with the secret key: what the
// client asks for is done, and nothing more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RowhouseClient } from '#libs/sdk';

import { openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: RowhouseClient;

const parameters = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'and', 'or'];
const odd = [...parameters, 'not', 'not.or', 'a,b(c)', ' a"b', '->'];

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.untypedClient(workbench.project.secretKey);
  const list = odd.map((name) => `"${name.replaceAll('"', '""')}" int unique`).join(', ');
  await workbench.project.sql(`
    create table entries (id int primary key, ${list});
    create table "not" (id int primary key, entry int references entries on update cascade on delete cascade, "order" int, "limit" int);
    create function one("limit" int default 7, "a.order" int default 1) returns int
      immutable language sql as 'select one."limit" * one."a.order"';
    create function found(id int default 0, "order" int default 0) returns setof entries
      stable language sql as 'select * from entries';
  `);
  await refill();
}, 60_000);
const refill = () =>
  workbench.project.sql(`
    truncate entries, "not";
    insert into entries select n, ${odd.map(() => 'n').join(', ')} from generate_series(1, 3) n;
    insert into "not" select n, 1, n, n from generate_series(1, 3) n;`);
afterAll(() => workbench.close());

/** The name as the client takes it: names with syntax of paths are in quotes. */
const written = (name: string) => (/[.(]|->/.test(name) ? `"${name}"` : name);
const entries = () => client.from('entries');
const ids = async () => {
  const rows = await workbench.project.sql('select id from entries order by id');
  return rows.map(({ id }) => id);
};
const one = { data: [{ id: 1 }], error: null };

describe.each(odd)('a column called %j', (name) => {
  const column = written(name);

  test('is filtered and ordered by in reads', async () => {
    await refill();
    const reads = [
      entries().select('id').eq(column, 1).order('id').range(0, 1).select('id'),
      entries()
        .select('id')
        .match({ [column]: 1 })
        .limit(3),
      entries().select('id').not(column, 'in', [2, 3]),
      entries().select('id').filter(column, 'lt', 2),
      entries()
        .select('id')
        .or([[column, 'lt', 2], { and: [[column, 'eq', 1]] }]),
      entries().select('id').order(column).limit(1),
      client.rpc('found', {}).select('id').eq(column, 1).limit(3),
      client.rpc('found', {}, { get: true }).select('id').eq(column, 1).limit(3),
    ];
    for (const answer of await Promise.all(reads)) expect(answer).toMatchObject(one);
  });

  test('is filtered by in writes, and decides about conflicts', async () => {
    await refill();
    const moved = await entries().update({ id: 9 }).eq(column, 1).select('id');
    expect(moved).toMatchObject({ data: [{ id: 9 }] });
    const deleted = await entries().delete().eq(column, 2).select('id');
    expect(deleted).toMatchObject({ data: [{ id: 2 }] });
    const rows = [
      { id: 8, [name]: 1 },
      { id: 4, [name]: 4 },
    ];
    expect(await entries().upsert(rows, { onConflict: [name] })).toMatchObject({ error: null });
    expect(await ids()).toEqual([3, 4, 8]);
  });

  test('is filtered by in a transaction, also by a reference', async () => {
    await refill();
    const { error } = await client.transaction((tx) => {
      tx.from('entries').delete().eq(column, 1).select('id');
      const row = tx.from('entries').update({ id: 8 }).eq(column, 2);
      tx.from('entries').update({ id: 7 }).eq(column, row.ref(name)).select('id');
    });
    expect(error).toBeNull();
    expect(await ids()).toEqual([3, 7]);
  });
});

test('related rows are filtered, ordered and cut by such columns, under such a name', async () => {
  await refill();
  const read = client.from('entries').select('id, not(order)').eq('id', 1);
  const related = { referencedTable: 'not' };
  const { data } = await read
    .gt('not.order', 1)
    .lte('not.limit', 3)
    .or([['limit', 'gt', 0]], related)
    .order('limit', { ...related, ascending: false })
    .limit(1, related);
  expect(data).toEqual([{ id: 1, not: [{ order: 3 }] }]);
});

test('a function gets arguments of such names by GET, and rows of it are filtered', async () => {
  await refill();
  const get = { get: true };
  expect((await client.rpc('one', { limit: 3 }, get)).data).toBe(3);
  expect((await client.rpc('one', { limit: 3, 'a.order': 2 }, get).limit(1)).data).toBe(6);
  expect((await client.rpc('one', {}, get)).data).toBe(7);
  const filtered = client.rpc('found', { order: 5 }, get).select('id').eq('id', 1).gt('order', 0);
  expect(await filtered).toMatchObject(one);
});

describe('without the client', () => {
  beforeAll(refill);

  const send = (path: string, method = 'GET') =>
    workbench.project.asService({ method, path: `/rest/v1/${path}` });

  test.each([
    { path: 'rpc/one?%22limit%22=3', status: 200, body: 3 },
    { path: 'rpc/one?"limit"=3&limit=1', status: 200, body: 3 },
    { path: 'rpc/one?limit=3', status: 200, body: 7 },
    { path: 'rpc/one?"offset"=3', status: 404, body: { code: 'PGRST202' } },
    { path: 'rpc/one?"a"b"=3', status: 404, body: { code: 'PGRST202' } },
    {
      path: 'rpc/found?"offset"=gt.1&select=id&order=%22offset%22',
      status: 200,
      body: [{ id: 2 }, { id: 3 }],
    },
    { path: 'rpc/found?"offsets"=gt.1', status: 400, body: { code: 'PGRST204' } },
    { path: 'entries?%22order%22=gt.2&select=id', status: 200, body: [{ id: 3 }] },
    {
      path: 'entries?or=(%22or%22.eq.1,"not.or".eq.2)&select="id"',
      status: 200,
      body: [{ id: 1 }, { id: 2 }],
    },
    {
      path: 'entries?select=id,not("order")&not=not.is.null&"not".or=(id.eq.2)&id=eq.1',
      status: 200,
      body: [{ id: 1, not: [{ order: 2 }] }],
    },
  ])('GET $path is $status', async ({ path, status, body }) => {
    const reply = await send(path);
    expect(reply.status).toBe(status);
    if (Array.isArray(body) || typeof body === 'number') expect(reply.body).toEqual(body);
    else expect(reply.body).toMatchObject(body);
  });

  test('a write whose only parameter is a modifier is still one without a filter', async () => {
    const ada = await workbench.project.signUp('ada@example.org');
    for (const method of ['DELETE', 'PATCH']) {
      const path = '/rest/v1/entries?select=id&order=id';
      const call = { method, path, ...(method === 'PATCH' && { body: { id: 1 } }) };
      expect((await workbench.project.as(ada, call)).body).toMatchObject({
        code: 'UNFILTERED_WRITE',
      });
    }
    expect(await ids()).toEqual([1, 2, 3]);
  });
});
