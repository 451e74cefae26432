// Spec, "RLS rules" 1 to 6.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Call, Reply } from '../support/http.js';
import { Observatory } from './observatory.js';

const DENIAL = {
  code: '42501',
  status: 403,
  message: 'You do not have permission to perform this action.',
};

let sky: Observatory;

beforeAll(async () => {
  sky = await Observatory.open();
});
afterAll(() => sky.close());

/** The two roles that row level security holds for. */
const CALLERS: readonly {
  readonly role: string;
  readonly send: (call: Call) => Promise<Reply>;
}[] = [
  { role: 'anon', send: (call) => sky.project.send(call) },
  { role: 'authenticated', send: (call) => sky.project.as(sky.ada, call) },
];
const rowsOf = (table: string) => sky.project.sql(`select * from ${table} order by id`);
const list = (table: string): Call => ({ path: `/rest/v1/${table}?order=id` });
const insert = (table: string, body: unknown, prefer = 'return=minimal'): Call => ({
  method: 'POST',
  path: `/rest/v1/${table}`,
  body,
  headers: { prefer },
});
const patch = (table: string, body: unknown, filter = 'id=eq.1'): Call => ({
  method: 'PATCH',
  path: `/rest/v1/${table}?${filter}`,
  body,
});
const remove = (table: string, filter = 'id=eq.1'): Call => ({
  method: 'DELETE',
  path: `/rest/v1/${table}?${filter}`,
});

test.each([
  { name: 'create table', sql: 'create table made_1 (id int)', table: 'made_1' },
  { name: 'create table as', sql: 'create table made_2 as select 1 as id', table: 'made_2' },
  { name: 'select into', sql: 'select 1 as id into made_3', table: 'made_3' },
])(
  'rule 1: a table created from the studio SQL editor with "$name" has RLS enabled automatically',
  async ({ sql, table }) => {
    await sky.project.sql(sql);
    const rows = await sky.project.sql(
      'select relrowsecurity from pg_class where relname = $1 and relnamespace = $2::regnamespace',
      [table, 'public'],
    );
    expect(rows).toEqual([{ relrowsecurity: true }]);
    expect((await sky.get(table)).body).toEqual([]);
  },
);

describe('rule 2: with RLS enabled and no matching policy', () => {
  beforeAll(() =>
    sky.project.sql(`create table closed (id int primary key, text text);
      insert into closed values (1, 'kept')`),
  );

  test.each(CALLERS)('$role sees no rows and writes fail', async ({ send }) => {
    const read = await send(list('closed'));
    expect([read.status, read.body]).toEqual([200, []]);
    const created = await send(insert('closed', { id: 2 }));
    expect([created.status, created.body]).toMatchObject([403, DENIAL]);
    expect((await send(patch('closed', { text: 'x' }))).status).toBe(404);
    const deleted = await send(remove('closed'));
    expect(deleted.headers['content-range']).toBe('*/*');
    expect(await rowsOf('closed')).toEqual([{ id: 1, text: 'kept' }]);
  });

  test('service_role bypasses RLS', async () => {
    expect((await sky.project.asService(list('closed'))).body).toEqual([{ id: 1, text: 'kept' }]);
  });
});

describe('rule 3: with RLS disabled', () => {
  beforeEach(() =>
    sky.project.sql(`drop table if exists open; create table open (id int primary key, text text);
      alter table open disable row level security; insert into open values (1, 'a')`),
  );

  test.each(CALLERS)('the whole table is reachable to $role', async ({ send }) => {
    expect((await send(list('open'))).body).toEqual([{ id: 1, text: 'a' }]);
    expect((await send(insert('open', { id: 2, text: 'b' }))).status).toBe(201);
    expect((await send(patch('open', { text: 'c' }))).status).toBe(200);
    expect(await rowsOf('open')).toEqual([
      { id: 1, text: 'c' },
      { id: 2, text: 'b' },
    ]);
    expect((await send(remove('open', 'id=gt.0'))).status).toBe(200);
    expect(await rowsOf('open')).toEqual([]);
  });
});

