// Constraints beyond the plain ones: what a deletion breaks, keys that are checked late, keys over periods.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let hasPeriods: boolean;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const [server] = await asSuperuser(`select current_setting('server_version_num')::int as number`);
  hasPeriods = Number(server?.['number']) >= 180_000;
  await project.sql(`
    create table parents (id int primary key);
    create table restricting (parent int references parents on delete restrict);
    create table not_nulls (parent int not null references parents on delete set null);
    create table checks (parent int check (parent is not null) references parents on delete set null);
    create table raised (parent int references parents on delete cascade);
    create function refuse() returns trigger language plpgsql as
      $$begin raise exception 'kept' using errcode = 'P0001'; end$$;
    create trigger refuse before delete on raised for each row execute function refuse();
    insert into parents select generate_series(1, 4);
    insert into restricting values (1); insert into not_nulls values (2);
    insert into checks values (3); insert into raised values (4);
    create table decks (id int primary key, name text);
    create table slides (id int primary key);
    create table deck_slides (deck int references decks, slide int references slides,
      primary key (deck, slide) deferrable);
    insert into decks values (1, 'One'); insert into slides values (7);
    insert into deck_slides values (1, 7);
    create table late (id int primary key deferrable, slug text unique, code text unique deferrable);
    create table covers (id int primary key, deck int unique deferrable references decks);
    insert into covers values (1, 1);
    insert into late values (1, 'a', 'x');
    create table spans (span int4range, exclude using gist (span with &&) deferrable);`);
  if (hasPeriods) {
    await asSuperuser('create extension if not exists btree_gist', { database: project.database });
    await project.sql(`
      create table rates (room int, valid daterange, price int,
        primary key (room, valid without overlaps));
      create table stays (id int primary key, room int, nights daterange,
        foreign key (room, period nights) references rates (room, period valid));
      create table prices (room int, valid daterange, price int,
        primary key (room, valid without overlaps), unique (room, valid));
      insert into rates values (1, '[2026-01-01,2026-02-01)', 50);
      insert into stays values (1, 1, '[2026-01-03,2026-01-05)')`);
  }
});
afterAll(() => deployment.close());

const rest = (method: string, path: string, body?: unknown, prefer = 'return=minimal') =>
  project.asService({
    method,
    path: `/rest/v1/${path}`,
    headers: { prefer },
    ...(body !== undefined && { body }),
  });

describe('a deletion that breaks a rule of other rows', () => {
  test.each([
    { name: 'restrict', id: 1, status: 409, code: /^23(001|503)$/ },
    { name: 'not null', id: 2, status: 409, code: /^23502$/ },
    { name: 'a check', id: 3, status: 409, code: /^23514$/ },
    { name: 'an exception of a trigger', id: 4, status: 400, code: /^P0001$/ },
  ])('$name is $status', async ({ id, status, code }) => {
    const refused = { code: expect.stringMatching(code), status };
    const removal = { method: 'DELETE', model: 'parents', query: `id=eq.${id}` };
    const key = { id: String(id) };
    const replies = [
      await rest('DELETE', `parents?id=eq.${id}`),
      await rest('POST', 'batch', { operations: [removal] }),
      await project.asService({
        method: 'POST',
        path: '/api/admin/rows/parents',
        body: { changes: [{ kind: 'delete', key, was: key }] },
      }),
    ];
    for (const reply of replies)
      expect([reply.status, reply.body]).toMatchObject([status, refused]);
    expect(await project.sql('select 1 from parents where id = $1', [id])).toHaveLength(1);
  });

  test('a value of the caller that breaks one is 400', async () => {
    const body = { parent: null };
    expect((await rest('POST', 'not_nulls', body)).status).toBe(400);
    expect((await rest('PATCH', 'not_nulls?parent=eq.2', body)).status).toBe(400);
  });
});

