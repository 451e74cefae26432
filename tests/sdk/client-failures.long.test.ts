// How requests of our client fail: as answers, as thrown errors, without an answer, and by being ended.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createClient, RowhouseError } from '#libs/sdk';
import { freePort, waitFor } from '#libs/testing';

import { asSuperuser } from '../support/deployment.js';
import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
  // A write and a read that take longer than any test.
  await workbench.project.sql(`
    create function tools.rest() returns trigger language plpgsql as
      $$ begin perform pg_sleep(20); return new; end $$;
    create trigger rest before insert on stock for each row when (new.article = 'slow')
      execute function tools.rest();
    create function doze(stars) returns text language sql as $$ select nap(20) $$;`);
});
beforeEach(() => workbench.empty());
afterAll(() => workbench.close());

describe('an error of the server', () => {
  const untyped = () => workbench.untypedClient();
  const cases: readonly {
    readonly name: string;
    readonly query: () => PromiseLike<unknown>;
    readonly error: object;
  }[] = [
    {
      name: 'an unknown table',
      query: () => untyped().from('absent').select(),
      error: { status: 404, code: 'PGRST205' },
    },
    {
      name: 'a table that is not exposed',
      query: () => untyped().from('session').select(),
      error: { status: 404, code: 'PGRST205' },
    },
    {
      name: 'an unknown column',
      query: () => untyped().from('stars').select('absent'),
      error: { status: 400, code: 'PGRST204' },
    },
    {
      name: 'a relation that is not there',
      query: () => untyped().from('stars').select('places(id)'),
      error: { status: 400, code: 'PGRST200' },
    },
    {
      name: 'a relation with several ways',
      query: () => untyped().from('planets').select('transfers(id)'),
      error: { status: 300, code: 'PGRST201', details: [{}, {}], hint: expect.any(String) },
    },
    {
      name: 'a selection that is not the grammar',
      query: () => untyped().from('stars').select('id,('),
      error: { status: 400, code: 'PGRST100' },
    },
    {
      name: 'a value that is not of the type',
      query: () => untyped().from('stars').select().eq('id', 'x'),
      error: { status: 400, code: '22P02' },
    },
    {
      name: 'contains on a scalar',
      query: () => untyped().from('stars').select().contains('id', [1]),
      error: { status: 400 },
    },
    {
      name: 'a foreign key',
      query: () => client.from('items').insert({ order_id: 99, article: 'tea' }),
      error: { status: 409, code: '23503' },
    },
    {
      name: 'a check',
      query: () => client.from('stock').update({ amount: -1 }).eq('article', 'tea'),
      error: { status: 400, code: '23514' },
    },
    {
      name: 'an unknown preference value',
      query: () => client.from('stars').select().setHeader('prefer', 'count=many'),
      error: { status: 400, code: 'PGRST122' },
    },
  ];

  test.each(cases)('$name is an answer with its fields', async ({ query, error }) => {
    const answer = await query();
    expect(answer).toMatchObject({
      data: null,
      count: null,
      error: {
        message: expect.stringMatching(/./),
        requestId: expect.stringMatching(/./),
        ...error,
      },
    });
    const { error: found, status } = Object(answer); // Any answer; its fields are compared.
    expect(found).toBeInstanceOf(RowhouseError);
    expect(status).toBe(found.status);
  });

  test('is thrown after throwOnError, and JSON shows all of it', async () => {
    const query = client.from('items').insert({ order_id: 99, article: 'tea' }).throwOnError();
    const error: unknown = await query.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RowhouseError);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'RowhouseError',
      message: expect.stringContaining('foreign key'),
      status: 409,
      code: '23503',
    });
    const fine = await client.from('stars').select('id').eq('id', 1).throwOnError();
    expect(fine.data).toEqual([{ id: 1 }]);
  });

  test('of a proxy that speaks no JSON has its text', async () => {
    workbench.gateway.interfere({ kind: 'answer', status: 502, body: '<h1>Bad Gateway</h1>' });
    expect((await client.from('stars').select()).error).toMatchObject({
      message: '<h1>Bad Gateway</h1>',
      status: 502,
      code: '',
    });
    workbench.gateway.interfere({ kind: 'answer', status: 200, body: '<h1>Welcome</h1>' });
    expect((await client.from('stars').select()).error).toMatchObject({ status: 200, code: '' });
  });
});

