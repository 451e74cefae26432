import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { describeIf } from '#libs/testing';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

async function serverHasPostgis(): Promise<boolean> {
  const client = new pg.Client(process.env['TEST_DATABASE_URL']);
  await client.connect();
  const found = "select from pg_available_extensions where name = 'postgis'";
  const { rowCount } = await client.query(found);
  await client.end();
  return rowCount === 1;
}

const hasPostgis = await serverHasPostgis();

describeIf(hasPostgis, 'the server of the tests has no PostGIS')('with PostGIS', () => {
  let database: RestDatabase;

  beforeAll(async () => {
    database = await openRestDatabase(
      'postgis',
      `create schema extensions;
       create extension postgis schema extensions;
       create table cities (
         id int primary key, name text, facts jsonb,
         place extensions.geometry(Point, 4326), area extensions.geography
       );
       insert into cities values
        (1, 'Bern', '{"founded":1191}', 'SRID=4326;POINT(7.45 46.95)', null),
        (2, 'Atlantis', null, null, null);`,
    );
  });

  afterAll(() => database.close());

  const features = async (query: string): Promise<unknown> =>
    JSON.parse(await database.get('cities', query, 'application/geo+json'));
  const bern = { type: 'Point', coordinates: [7.45, 46.95] };

  test('the first geometry is that of the feature, although there is JSON too', async () => {
    expect(await features('select=id,name,facts,place&order=id')).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: bern,
          properties: { id: 1, name: 'Bern', facts: { founded: 1191 } },
        },
        {
          type: 'Feature',
          geometry: null,
          properties: { id: 2, name: 'Atlantis', facts: null },
        },
      ],
    });
  });

  test('under an alias, and a geography as well', async () => {
    expect(await features('select=where:place&id=eq.1')).toMatchObject({
      features: [{ geometry: bern, properties: {} }],
    });
    expect(await features('select=area&id=eq.2')).toMatchObject({
      features: [{ geometry: null }],
    });
  });

  test('in JSON a geometry is GeoJSON, as PostGIS writes it', async () => {
    const rows: unknown = JSON.parse(await database.get('cities', 'select=place&id=eq.1'));
    expect(rows).toMatchObject([{ place: bern }]);
  });

  test('no function of the extension can be called', async () => {
    const call = database.run({ function: 'st_makepoint' });
    await expect(call).rejects.toMatchObject({ code: 'PGRST202' });
  });
});
