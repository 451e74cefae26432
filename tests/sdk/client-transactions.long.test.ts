// Transactions of our client: several writes that happen together or not at all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
});
beforeEach(() => workbench.empty());
afterAll(() => workbench.close());

/** What the tables hold; one text, so that a test compares all of it. */
const state = async () => {
  const [row] = await workbench.project.sql(`select
    (select coalesce(json_agg(json_build_array(id, customer, state) order by id), '[]') from orders) as orders,
    (select coalesce(json_agg(json_build_array(order_id, article, amount) order by id), '[]') from items) as items,
    (select json_agg(json_build_array(article, amount, order_id) order by article) from stock) as stock`);
  return row;
};
const untouched = {
  orders: [],
  items: [],
  stock: [
    ['cups', 2, null],
    ['tea', 5, null],
  ],
};
const requests = () => workbench.gateway.received.length;

describe('a transaction', () => {
  test('writes everything with one request, and gives one list of rows for each write', async () => {
    const before = requests();
    const answer = await client.transaction((tx) => {
      const order = tx.from('orders').insert({ customer: 'Ada' }).select('id, customer');
      tx.from('items')
        .insert([
          { order_id: order.ref('id'), article: 'tea', amount: 2 },
          { order_id: order.ref('id'), article: 'cups', amount: 1 },
        ])
        .select('order_id, article');
      tx.from('stock')
        .update({ order_id: order.ref('id') })
        .eq('article', 'tea')
        .select('article');
      tx.from('stock').delete().eq('article', 'cups').select('amount');
    });
    expect(answer).toEqual({
      data: [
        [{ id: 1, customer: 'Ada' }],
        [
          { order_id: 1, article: 'tea' },
          { order_id: 1, article: 'cups' },
        ],
        [{ article: 'tea' }],
        [{ amount: 2 }],
      ],
      error: null,
      count: null,
      status: 200,
      statusText: 'OK',
    });
    expect(requests() - before).toBe(1);
    expect(await state()).toEqual({
      orders: [[1, 'Ada', 'open']],
      items: [
        [1, 'tea', 2],
        [1, 'cups', 1],
      ],
      stock: [['tea', 5, 1]],
    });
  });

  test('gives all columns without select, no rows for no match, and embeds', async () => {
    const { data } = await client.transaction((tx) => {
      const order = tx.from('orders').insert({ customer: 'Ada', total: 1.5 });
      tx.from('stock').update({ amount: 0 }).eq('article', 'absent');
      tx.from('items')
        .insert({ order_id: order.ref('id'), article: 'tea' })
        .select('orders(customer)');
    });
    expect(data).toEqual([
      [{ id: 1, customer: 'Ada', total: 1.5, state: 'open', tags: null }],
      [],
      [{ orders: { customer: 'Ada' } }],
    ]);
  });

  test('takes every filter and option of the requests on their own', async () => {
    await client
      .from('orders')
      .insert([{ customer: 'Ada' }, { customer: 'Bob' }, { customer: 'Eve' }]);
    const { data, error } = await client.transaction((tx) => {
      tx.from('orders')
        .insert([{ customer: 'Zoe', state: 'paid' }, { customer: 'Yan' }], { defaultToNull: false })
        .select('customer, state');
      tx.from('orders')
        .update({ state: 'sent' })
        .or([
          ['customer', 'eq', 'Ada'],
          {
            and: [
              ['id', 'gt', 2],
              ['id', 'lt', 4],
            ],
          },
        ])
        .select('customer')
        .order('customer', { ascending: false });
      tx.from('orders')
        .delete()
        .in('customer', ['Bob', 'x, y'])
        .not('state', 'is', null)
        .select('id');
    });
    expect(error).toBeNull();
    expect(data).toEqual([
      [
        { customer: 'Zoe', state: 'paid' },
        { customer: 'Yan', state: 'open' },
      ],
      [{ customer: 'Eve' }, { customer: 'Ada' }],
      [{ id: 2 }],
    ]);
  });

  test('upserts by the key or by columns, or leaves rows as they are', async () => {
    const { data, error } = await client.transaction((tx) => {
      const stock = tx.from('stock');
      const columns = 'article, amount';
      stock
        .upsert([
          { article: 'tea', amount: 9 },
          { article: 'milk', amount: 1 },
        ])
        .select(columns);
      stock.upsert({ article: 'tea', amount: 0 }, { ignoreDuplicates: true }).select(columns);
      const order = tx.from('orders').upsert({ customer: 'Ada' });
      const item = { order_id: order.ref('id'), article: 'tea' };
      const onConflict = ['order_id', 'article'];
      tx.from('items').insert({ ...item, amount: 1 });
      tx.from('items')
        .upsert({ ...item, amount: 3 }, { onConflict })
        .select('id, amount');
    });
    expect(error).toBeNull();
    expect(data?.[0]).toEqual([
      { article: 'tea', amount: 9 },
      { article: 'milk', amount: 1 },
    ]);
    expect(data?.[1]).toEqual([]);
    expect(data?.[4]).toEqual([{ id: 1, amount: 3 }]);
  });

  test('refers to results by index and by name, to any row, in values and in eq', async () => {
    const { data, error } = await client.transaction((tx) => {
      const orders = tx
        .from('orders')
        .insert([{ customer: 'Ada' }, { customer: 'Bob' }])
        .as('both');
      tx.from('items').insert([
        { order_id: orders.ref('id', 1), article: orders.ref('customer', 0) },
        { order_id: orders.ref('id'), article: 'tea' },
      ]);
      tx.from('orders')
        .update({ state: 'sent' })
        .match({ id: orders.ref('id', 1) })
        .select('customer');
      tx.from('items').delete().eq('order_id', orders.ref('id')).eq('article', 'tea').select('id');
    });
    expect(error).toBeNull();
    expect(data?.slice(2)).toEqual([[{ customer: 'Bob' }], [{ id: 2 }]]);
    expect(await state()).toMatchObject({
      orders: [
        [1, 'Ada', 'open'],
        [2, 'Bob', 'sent'],
      ],
      items: [[2, 'Ada', 1]],
    });
  });

  test('with rollback answers as if it had happened', async () => {
    const { data } = await client.transaction(
      (tx) => {
        const order = tx.from('orders').insert({ customer: 'Ada' });
        tx.from('items')
          .insert({ order_id: order.ref('id'), article: 'tea' })
          .select('article');
      },
      { rollback: true },
    );
    expect(data?.[1]).toEqual([{ article: 'tea' }]);
    expect(await state()).toEqual(untouched);
  });

  test('runs as the signed-in user', async () => {
    const ada = await workbench.project.signUp('ada@example.org');
    const own = workbench.client();
    expect((await own.auth.setSession({ access_token: ada.token })).error).toBeNull();
    const { data } = await own.transaction((tx) => {
      tx.from('notes').insert({ text: 'mine' }).select('owner');
    });
    expect(data).toEqual([[{ owner: ada.id }]]);
  });
});

