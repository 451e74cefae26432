// Spec, "Batch writes": the form of request and answer, and rules 1 to 5.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Call } from '../support/http.js';
import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open(`
    create table diary (id int primary key, owner text not null default auth.uid());
    create policy own on diary to authenticated
      using (owner = (select auth.uid())) with check (owner = (select auth.uid()));`);
});
beforeEach(async () => {
  await sky.setProbes(`(1, 'Voyager', 4, 10, 17), (2, 'Cassini', 4, 0, null)`);
  await sky.project.sql('truncate diary');
});
afterAll(() => sky.close());

const untouched = [
  { id: 1, name: 'Voyager', fuel: 10 },
  { id: 2, name: 'Cassini', fuel: 0 },
];
const batchOf = (operations: readonly unknown[], headers = {}): Call => ({
  method: 'POST',
  path: '/rest/v1/batch',
  body: { operations },
  headers,
});
const batch = (operations: readonly unknown[], headers = {}) =>
  sky.project.send(batchOf(operations, headers));
const insert = (body: unknown, more = {}) => ({ method: 'POST', model: 'probes', body, ...more });
const update = (query: string, body: unknown) => ({
  method: 'PATCH',
  model: 'probes',
  query,
  body,
});
const remove = (query: string) => ({ method: 'DELETE', model: 'probes', query });

describe('{ operations: [ { method, model, query?, body? } ] }', () => {
  test('data.results has one result array per operation, in declared order', async () => {
    const reply = await batch([
      insert({ id: 3, name: 'Juno' }, { query: 'select=id,name' }),
      insert([{ id: 4 }, { id: 5 }], { query: 'select=id' }),
      update('id=eq.1&select=id,fuel', { fuel: 1 }),
      remove('id=in.(2,3)&select=id'),
      remove('id=eq.99'),
    ]);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.body).toEqual({
      status: 1,
      message: 'OK',
      data: {
        results: [
          [{ id: 3, name: 'Juno' }],
          [{ id: 4 }, { id: 5 }],
          [{ id: 1, fuel: 1 }],
          expect.arrayContaining([{ id: 2 }, { id: 3 }]),
          [],
        ],
      },
    });
    expect(await sky.probes('id')).toEqual([{ id: 1 }, { id: 4 }, { id: 5 }]);
  });

  test.each([
    { name: 'a filter', query: 'name=eq.Cassini', ids: [1] },
    { name: 'a logic tree', query: 'or=(fuel.eq.0,id.eq.1)', ids: [] },
    {
      name: 'an embed with !inner',
      query: 'select=id,planets!inner()&planets.name=eq.Saturn',
      ids: [],
    },
    { name: 'a list', query: 'id=in.(1)', ids: [2] },
  ])('query holds the same filters as single routes: $name', async ({ query, ids }) => {
    expect((await batch([remove(query)])).status).toBe(200);
    expect(await sky.probes('id')).toEqual(ids.map((id) => ({ id })));
  });

  test.each([
    {
      name: 'on_conflict names the target',
      query: 'on_conflict=name',
      body: { name: 'Voyager', fuel: 5 },
    },
    {
      name: 'on_conflict without a name is the primary key',
      query: 'on_conflict=',
      body: { id: 1, fuel: 5 },
    },
  ])('query may hold $name', async ({ query, body }) => {
    const reply = await batch([insert(body, { query: `${query}&select=id,fuel` })]);
    expect(reply.body).toMatchObject({ data: { results: [[{ id: 1, fuel: 5 }]] } });
    expect(await sky.probes('id, fuel')).toContainEqual({ id: 1, fuel: 5 });
  });

  test.each([
    { name: 'no operations', body: {} },
    { name: 'operations that are no list', body: { operations: {} } },
    { name: 'an unknown method', body: { operations: [{ method: 'PUT', model: 'probes' }] } },
    { name: 'no model', body: { operations: [{ method: 'POST', body: {} }] } },
    { name: 'an unknown field', body: { operations: [{ ...remove('id=eq.1'), where: 1 }] } },
    {
      name: 'no body',
      body: { operations: [{ method: 'PATCH', model: 'probes', query: 'id=eq.1' }] },
    },
  ])('$name is 400', async ({ body }) => {
    const reply = await sky.send('POST', 'batch', { body });
    expect(reply.status).toBe(400);
    expect(await sky.probes()).toEqual(untouched);
  });
});

