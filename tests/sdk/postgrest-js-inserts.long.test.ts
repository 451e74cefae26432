// Inserts and upserts of the published client, and what they leave in the tables.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { clientOf, type PublishedClient } from './support/published-client.js';
import { emptyShipyardSql, shipyardSql } from './support/shipyard.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(shipyardSql);
  client = clientOf(project);
});
afterAll(() => deployment.close());
beforeEach(() => project.sql(emptyShipyardSql));

const crew = () => project.sql('select id, name, nickname, rank from crew order by id');
const berths = () => project.sql('select * from berths order by ship_id, nr');

describe('insert', () => {
  test('of one row gives nothing back unless it is asked for', async () => {
    const { data, error, status, count } = await client.from('crew').insert({ name: 'Ida' });
    expect([data, error, status, count]).toEqual([null, null, 201, null]);
    expect(await crew()).toEqual([{ id: 1, name: 'Ida', nickname: null, rank: 7 }]);
  });

  test('with select gives the rows with defaults, generated columns and embeds', async () => {
    const { data, status } = await client
      .from('crew')
      .insert({ name: 'Ida', ship_id: 2, tags: ['deck', 'a "b"'], papers: { ok: [1, null] } })
      .select('id, loud, rank, tags, papers, ships(name)');
    expect(status).toBe(201);
    expect(data).toEqual([
      {
        id: 1,
        loud: 'IDA',
        rank: 7,
        tags: ['deck', 'a "b"'],
        papers: { ok: [1, null] },
        ships: { name: 'Beagle' },
      },
    ]);
  });

  test('with select and single gives the row', async () => {
    const { data } = await client.from('crew').insert({ name: 'Ida' }).select('id, name').single();
    expect(data).toEqual({ id: 1, name: 'Ida' });
  });

  test('of an array gives the rows in its order', async () => {
    const { data } = await client
      .from('crew')
      .insert([{ name: 'c' }, { name: 'a' }, { name: 'b' }])
      .select('id, name');
    expect(data).toEqual([
      { id: 1, name: 'c' },
      { id: 2, name: 'a' },
      { id: 3, name: 'b' },
    ]);
  });

  test('of rows with different keys writes NULL where a row has no value', async () => {
    await client.from('crew').insert([{ name: 'a', rank: 1 }, { name: 'b' }]);
    expect(await crew()).toMatchObject([{ rank: 1 }, { rank: null }]);
  });

  test('with defaultToNull false writes the default there instead', async () => {
    const { error } = await client
      .from('crew')
      .insert([{ name: 'a', rank: 1 }, { rank: 2 }, { name: 'c' }], { defaultToNull: false });
    expect(error).toBeNull();
    expect(await crew()).toMatchObject([
      { name: 'a', rank: 1 },
      { name: 'nobody', rank: 2 },
      { name: 'c', rank: 7 },
    ]);
  });

  test('of an empty object is a row of defaults', async () => {
    expect((await client.from('crew').insert({})).status).toBe(201);
    expect(await crew()).toEqual([{ id: 1, name: 'nobody', nickname: null, rank: 7 }]);
  });

  test('of an empty array writes nothing', async () => {
    const { data, status } = await client.from('crew').insert([]).select();
    expect([data, status]).toEqual([[], 201]);
    expect(await crew()).toEqual([]);
  });

  test('of a bigint writes it in full', async () => {
    const papers = { nr: '9007199254740993' };
    await client.from('crew').insert({ papers: { nr: 9007199254740993n } });
    expect(await project.sql('select papers from crew')).toEqual([{ papers }]);
  });

  test.each(['exact', 'planned', 'estimated'])('counts its rows with count=%s', async (count) => {
    const rows = [{ name: 'a' }, { name: 'b' }];
    expect((await client.from('crew').insert(rows, { count })).count).toBe(2);
  });

  test.each([
    { name: 'a column that is not there', row: { age: 3 }, code: 'PGRST204', status: 400 },
    { name: 'a value of the wrong type', row: { rank: 'high' }, code: '22P02', status: 400 },
    { name: 'NULL in a column that takes none', row: { name: null }, code: '23502', status: 400 },
    { name: 'a value that a check refuses', row: { rank: -1 }, code: '23514', status: 400 },
    { name: 'a key that refers to nothing', row: { ship_id: 9 }, code: '23503', status: 409 },
    { name: 'a value that is taken', row: { nickname: 'x' }, code: '23505', status: 409 },
    { name: 'a generated column', row: { loud: 'X' }, code: '428C9', status: 400 },
  ])('with $name is $status $code and writes no row', async ({ row, ...refusal }) => {
    await client.from('crew').insert({ nickname: 'x' });
    const { data, error, status } = await client
      .from('crew')
      .insert([{ name: 'good' }, { name: 'bad', ...row }]);
    expect([data, status, error?.code]).toEqual([null, refusal.status, refusal.code]);
    expect(await crew()).toHaveLength(1);
  });
});