describe('a failure takes everything back', () => {
  test.each([
    {
      name: 'a check of the database',
      fail: (tx: Writes) => void tx.from('stock').update({ amount: -1 }).eq('article', 'tea'),
      error: { status: 400, code: '23514' },
    },
    {
      name: 'a row that is there already',
      fail: (tx: Writes) => void tx.from('stock').insert({ article: 'tea', amount: 1 }),
      error: { status: 409, code: '23505' },
    },
    {
      name: 'a table that the caller may not write',
      fail: (tx: Writes) => void tx.from('places').insert({ id: 3, name: 'x' }),
      error: { status: 403, code: '42501' },
    },
    {
      name: 'a write without a filter',
      fail: (tx: Writes) => void tx.from('stock').delete(),
      error: { status: 400, code: 'UNFILTERED_WRITE' },
    },
    {
      name: 'a reference to a row that is not there',
      fail: (tx: Writes) => {
        const none = tx.from('stock').update({ amount: 1 }).eq('article', 'absent');
        tx.from('orders').insert({ customer: none.ref('article') });
      },
      error: { status: 400, code: 'BATCH_REFERENCE_MISSING' },
    },
  ])('$name', async ({ fail, error }) => {
    const answer = await client.transaction((tx) => {
      tx.from('orders').insert({ customer: 'Ada' });
      tx.from('stock').update({ amount: 1 }).eq('article', 'tea');
      fail(tx);
    });
    expect(answer).toMatchObject({ data: null, error, status: error.status });
    expect(await state()).toEqual(untouched);
  });

  test('throwOnError throws it', async () => {
    const insert = (tx: Writes) => void tx.from('stock').insert({ article: 'tea', amount: 1 });
    await expect(client.transaction(insert, { throwOnError: true })).rejects.toMatchObject({
      name: 'RowhouseError',
      code: '23505',
    });
  });

  test('101 writes are too many, 100 are not', async () => {
    const many = (count: number) =>
      client.transaction((tx) => {
        for (let i = 0; i < count; i += 1) tx.from('orders').insert({ customer: `c${i}` });
      });
    expect((await many(101)).error).toMatchObject({ status: 400, code: 'PGRST100' });
    expect(await state()).toEqual(untouched);
    expect((await many(100)).data).toHaveLength(100);
  });
});

describe('nothing is sent', () => {
  test.each([
    { name: 'for an empty callback', callback: () => undefined },
    { name: 'when the callback reads', callback: (tx: Writes) => tx.from('orders').select() },
    {
      name: 'when the callback throws',
      callback: (tx: Writes) => {
        tx.from('orders').insert({ customer: 'Ada' });
        throw new TypeError('changed my mind');
      },
    },
  ])('$name', async ({ callback }) => {
    const before = requests();
    await expect(client.transaction(callback)).rejects.toThrow(TypeError);
    expect(requests()).toBe(before);
  });
});

type Writes = Parameters<Parameters<OwnClient['transaction']>[0]>[0];
