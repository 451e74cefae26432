import { describe, expect, test } from 'vitest';

import { createClient } from './client.js';
import { recordingFetch, type Step } from '../tests/recording-fetch.js';

const results = { body: { status: 1, message: 'OK', data: { results: [[{ id: 1 }], []] } } };
function clientOf(...steps: Step[]) {
  const { fetch, sent } = recordingFetch(...(steps.length > 0 ? steps : [results]));
  return { client: createClient('http://shop.test', undefined, { fetch }), sent };
}
type Tx = Parameters<Parameters<ReturnType<typeof clientOf>['client']['transaction']>[0]>[0];

async function operationsOf(callback: (tx: Tx) => unknown): Promise<unknown> {
  const { client, sent } = clientOf();
  await client.transaction(callback);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ method: 'POST', target: '/rest/v1/batch' });
  const body = sent[0]?.body;
  return body && typeof body === 'object' && 'operations' in body ? body.operations : undefined;
}

describe('what is sent', () => {
  test('one batch with every write in order', async () => {
    const operations = await operationsOf((tx) => {
      tx.from('orders').insert({ customer: 7 }).select('id, at');
      tx.from('items').insert([{ a: 1 }, { b: 2 }], { defaultToNull: false });
      tx.from('stock').upsert({ id: 1 }, { onConflict: 'id' });
      tx.from('stock').upsert({ id: 2 }, { ignoreDuplicates: true });
      tx.from('orders').update({ status: 'open' }).eq('id', 3).is('closed_at', null).limit(1);
      tx.from('orders').delete().in('id', ['a,b', 2]);
    });
    expect(operations).toEqual([
      { method: 'POST', model: 'orders', query: 'select=id,at', body: { customer: 7 } },
      {
        method: 'POST',
        model: 'items',
        query: 'columns=%22a%22,%22b%22',
        body: [{ a: 1 }, { b: 2 }],
        missing: 'default',
      },
      {
        method: 'POST',
        model: 'stock',
        query: 'on_conflict=id',
        body: { id: 1 },
        resolution: 'merge-duplicates',
      },
      { method: 'POST', model: 'stock', body: { id: 2 }, resolution: 'ignore-duplicates' },
      {
        method: 'PATCH',
        model: 'orders',
        query: 'limit=1&id=eq.3&closed_at=is.null',
        body: { status: 'open' },
      },
      { method: 'DELETE', model: 'orders', query: 'id=in.(%22a,b%22,2)' },
    ]);
  });

  test('filters and references keep apart from modifiers, whatever the columns are called', async () => {
    const operations = await operationsOf((tx) => {
      const row = tx.from('entries').insert({ id: 1 });
      tx.from('entries').delete().eq('select', 'a').select('id');
      tx.from('entries')
        .update({ id: 2 })
        .eq('"order"', row.ref('id'))
        .eq('__proto__', row.ref('id'));
    });
    expect(operations).toEqual([
      { method: 'POST', model: 'entries', body: { id: 1 } },
      { method: 'DELETE', model: 'entries', query: 'select=id&%22select%22=eq.a' },
      {
        method: 'PATCH',
        model: 'entries',
        body: { id: 2 },
        match: JSON.parse('{"order":{"$ref":"/0/0/id"},"__proto__":{"$ref":"/0/0/id"}}'),
      },
    ]);
  });

  test('a reference points to a column of an earlier write, by number or by name', async () => {
    const operations = await operationsOf((tx) => {
      const order = tx.from('orders').insert({ customer: 7 });
      const item = tx
        .from('items')
        .insert([{ order_id: order.ref('id') }])
        .as('item');
      tx.from('log').insert({ item: item.ref('a/b~c', 1) });
      tx.from('orders')
        .update({ first: item.ref('id') })
        .eq('id', order.ref('id'))
        .eq('open', true);
      tx.from('drafts')
        .delete()
        .match({ order_id: order.ref('id'), kind: 'x' });
    });
    expect(operations).toEqual([
      { method: 'POST', model: 'orders', body: { customer: 7 } },
      {
        method: 'POST',
        model: 'items',
        query: 'columns=%22order_id%22',
        body: [{ order_id: { $ref: '/0/0/id' } }],
        as: 'item',
      },
      { method: 'POST', model: 'log', body: { item: { $ref: '/item/1/a~1b~0c' } } },
      {
        method: 'PATCH',
        model: 'orders',
        query: 'open=eq.true',
        match: { id: { $ref: '/0/0/id' } },
        body: { first: { $ref: '/item/0/id' } },
      },
      {
        method: 'DELETE',
        model: 'drafts',
        query: 'kind=eq.x',
        match: { order_id: { $ref: '/0/0/id' } },
      },
    ]);
  });

  test('a callback may be asynchronous; all that it recorded is sent when it is done', async () => {
    const operations = await operationsOf(async (tx) => {
      tx.from('a').delete().eq('id', 1);
      await Promise.resolve();
      tx.from('b').delete().eq('id', 2);
    });
    expect(operations).toHaveLength(2);
  });

  test('a dry run says so', async () => {
    const { client, sent } = clientOf();
    await client.transaction((tx) => tx.from('a').insert({}), { rollback: true });
    expect(sent[0]?.headers).toMatchObject({ prefer: 'tx=rollback' });
  });
});

