// Inserts, upserts, updates and deletes of our client, by what they leave in the tables.
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

/** The crew as the database has it: what a write answers is no proof of what it did. */
const crew = () => workbench.project.sql('select name, nickname, rank from crew order by id');
const ada = { name: 'Ada', nickname: 'a', rank: 1 };
const bob = { name: 'Bob', nickname: 'b', rank: 2 };
const eve = { name: 'Eve', nickname: 'e', rank: 3 };

describe('insert', () => {
  test('of one row answers with nothing', async () => {
    const answer = await client.from('crew').insert(ada);
    expect(answer).toEqual({
      data: null,
      error: null,
      count: null,
      status: 201,
      statusText: 'Created',
    });
    expect(await crew()).toEqual([ada]);
  });

  test('of several rows is one statement, all or nothing', async () => {
    expect((await client.from('crew').insert([ada, bob])).status).toBe(201);
    const { error } = await client.from('crew').insert([eve, { ...bob, name: 'Bob again' }]);
    expect(error).toMatchObject({ status: 409, code: '23505' });
    expect(await crew()).toEqual([ada, bob]);
  });

  test('gives rows back with select, embeds too', async () => {
    const rows = await client
      .from('crew')
      .insert([{ ...ada, ship_id: 1 }, bob])
      .select('id, loud, ships(name)');
    expect(rows.data).toEqual([
      { id: 1, loud: 'ADA', ships: { name: 'Argo' } },
      { id: 2, loud: 'BOB', ships: null },
    ]);
    const papers = { list: [1, { deep: null }], text: '"' };
    const one = await client
      .from('crew')
      .insert({ ...eve, papers })
      .select('papers')
      .single();
    expect(one.data).toEqual({ papers });
  });

  test('with single of several rows is refused and writes nothing', async () => {
    const { error } = await client.from('crew').insert([ada, bob]).select().single();
    expect(error).toMatchObject({ status: 406, code: 'PGRST116' });
    expect(await crew()).toEqual([]);
  });

  test('counts, and takes lists, dates and bigints', async () => {
    const total = 9007199254740993n;
    const untyped = workbench.untypedClient();
    const { count, data } = await untyped
      .from('orders')
      .insert([{ customer: new Date('2001-02-03T04:05:06Z'), total, tags: ['a,b', '"'] }], {
        count: 'exact',
      })
      .select('customer, total::text, tags');
    expect(count).toBe(1);
    expect(data).toEqual([
      { customer: '2001-02-03T04:05:06.000Z', total: String(total), tags: ['a,b', '"'] },
    ]);
    const found = await untyped.from('orders').select('tags').eq('total', total);
    expect(found.data).toEqual([{ tags: ['a,b', '"'] }]);
  });

  test('fills what a row leaves out with NULL, or with its default', async () => {
    const rows = [{ name: 'Ada', rank: 1 }, { name: 'Bob' }];
    expect((await client.from('crew').insert(rows)).error).toBeNull();
    expect((await client.from('crew').insert(rows, { defaultToNull: false })).error).toBeNull();
    expect(await crew()).toEqual([
      { name: 'Ada', nickname: null, rank: 1 },
      { name: 'Bob', nickname: null, rank: null },
      { name: 'Ada', nickname: null, rank: 1 },
      { name: 'Bob', nickname: null, rank: 7 },
    ]);
  });

  test('of no row writes nothing, of an empty object a row of defaults', async () => {
    expect((await client.from('crew').insert([]).select()).data).toEqual([]);
    expect((await client.from('crew').insert({}).select('name, rank')).data).toEqual([
      { name: 'nobody', rank: 7 },
    ]);
    expect(await crew()).toHaveLength(1);
  });
});

describe('upsert', () => {
  beforeEach(async () => {
    await client.from('crew').insert([ada, bob]);
  });

  test('updates by the primary key and inserts the rest', async () => {
    const { data, status } = await client
      .from('crew')
      .upsert([
        { id: 1, name: 'Ada L.' },
        { id: 9, name: 'Zoe' },
      ])
      .select('id, name');
    expect(status).toBe(201);
    expect(data).toEqual([
      { id: 1, name: 'Ada L.' },
      { id: 9, name: 'Zoe' },
    ]);
    expect(await crew()).toEqual([
      { ...ada, name: 'Ada L.' },
      bob,
      { name: 'Zoe', nickname: null, rank: 7 },
    ]);
  });

  test.each(['nickname', ['nickname']])('by the unique column %j', async (onConflict) => {
    await client.from('crew').upsert([{ ...bob, rank: 5 }, eve], { onConflict });
    expect(await crew()).toEqual([ada, { ...bob, rank: 5 }, eve]);
  });

  test('by a key of two columns', async () => {
    const berths = () => client.from('berths');
    await berths().insert({ ship_id: 1, nr: 1, sleeper: 'Ada', note: 'window' });
    await berths().upsert(
      [
        { ship_id: 1, nr: 1, sleeper: 'Eve' },
        { ship_id: 1, nr: 2, sleeper: 'Bob' },
      ],
      { onConflict: ['ship_id', 'nr'] },
    );
    expect((await berths().select('nr, sleeper, note').order('nr')).data).toEqual([
      { nr: 1, sleeper: 'Eve', note: 'window' },
      { nr: 2, sleeper: 'Bob', note: null },
    ]);
  });

  test('with ignoreDuplicates leaves rows as they are, and gives only new ones back', async () => {
    const options = { onConflict: 'nickname', ignoreDuplicates: true };
    const rows = await client
      .from('crew')
      .upsert([{ ...bob, rank: 5 }, eve], options)
      .select('name');
    expect(rows.data).toEqual([{ name: 'Eve' }]);
    expect(await crew()).toEqual([ada, bob, eve]);
  });
});

