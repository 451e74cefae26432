import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

// The type and the function stand in for PostGIS, which is not installed everywhere.
beforeAll(async () => {
  database = await openRestDatabase(
    'geojson',
    `create schema "Geo";
     create type "Geo".geometry;
     create function "Geo".geometry_in(cstring) returns "Geo".geometry
       language internal immutable strict as 'textin';
     create function "Geo".geometry_out("Geo".geometry) returns cstring
       language internal immutable strict as 'textout';
     create type "Geo".geometry
       (input = "Geo".geometry_in, output = "Geo".geometry_out, like = text);
     create function "Geo".st_asgeojson("Geo".geometry) returns text language sql immutable strict
       as $$ select format('{"type":"Point","coordinates":[%s]}', "Geo".geometry_out($1)) $$;
     create table places (id int primary key, note jsonb, "the spot" "Geo".geometry);
     insert into places values (1, '{"x":1}', '5,6'), (2, null, null);
     create table shops (id int primary key, name text, location jsonb, note json);
     insert into shops values
      (1, 'a', '{"type":"Point","coordinates":[1,2]}', '{"x":1}'), (2, 'b', null, null);
     create table texts (id int primary key, geojson text);
     insert into texts values (1, '{"type":"Point","coordinates":[3,4]}'), (2, 'nonsense');
     create table plain (id int);
     create function near(n int) returns setof shops language sql stable
       as $$ select * from shops where id <= n $$;`,
  );
});

afterAll(() => database.close());

const GEOJSON = 'application/geo+json';
const point = { type: 'Point', coordinates: [1, 2] };
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
const feature = (geometry: unknown, properties: unknown) => ({
  type: 'Feature',
  geometry,
  properties,
});

describe('features', () => {
  test.each([
    {
      name: 'the column with a usual name is the geometry, the others are properties',
      table: 'shops',
      query: 'order=id',
      answer: collection(
        feature(point, { id: 1, name: 'a', note: { x: 1 } }),
        feature(null, { id: 2, name: 'b', note: null }),
      ),
    },
    {
      name: 'by the only column of type json',
      table: 'shops',
      query: 'select=spot:location,n:name&id=eq.1',
      answer: collection(feature(point, { n: 'a' })),
    },
    {
      name: 'without properties',
      table: 'shops',
      query: 'select=location&id=eq.1',
      answer: collection(feature(point, {})),
    },
    {
      name: 'from a text',
      table: 'texts',
      query: 'id=eq.1',
      answer: collection(feature({ type: 'Point', coordinates: [3, 4] }, { id: 1 })),
    },
    {
      name: 'from a geometry of PostGIS, before any JSON',
      table: 'places',
      query: 'order=id',
      answer: collection(
        feature({ type: 'Point', coordinates: [5, 6] }, { id: 1, note: { x: 1 } }),
        feature(null, { id: 2, note: null }),
      ),
    },
    { name: 'none', table: 'shops', query: 'id=eq.9', answer: collection() },
  ])('$name', async ({ table, query, answer }) => {
    expect(JSON.parse(await database.get(table, query, GEOJSON))).toEqual(answer);
  });

  test('the content type, and the range of the rows', async () => {
    const { headers } = await database.run({ table: 'shops', headers: { accept: GEOJSON } });
    expect(headers).toMatchObject({
      'content-type': 'application/geo+json; charset=utf-8',
      'content-range': '0-1/*',
    });
  });

  test('of written rows and of a function', async () => {
    const body = JSON.stringify([{ id: 3, location: point }]);
    const written = await database.run({
      table: 'shops',
      method: 'POST',
      queryString: 'select=id,location',
      headers: { accept: GEOJSON, prefer: 'return=representation' },
      body,
    });
    expect(JSON.parse(written.body ?? '')).toEqual(collection(feature(point, { id: 3 })));
    const called = await database.run({
      function: 'near',
      queryString: 'n=1&select=id,location',
      headers: { accept: GEOJSON },
    });
    expect(JSON.parse(called.body ?? '')).toEqual(collection(feature(point, { id: 1 })));
  });
});

test('a text that is no JSON is refused by PostgreSQL', async () => {
  await expect(database.get('texts', 'id=eq.2', GEOJSON)).rejects.toMatchObject({ code: '22P02' });
});

test('without a geometry there is no GeoJSON', async () => {
  await expect(database.get('plain', '', GEOJSON)).rejects.toMatchObject({ code: 'PGRST107' });
});