test('a server that cannot be reached is an answer with status 0', async () => {
  const lost = createClient(`http://127.0.0.1:${await freePort()}`);
  const { error, status, data } = await lost.from('stars').select().retry(false);
  expect({ status, data }).toEqual({ status: 0, data: null });
  expect(error).toMatchObject({
    status: 0,
    code: '',
    message: expect.stringContaining('ECONNREFUSED'),
    cause: { name: 'TypeError' },
  });
  await expect(lost.rpc('add').throwOnError()).rejects.toBeInstanceOf(RowhouseError);
});

test('a request is sent each time that it is awaited, and not before', async () => {
  const { received } = workbench.gateway;
  const before = received.length;
  const query = client.from('stars').select('id').eq('id', 1);
  expect(received).toHaveLength(before);
  expect((await query).data).toEqual((await query).data);
  expect(received).toHaveLength(before + 2);
});

describe('abortSignal ends the query in the database', () => {
  const running = (text: string) =>
    asSuperuser(
      `select pid from pg_stat_activity where datname = $1 and state = 'active' and query like $2
         and wait_event = 'PgSleep'`,
      { values: [workbench.project.database, `%${text}%`] },
    );

  const cases: readonly {
    readonly name: string;
    readonly statement: string;
    readonly start: (signal: AbortSignal) => PromiseLike<{ error: unknown; data: unknown }>;
  }[] = [
    {
      name: 'of a call by POST',
      statement: 'nap',
      start: (signal) => client.rpc('nap', { seconds: 20 }).abortSignal(signal),
    },
    {
      name: 'of a call by GET',
      statement: 'nap',
      start: (signal) => client.rpc('nap', { seconds: 20 }, { get: true }).abortSignal(signal),
    },
    {
      name: 'of a read',
      statement: 'doze',
      start: (signal) =>
        workbench.untypedClient().from('stars').select('id, doze').eq('id', 1).abortSignal(signal),
    },
    {
      name: 'of a write',
      statement: 'stock',
      start: (signal) =>
        client.from('stock').insert({ article: 'slow', amount: 1 }).abortSignal(signal),
    },
    {
      name: 'of a transaction',
      statement: 'stock',
      start: (signal) =>
        client.transaction(
          (tx) => {
            tx.from('orders').insert({ customer: 'Ada' });
            tx.from('stock').insert({ article: 'slow', amount: 1 });
          },
          { signal },
        ),
    },
  ];

  test.each(cases)('$name', async ({ statement, start }) => {
    const leaving = new AbortController();
    const answer = start(leaving.signal).then((settled) => settled);
    await waitFor(async () => (await running(statement)).length === 1);
    leaving.abort();
    expect(await answer).toMatchObject({
      data: null,
      error: { status: 0, code: '', cause: { name: 'AbortError' } },
      status: 0,
    });
    await waitFor(async () => (await running(statement)).length === 0, { ms: 5_000 });
    expect(await workbench.project.sql('select customer from orders')).toEqual([]);
    expect(await workbench.project.sql(`select from stock where article = 'slow'`)).toEqual([]);
  });

  test('before it is sent, nothing is sent; a time limit is a signal too', async () => {
    const before = workbench.gateway.received.length;
    const late = await client.from('stars').select().abortSignal(AbortSignal.abort());
    expect(late).toMatchObject({ data: null, error: { status: 0 }, status: 0 });
    expect(workbench.gateway.received).toHaveLength(before);
    const nap = client.rpc('nap', { seconds: 20 }).abortSignal(AbortSignal.timeout(200));
    await expect(nap.throwOnError()).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
    await waitFor(async () => (await running('nap')).length === 0);
  });
});