describe('update and delete', () => {
  beforeEach(async () => {
    await client.from('crew').insert([ada, bob, eve]);
  });

  test('update changes the rows that filters leave', async () => {
    const plain = await client.from('crew').update({ rank: 9 }).gte('rank', 2);
    expect(plain).toMatchObject({ data: null, error: null, status: 200 });
    const { data, count } = await client
      .from('crew')
      .update({ rank: null }, { count: 'exact' })
      .eq('rank', 9)
      .select('name')
      .order('name', { ascending: false });
    expect(data).toEqual([{ name: 'Eve' }, { name: 'Bob' }]);
    expect(count).toBe(2);
    expect(await crew()).toEqual([ada, { ...bob, rank: null }, { ...eve, rank: null }]);
  });

  test('an update that matches nothing is 404', async () => {
    const { error } = await client.from('crew').update({ rank: 9 }).eq('name', 'Nobody');
    expect(error).toMatchObject({ status: 404 });
  });

  test('delete takes the rows that filters leave', async () => {
    const { data, count } = await client
      .from('crew')
      .delete({ count: 'exact' })
      .in('name', ['Ada', 'Eve'])
      .select('name');
    expect(data).toEqual([{ name: 'Ada' }, { name: 'Eve' }]);
    expect(count).toBe(2);
    expect(await client.from('crew').delete().eq('name', 'Ada')).toMatchObject({
      data: null,
      error: null,
      status: 200,
    });
    expect(await crew()).toEqual([bob]);
  });

  test.each([
    { name: 'update', write: () => client.from('crew').update({ rank: 0 }) },
    { name: 'delete', write: () => client.from('crew').delete() },
  ])('$name without a filter is refused', async ({ write }) => {
    expect((await write()).error).toMatchObject({ status: 400, code: 'UNFILTERED_WRITE' });
    expect(await crew()).toEqual([ada, bob, eve]);
  });

  test('a secret key may write without a filter', async () => {
    const service = workbench.client(workbench.project.secretKey);
    expect((await service.from('crew').delete()).error).toBeNull();
    expect(await crew()).toEqual([]);
  });
});

describe('numbers that JSON does not have', () => {
  const rows = 'select id, f::text, n::text, fs::text, j::text from readings order by id';
  const readings = () => workbench.untypedClient(workbench.project.secretKey).from('readings');
  beforeAll(async () => {
    await workbench.project.sql(
      'create table readings (id int primary key, f float8, n numeric, fs float8[], j jsonb)',
    );
  });
  beforeEach(() => workbench.project.sql('truncate readings'));

  test('are stored by insert, update and upsert, also in arrays', async () => {
    const { NaN: none, NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number;
    const first = { id: 1, f: none, n: least, fs: [1, none, most] };
    expect((await readings().insert([first, { id: 2, f: 1 }])).error).toBeNull();
    expect((await readings().update({ f: most }).eq('f', 1)).error).toBeNull();
    expect((await readings().upsert({ id: 3, n: none })).error).toBeNull();
    expect(await workbench.project.sql(rows)).toMatchObject([
      { id: 1, f: 'NaN', n: '-Infinity', fs: '{1,NaN,Infinity}' },
      { id: 2, f: 'Infinity' },
      { id: 3, n: 'NaN' },
    ]);
    expect((await readings().select('id').eq('f', none)).data).toEqual([{ id: 1 }]);
  });

  test('inside of JSON are refused, and nothing is written', async () => {
    const { error } = await readings().insert([{ id: 1 }, { id: 2, j: { a: [Number.NaN] } }]);
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'rows[1].j.a[0] is NaN, which JSON cannot hold',
    });
    expect(await workbench.project.sql(rows)).toEqual([]);
  });
});

describe('a write that is held back', () => {
  beforeEach(async () => {
    await client.from('crew').insert([ada, bob]);
  });

  test.each([
    { name: 'insert', write: () => client.from('crew').insert(eve), status: 201 },
    {
      name: 'upsert',
      write: () => client.from('crew').upsert({ ...bob, rank: 5 }, { onConflict: 'nickname' }),
      status: 201,
    },
    {
      name: 'update',
      write: () => client.from('crew').update({ rank: 5 }).eq('name', 'Bob'),
      status: 200,
    },
    { name: 'delete', write: () => client.from('crew').delete().eq('name', 'Bob'), status: 200 },
  ])('rollback of $name answers as if it had happened', async ({ write, status }) => {
    const { data, ...rest } = await write().select('name').rollback();
    expect(rest).toMatchObject({ error: null, status });
    expect(data).toHaveLength(1);
    expect(await crew()).toEqual([ada, bob]);
  });

  test('maxAffected allows so many rows and refuses more', async () => {
    const raise = (rows: number) =>
      client.from('crew').update({ rank: 5 }).gt('rank', 0).maxAffected(rows);
    expect((await raise(1)).error).toMatchObject({ status: 400, code: 'PGRST124' });
    const removal = client.from('crew').delete().gt('rank', 0).maxAffected(1);
    expect((await removal).error).toMatchObject({ code: 'PGRST124' });
    expect(await crew()).toEqual([ada, bob]);
    expect((await raise(2)).error).toBeNull();
    expect(await crew()).toMatchObject([{ rank: 5 }, { rank: 5 }]);
  });
});
