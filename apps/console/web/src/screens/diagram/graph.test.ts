import { describe, expect, test } from 'vitest';

import { boxesWith, graphOf, maxColumns, shortType } from './graph.js';
import { column, foreignKey, shop, table } from '../project/sample-tables.js';

const idsOf = (part: Parameters<typeof graphOf>[1]): readonly string[] =>
  graphOf(shop, part).boxes.map(({ id }) => id);

describe('the part of the schema that is drawn', () => {
  test.each([
    {
      name: 'all tables, without partitions, with tables of other schemas that are referred to',
      part: {},
      ids: ['public.customers', 'public.orders', 'public.lines', 'public.notes', 'auth."user"'],
    },
    {
      name: 'tables with a relation to another one',
      part: { only: 'related' as const },
      ids: ['public.customers', 'public.orders', 'public.lines', 'auth."user"'],
    },
    {
      name: 'a table and those that it is related to',
      part: { around: 'orders' },
      ids: ['public.customers', 'public.orders', 'public.lines'],
    },
    { name: 'nothing around a table that is not there', part: { around: 'gone' }, ids: [] },
  ])('is $name', ({ part, ids }) => {
    expect(idsOf(part)).toEqual(ids);
  });

  test('has no line to a table that is not drawn', () => {
    const { relations } = graphOf(shop, { around: 'customers' });
    expect(relations.map(({ from, to }) => [from, to])).toEqual([
      ['public.customers', 'auth."user"'],
      ['public.orders', 'public.customers'],
    ]);
  });
});

test.each([
  { columns: undefined, drawn: ['id', 'customer', 'note'] },
  { columns: 'keys' as const, drawn: ['id', 'customer'] },
  { columns: 'none' as const, drawn: [] },
])('columns: $columns', ({ columns, drawn }) => {
  const orders = graphOf(shop, { columns }).boxes.find(({ name }) => name === 'orders');
  expect(orders?.columns.map(({ name }) => name)).toEqual(drawn);
});

test('a table of very many columns counts those that are not drawn', () => {
  const columns = Array.from({ length: maxColumns + 3 }, (_, index) => column(`c${index}`));
  const [box] = graphOf([table('wide', { columns })], {}).boxes;
  expect([box?.columns.length, box?.moreColumns]).toEqual([maxColumns, 3]);
});

test('a key that is the primary key is one to one', () => {
  const relations = graphOf(shop, {}).relations.map(({ id, isOneToOne }) => [id, isOneToOne]);
  expect(relations).toEqual([
    ['public.customers id_fkey', true],
    ['public.orders customer_fkey', false],
    ['public.lines order_fkey', false],
    ['public.lines after_fkey', false],
  ]);
});

test('a search finds names of tables and of columns that are not drawn', () => {
  const graph = graphOf(shop, { columns: 'none' });
  expect(boxesWith(graph, 'NOTE').map(({ name }) => name)).toEqual(['orders', 'notes']);
  expect(boxesWith(graph, ' ')).toEqual([]);
});

test.each([
  ['timestamp(3) with time zone', 'timestamptz(3)'],
  ['timestamp without time zone', 'timestamp'],
  ['character varying(20)', 'varchar(20)'],
  ['public.mood', 'mood'],
  ['numeric(10,2)', 'numeric(10,2)'],
])('the type %s is %s', (long, short) => {
  expect(shortType(long)).toBe(short);
});

test('a key to a table of the same name in another schema is no key to itself', () => {
  const user = table('user', { foreignKeys: [foreignKey('id', 'user', { schema: 'auth' })] });
  const [relation] = graphOf([user], {}).relations;
  expect([relation?.from, relation?.to]).toEqual(['public."user"', 'auth."user"']);
});