describe('rule 1: all operations run in one transaction, all or nothing', () => {
  test.each([
    { name: 'a duplicate key', failing: insert({ id: 1 }), status: 409, code: '23505' },
    {
      name: 'an unknown model',
      failing: { method: 'DELETE', model: 'nothing', query: 'id=eq.1' },
      status: 404,
      code: 'PGRST205',
    },
    { name: 'a broken query', failing: remove('id=1'), status: 400, code: 'PGRST100' },
    {
      name: 'a refusal by RLS',
      failing: { method: 'POST', model: 'diary', body: { id: 1, owner: 'x' } },
      status: 403,
      code: '42501',
    },
    { name: 'an unfiltered write', failing: remove(''), status: 400, code: 'UNFILTERED_WRITE' },
  ])('$name rolls back every statement', async ({ failing, status, code }) => {
    for (const operations of [
      [insert({ id: 50 }), update('id=eq.1', { fuel: 77 }), failing],
      [failing, insert({ id: 50 })],
    ]) {
      const reply = await batch(operations);
      expect([reply.status, reply.body]).toMatchObject([status, { code, status }]);
      expect(await sky.probes()).toEqual(untouched);
    }
  });

  test('later operations see what earlier ones wrote', async () => {
    const reply = await batch([
      insert({ id: 50, fuel: 1 }),
      update('id=eq.50&select=fuel', { fuel: 2 }),
      remove('fuel=eq.2&select=id'),
    ]);
    expect(reply.body).toMatchObject({ data: { results: [[{}], [{ fuel: 2 }], [{ id: 50 }]] } });
  });
});

test.each(['GET', 'HEAD'])('rule 2: a read operation is refused with 400: %s', async (method) => {
  const reply = await batch([insert({ id: 50 }), { method, model: 'probes', query: 'id=eq.1' }]);
  expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST100', status: 400 }]);
  expect(await sky.probes()).toEqual(untouched);
});

test('rule 3: maximum 100 operations', async () => {
  const many = Array.from({ length: 100 }, (_, i) => insert({ id: 100 + i }));
  const refused = await batch([...many, insert({ id: 999 })]);
  expect([refused.status, refused.body]).toMatchObject([400, { code: 'PGRST100', status: 400 }]);
  expect(await sky.probes()).toEqual(untouched);
  expect((await batch(many)).status).toBe(200);
  expect(await sky.probes('id')).toHaveLength(102);
});

describe('rule 4: the whole batch runs as one caller', () => {
  const operations = [1, 2].map((id) => ({ method: 'POST', model: 'diary', body: { id } }));
  const owners = () => sky.project.sql('select owner from diary');

  test('a user', async () => {
    expect((await sky.project.as(sky.ada, batchOf(operations))).status).toBe(200);
    expect(await owners()).toEqual([{ owner: sky.ada.id }, { owner: sky.ada.id }]);
  });

  test('whom the secret key impersonates', async () => {
    const headers = { 'x-service-impersonate': sky.ada.id };
    expect((await sky.project.asService(batchOf(operations, headers))).status).toBe(200);
    expect(await owners()).toEqual([{ owner: sky.ada.id }, { owner: sky.ada.id }]);
    const asAnon = await sky.project.asService(
      batchOf(operations, { 'x-service-impersonate': 'anon' }),
    );
    expect([asAnon.status, asAnon.body]).toMatchObject([403, { code: '42501' }]);
  });

  test('nobody but the secret key may impersonate', async () => {
    const headers = { 'x-service-impersonate': sky.ada.id };
    const reply = await sky.project.as(sky.admin, batchOf(operations, headers));
    expect([reply.status, reply.body]).toMatchObject([403, { code: 'IMPERSONATION_REFUSED' }]);
    expect(await owners()).toEqual([]);
  });
});

describe('rule 5: Prefer applies to the batch as a whole', () => {
  const operations = [insert({ id: 3 }), update('id=lte.3', { fuel: 7 })];

  test('return=minimal', async () => {
    const reply = await batch(operations, { prefer: 'return=minimal' });
    expect(reply.body).toEqual({ status: 1, message: 'OK', data: { results: [[], []] } });
    expect(await sky.probes('fuel')).toHaveLength(3);
  });

  test('tx=rollback', async () => {
    const reply = await batch(operations, { prefer: 'tx=rollback' });
    expect(reply.body).toMatchObject({ data: { results: [[{ id: 3 }], [{}, {}, {}]] } });
    expect(await sky.probes()).toEqual(untouched);
  });

  test('max-affected', async () => {
    const reply = await batch(operations, { prefer: 'handling=strict, max-affected=2' });
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST124' }]);
    expect(await sky.probes()).toEqual(untouched);
  });

  test('missing=default', async () => {
    const rows = [{ id: 3, fuel: 1 }, { id: 4 }];
    const reply = await batch([insert(rows, { query: 'select=fuel' })], {
      prefer: 'missing=default',
    });
    expect(reply.body).toMatchObject({ data: { results: [[{ fuel: 1 }, { fuel: 100 }]] } });
  });

  test('resolution, of the operations with on_conflict', async () => {
    const upsert = insert({ name: 'Voyager', fuel: 1 }, { query: 'on_conflict=name&select=fuel' });
    const prefer = 'resolution=ignore-duplicates';
    const ignored = await batch([upsert], { prefer });
    expect(ignored.body).toMatchObject({ data: { results: [[]] } });
    expect(await sky.probes()).toEqual(untouched);
    const merged = await batch([upsert]);
    expect(merged.body).toMatchObject({ data: { results: [[{ fuel: 1 }]] } });
  });

  test('an unknown value is 400 PGRST122 and nothing is written', async () => {
    const reply = await batch(operations, { prefer: 'return=all' });
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST122' }]);
    expect(await sky.probes()).toEqual(untouched);
  });
});
