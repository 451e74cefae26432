// Spec, "REST table routes": every row of the table of routes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create sequence glances;
    create function glance(planets) returns bigint volatile language sql
      as $$ select nextval('public.glances') $$;
    grant usage on sequence glances to anon;
    create function sum_of(a int, b int) returns int immutable language sql as 'select a + b';
    create function rings() returns setof planets stable language sql
      as 'select * from planets where has_rings';`);
});
beforeEach(() => sky.setProbes(`(1, 'Voyager', 4, 10, 17), (2, 'Cassini', 4, 0, null)`));
afterAll(() => sky.close());

describe('the routes of a table', () => {
  test('GET /rest/v1/:model lists records', async () => {
    const reply = await sky.get('planets?select=id,name&order=id&limit=2');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-range': '0-1/*',
      'range-unit': 'items',
    });
    expect(reply.body).toEqual([
      { id: 1, name: 'Mercury' },
      { id: 2, name: 'Venus' },
    ]);
  });

  test('HEAD /rest/v1/:model counts only; no rows are read', async () => {
    const glances = () => sky.project.sql('select last_value, is_called from glances');
    const before = await glances();
    const path = 'planets?select=id,glance';
    const counted = await sky.send('HEAD', path, { headers: { prefer: 'count=exact' } });
    expect([counted.status, counted.text]).toEqual([200, '']);
    expect(counted.headers['content-range']).toBe('0-5/6');
    const uncounted = await sky.send('HEAD', path);
    expect([uncounted.status, uncounted.text]).toEqual([200, '']);
    expect(await glances()).toEqual(before);
    // What GET would have read moves the sequence, so that the test above means something.
    expect((await sky.project.asService({ path: `/rest/v1/${path}` })).status).toBe(405);
  });

  test('POST /rest/v1/:model creates from one object', async () => {
    const reply = await sky.send('POST', 'probes', { body: { id: 3, name: 'Juno' } });
    expect([reply.status, reply.text]).toEqual([201, '']);
    expect(await sky.probes('id, name')).toEqual([
      { id: 1, name: 'Voyager' },
      { id: 2, name: 'Cassini' },
      { id: 3, name: 'Juno' },
    ]);
  });

  test('POST /rest/v1/:model creates from an array', async () => {
    const body = [
      { id: 8, name: 'Juno' },
      { id: 9, name: 'Dawn' },
    ];
    const reply = await sky.send('POST', 'probes', { body });
    expect([reply.status, reply.text]).toEqual([201, '']);
    expect(await sky.probes('id, name')).toEqual([
      { id: 1, name: 'Voyager' },
      { id: 2, name: 'Cassini' },
      ...body,
    ]);
  });

  test('PATCH /rest/v1/:model updates the records that match the filters', async () => {
    const reply = await sky.send('PATCH', 'probes?name=eq.Cassini', {
      body: { fuel: 5, speed: 3 },
    });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(await sky.probes('name, fuel, speed')).toEqual([
      { name: 'Voyager', fuel: 10, speed: 17 },
      { name: 'Cassini', fuel: 5, speed: 3 },
    ]);
  });

  test('DELETE /rest/v1/:model deletes the records that match the filters', async () => {
    const reply = await sky.send('DELETE', 'probes?fuel=eq.0');
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(await sky.probes('name')).toEqual([{ name: 'Voyager' }]);
  });

  test('POST /rest/v1/batch makes several writes in one transaction', async () => {
    const operations = [
      { method: 'POST', model: 'probes', body: { id: 3, name: 'Juno' } },
      { method: 'PATCH', model: 'probes', query: 'id=eq.1', body: { fuel: 1 } },
      { method: 'DELETE', model: 'probes', query: 'id=eq.2' },
    ];
    const reply = await sky.send('POST', 'batch', { body: { operations } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: 1,
      message: 'OK',
      data: { results: [[{ id: 3 }], [{ id: 1, fuel: 1 }], [{ id: 2 }]] },
    });
    expect(Object.keys(asRecord(reply.body))).toEqual(['status', 'message', 'data']);
    expect(await sky.probes()).toEqual([
      { id: 1, name: 'Voyager', fuel: 1 },
      { id: 3, name: 'Juno', fuel: 100 },
    ]);
  });
});

describe('POST, GET, HEAD /rest/v1/rpc/:fn call a function', () => {
  test('POST with the arguments in the JSON body', async () => {
    const reply = await sky.send('POST', 'rpc/sum_of', { body: { a: 2, b: 3 } });
    expect([reply.status, reply.body]).toEqual([200, 5]);
  });

  test('GET with the arguments as query parameters', async () => {
    const reply = await sky.get('rpc/sum_of?a=2&b=-3');
    expect([reply.status, reply.body]).toEqual([200, -1]);
  });

  test('HEAD counts only', async () => {
    const headers = { prefer: 'count=exact' };
    const reply = await sky.send('HEAD', 'rpc/rings', { headers });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(reply.headers['content-range']).toBe('0-0/1');
  });
});

test.each([
  {
    name: 'PUT on a table',
    method: 'PUT',
    path: 'probes',
    allow: 'GET, HEAD, POST, PATCH, DELETE',
  },
  { name: 'PATCH on a function', method: 'PATCH', path: 'rpc/sum_of', allow: 'GET, HEAD, POST' },
  { name: 'DELETE on a function', method: 'DELETE', path: 'rpc/sum_of', allow: 'GET, HEAD, POST' },
])('no other method is served: $name is 405', async ({ method, path, allow }) => {
  const reply = await sky.send(method, path, { body: {} });
  expect(reply.status).toBe(405);
  expect(reply.headers.allow).toBe(allow);
  expect(reply.body).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
  expect(await sky.probes('id')).toEqual([{ id: 1 }, { id: 2 }]);
});

test.each([
  { name: 'a path below a table', path: '/rest/v1/planets/1' },
  { name: 'a path without the segment v1', path: '/rest/planets' },
  { name: 'another version', path: '/rest/v2/planets' },
])('table and function routes carry the segment v1 and nothing more: $name is 404', async (row) => {
  const reply = await sky.project.send({ path: row.path });
  expect(reply.status).toBe(404);
  expect(reply.body).toMatchObject({ code: 'NOT_FOUND', status: 404 });
});
