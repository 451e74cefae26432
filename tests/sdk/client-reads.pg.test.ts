// What our client can make of the rows that filters leave: columns, order, windows, counts and other forms.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let client: OwnClient;
let service: OwnClient;

beforeAll(async () => {
  workbench = await openWorkbench();
  client = workbench.client();
  service = workbench.client(workbench.project.secretKey);
});
afterAll(() => workbench.close());

const ids = (rows: PromiseLike<{ data: { id: number }[] | null }>) =>
  rows.then(({ data }) => data?.map(({ id }) => id));

describe('select', () => {
  const mars = () => client.from('planets');

  test('without columns gives all of them', async () => {
    const { data } = await client.from('stars').select().eq('id', 1);
    expect(data).toEqual([{ id: 1, name: 'Sun', mass: 1 }]);
  });

  test('takes blanks and lines, aliases, casts, JSON paths and computed columns', async () => {
    const { data } = await mars()
      .select(
        `id::text, title: name,
         air: facts->air->>main, days:facts->days, label`,
      )
      .eq('id', 3);
    expect(data).toEqual([
      { id: '3', title: 'Mars', air: 'carbon dioxide', days: 687, label: 'Mars #3' },
    ]);
  });

  test('embeds in every direction, nested', async () => {
    const { data } = await mars()
      .select('stars(name), atmospheres(pressure), missions(name), moons(name, planets(id))')
      .eq('id', 3)
      .order('id', { referencedTable: 'moons' });
    expect(data).toEqual([
      {
        stars: { name: 'Sun' },
        atmospheres: { pressure: 0.006 },
        missions: [{ name: 'Viking' }],
        moons: [
          { name: 'Phobos', planets: { id: 3 } },
          { name: 'Deimos', planets: { id: 3 } },
        ],
      },
    ]);
  });

  test('spreads and aggregates', async () => {
    const spread = await client.from('moons').select('name, ...planets(planet:name)').eq('id', 1);
    expect(spread.data).toEqual([{ name: 'Luna', planet: 'Earth' }]);
    const counted = await mars().select('star_id, count()').order('star_id');
    expect(counted.data).toEqual([
      { star_id: 1, count: 4 },
      { star_id: 3, count: 1 },
      { star_id: null, count: 1 },
    ]);
  });

  test('stripNulls leaves fields that are NULL out, of one row too', async () => {
    const lost = () => mars().select('id, name, mass, stars(name)').eq('id', 6);
    expect((await lost().stripNulls()).data).toEqual([{ id: 6, name: 'X, (lost)' }]);
    expect((await lost().single().stripNulls()).data).toEqual({ id: 6, name: 'X, (lost)' });
  });
});

describe('order', () => {
  const planets = () => client.from('planets').select('id');

  test.each([
    { name: 'goes up', options: {}, order: [1, 3, 2, 5, 4, 6] },
    { name: 'goes down, NULL first', options: { ascending: false }, order: [6, 4, 5, 2, 3, 1] },
    { name: 'with NULL first', options: { nullsFirst: true }, order: [6, 1, 3, 2, 5, 4] },
    {
      name: 'goes down with NULL last',
      options: { ascending: false, nullsFirst: false },
      order: [4, 5, 2, 3, 1, 6],
    },
  ])('$name', async ({ options, order }) => {
    expect(await ids(planets().order('mass', options))).toEqual(order);
  });

  test('by a further column among equal rows', async () => {
    const rows = planets().order('star_id').order('name', { ascending: false });
    expect(await ids(rows)).toEqual([1, 3, 4, 2, 5, 6]);
  });

  test('of embedded rows, and by a column of the related row', async () => {
    const { data } = await client
      .from('stars')
      .select('planets(name)')
      .eq('id', 1)
      .order('mass', { referencedTable: 'planets', ascending: false });
    expect(data?.[0]?.planets.map(({ name }) => name)).toEqual([
      'Jupiter',
      'Earth',
      'Mars',
      'Mercury',
    ]);
    const moons = client
      .from('moons')
      .select('id, planets(name)')
      .order('planets(mass)')
      .order('id');
    expect(await ids(moons)).toEqual([2, 3, 1, 4, 5, 6, 7]);
  });
});

