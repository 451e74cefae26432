// Spec, "Accept (representation)": every row of the table.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Reply } from '../support/http.js';
import { Observatory } from './observatory.js';

const OBJECT = 'application/vnd.pgrst.object+json';
const JSON_TYPE = 'application/json; charset=utf-8';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table odd ("a,b" int primary key, text text, yes boolean, document jsonb, list int[], empty text);
    create policy everybody on odd using (true);
    insert into odd values
      (1, 'plain', true, '{"k": "v"}', '{1,2}', ''),
      (2, E'a "quote", a comma\\nand a line', false, '[]', '{}', null),
      (3, E'tail\\r', null, null, null, ' ');
    create table places (id int primary key, name text, geometry jsonb);
    create policy everybody on places using (true);
    insert into places values
      (1, 'here', '{"type": "Point", "coordinates": [1, 2]}'), (2, 'nowhere', null);
    create function rings() returns setof planets stable language sql
      as 'select * from planets where has_rings';`);
});
beforeEach(() => sky.setProbes(`(1, 'Voyager', 4, 10, 17), (2, 'Cassini', 4, 0, null)`));
afterAll(() => sky.close());

const as = (accept: string, path: string): Promise<Reply> => sky.get(path, { accept });

describe('by default, and for what is not recognised, a JSON array', () => {
  test.each([
    { name: 'no Accept', accept: undefined },
    { name: '*/*', accept: '*/*' },
    { name: 'application/json', accept: 'application/json' },
    { name: 'an unrecognised type', accept: 'application/xml' },
    { name: 'a browser', accept: 'text/html,application/xhtml+xml;q=0.9' },
    { name: 'nonsense', accept: ';;,' },
    { name: 'the heavier of two', accept: 'text/csv;q=0.2, application/json;q=0.9' },
    { name: 'a type of weight 0', accept: 'text/csv;q=0, */*;q=0.1' },
  ])('$name', async ({ accept }) => {
    const headers = accept === undefined ? {} : { accept };
    const reply = await sky.get('stars?select=id&order=id', headers);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, JSON_TYPE]);
    expect(reply.text).toBe('[{"id":1},{"id":2},{"id":3}]');
  });
});

describe('application/vnd.pgrst.object+json is exactly one row as object', () => {
  test('one row', async () => {
    const reply = await as(OBJECT, 'stars?select=id,name&id=eq.2');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe(`${OBJECT}; charset=utf-8`);
    expect(reply.body).toEqual({ id: 2, name: 'Proxima' });
  });

  test.each([
    { name: 'zero', path: 'stars?id=eq.99', rows: 0 },
    { name: 'many', path: 'stars', rows: 3 },
    { name: 'zero rows of a function', path: 'rpc/rings?id=eq.1', rows: 0 },
  ])('$name is 406 PGRST116', async ({ path, rows }) => {
    const reply = await as(OBJECT, path);
    expect(reply.status).toBe(406);
    expect(reply.headers['content-type']).toBe(JSON_TYPE);
    expect(reply.body).toMatchObject({ code: 'PGRST116', status: 406 });
    expect(reply.text).toContain(String(rows));
  });

  test.each([
    { method: 'POST', path: 'probes', body: [{ id: 8 }, { id: 9 }] },
    { method: 'POST', path: 'probes', body: [] },
    { method: 'PATCH', path: 'probes?id=gt.0', body: { fuel: 77 } },
    { method: 'DELETE', path: 'probes?id=gt.0', body: undefined },
    { method: 'DELETE', path: 'probes?id=eq.99', body: undefined },
  ])('$method $path is 406 and nothing is written', async ({ method, path, body }) => {
    for (const prefer of ['return=representation', 'return=minimal']) {
      const headers = { accept: OBJECT, prefer };
      const reply = await sky.send(method, path, { headers, ...(body && { body }) });
      expect([reply.status, reply.body]).toMatchObject([406, { code: 'PGRST116' }]);
    }
    expect(await sky.probes()).toEqual([
      { id: 1, name: 'Voyager', fuel: 10 },
      { id: 2, name: 'Cassini', fuel: 0 },
    ]);
  });

  test('a write of one row gives it', async () => {
    const headers = { accept: OBJECT, prefer: 'return=representation' };
    const reply = await sky.send('PATCH', 'probes?id=eq.1&select=fuel', {
      headers,
      body: { fuel: 3 },
    });
    expect([reply.status, reply.body]).toEqual([200, { fuel: 3 }]);
  });

  test('nulls=stripped leaves null columns out', async () => {
    const path = 'planets?select=id,name,kind,mass&id=eq.6';
    const object = await as(`${OBJECT};nulls=stripped`, path);
    expect(object.text).toBe('{"id":6,"name":"null"}');
    const array = await as('application/vnd.pgrst.array+json;nulls=stripped', path);
    expect(array.text).toBe('[{"id":6,"name":"null"}]');
  });
});

describe('text/csv', () => {
  test('is RFC 4180', async () => {
    const reply = await as('text/csv', 'odd?select="a,b",text,empty&order="a,b"');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.text).toBe(
      '"a,b",text,empty\r\n1,plain,""\r\n2,"a ""quote"", a comma\nand a line",\r\n3,"tail\r", \r\n',
    );
  });

  test('the header row is the union of keys in first-seen order', async () => {
    const reply = await as('text/csv', 'stars?select=spectrum,number:id,planets(id)&id=eq.3');
    expect(reply.text).toBe('spectrum,number,planets\r\nA0V,3,[]\r\n');
  });

  test('without rows the header row stands alone', async () => {
    const reply = await as('text/csv', 'stars?select=id,name&id=eq.99');
    expect(reply.text).toBe('id,name\r\n');
  });

  test('JSON columns are JSON text, booleans are true and false', async () => {
    const reply = await as('text/csv', 'odd?select=yes,document&order="a,b"');
    expect(reply.text).toBe('yes,document\r\ntrue,"{""k"": ""v""}"\r\nfalse,[]\r\n,\r\n');
  });

  test('of a write and of a function', async () => {
    const headers = { accept: 'text/csv', prefer: 'return=representation' };
    const written = await sky.send('POST', 'probes?select=id,fuel', { headers, body: { id: 9 } });
    expect(written.text).toBe('id,fuel\r\n9,100\r\n');
    expect((await as('text/csv', 'rpc/rings?select=id')).text).toBe('id\r\n4\r\n');
  });
});

describe('application/vnd.pgrst.plan is the query plan, for admin callers only', () => {
  const PLAN = 'application/vnd.pgrst.plan';
  const explained: readonly {
    readonly name: string;
    readonly method: string;
    readonly path: string;
    readonly body?: object;
  }[] = [
    { name: 'a read', method: 'GET', path: 'planets?id=eq.1' },
    { name: 'an insert', method: 'POST', path: 'probes', body: { id: 9 } },
    { name: 'an update', method: 'PATCH', path: 'probes?id=eq.1', body: { fuel: 77 } },
    { name: 'a delete', method: 'DELETE', path: 'probes?id=eq.1' },
    { name: 'a call', method: 'GET', path: 'rpc/rings' },
  ];

  test.each(explained)('of $name: others get 403 PGRST103', async ({ method, path, body }) => {
    const call = { method, path: `/rest/v1/${path}`, headers: { accept: `${PLAN}+json` }, body };
    const impersonating = { ...call.headers, 'x-service-impersonate': sky.ada.id };
    const replies = await Promise.all([
      sky.project.send(call),
      sky.project.as(sky.ada, call),
      sky.project.asService({ ...call, headers: impersonating }),
    ]);
    for (const reply of replies) {
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'PGRST103', status: 403 });
      expect(reply.text).not.toMatch(/scan/i);
    }
    expect(await sky.probes('id, fuel')).toEqual([
      { id: 1, fuel: 10 },
      { id: 2, fuel: 0 },
    ]);
  });

  test.each(explained)(
    'of $name: an ADMIN and the secret key get it',
    async ({ method, path, body }) => {
      const call = { method, path: `/rest/v1/${path}`, body };
      const asJson = { ...call, headers: { accept: `${PLAN}+json` } };
      const json = await sky.project.as(sky.admin, asJson);
      expect(json.status).toBe(200);
      expect(json.headers['content-type']).toMatch(/^application\/vnd\.pgrst\.plan\+json/);
      expect(json.body).toMatchObject([{ Plan: {} }]);
      const text = await sky.project.asService({ ...call, headers: { accept: PLAN } });
      expect(text.status).toBe(200);
      expect(text.headers['content-type']).toMatch(/^application\/vnd\.pgrst\.plan\+text/);
      expect(text.text).toMatch(/cost=/);
      expect(await sky.probes('id, fuel')).toEqual([
        { id: 1, fuel: 10 },
        { id: 2, fuel: 0 },
      ]);
    },
  );

  test('with options and the representation it is for', async () => {
    const accept = `${PLAN}+json; for="text/csv"; options=verbose|settings`;
    const reply = await sky.project.asService({ path: '/rest/v1/planets', headers: { accept } });
    expect(reply.headers['content-type']).toContain('for="text/csv"');
    expect(reply.text).toContain('"Output"');
  });

  test('the plan of a write with analyze runs it, reports and leaves nothing with tx=rollback', async () => {
    const headers = { accept: `${PLAN}+json; options=analyze`, prefer: 'tx=rollback' };
    const path = '/rest/v1/probes?id=eq.1';
    const reply = await sky.project.asService({ method: 'DELETE', path, headers });
    expect(reply.text).toContain('Actual Rows');
    expect(await sky.probes('id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('application/geo+json is a GeoJSON result', () => {
  const GEO = 'application/geo+json';

  test('rows are features, the json column of geometry their geometry', async () => {
    const reply = await as(GEO, 'places?order=id');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe(`${GEO}; charset=utf-8`);
    expect(reply.body).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [1, 2] },
          properties: { id: 1, name: 'here' },
        },
        { type: 'Feature', geometry: null, properties: { id: 2, name: 'nowhere' } },
      ],
    });
  });

  test('a table without a geometry is 406 PGRST107', async () => {
    const reply = await as(GEO, 'stars');
    expect([reply.status, reply.body]).toMatchObject([406, { code: 'PGRST107', status: 406 }]);
  });
});
