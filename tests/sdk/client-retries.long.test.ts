// Which requests our client sends again, seen from a proxy that answers in place of the project.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Interference } from './support/gateway.js';
import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;
let sentBefore: number;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
});
beforeEach(async () => {
  await workbench.empty();
  sentBefore = workbench.gateway.received.length;
});
afterEach(() => {
  workbench.gateway.stopInterfering();
});
afterAll(() => workbench.close());

const sent = () => workbench.gateway.received.slice(sentBefore).map(({ method }) => method);
const answer = (status: number, retryAfter?: string): Interference => ({
  kind: 'answer',
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: `{"message":"come back later","code":"","status":${status}}`,
});
const cut: Interference = { kind: 'cut' };
const busy = answer(503, '0');

interface Answered {
  readonly data: unknown;
  readonly error: unknown;
  readonly status: number;
}

describe('a read is sent again', () => {
  const reads: readonly { readonly name: string; readonly read: () => PromiseLike<Answered> }[] = [
    { name: 'select', read: () => client.from('stars').select('id').eq('id', 1) },
    {
      name: 'a count',
      read: () => client.from('stars').select('*', { count: 'exact', head: true }),
    },
    { name: 'a call by GET', read: () => client.rpc('add', { a: 1 }, { get: true }) },
  ];
  const faults: readonly { readonly name: string; readonly fault: readonly Interference[] }[] = [
    { name: 'a 503 that says when', fault: [busy] },
    { name: 'a 503 that does not', fault: [answer(503)] },
    { name: 'a 520', fault: [answer(520)] },
    { name: 'a broken connection', fault: [cut] },
    { name: 'three of them', fault: [busy, cut, answer(520, '0')] },
    { name: 'a date that has passed', fault: [answer(503, 'Wed, 21 Oct 2015 07:28:00 GMT')] },
  ];

  describe.each(faults)('after $name', ({ fault }) => {
    test.each(reads)('$name', async ({ read }) => {
      workbench.gateway.interfere(...fault);
      expect(await read()).toMatchObject({ error: null, status: 200 });
      expect(sent()).toHaveLength(fault.length + 1);
      expect(new Set(sent()).size).toBe(1);
    });
  });

  test('three times at most', async () => {
    workbench.gateway.interfere(busy, busy, busy, busy, busy);
    expect(await client.from('stars').select('id')).toMatchObject({
      data: null,
      error: { status: 503, message: 'come back later' },
    });
    expect(sent()).toEqual(['GET', 'GET', 'GET', 'GET']);
  });
});

describe('a read is not sent again', () => {
  test.each([400, 401, 404, 408, 429, 500, 502, 504])('after a %i', async (status) => {
    workbench.gateway.interfere(answer(status, '0'));
    expect((await client.from('stars').select('id')).status).toBe(status);
    expect(sent()).toEqual(['GET']);
  });

  test('after a 503 that asks for a long pause', async () => {
    workbench.gateway.interfere(answer(503, '60'));
    expect((await client.from('stars').select('id')).status).toBe(503);
    expect(sent()).toEqual(['GET']);
  });

  test.each([
    { name: '503', fault: busy, status: 503 },
    { name: 'broken connection', fault: cut, status: 0 },
  ])('with retry(false) after a $name', async ({ fault, status }) => {
    workbench.gateway.interfere(fault);
    expect((await client.from('stars').select('id').retry(false)).status).toBe(status);
    expect(sent()).toEqual(['GET']);
  });

  test('once it is aborted, also during the pause', async () => {
    workbench.gateway.interfere(answer(503, '9'));
    const leaving = new AbortController();
    const query = client.from('stars').select('id').abortSignal(leaving.signal);
    const answered = query.then((settled) => settled);
    setTimeout(() => leaving.abort(), 300);
    expect(await answered).toMatchObject({ error: { status: 0, cause: { name: 'AbortError' } } });
    expect(sent()).toEqual(['GET']);
  });
});

describe('a write is never sent again', () => {
  const writes: readonly { readonly name: string; readonly write: () => PromiseLike<Answered> }[] =
    [
      { name: 'insert', write: () => client.from('orders').insert({ customer: 'Ada' }) },
      { name: 'upsert', write: () => client.from('orders').upsert({ id: 1, customer: 'Ada' }) },
      {
        name: 'update',
        write: () => client.from('stock').update({ amount: 0 }).eq('article', 'tea'),
      },
      { name: 'delete', write: () => client.from('stock').delete().eq('article', 'tea') },
      { name: 'a call by POST', write: () => client.rpc('place_order', { customer: 'Ada' }) },
      {
        name: 'a write with retry(true)',
        write: () => client.from('orders').insert({ customer: 'Ada' }).retry(true),
      },
      {
        name: 'a transaction',
        write: () =>
          client.transaction((tx) => {
            tx.from('orders').insert({ customer: 'Ada' });
          }),
      },
    ];

  describe.each([
    { name: '503', fault: busy, status: 503 },
    { name: 'broken connection', fault: cut, status: 0 },
  ])('after a $name', ({ fault, status }) => {
    test.each(writes)('$name', async ({ write }) => {
      workbench.gateway.interfere(fault);
      expect(await write()).toMatchObject({ data: null, status, error: { status } });
      expect(sent()).toHaveLength(1);
      const [left] = await workbench.project.sql(
        'select (select count(*)::int from orders) as orders, (select sum(amount)::int from stock) as stock',
      );
      expect(left).toEqual({ orders: 0, stock: 7 });
    });
  });
});
