// Embedded rows as the published client asks for them: every kind of relationship, and every way to name one.
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

describe('relationships', () => {
  test.each([
    {
      name: 'many-to-one is an object',
      table: 'planets',
      id: 2,
      select: 'name, stars(name)',
      row: { name: 'Earth', stars: { name: 'Sun' } },
    },
    {
      name: 'many-to-one of NULL is null',
      table: 'planets',
      id: 6,
      select: 'stars(name)',
      row: { stars: null },
    },
    {
      name: 'one-to-many is an array',
      table: 'planets',
      id: 3,
      select: 'moons(name)',
      row: { moons: [{ name: 'Phobos' }, { name: 'Deimos' }] },
    },
    {
      name: 'one-to-many without rows is an empty array',
      table: 'planets',
      id: 1,
      select: 'moons(name)',
      row: { moons: [] },
    },
    {
      name: 'one-to-one is an object',
      table: 'planets',
      id: 2,
      select: 'atmospheres(pressure)',
      row: { atmospheres: { pressure: 1 } },
    },
    {
      name: 'one-to-one from the other side is an object',
      table: 'atmospheres',
      key: 'planet_id',
      id: 3,
      select: 'pressure, planets(name)',
      row: { pressure: 0.006, planets: { name: 'Mars' } },
    },
    {
      name: 'many-to-many leads over the junction',
      table: 'missions',
      id: 1,
      select: 'name, planets(name)',
      row: { name: 'Voyager', planets: [{ name: 'Jupiter' }] },
    },
    {
      name: 'the junction itself has its columns',
      table: 'missions',
      id: 1,
      select: 'visits(year, planets(name))',
      row: { visits: [{ year: 1979, planets: { name: 'Jupiter' } }] },
    },
    {
      name: 'a self reference, to the row that it names',
      table: 'missions',
      id: 3,
      select: 'name, follows(name)',
      row: { name: 'Juno', follows: { name: 'Galileo' } },
    },
    {
      name: 'a self reference, to the rows that name it',
      table: 'missions',
      id: 2,
      select: 'later:missions!follows(name)',
      row: { later: [{ name: 'Juno' }] },
    },
    {
      name: 'a key of two columns',
      table: 'samples',
      id: 2,
      select: 'grams, sites(name, planets(name))',
      row: { grams: 35, sites: { name: 'Utopia', planets: { name: 'Mars' } } },
    },
    {
      name: 'a computed relation',
      table: 'planets',
      id: 4,
      select: 'biggest_moon(name)',
      row: { biggest_moon: { name: 'Ganymede' } },
    },
    {
      name: 'a computed column beside it',
      table: 'planets',
      id: 3,
      select: 'label, biggest_moon(name)',
      row: { label: 'Mars #3', biggest_moon: { name: 'Phobos' } },
    },
    {
      name: 'four levels deep',
      table: 'stars',
      id: 3,
      select: 'name, planets(name, stars(planets(id)))',
      row: { name: 'Proxima', planets: [{ name: 'Proxima b', stars: { planets: [{ id: 5 }] } }] },
    },
    {
      name: 'all columns beside an embed',
      table: 'moons',
      id: 1,
      select: '*, planets(*, stars(id))',
      row: {
        id: 1,
        planet_id: 2,
        name: 'Luna',
        radius_km: 1737,
        planets: expect.objectContaining({ id: 2, orbit: '[147,153)', stars: { id: 1 } }),
      },
    },
  ])('$name', async ({ table, key = 'id', id, select, row }) => {
    const { data, error } = await client.from(table).select(select).eq(key, id).single();
    expect(error).toBeNull();
    expect(data).toEqual(row);
  });
});

describe('names', () => {
  test.each([
    {
      name: 'an alias',
      select: 'sun:stars(name)',
      row: { sun: { name: 'Sun' } },
    },
    {
      name: 'two aliases of one table',
      select: 'a:stars(id), b:stars(mass)',
      row: { a: { id: 1 }, b: { mass: 1 } },
    },
    {
      name: 'an alias and a cast of a column inside',
      select: 'stars(title:name, mass::text)',
      row: { stars: { title: 'Sun', mass: '1' } },
    },
    {
      name: 'a hint by constraint',
      select: 'transfers!transfers_origin_fkey(id)',
      row: { transfers: [{ id: 1 }, { id: 2 }] },
    },
    {
      name: 'a hint by column, beside another',
      select: 'from:transfers!origin(id), to:transfers!target(id)',
      row: { from: [{ id: 1 }, { id: 2 }], to: [] },
    },
    {
      name: 'a hint with a join',
      select: 'from:transfers!origin!inner(target)',
      row: { from: [{ target: 3 }, { target: 4 }] },
    },
    {
      name: 'the column of the key instead of the table',
      select: 'star:star_id(name)',
      row: { star: { name: 'Sun' } },
    },
    {
      name: 'blanks and line breaks are left out',
      select: ' name ,\n stars ( name ) ',
      row: { name: 'Earth', stars: { name: 'Sun' } },
    },
    {
      name: 'JSON paths and their aliases',
      select: 'facts->days, air:facts->air->>main, facts->air->parts->0',
      row: { days: 365, air: 'nitrogen', parts: 'N2' },
    },
  ])('$name', async ({ select, row }) => {
    const { data, error } = await client.from('planets').select(select).eq('id', 2).single();
    expect(error).toBeNull();
    expect(data).toEqual(row);
  });
});

describe('refusals', () => {
  test('two ways to a table are a choice for the caller, with the ways in details', async () => {
    const { data, error, status } = await client.from('planets').select('id, transfers(id)');
    expect([data, status]).toEqual([null, 300]);
    expect(error).toMatchObject({ code: 'PGRST201' });
    expect(JSON.stringify(error?.details)).toContain('transfers_origin_fkey');
    expect(JSON.stringify(error?.details)).toContain('transfers_target_fkey');
    expect(error?.hint).toContain('!');
  });

  test.each([
    {
      name: 'a table without a relationship',
      select: 'id, samples(id)',
      code: 'PGRST200',
    },
    { name: 'an unknown table', select: 'id, comets(id)', code: 'PGRST200' },
    { name: 'a hint that leads nowhere', select: 'stars!nowhere(id)', code: 'PGRST200' },
    { name: 'an unknown column inside', select: 'stars(age)', code: /^(PGRST204|42703)$/ },
    { name: 'an open bracket', select: 'id, stars(id', code: 'PGRST100' },
  ])('$name is 400 $code', async ({ select, code }) => {
    const { data, error, status } = await client.from('planets').select(select);
    expect([data, status]).toEqual([null, 400]);
    expect(error?.code).toEqual(typeof code === 'string' ? code : expect.stringMatching(code));
  });
});