describe('a key that is deferrable', () => {
  const merge = 'resolution=merge-duplicates';
  const ignore = 'resolution=ignore-duplicates';
  const row = { id: 1, slug: 'a', code: 'x' };
  test.each([
    { name: 'the primary key', path: 'late', prefer: merge, constraint: 'late_pkey' },
    { name: 'the primary key', path: 'late', prefer: ignore, constraint: 'late_pkey' },
    { name: 'it by name', path: 'late?on_conflict=id', prefer: merge, constraint: 'late_pkey' },
    { name: 'a key', path: 'late?on_conflict=code', prefer: merge, constraint: 'late_code_key' },
    { name: 'a key', path: 'late?on_conflict=code', prefer: ignore, constraint: 'late_code_key' },
  ])('$name is no target ($path, $prefer)', async ({ path, prefer, constraint }) => {
    const refused = { code: 'CONFLICT_TARGET_REFUSED', status: 400 };
    const reply = await rest('POST', path, row, prefer);
    expect([reply.status, reply.body]).toMatchObject([400, refused]);
    expect(reply.text).toContain(constraint);
    const [model, query = ''] = path.split('?');
    const insert = { method: 'POST', model, query: query || 'on_conflict=', body: row };
    const resolution = prefer.split('=')[1];
    const batch = await rest('POST', 'batch', { operations: [{ ...insert, resolution }] });
    expect([batch.status, batch.body]).toMatchObject([400, refused]);
    expect(batch.body).toMatchObject({ details: { operation: 0 } });
    expect(batch.text).toContain(constraint);
    expect(await project.sql('select * from late')).toEqual([row]);
  });

  test('an exclusion that the server meets alone is named, too', async () => {
    const reply = await rest('POST', 'spans', { span: '[1,2)' }, ignore);
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'CONFLICT_TARGET_REFUSED' }]);
    expect(reply.text).toContain('spans_span_excl');
  });

  test('another key of the table is a target', async () => {
    const reply = await rest('POST', 'late?on_conflict=slug', row, merge);
    expect(reply.status).toBe(201);
  });

  test('visitors without a right on the table are not told its name', async () => {
    await project.sql('revoke all on late from anon');
    const headers = { prefer: merge };
    const reply = await project.send({ method: 'POST', path: '/rest/v1/late', body: row, headers });
    expect(reply.text).not.toContain('late_pkey');
  });

  test('a junction with it leads from one table to the other', async () => {
    const reply = await rest('GET', 'decks?select=name,slides(id)');
    expect([reply.status, reply.body]).toEqual([200, [{ name: 'One', slides: [{ id: 7 }] }]]);
  });

  test('a unique one makes a relation one-to-one', async () => {
    const reply = await rest('GET', 'decks?select=covers(id)');
    expect([reply.status, reply.body]).toEqual([200, [{ covers: { id: 1 } }]]);
  });

  test('rows are changed by it', async () => {
    const change = { kind: 'update', key: { id: '1' }, was: { slug: 'a' }, values: { slug: 'b' } };
    const path = '/api/admin/rows/late';
    const reply = await project.asService({ method: 'POST', path, body: { changes: [change] } });
    expect(reply.status).toBe(200);
  });
});

describe('a key over a period', () => {
  beforeEach(({ skip }) => skip(!hasPeriods, 'PostgreSQL 18 has them'));

  test.each([
    ['stays?select=id,rates(price)', 'stays', 'rates'],
    ['stays?select=id,rates!inner(price)', 'stays', 'rates'],
    ['rates?select=room,stays(id)', 'rates', 'stays'],
  ])('%s is no relation', async (path, from, to) => {
    const reply = await rest('GET', path);
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { code: 'PGRST200', message: `There is no relationship between ${from} and ${to}` },
    ]);
    expect(reply.text).toMatch(/temporal/);
    expect(reply.text).toContain('stays_room_nights_fkey');
  });

  test('generated types and descriptions do not list it', async () => {
    const types = await project.asService({ path: '/api/admin/types' });
    expect(types.status).toBe(200);
    expect(types.text).toContain('stays');
    expect(types.text).not.toContain('stays_room_nights_fkey');
    const description = await project.asService({ path: '/rest/v1/' });
    expect(description.text).toContain('stays');
    expect(description.text).not.toMatch(/Refers[^"]*`rates`/);
  });

  test.each(['resolution=merge-duplicates', 'resolution=ignore-duplicates'])(
    'it is no target (%s)',
    async (prefer) => {
      const reply = await rest(
        'POST',
        'rates',
        { room: 1, valid: '[2026-01-01,2026-02-01)' },
        prefer,
      );
      expect([reply.status, reply.body]).toMatchObject([400, { code: 'CONFLICT_TARGET_REFUSED' }]);
      expect(reply.text).toContain('rates_pkey');
    },
  );

  test('a plain key over the same columns is one', async () => {
    const row = { room: 1, valid: '[2026-01-01,2026-02-01)', price: 1 };
    for (const price of [1, 2]) {
      const reply = await rest('POST', 'prices', { ...row, price }, 'resolution=merge-duplicates');
      expect(reply.status).toBe(201);
    }
    expect(await project.sql('select price from prices')).toEqual([{ price: 2 }]);
  });
});
