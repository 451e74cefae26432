// A client with the `Database` type that is generated from the project: what the compiler says of each answer is
// what the answer is. The assertions about types are types: `tsc` checks them, and a line below
// `@ts-expect-error` that compiles is an error of its own.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { format, resolveConfig } from 'prettier';

import type { Json, Tables, TablesInsert } from './support/client-database.js';
import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
});
afterAll(() => workbench.close());

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Expects data, and compiles only when their type in the answer is exactly `Expected`. */
const expectData = <Expected>(data: NoInfer<Expected>) => ({
  of: async <Actual>(
    query: PromiseLike<{ data: Actual }>,
    _isSame: Equal<Actual, Expected>,
  ): Promise<void> => {
    expect((await query).data).toEqual(data);
  },
});

test('the type is the one that is generated from the tables', async () => {
  const file = fileURLToPath(new URL('support/client-database.ts', import.meta.url));
  const [header, ...lines] = (await readFile(file, 'utf8')).split('\n');
  const { text } = await workbench.project.asService({ path: '/api/admin/types' });
  expect(header).toContain('generated');
  const options = { ...(await resolveConfig(file)), parser: 'typescript' };
  expect(lines.join('\n')).toBe(await format(text, options));
});

describe('rows', () => {
  test('have the columns of their table', async () => {
    const sun = { id: 1, name: 'Sun', mass: 1 };
    await expectData<Tables<'stars'>[]>([sun]).of(
      client.from('stars').select().eq('id', 1).throwOnError(),
      true,
    );
    await expectData<{ id: number; name: string; mass: number | null }>(sun).of(
      client.from('stars').select('*').eq('id', 1).single().throwOnError(),
      true,
    );
    await expectData<Tables<'stars'> | null>(null).of(
      client.from('stars').select().eq('id', 9).maybeSingle().throwOnError(),
      true,
    );
  });

  test('have what select asks for: aliases, casts, JSON paths, computed columns', async () => {
    await expectData<
      {
        key: string;
        title: string;
        days: Json;
        main: string | null;
        label: string | null;
        tags: string[] | null;
      }[]
    >([
      {
        key: '3',
        title: 'Mars',
        days: 687,
        main: 'carbon dioxide',
        label: 'Mars #3',
        tags: ['rocky', 'cold'],
      },
    ]).of(
      client
        .from('planets')
        .select('key:id::text, title:name, facts->days, facts->air->>main, label, tags')
        .eq('id', 3)
        .throwOnError(),
      true,
    );
  });

  test('embed one or none, one for sure, and many', async () => {
    await expectData<
      {
        stars: { name: string } | null;
        atmospheres: { pressure: number | null } | null;
        moons: { name: string | null; planets: { id: number } }[];
        missions: { name: string }[];
        biggest_moon: { id: number } | null;
      }[]
    >([
      {
        stars: { name: 'Sun' },
        atmospheres: { pressure: 1 },
        moons: [{ name: 'Luna', planets: { id: 2 } }],
        missions: [{ name: 'Galileo' }],
        biggest_moon: { id: 1 },
      },
    ]).of(
      client
        .from('planets')
        .select(
          'stars(name), atmospheres(pressure), moons(name, planets(id)), missions(name), biggest_moon(id)',
        )
        .eq('id', 2)
        .throwOnError(),
      true,
    );
    await expectData<{ start: { id: number } | null; goal: { id: number } }[]>([
      { start: { id: 2 }, goal: { id: 3 } },
    ]).of(
      client
        .from('transfers')
        .select('start:planets!origin(id), goal:planets!transfers_target_fkey!inner(id)')
        .eq('id', 1)
        .throwOnError(),
      true,
    );
  });

  test('spread and aggregate', async () => {
    await expectData<{ name: string | null; planet: string }[]>([
      { name: 'Luna', planet: 'Earth' },
    ]).of(
      client.from('moons').select('name, ...planets(planet:name)').eq('id', 1).throwOnError(),
      true,
    );
    await expectData<{ star_id: number | null; count: number; mass: number | null }[]>([
      { star_id: 3, count: 1, mass: 1.07 },
    ]).of(
      client
        .from('planets')
        .select('star_id, count(), mass:mass.max()')
        .eq('star_id', 3)
        .throwOnError(),
      true,
    );
  });
});

describe('other answers', () => {
  test('writes have no data without select, and the rows of select with it', async () => {
    const order: TablesInsert<'orders'> = { customer: 'Ada' };
    await expectData<null>(null).of(client.from('orders').insert(order).throwOnError(), true);
    await expectData<{ customer: string; items: { id: number }[] }[]>([
      { customer: 'Ada', items: [] },
    ]).of(client.from('orders').insert(order).select('customer, items(id)').throwOnError(), true);
  });

  test('functions have what they return, and a selection of it', async () => {
    await expectData<number>(6).of(client.rpc('sum_of', { numbers: [1, 5] }).throwOnError(), true);
    await expectData<string[]>(['Luna']).of(client.rpc('moon_names').limit(1).throwOnError(), true);
    await expectData<null>(null).of(client.rpc('nothing').throwOnError(), true);
    await expectData<{ name: string; stars: { id: number } | null }[]>([
      { name: 'Proxima b', stars: { id: 3 } },
    ]).of(client.rpc('planets_of', { star: 3 }).select('name, stars(id)').throwOnError(), true);
    await expectData<{ name: string }>({ name: 'Earth' }).of(
      client.rpc('earth').select('name').throwOnError(),
      true,
    );
  });

  test('other forms and declared types', async () => {
    const star = () => client.from('stars').select('name').eq('id', 1);
    await expectData<string>('name\r\nSun\r\n').of(star().csv().throwOnError(), true);
    await expectData<'Sun' | undefined>('Sun').of(
      star()
        .overrideTypes<{ name: 'Sun' }[]>()
        .throwOnError()
        .then(({ data }) => ({ data: data[0]?.name })),
      true,
    );
    await expectData<{ n: string }[]>([]).of(
      star().limit(0).returns<{ n: string }[]>().throwOnError(),
      true,
    );
  });
});

test('what the tables and functions do not have does not compile', () => {
  const planets = () => client.from('planets');
  // @ts-expect-error -- there is no such table
  client.from('comets');
  // @ts-expect-error -- there is no such column
  planets().select().eq('nmae', 'Mars');
  // @ts-expect-error -- the column holds numbers
  planets().select().in('id', ['a']);
  // @ts-expect-error -- the key is missing
  planets().insert({ name: 'Pluto' });
  // @ts-expect-error -- the database generates the column
  planets().update({ about_words: 'x' });
  // @ts-expect-error -- there is no such function
  client.rpc('absent');
  // @ts-expect-error -- the argument is a list of numbers
  client.rpc('sum_of', { numbers: ['a'] });
  void client
    .transaction((tx) => {
      // @ts-expect-error -- an item belongs to an order
      tx.from('items').insert({ article: 'tea' });
      // @ts-expect-error -- there is no such column
      tx.from('orders').insert({ customer: 'Ada' }).ref('idd');
      throw new TypeError('nothing is sent');
    })
    .catch(() => undefined);
  // @ts-expect-error -- the row says what is wrong with the selection
  const name = (row: Selected) => row.name;
  expect(name).toBeInstanceOf(Function);
});

type Data<Query> = Query extends PromiseLike<{ data: infer Rows }> ? NonNullable<Rows> : never;
const misspelt = () => client.from('planets').select('nmae, name');
type Selected = Data<ReturnType<typeof misspelt>> extends (infer Row)[] ? Row : never;
