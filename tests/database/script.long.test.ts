import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectDatabase } from '#libs/database';
import { waitFor } from '#libs/testing';
import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
});
afterAll(() => project.drop());

describe('values become JSON without loss', () => {
  test.each([
    { name: 'integers', sql: 'select 1::int2, 2::int4', value: 1, type: 'int2' },
    {
      name: 'a safe bigint is a number',
      sql: 'select 9007199254740991',
      value: 9007199254740991,
      type: 'int8',
    },
    {
      name: 'a larger one is text',
      sql: 'select 9007199254740993',
      value: '9007199254740993',
      type: 'int8',
    },
    { name: 'a short numeric is a number', sql: 'select 1.5', value: 1.5, type: 'numeric' },
    { name: 'its scale is kept', sql: 'select 1.50', value: '1.50', type: 'numeric' },
    {
      name: 'a long one is text',
      sql: 'select 0.12345678901234567890',
      value: '0.12345678901234567890',
      type: 'numeric',
    },
    { name: 'not a number is text', sql: `select 'NaN'::float8`, value: 'NaN', type: 'float8' },
    { name: 'booleans', sql: 'select true', value: true, type: 'bool' },
    { name: 'json', sql: `select '{"a":[1,null]}'::jsonb`, value: { a: [1, null] }, type: 'jsonb' },
    { name: 'null', sql: 'select null::int4', value: null, type: 'int4' },
    { name: 'dates', sql: `select '2024-02-29'::date`, value: '2024-02-29', type: 'date' },
    {
      name: 'times of a zone are in UTC',
      sql: `select '2024-01-01T12:00:00+02:00'::timestamptz`,
      value: '2024-01-01 10:00:00+00',
      type: 'timestamptz',
    },
    {
      name: 'arrays',
      sql: `select array[[1,2],[3,null]]`,
      value: [
        [1, 2],
        [3, null],
      ],
      type: 'int4[]',
    },
    {
      name: 'arrays of texts',
      sql: `select array['a,b', 'c"d', null, 'NULL']`,
      value: ['a,b', 'c"d', null, 'NULL'],
      type: 'text[]',
    },
    {
      name: 'arrays with bounds',
      sql: `select '[0:1]={1,2}'::int4[]`,
      value: [1, 2],
      type: 'int4[]',
    },
    { name: 'empty arrays', sql: `select '{}'::text[]`, value: [], type: 'text[]' },
    {
      name: 'arrays of JSON',
      sql: `select array['{"a": "\\"b\\\\"}', null, '[1]']::jsonb[]`,
      value: [{ a: '"b\\' }, null, [1]],
      type: 'jsonb[]',
    },
    {
      name: 'arrays of booleans and numbers',
      sql: `select array[1.5, 1.50, 'NaN']::numeric[]`,
      value: [1.5, '1.50', 'NaN'],
      type: 'numeric[]',
    },
    { name: 'bytes', sql: `select '\\xdead'::bytea`, value: '\\xdead', type: 'bytea' },
  ])('$name', async ({ sql, value, type }) => {
    const { rows, fields } = await db.runScript(sql);
    const [field] = fields;
    expect(field?.type).toBe(type);
    expect(rows[0]?.[field?.name ?? '']).toEqual(value);
  });
});

test('the last statement that gives rows is shown', async () => {
  const result = await db.runScript(
    'select 1 as a; select 2 as b union select 3 order by 1; create table public.made (id int)',
  );
  expect(result).toMatchObject({
    rows: [{ b: 2 }, { b: 3 }],
    fields: [{ name: 'b', type: 'int4' }],
    rowCount: 2,
  });
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
});

test('without rows the number is that of the last statement', async () => {
  const result = await db.runScript('insert into public.made values (1), (2), (3)');
  expect(result).toMatchObject({ rows: [], fields: [], rowCount: 3 });
});

test('an empty script gives nothing', async () => {
  expect(await db.runScript(' -- nothing')).toMatchObject({ rows: [], fields: [], rowCount: 0 });
});

test('parameters', async () => {
  const { rows } = await db.runScript('select $1::int + 1 as n, $2::jsonb as j, $3::text[] as a', [
    41,
    { deep: [1] },
    ['x', 'y'],
  ]);
  expect(rows).toEqual([{ n: 42, j: { deep: [1] }, a: ['x', 'y'] }]);
  await expect(db.runScript('select 1; select $1', ['x'])).rejects.toMatchObject({ status: 400 });
});