describe('upsert', () => {
  beforeEach(() =>
    project.sql(`insert into crew (name, nickname, rank) values ('Ida', 'i', 1), ('Otto', 'o', 2)`),
  );

  test('merges what is there by primary key and adds the rest', async () => {
    const { data, status } = await client
      .from('crew')
      .upsert([
        { id: 1, name: 'Ida II' },
        { id: 9, name: 'New' },
      ])
      .select('id, name, nickname, rank');
    expect(status).toBe(201);
    expect(data).toEqual([
      { id: 1, name: 'Ida II', nickname: 'i', rank: 1 },
      { id: 9, name: 'New', nickname: null, rank: 7 },
    ]);
  });

  test('of one object leaves the columns that it does not name', async () => {
    const { error } = await client.from('crew').upsert({ id: 2, rank: 5 });
    expect(error).toBeNull();
    expect((await crew())[1]).toEqual({ id: 2, name: 'Otto', nickname: 'o', rank: 5 });
  });

  test('with onConflict merges by that column', async () => {
    const { data } = await client
      .from('crew')
      .upsert({ name: 'Oskar', nickname: 'o' }, { onConflict: 'nickname' })
      .select('id, name');
    expect(data).toEqual([{ id: 2, name: 'Oskar' }]);
  });

  test('with onConflict of two columns merges by both', async () => {
    const berth = (sleeper: string) =>
      client.from('berths').upsert({ ship_id: 1, nr: 2, sleeper }, { onConflict: 'ship_id,nr' });
    await project.sql(`insert into berths values (1, 2, 'Ida', 'kept')`);
    expect((await berth('Otto')).error).toBeNull();
    expect(await berths()).toEqual([{ ship_id: 1, nr: 2, sleeper: 'Otto', note: 'kept' }]);
  });

  test('of key columns alone changes nothing that is there', async () => {
    await project.sql(`insert into berths values (1, 2, 'Ida', 'kept')`);
    const rows = [
      { ship_id: 1, nr: 2 },
      { ship_id: 1, nr: 3 },
    ];
    expect((await client.from('berths').upsert(rows)).status).toBe(201);
    expect(await berths()).toHaveLength(2);
    expect((await berths())[0]).toMatchObject({ sleeper: 'Ida' });
  });

  test('with ignoreDuplicates leaves what is there and gives only the new rows', async () => {
    const { data, count, status } = await client
      .from('crew')
      .upsert(
        [
          { id: 1, name: 'ignored' },
          { id: 9, name: 'New' },
        ],
        { ignoreDuplicates: true, count: 'exact' },
      )
      .select('id, name');
    expect([data, count, status]).toEqual([[{ id: 9, name: 'New' }], 1, 201]);
    expect((await crew())[0]).toMatchObject({ name: 'Ida' });
  });

  test('with ignoreDuplicates that met conflicts only is 201 with no rows', async () => {
    const { data, status } = await client
      .from('crew')
      .upsert({ nickname: 'i' }, { onConflict: 'nickname', ignoreDuplicates: true })
      .select();
    expect([data, status]).toEqual([[], 201]);
  });

  test('with defaultToNull false gives new rows their defaults', async () => {
    const rows = [
      { id: 8, rank: 1 },
      { id: 9, name: 'New' },
    ];
    const { error } = await client.from('crew').upsert(rows, { defaultToNull: false });
    expect(error).toBeNull();
    expect((await crew()).slice(2)).toMatchObject([
      { id: 8, name: 'nobody', rank: 1 },
      { id: 9, name: 'New', rank: 7 },
    ]);
  });

  test('with onConflict of columns that are not unique is refused', async () => {
    const { error, status } = await client
      .from('crew')
      .upsert({ name: 'Ida' }, { onConflict: 'name' });
    expect([error?.code, status]).toEqual(['42P10', 400]);
  });

  test('of one row twice is refused and writes nothing', async () => {
    const rows = [
      { id: 9, name: 'a' },
      { id: 9, name: 'b' },
    ];
    const { error } = await client.from('crew').upsert(rows);
    expect(error?.code).toBe('21000');
    expect(await crew()).toHaveLength(2);
  });
});
