// Spec, "Prefer header": every row of the table, and the sentence below it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Observatory } from './observatory.js';

let sky: Observatory;

beforeAll(async () => {
  // The planner thinks that 300 rows more are there, because nobody has analyzed the table since.
  sky = await Observatory.open(`
    create table stale (id int primary key) with (autovacuum_enabled = false);
    create policy everybody on stale for select using (true);
    insert into stale select generate_series(1, 1200);
    analyze stale;
    delete from stale where id > 900;
    create table open_stale (like stale including all) with (autovacuum_enabled = false);
    alter table open_stale disable row level security;
    insert into open_stale select generate_series(1, 1200);
    analyze open_stale;
    delete from open_stale where id > 900;
    create table keyless (name text);
    create policy everybody on keyless using (true);
    create table pairs (a int, "b c" text, primary key (a, "b c"));
    create policy everybody on pairs using (true);
    create function keys_of(json) returns int immutable language sql
      as 'select count(*)::int from json_object_keys($1)';
    create function make_probe(name text) returns probes language sql
      as 'insert into probes (name) values (name) returning *';
    create function move(fuel int) returns setof probes language sql
      as 'update probes p set fuel = $1 returning p.*';`);
});
beforeEach(() => sky.setProbes(`(1, 'Voyager', 4, 10, 17), (2, 'Cassini', 4, 0, null)`));
afterAll(() => sky.close());

const untouched = [
  { id: 1, name: 'Voyager', fuel: 10 },
  { id: 2, name: 'Cassini', fuel: 0 },
];
const write = (method: string, path: string, prefer: string, body?: unknown) =>
  sky.send(method, path, { headers: { prefer }, ...(body !== undefined && { body }) });

describe('count fills the total in Content-Range', () => {
  test.each([
    { count: 'exact', path: 'stale?limit=10', range: '0-9/900' },
    { count: 'exact', path: 'stale?id=gt.880&limit=10', range: '0-9/20' },
    { count: 'exact', path: 'stale?id=lt.0', range: '*/0' },
    { count: 'planned', path: 'open_stale?limit=10', range: '0-9/1200' },
    { count: 'estimated', path: 'open_stale?limit=10', range: '0-9/900' },
  ])('count=$count of $path is $range', async ({ count, path, range }) => {
    const prefer = `count=${count}`;
    const read = await sky.get(path, { prefer });
    expect(read.status).toBe(200);
    expect(read.headers).toMatchObject({ 'content-range': range, 'preference-applied': prefer });
    const head = await sky.send('HEAD', path, { headers: { prefer } });
    expect(head.headers).toMatchObject({ 'content-range': range, 'preference-applied': prefer });
  });

  test('count=estimated is the planner’s guess where there are more than maxRows', async () => {
    await sky.saveSettings({ maxRows: 100 });
    const reply = await sky.get('open_stale?limit=10', { prefer: 'count=estimated' });
    expect(reply.headers['content-range']).toBe('0-9/1200');
    await sky.saveSettings();
  });

  test('without it there is no total', async () => {
    const reply = await sky.get('stale?limit=10');
    expect(reply.headers['content-range']).toBe('0-9/*');
    expect(reply.headers).not.toHaveProperty('preference-applied');
  });

  test('of a write it is the number of rows that are written', async () => {
    const reply = await write('PATCH', 'probes?id=gt.0', 'count=exact', { fuel: 1 });
    expect(reply.headers['content-range']).toBe('0-1/2');
  });
});

