// What the published client may do with related rows beyond embedding them: filter, order and cut them, filter
// and order by them, spread and aggregate them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { observatorySql } from './support/observatory.js';
import { clientOf, type PublishedClient } from './support/published-client.js';

let deployment: Deployment;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  const project = await deployment.createProject();
  await project.sql(observatorySql);
  client = clientOf(project);
});
afterAll(() => deployment.close());

describe('rows of an embed', () => {
  const jupiter = (select: string) => client.from('planets').select(select).eq('id', 4);
  type Jupiter = ReturnType<typeof jupiter>;
  const cases: readonly {
    readonly name: string;
    readonly select: string;
    readonly change: (rows: Jupiter) => PromiseLike<unknown>;
    readonly row: object;
  }[] = [
    {
      name: 'are ordered',
      select: 'moons(name)',
      change: (rows) =>
        rows.order('radius_km', { referencedTable: 'moons', ascending: false }).single(),
      row: {
        moons: [{ name: 'Ganymede' }, { name: 'Callisto' }, { name: 'Io' }, { name: 'Europa' }],
      },
    },
    {
      name: 'are limited',
      select: 'moons(id)',
      change: (rows) =>
        rows
          .order('id', { referencedTable: 'moons' })
          .limit(2, { referencedTable: 'moons' })
          .single(),
      row: { moons: [{ id: 4 }, { id: 5 }] },
    },
    {
      name: 'are cut by a range',
      select: 'moons(id)',
      change: (rows) =>
        rows
          .order('id', { referencedTable: 'moons' })
          .range(1, 2, { referencedTable: 'moons' })
          .single(),
      row: { moons: [{ id: 5 }, { id: 6 }] },
    },
    {
      name: 'are filtered, which keeps the outer row',
      select: 'name, moons(name)',
      change: (rows) => rows.eq('moons.name', 'Luna').single(),
      row: { name: 'Jupiter', moons: [] },
    },
    {
      name: 'are filtered by or',
      select: 'moons(id)',
      change: (rows) =>
        rows
          .or('name.eq.Io,radius_km.gt.2500', { referencedTable: 'moons' })
          .order('id', { referencedTable: 'moons' })
          .single(),
      row: { moons: [{ id: 4 }, { id: 6 }] },
    },
    {
      name: 'are addressed by their alias',
      select: 'big:moons(id), all:moons(id)',
      change: (rows) =>
        rows
          .gt('big.radius_km', 2000)
          .order('id', { referencedTable: 'big' })
          .order('id', { referencedTable: 'all', ascending: false })
          .limit(1, { referencedTable: 'all' })
          .single(),
      row: { big: [{ id: 6 }, { id: 7 }], all: [{ id: 7 }] },
    },
    {
      name: 'are filtered, ordered and limited two levels down',
      select: 'visits(missions(name, missions!follows(name)))',
      change: (rows) =>
        rows
          .eq('visits.year', 1995)
          .order('name', { referencedTable: 'visits.missions.missions' })
          .limit(1, { referencedTable: 'visits.missions.missions' })
          .single(),
      row: { visits: [{ missions: { name: 'Galileo', missions: [{ name: 'Juno' }] } }] },
    },
    {
      name: 'over a junction are ordered and limited',
      select: 'missions(name)',
      change: (rows) =>
        rows
          .order('name', { referencedTable: 'missions', ascending: false })
          .limit(2, { referencedTable: 'missions' })
          .single(),
      row: { missions: [{ name: 'Voyager' }, { name: 'Juno' }] },
    },
  ];
  test.each(cases)('$name', async ({ select, change, row }) => {
    expect(await change(jupiter(select))).toMatchObject({ error: null, data: row });
  });
});