describe('rule 4: the policies that each method needs', () => {
  beforeEach(() =>
    sky.project.sql(`drop table if exists ruled; create table ruled (id int primary key, text text);
      insert into ruled values (1, 'a')`),
  );
  const policy = (...clauses: string[]) =>
    sky.project.sql(
      clauses.map((clause, i) => `create policy p${i} on ruled for ${clause};`).join(' '),
    );
  const laterPolicy = (clause: string) =>
    sky.project.sql(`create policy later on ruled for ${clause}`);

  test('GET needs a SELECT policy', async () => {
    await policy('insert with check (true)', 'update using (true)', 'delete using (true)');
    expect((await sky.project.send(list('ruled'))).body).toEqual([]);
    await laterPolicy('select using (id = 1)');
    expect((await sky.project.send(list('ruled'))).body).toEqual([{ id: 1, text: 'a' }]);
  });

  test('POST needs an INSERT policy with WITH CHECK', async () => {
    await policy('select using (true)', 'update using (true)');
    expect((await sky.project.send(insert('ruled', { id: 2 }))).body).toMatchObject(DENIAL);
    await laterPolicy(`insert with check (text = 'allowed')`);
    const refused = await sky.project.send(
      insert('ruled', [{ id: 2, text: 'allowed' }, { id: 3 }]),
    );
    expect(refused.body).toMatchObject(DENIAL);
    expect(await rowsOf('ruled')).toEqual([{ id: 1, text: 'a' }]);
    const created = await sky.project.send(insert('ruled', { id: 2, text: 'allowed' }));
    expect(created.status).toBe(201);
  });

  test('POST with a representation needs a SELECT policy too', async () => {
    await policy('insert with check (true)');
    const shown = insert('ruled', { id: 2 }, 'return=representation');
    expect((await sky.project.send(shown)).body).toMatchObject(DENIAL);
    expect(await rowsOf('ruled')).toHaveLength(1);
    expect((await sky.project.send(insert('ruled', { id: 2 }))).status).toBe(201);
  });

  test('PATCH needs SELECT and UPDATE policies', async () => {
    const change = patch('ruled', { text: 'b' });
    await policy('select using (true)');
    expect((await sky.project.send(change)).status).toBe(404);
    await sky.project.sql('drop policy p0 on ruled');
    await policy('update using (true)');
    expect((await sky.project.send(change)).status).toBe(404);
    expect(await rowsOf('ruled')).toEqual([{ id: 1, text: 'a' }]);
    await laterPolicy('select using (true)');
    expect((await sky.project.send(change)).status).toBe(200);
    expect(await rowsOf('ruled')).toEqual([{ id: 1, text: 'b' }]);
  });

  test('PATCH out of what WITH CHECK allows is refused', async () => {
    await policy('select using (true)', `update using (true) with check (text <> 'forbidden')`);
    const refused = await sky.project.send(patch('ruled', { text: 'forbidden' }));
    expect([refused.status, refused.body]).toMatchObject([403, DENIAL]);
    expect(await rowsOf('ruled')).toEqual([{ id: 1, text: 'a' }]);
  });

  test('DELETE needs a DELETE policy', async () => {
    await policy('select using (true)', 'update using (true)');
    const refused = await sky.project.send(remove('ruled'));
    expect(refused.headers['content-range']).toBe('*/*');
    expect(await rowsOf('ruled')).toHaveLength(1);
    await laterPolicy('delete using (true)');
    const deleted = await sky.project.send(remove('ruled'));
    expect(deleted.headers['content-range']).toBe('0-0/*');
    expect(await rowsOf('ruled')).toEqual([]);
  });
});

describe('rule 5: PATCH and DELETE without filters', () => {
  beforeEach(() => sky.setProbes(`(1, 'a', 1, 1, 1), (2, 'b', 1, 1, 1)`));
  const CALLS = [
    { name: 'PATCH', call: { method: 'PATCH', path: '/rest/v1/probes', body: { fuel: 9 } } },
    { name: 'DELETE', call: { method: 'DELETE', path: '/rest/v1/probes' } },
    {
      name: 'PATCH with select and order only',
      call: { ...patch('probes', { fuel: 9 }, 'select=id&order=id') },
    },
    { name: 'DELETE with a limit only', call: remove('probes', 'limit=1&offset=1') },
    { name: 'DELETE with an empty logic tree', call: remove('probes', 'and=()') },
    {
      name: 'PATCH with a filter of an embed only',
      call: patch('probes', { fuel: 9 }, 'select=id,planets(id)&planets.id=eq.1'),
    },
  ];
  const untouched = [
    { id: 1, fuel: 1 },
    { id: 2, fuel: 1 },
  ];

  test.each(CALLS)('$name is rejected with 400 for non-admin callers', async ({ call }) => {
    for (const { send } of CALLERS) {
      const reply = await send(call);
      expect([reply.status, reply.body]).toMatchObject([400, {}]);
    }
    expect(await sky.probes('id, fuel')).toEqual(untouched);
  });

  test('the code is UNFILTERED_WRITE', async () => {
    const reply = await sky.project.as(sky.ada, remove('probes', ''));
    expect(reply.body).toMatchObject({ code: 'UNFILTERED_WRITE', status: 400 });
  });

  test('a user of the role ADMIN and the secret key may', async () => {
    const change = patch('probes', { fuel: 9 }, '');
    expect((await sky.project.as(sky.admin, change)).status).toBe(200);
    expect(await sky.probes('fuel')).toEqual([{ fuel: 9 }, { fuel: 9 }]);
    expect((await sky.project.asService(remove('probes', ''))).status).toBe(200);
    expect(await sky.probes()).toEqual([]);
  });

  test('the secret key that impersonates a user may not', async () => {
    const headers = { 'x-service-impersonate': sky.ada.id };
    const reply = await sky.project.asService({ ...remove('probes', ''), headers });
    expect(reply.body).toMatchObject({ code: 'UNFILTERED_WRITE', status: 400 });
    expect(await sky.probes('id, fuel')).toEqual(untouched);
  });
});

describe('rule 6: a PATCH whose filter matches nothing answers 404', () => {
  test.each(['return=minimal', 'return=representation', 'return=headers-only', 'tx=rollback'])(
    'with Prefer: %s',
    async (prefer) => {
      const call = { ...patch('probes', { fuel: 9 }, 'id=eq.99'), headers: { prefer } };
      for (const send of [
        ...CALLERS.map((caller) => caller.send),
        sky.project.asService.bind(sky.project),
      ]) {
        const reply = await send(call);
        expect([reply.status, reply.body]).toMatchObject([
          404,
          { code: 'NO_ROWS_MATCHED', status: 404 },
        ]);
      }
    },
  );

  test('a DELETE whose filter matches nothing is a success', async () => {
    const reply = await sky.send('DELETE', 'probes?id=eq.99');
    expect([reply.status, reply.headers['content-range']]).toEqual([200, '*/*']);
  });
});