describe('return', () => {
  test('representation gives the rows, with select and embeds', async () => {
    const select = 'select=id,fuel,planets(name)';
    const prefer = 'return=representation';
    const created = await write('POST', `probes?${select}`, prefer, { id: 3, planet_id: 1 });
    expect(created.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'preference-applied': prefer,
    });
    expect(created.body).toEqual([{ id: 3, fuel: 100, planets: { name: 'Mercury' } }]);
    const changed = await write('PATCH', `probes?id=eq.3&${select}`, prefer, { planet_id: 2 });
    expect(changed.body).toEqual([{ id: 3, fuel: 100, planets: { name: 'Venus' } }]);
    const deleted = await write('DELETE', `probes?id=eq.3&${select}`, prefer);
    expect(deleted.body).toEqual([{ id: 3, fuel: 100, planets: { name: 'Venus' } }]);
  });

  test('minimal gives no rows and is the default on table writes', async () => {
    for (const prefer of ['return=minimal', 'count=exact']) {
      const created = await write('POST', 'probes', prefer, { name: prefer });
      const changed = await write('PATCH', `probes?name=eq.${prefer}`, prefer, { fuel: 1 });
      const deleted = await write('DELETE', `probes?name=eq.${prefer}`, prefer);
      expect([created, changed, deleted].map(({ text }) => text)).toEqual(['', '', '']);
      expect([created.status, changed.status, deleted.status]).toEqual([201, 200, 200]);
      expect(created.headers).not.toHaveProperty('location');
    }
  });

  test('headers-only gives no rows, and the address of one new row as Location', async () => {
    const created = await write('POST', 'probes', 'return=headers-only', { name: 'Juno' });
    expect([created.status, created.text]).toEqual([201, '']);
    expect(created.headers.location).toBe('/rest/v1/probes?id=eq.101');
    const pair = await write('POST', 'pairs', 'return=headers-only', { a: 1, 'b c': 'x&y' });
    const { location = '' } = pair.headers;
    expect(location).toBe('/rest/v1/pairs?a=eq.1&b%20c=eq.x%26y');
    expect((await sky.project.send({ path: location })).body).toEqual([{ a: 1, 'b c': 'x&y' }]);
    const keyless = await write('POST', 'keyless', 'return=headers-only', { name: 'x' });
    expect([keyless.status, keyless.headers.location]).toEqual([201, undefined]);
  });

  test('representation is the default on rpc', async () => {
    const reply = await sky.send('POST', 'rpc/make_probe', { body: { name: 'Juno' } });
    expect(reply.body).toMatchObject({ name: 'Juno', fuel: 100 });
    const minimal = await write('POST', 'rpc/make_probe', 'return=minimal', { name: 'Dawn' });
    expect([minimal.status, minimal.text]).toEqual([204, '']);
    expect(await sky.probes('name')).toHaveLength(4);
  });

  test('representation is the default on batch', async () => {
    const operations = [{ method: 'PATCH', model: 'probes', query: 'id=eq.1', body: { fuel: 1 } }];
    const reply = await sky.send('POST', 'batch', { body: { operations } });
    expect(reply.body).toMatchObject({ data: { results: [[{ id: 1, fuel: 1 }]] } });
    const minimal = await write('POST', 'batch', 'return=minimal', { operations });
    expect(minimal.body).toMatchObject({ data: { results: [[]] } });
  });
});

describe('resolution turns an insert into an upsert', () => {
  const body = [
    { id: 1, name: 'Pioneer' },
    { id: 3, name: 'Juno' },
  ];

  test('without it a duplicate is 409 and nothing is written', async () => {
    const reply = await sky.send('POST', 'probes', { body });
    expect([reply.status, reply.body]).toMatchObject([409, { code: '23505', status: 409 }]);
    expect(await sky.probes()).toEqual(untouched);
  });

  test('merge-duplicates updates what is there', async () => {
    const prefer = 'resolution=merge-duplicates, return=representation';
    const reply = await write('POST', 'probes?select=id,name,fuel', prefer, body);
    expect(reply.status).toBe(201);
    expect(reply.headers['preference-applied']).toContain('resolution=merge-duplicates');
    expect(reply.body).toEqual([
      { id: 1, name: 'Pioneer', fuel: 10 },
      { id: 3, name: 'Juno', fuel: 100 },
    ]);
    expect(await sky.probes('id, name')).toHaveLength(3);
  });

  test('ignore-duplicates leaves what is there', async () => {
    const prefer = 'resolution=ignore-duplicates, return=representation';
    const reply = await write('POST', 'probes?select=id', prefer, body);
    expect([reply.status, reply.body]).toEqual([201, [{ id: 3 }]]);
    expect(await sky.probes('name')).toEqual([
      { name: 'Voyager' },
      { name: 'Cassini' },
      { name: 'Juno' },
    ]);
  });

  test('an ignore-duplicates that only met conflicts is 201 with zero rows', async () => {
    const prefer = 'resolution=ignore-duplicates, return=representation';
    const reply = await write('POST', 'probes', prefer, { id: 1, name: 'Pioneer' });
    expect([reply.status, reply.body]).toEqual([201, []]);
    expect(reply.headers['content-range']).toBe('*/*');
    expect(await sky.probes()).toEqual(untouched);
  });
});