describe('a script is one transaction', () => {
  test('an error undoes all of it', async () => {
    await expect(
      db.runScript('create table public.undone (id int); select 1 / 0'),
    ).rejects.toMatchObject({ code: '22012', status: 400 });
    const { rows } = await db.runScript(`select to_regclass('public.undone') as found`);
    expect(rows).toEqual([{ found: null }]);
  });

  test.each(['commit', 'rollback', 'begin', "prepare transaction 'x'"])(
    '%s in it is refused before anything ran',
    async (control) => {
      await expect(
        db.runScript(`insert into public.made values (99); ${control}; select 1`),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
      const { rows } = await db.runScript('select from public.made where id = 99');
      expect(rows).toEqual([]);
    },
  );

  test('a procedure cannot end it either', async () => {
    await db.runScript(
      'create procedure public.ends() language plpgsql as $$ begin commit; end $$',
    );
    await expect(
      db.runScript('insert into public.made values (98); call public.ends()'),
    ).rejects.toMatchObject({ code: '2D000' });
    expect((await db.runScript('select from public.made where id = 98')).rows).toEqual([]);
  });
});

test('nothing of a session survives its script', async () => {
  await db.runScript(
    `set search_path = auth; set statement_timeout = 0; create temp table kept (id int); listen news;
     select set_config('request.jwt.claims', '{"role":"service_role"}', false)`,
  );
  const { rows } = await db.runScript(
    `select current_setting('search_path') as path, to_regclass('pg_temp.kept') as kept,
       coalesce(current_setting('request.jwt.claims', true), '') as claims`,
  );
  expect(rows).toEqual([{ path: '"public"', kept: null, claims: '' }]);
});

test('runs as the owner, who is not a superuser', async () => {
  const { rows } = await db.runScript(
    `select current_user = '${project.options.logins.owner.user}' as own,
       current_setting('is_superuser') as super`,
  );
  expect(rows).toEqual([{ own: true, super: 'off' }]);
  await expect(db.runScript('select * from auth.session')).rejects.toMatchObject({ code: '42501' });
});

describe('time', () => {
  test.each([
    { name: 'one long statement', sql: 'select pg_sleep(20)' },
    { name: 'many short ones', sql: 'select pg_sleep(0.15);'.repeat(100) },
    {
      name: 'a script that lifts its limit',
      sql: 'set statement_timeout = 0; select pg_sleep(20)',
    },
    {
      name: 'a script that will not be cancelled',
      sql: `do $$ begin loop begin perform pg_sleep(20); exception when query_canceled then null;
        end; end loop; end $$`,
    },
  ])('$name is ended', async ({ sql }) => {
    const startedAt = performance.now();
    await expect(db.runScript(sql, undefined, { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'PGRST504',
      status: 504,
    });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await waitFor(() => db.stats().open === 0);
    const { owner } = project.options.logins;
    await waitFor(async () => {
      const running = 'select from pg_stat_activity where usename = $1';
      return (await project.admin.query(running, [owner.user])).rowCount === 0;
    });
  });
});

describe('size', () => {
  const columns = Array.from({ length: 500 }, (_, n) => `1 as "${'c'.repeat(50)}${n}"`).join(', ');
  test.each([
    {
      name: 'rows without an end',
      sql: `select repeat('x', 1000), generate_series(1, 2000000000)`,
    },
    { name: 'one value', sql: `select repeat('x', 300000000)` },
    { name: 'a value whose last bytes exceed it', sql: `select repeat('x', 16777120)` },
    { name: 'rows without columns', sql: 'select from generate_series(1, 1000000)' },
    {
      name: 'an array of many parts',
      sql: `select ('{'||repeat('{a},',3000000)||'{a}}')::text[]`,
    },
    {
      name: 'rows of arrays',
      sql: `select array_fill(1, array[100]) from generate_series(1, 30000)`,
    },
    { name: 'long names', sql: `select ${columns} from generate_series(1, 100000)` },
    {
      name: 'results that are not shown',
      sql: `select repeat('x', 1000), generate_series(1, 2000000000); select 1`,
    },
  ])('$name: the script is ended while its answer arrives', async ({ sql }) => {
    await expect(db.runScript(sql)).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      message: expect.stringContaining('16777216'),
    });
    await waitFor(() => db.stats().open === 0);
    const { owner } = project.options.logins;
    await waitFor(async () => {
      const running = 'select from pg_stat_activity where usename = $1';
      return (await project.admin.query(running, [owner.user])).rowCount === 0;
    });
  });

  test.each([
    { name: 'quotes', text: `'"\\'` },
    { name: 'characters of two units', text: `'x🚀'` },
    { name: 'letters', text: `'{'` },
  ])('a long value of $name is whole, alone, in JSON and in an array', async ({ text }) => {
    const { rows } = await db.runScript(
      `with v as (select repeat(${text}, 100001) as t)
       select t, array[t, t] as a, to_jsonb(t) as j, array[to_jsonb(t)] as aj,
         md5(t) as hash from v`,
    );
    const [{ t, a, j, aj, hash } = {}] = rows;
    expect(createHash('md5').update(String(t)).digest('hex')).toBe(hash);
    expect([a, j, aj]).toEqual([[t, t], t, [t]]);
  });

  test('a hook that answers too much is refused', async () => {
    await expect(
      db.runScript(`select repeat('x', 20000)`, [], { maxBytes: 10_000 }),
    ).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      message: expect.stringContaining('10000'),
    });
  });

  test('its writes are undone', async () => {
    await db.runScript('create table sizes (id int)');
    const sql = `insert into sizes values (1); select repeat('x', 1000), generate_series(1, 2000000000)`;
    await expect(db.runScript(sql)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect((await db.runScript('select from sizes')).rowCount).toBe(0);
  });

  test('up to the limit is given', async () => {
    const { rows } = await db.runScript(`select repeat('x', 16000000) as text`);
    expect(String(rows[0]?.['text'])).toHaveLength(16_000_000);
  });
});

test('of columns with the same name the last one is given', async () => {
  const { rows, fields } = await db.runScript('select 1 as a, 2 as b, 3 as a');
  expect(rows).toEqual([{ a: 3, b: 2 }]);
  expect(fields).toHaveLength(3);
});

test('statements hidden between halves of characters do not run for the owner either', async () => {
  const sql =
    'select $\ud800$ $\ud801$; create table public.unseen (); commit; select $\ud801$ $\ud800$';
  await expect(db.runScript(sql)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(
    db.runScript(`create function public.begin() returns int language sql as 'select 1';
      create table public.unseen (); commit; select 1 / 0`),
  ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const { rows } = await db.runScript(`select to_regclass('public.unseen') as found`);
  expect(rows).toEqual([{ found: null }]);
});

test('columns with names of object properties are ordinary', async () => {
  const { rows } = await db.runScript(`select 1 as "__proto__", 2 as "constructor"`);
  expect(Object.keys(rows[0] ?? {})).toEqual(['__proto__', 'constructor']);
});