describe('windows and counts', () => {
  const planets = (count?: 'exact' | 'planned' | 'estimated') =>
    client
      .from('planets')
      .select('id', count ? { count } : {})
      .order('id');

  test('limit and range cut rows, of embeds too', async () => {
    expect(await ids(planets().limit(2))).toEqual([1, 2]);
    expect(await ids(planets().range(1, 3))).toEqual([2, 3, 4]);
    expect(await ids(planets().range(5, 9))).toEqual([6]);
    const { data } = await client
      .from('planets')
      .select('id, moons(id), visits(year)')
      .eq('id', 4)
      .order('id', { referencedTable: 'moons' })
      .range(1, 2, { referencedTable: 'moons' })
      .order('year', { referencedTable: 'visits' })
      .limit(1, { referencedTable: 'visits' });
    expect(data).toEqual([{ id: 4, moons: [{ id: 5 }, { id: 6 }], visits: [{ year: 1979 }] }]);
  });

  test.each(['exact', 'estimated'] as const)(
    'count %s is of all rows that match',
    async (count) => {
      expect(await planets(count).gt('id', 1).limit(2)).toMatchObject({
        data: [{ id: 2 }, { id: 3 }],
        count: 5,
        status: 200,
      });
    },
  );

  test('count planned is a number', async () => {
    const { count, data } = await planets('planned');
    expect(data).toHaveLength(6);
    expect(count).toBeGreaterThan(0);
  });

  test('head asks for the count alone', async () => {
    const { gateway } = workbench;
    const answer = await client
      .from('planets')
      .select('*', { count: 'exact', head: true })
      .is('has_rings', false);
    expect(answer).toEqual({ data: null, error: null, count: 3, status: 200, statusText: 'OK' });
    expect(gateway.received.at(-1)?.method).toBe('HEAD');
  });

  test('a range beyond the end is empty, and with a count the error PGRST103', async () => {
    expect(await planets().range(50, 59)).toMatchObject({ data: [], error: null });
    expect(await planets('exact').range(50, 59)).toMatchObject({
      data: null,
      error: { status: 416, code: 'PGRST103' },
    });
  });
});

describe('one row', () => {
  const named = (name: string) =>
    client.from('planets').select('id').like('name', name).order('id');

  test('single is exactly one', async () => {
    expect(await named('Mars').single()).toMatchObject({ data: { id: 3 }, error: null });
  });

  test.each(['M*', 'Pluto'])('single of %s is the error PGRST116', async (name) => {
    expect(await named(name).single()).toMatchObject({
      data: null,
      error: { status: 406, code: 'PGRST116' },
      status: 406,
    });
  });

  test('maybeSingle is the first or null', async () => {
    expect(await named('Mars').maybeSingle()).toMatchObject({ data: { id: 3 }, error: null });
    expect(await named('M*').maybeSingle()).toMatchObject({ data: { id: 1 }, error: null });
    expect(await named('Pluto').maybeSingle()).toMatchObject({ data: null, error: null });
  });
});

describe('other forms', () => {
  test('csv', async () => {
    const { data } = await client
      .from('planets')
      .select('id,name,tags')
      .gte('id', 5)
      .order('id')
      .csv();
    expect(data?.split(/\r?\n/).filter(Boolean)).toEqual([
      'id,name,tags',
      '5,Proxima b,[]',
      '6,"X, (lost)",',
    ]);
  });

  test('geojson', async () => {
    const { data } = await client.from('places').select().order('id').geojson();
    expect(data).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [9.99, 48.4] },
          properties: { id: 1, name: 'Ulm' },
        },
        { type: 'Feature', geometry: null, properties: { id: 2, name: 'nowhere' } },
      ],
    });
    const without = await client.from('stars').select('id').geojson();
    expect(without.error).toMatchObject({ status: 406, code: 'PGRST107' });
  });

  test('explain is for administrators', async () => {
    const plan = (by: OwnClient) => by.from('planets').select('id').gt('mass', 1);
    const text = await plan(service).explain();
    expect(text.data).toMatch(/Scan .*planets/);
    const options = { analyze: true, verbose: true, settings: true, buffers: true, wal: true };
    const measured = await plan(service).explain({ ...options, format: 'json' });
    expect(measured.data?.[0]).toMatchObject({
      'Execution Time': expect.any(Number),
      Plan: { 'Actual Rows': expect.any(Number) },
    });
    expect(await plan(client).explain()).toMatchObject({
      data: null,
      error: { status: 403, code: 'PGRST103' },
    });
  });
});

test('setHeader and the headers of the client are sent, that of the request instead of the other', async () => {
  const named = workbench.client(undefined, {
    headers: { 'x-one': 'client', 'X-Two': 'client' },
    global: { headers: { 'x-three': 'global' } },
  });
  await named.from('stars').select('id').setHeader('X-Two', 'request');
  expect(workbench.gateway.received.at(-1)?.headers).toMatchObject({
    'x-one': 'client',
    'x-two': 'request',
    'x-three': 'global',
  });
});