test('params=single-object: one JSON object is the single rpc argument', async () => {
  const body = { a: 1, b: 2, c: 3 };
  const reply = await write('POST', 'rpc/keys_of', 'params=single-object', body);
  expect([reply.status, reply.body]).toEqual([200, 3]);
  expect(reply.headers['preference-applied']).toBe('params=single-object');
});

describe('max-affected=N refuses a write touching more than N rows and rolls it back', () => {
  test.each([
    { method: 'PATCH', path: 'probes?id=gt.0', body: { fuel: 77 } },
    { method: 'DELETE', path: 'probes?id=gt.0', body: undefined },
    { method: 'POST', path: 'probes', body: [{ id: 8 }, { id: 9 }] },
    { method: 'POST', path: 'rpc/move', body: { fuel: 77 } },
  ])('$method $path', async ({ method, path, body }) => {
    for (const handling of ['handling=strict, ', '']) {
      const refused = await write(method, path, `${handling}max-affected=1`, body);
      expect([refused.status, refused.body]).toMatchObject([400, { code: 'PGRST124' }]);
      expect(await sky.probes()).toEqual(untouched);
    }
    const allowed = await write(method, path, 'handling=strict, max-affected=2', body);
    expect(allowed.status).toBeLessThan(300);
    expect(allowed.headers['preference-applied']).toBe('handling=strict, max-affected=2');
    expect(await sky.probes()).not.toEqual(untouched);
  });
});

describe('tx=rollback runs the write, reports and rolls back', () => {
  test.each([
    { method: 'POST', path: 'probes?select=id', body: { id: 9 }, status: 201, rows: [{ id: 9 }] },
    {
      method: 'PATCH',
      path: 'probes?id=eq.1&select=fuel',
      body: { fuel: 77 },
      status: 200,
      rows: [{ fuel: 77 }],
    },
    {
      method: 'DELETE',
      path: 'probes?id=eq.1&select=id',
      body: undefined,
      status: 200,
      rows: [{ id: 1 }],
    },
    {
      method: 'POST',
      path: 'rpc/move?id=eq.2&select=fuel',
      body: { fuel: 77 },
      status: 200,
      rows: [{ fuel: 77 }],
    },
  ])('$method $path', async ({ method, path, body, status, rows }) => {
    const prefer = 'tx=rollback, return=representation';
    const reply = await write(method, path, prefer, body);
    expect([reply.status, reply.body]).toEqual([status, rows]);
    expect(reply.headers['preference-applied']).toContain('tx=rollback');
    expect(await sky.probes()).toEqual(untouched);
  });
});

test.each(['respond-async', 'timezone=Europe/Berlin', 'wait=5', 'nonsense'])(
  'an unknown preference name is ignored: %s',
  async (prefer) => {
    const reply = await write('PATCH', 'probes?id=eq.1', `${prefer}, count=exact`, { fuel: 3 });
    expect(reply.status).toBe(200);
    expect(reply.headers['preference-applied']).toBe('count=exact');
    const strict = await write('PATCH', 'probes?id=eq.1', `${prefer}, handling=strict`, {
      fuel: 4,
    });
    expect([strict.status, strict.body]).toMatchObject([400, { code: 'PGRST122' }]);
    expect(await sky.probes('fuel')).toContainEqual({ fuel: 3 });
  },
);

test.each([
  'count=all',
  'count=',
  'return=everything',
  'resolution=overwrite',
  'params=multiple-objects',
  'max-affected=many',
  'max-affected=-1',
  'tx=maybe',
  'missing=nothing',
  'handling=kind',
])('an unknown value for an implemented preference is 400 PGRST122: %s', async (prefer) => {
  const reply = await write('DELETE', 'probes?id=gt.0', prefer);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ code: 'PGRST122', status: 400 });
  expect(await sky.probes()).toEqual(untouched);
});
