// Texts that hold the syntax of the grammar, sent through every place where our client has to quote.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

const texts = [
  '',
  ' blanks around ',
  'null',
  'NULL',
  'true',
  '"quoted"',
  '"',
  'back\\slash',
  '\\',
  '\\"',
  'a,b',
  '(a)',
  ')',
  '{a,b}',
  '[1,2)',
  'eq.1',
  'not.eq.1',
  'a.b.c',
  'a:b::text',
  '50%',
  '100 % + 1',
  'a+b=c&d#e?f/g',
  '%2C%00',
  "it's",
  'two\nlines\tand a tab',
  'Grüße, 日本 🪐',
  '$ref',
];

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
  const rows = texts.map((text) => ({ customer: text, tags: [text, 'x'] }));
  const { error } = await client.from('orders').insert(rows);
  expect(error).toBeNull();
});
afterAll(() => workbench.close());

const orders = () => client.from('orders').select('customer');
type Orders = ReturnType<typeof orders>;

const places: readonly {
  readonly name: string;
  readonly find: (rows: Orders, text: string) => Orders;
}[] = [
  { name: 'eq', find: (rows, text) => rows.eq('customer', text) },
  { name: 'in', find: (rows, text) => rows.in('customer', [text, 'absent']) },
  {
    name: 'notIn of all others',
    find: (rows, text) =>
      rows.notIn(
        'customer',
        texts.filter((other) => other !== text),
      ),
  },
  { name: 'match', find: (rows, text) => rows.match({ customer: text }) },
  { name: 'contains', find: (rows, text) => rows.contains('tags', [text]) },
  { name: 'overlaps', find: (rows, text) => rows.overlaps('tags', [text, 'absent']) },
  { name: 'eq of a list', find: (rows, text) => rows.eq('tags', [text, 'x']) },
  { name: 'or', find: (rows, text) => rows.or([['customer', 'eq', text], 'id.eq.0']) },
  { name: 'in within or', find: (rows, text) => rows.or([['customer', 'in', [text, 'absent']]]) },
  { name: 'contains within or', find: (rows, text) => rows.or([['tags', 'cs', [text]]]) },
  {
    name: 'and within or',
    find: (rows, text) =>
      rows.or([{ and: [['customer', 'eq', text], 'id.gt.0'] }, ['customer', 'eq', 'absent']]),
  },
];

describe.each(places)('$name', ({ find }) => {
  test.each(texts)('finds %j', async (text) => {
    expect(await find(orders(), text)).toMatchObject({ data: [{ customer: text }], error: null });
  });
});

describe('in a transaction', () => {
  test.each(texts)('%j is written, matched and referred to', async (text) => {
    const { data, error } = await client.transaction(
      (tx) => {
        const first = tx
          .from('orders')
          .insert({ customer: text, tags: [text] })
          .as('a/~1"name');
        tx.from('orders')
          .update({ state: first.ref('customer') })
          .eq('id', first.ref('id'))
          .eq('customer', text)
          .contains('tags', [text])
          .select('state');
      },
      { rollback: true },
    );
    expect(error).toBeNull();
    expect(data?.[1]).toEqual([{ state: text }]);
  });
});

test('a function gets texts as they are, with GET as with POST', async () => {
  const args = (text: string) => ({ a: text, b: text, c: text });
  const calls = texts.flatMap((text) =>
    [false, true].map(async (get) => {
      const { data } = await client.rpc('add', args(text), { get });
      return [text, data];
    }),
  );
  expect(await Promise.all(calls)).toEqual(
    texts.flatMap((text) => [0, 1].map(() => [text, text.repeat(3)])),
  );
});