describe('rows chosen and ordered by related rows', () => {
  const planets = (select: string) => client.from('planets').select(select, { count: 'exact' });
  type Planets = ReturnType<typeof planets>;
  const cases: readonly {
    readonly name: string;
    readonly select: string;
    readonly change: (rows: Planets) => Planets;
    readonly ids: readonly number[];
    readonly count?: number;
  }[] = [
    {
      name: '!inner leaves out what has no related row',
      select: 'id, moons!inner(id)',
      change: (rows) => rows,
      ids: [2, 3, 4],
    },
    {
      name: '!inner with a filter, counted before it is limited',
      select: 'id, moons!inner(id)',
      change: (rows) => rows.gt('moons.radius_km', 1000).limit(1),
      ids: [2],
      count: 2,
    },
    {
      name: '!inner of a to-one relation with a filter',
      select: 'id, stars!inner(id)',
      change: (rows) => rows.eq('stars.name', 'Proxima'),
      ids: [5],
    },
    {
      name: '!inner at depth',
      select: 'id, visits!inner(missions!inner(name))',
      change: (rows) => rows.eq('visits.missions.name', 'Galileo'),
      ids: [2, 4],
    },
    {
      name: '!inner of an embed that shows nothing',
      select: 'id, moons!inner()',
      change: (rows) => rows.eq('moons.name', 'Luna'),
      ids: [2],
    },
    {
      name: '!left keeps all',
      select: 'id, moons!left(id)',
      change: (rows) => rows.lte('id', 2),
      ids: [1, 2],
    },
    {
      name: 'an embed that is null',
      select: 'id, moons()',
      change: (rows) => rows.is('moons', null),
      ids: [1, 5, 6],
    },
    {
      name: 'an embed that is not null, or a column',
      select: 'id, moons()',
      change: (rows) => rows.or('moons.not.is.null,id.eq.6'),
      ids: [2, 3, 4, 6],
    },
    {
      name: 'a computed column in a filter',
      select: 'id, label',
      change: (rows) => rows.eq('label', 'Mars #3'),
      ids: [3],
    },
  ];
  test.each(cases)('$name', async ({ select, change, ids, count = ids.length }) => {
    const { data, error, count: counted } = await change(planets(select)).order('id');
    expect(error).toBeNull();
    expect(data).toEqual(ids.map((id) => expect.objectContaining({ id })));
    expect(counted).toBe(count);
  });

  test('a to-one relation orders its rows', async () => {
    const { data } = await client
      .from('planets')
      .select('id, stars(mass)')
      .not('star_id', 'is', null)
      .order('stars(mass)')
      .order('mass', { ascending: false });
    expect(data).toEqual([5, 4, 2, 3, 1].map((id) => expect.objectContaining({ id })));
  });

  test('a to-many relation cannot order rows', async () => {
    const { error, status } = await client
      .from('planets')
      .select('id, moons(id)')
      .order('moons(id)');
    expect([error?.code, status]).toEqual(['PGRST118', 400]);
  });

  test('NULLs come first or last as asked', async () => {
    const masses = (nullsFirst: boolean) =>
      client.from('planets').select('id').order('moon_count', { nullsFirst }).order('id').limit(1);
    expect((await masses(true)).data).toEqual([{ id: 5 }]);
    expect((await masses(false)).data).toEqual([{ id: 1 }]);
  });
});

describe('spread and aggregates', () => {
  test.each([
    {
      name: 'a to-one spread gives its columns to the row',
      table: 'moons',
      where: { id: 1 },
      select: 'name, ...planets(planet:name, ...stars(star:name))',
      rows: [{ name: 'Luna', planet: 'Earth', star: 'Sun' }],
    },
    {
      name: 'a to-many spread gives arrays',
      table: 'sites',
      where: { nr: 2 },
      select: 'name, ...samples(grams)',
      rows: [{ name: 'Utopia', grams: [35, 5] }],
    },
    {
      name: 'rows are counted in groups',
      table: 'visits',
      where: { planet_id: 4 },
      select: 'planet_id, count()',
      rows: [{ planet_id: 4, count: 3 }],
    },
    {
      name: 'aggregates have an alias and a cast',
      table: 'moons',
      where: { planet_id: 3 },
      select: 'planet_id, widest:radius_km.max(), radius_km.sum()::text',
      rows: [{ planet_id: 3, widest: 11, sum: '17' }],
    },
    {
      name: 'embedded rows are aggregated',
      table: 'planets',
      where: { id: 3 },
      select: 'id, moons(count(), radius_km.min())',
      rows: [{ id: 3, moons: [{ count: 2, min: 6 }] }],
    },
    {
      name: 'a to-one embed groups what is aggregated',
      table: 'planets',
      where: { star_id: 1 },
      select: 'mass.max(), stars(name)',
      rows: [{ max: 317.8, stars: { name: 'Sun' } }],
    },
    {
      name: 'a spread column groups what is aggregated',
      table: 'planets',
      where: { star_id: 1 },
      select: 'moon_count.sum(), ...stars(star:name)',
      rows: [{ sum: 98, star: 'Sun' }],
    },
  ])('$name', async ({ table, where, select, rows }) => {
    const { data, error } = await client.from(table).select(select).match(where);
    expect(error).toBeNull();
    expect(data).toEqual(rows);
  });

  test('groups are ordered by what groups them', async () => {
    const { data } = await client.from('visits').select('planet_id, count()').order('planet_id');
    expect(data).toEqual([
      { planet_id: 2, count: 1 },
      { planet_id: 3, count: 1 },
      { planet_id: 4, count: 3 },
    ]);
  });

  test('groups are ordered by a spread column that groups them', async () => {
    const { data, error } = await client
      .from('planets')
      .select('mass.max(), ...stars(star:name)')
      .order('stars(name)', { ascending: false, nullsFirst: true });
    expect(error).toBeNull();
    expect(data).toEqual([
      { star: null, max: null },
      { star: 'Sun', max: 317.8 },
      { star: 'Proxima', max: 1.07 },
    ]);
  });
});