describe('what is refused before anything is sent', () => {
  test.each<[name: string, callback: (tx: Tx) => unknown, message: string]>([
    ['an empty callback', () => undefined, 'no write'],
    ['a read', (tx) => tx.from('a').select('*'), 'cannot read'],
    [
      'a read after a write',
      (tx) => [tx.from('a').insert({}), tx.from('a').select()],
      'cannot read',
    ],
    [
      'a reference in another filter',
      (tx) => tx.from('a').delete().gt('id', tx.from('b').insert({}).ref('id')),
      'eq and match',
    ],
  ])('%s', async (_, callback, message) => {
    const { client, sent } = clientOf();
    const outcome = client.transaction(callback);
    await expect(outcome).rejects.toThrow(TypeError);
    await expect(outcome).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  test('what the callback throws', async () => {
    const { client, sent } = clientOf();
    const mine = new Error('mine');
    const outcome = client.transaction((tx) => {
      tx.from('a').insert({});
      throw mine;
    });
    await expect(outcome).rejects.toBe(mine);
    expect(sent).toEqual([]);
  });

  test('a write after the end', async () => {
    const kept: Tx[] = [];
    await clientOf().client.transaction((tx) => {
      kept.push(tx);
      tx.from('a').insert({});
    });
    expect(() => kept[0]?.from('a').insert({})).toThrow('already sent');
  });
});

describe('what comes back', () => {
  const write = (tx: Tx) => void tx.from('a').insert({});

  test('one list of rows for each write', async () => {
    expect(await clientOf(results).client.transaction(write)).toEqual({
      data: [[{ id: 1 }], []],
      error: null,
      count: null,
      status: 200,
      statusText: '',
    });
  });

  test('a refusal is an error', async () => {
    const reply = { status: 409, body: { message: 'There is one already', code: '23505' } };
    const { client } = clientOf(reply);
    expect(await client.transaction(write)).toMatchObject({ data: null, error: { code: '23505' } });
    await expect(client.transaction(write, { throwOnError: true })).rejects.toMatchObject({
      code: '23505',
    });
  });

  test('a network fault is an error, and the batch is not sent again', async () => {
    const { client, sent } = clientOf(new TypeError('fetch failed'));
    expect(await client.transaction(write)).toMatchObject({ error: { status: 0, code: '' } });
    expect(sent).toHaveLength(1);
  });

  test('a signal ends it', async () => {
    const { client } = clientOf();
    const answer = await client.transaction(write, { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ data: null, error: { status: 0 } });
  });

  test('an answer of another kind is an error', async () => {
    const { client } = clientOf({ body: { data: 'ok' } });
    expect(await client.transaction(write)).toMatchObject({ data: null, error: { code: '' } });
  });
});
