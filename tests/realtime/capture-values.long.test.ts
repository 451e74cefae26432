// A write never fails because of capture, and its lines have the values that REST answers with.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CaptureFixture, cut, deleted, inserted, updated } from './capture-fixture.js';

let project: CaptureFixture;
beforeAll(async () => {
  project = await CaptureFixture.open(`create schema app`);
}, 60_000);
afterAll(() => project.close());
beforeEach(() => project.owner.query(`drop schema public cascade; create schema public`));

describe('the values of', () => {
  test.each([
    { name: 'numbers', type: 'numeric', sql: `'NaN'`, json: 'NaN' },
    { name: 'numbers without an end', type: 'float8', sql: `'-Infinity'`, json: '-Infinity' },
    { name: 'floats', type: 'float8', sql: '0.1', json: 0.1 },
    { name: 'timestamps without an end', type: 'timestamptz', sql: `'infinity'`, json: 'infinity' },
    {
      name: 'timestamps before our time',
      type: 'timestamp',
      sql: `'0044-03-15 BC'`,
      json: '0044-03-15T00:00:00 BC',
    },
    { name: 'the last date', type: 'date', sql: `'5874897-12-31'`, json: '5874897-12-31' },
    {
      name: 'ranges of times',
      type: 'tstzrange',
      sql: `'[2026-01-02 00:00+00,)'`,
      json: '["2026-01-02 00:00:00+00",)',
    },
    { name: 'intervals', type: 'interval', sql: `'1 year 2 days'`, json: '1 year 2 days' },
    { name: 'bytes', type: 'bytea', sql: `'\\x00ff'`, json: '\\x00ff' },
    { name: 'documents', type: 'jsonb', sql: `'{"a": [1, null]}'`, json: { a: [1, null] } },
    { name: 'JSON as it was written', type: 'json', sql: `'{"a" : 1}'`, json: { a: 1 } },
    {
      name: 'arrays',
      type: 'int[][]',
      sql: `'{{1,2},{3,null}}'`,
      json: [
        [1, 2],
        [3, null],
      ],
    },
    { name: 'enums', type: 'mood', sql: `'good'`, json: 'good' },
    { name: 'domains', type: 'short', sql: `'ab'`, json: 'ab' },
    { name: 'composites', type: 'pair', sql: `'(1,x)'`, json: { a: 1, b: 'x' } },
    {
      name: 'arrays of composites',
      type: 'pair[]',
      sql: `array['(1,x)', null]::pair[]`,
      json: [{ a: 1, b: 'x' }, null],
    },
    { name: 'ranges of a type of the project', type: 'steps', sql: `'[ab,)'`, json: '[ab,)' },
  ])('$name', async ({ type, sql, json }) => {
    await project.owner.query(`
      create type mood as enum ('good'); create domain short as text check (length(value) < 5);
      create type pair as (a int, b text); create type steps as range (subtype = text);
      create table docs (id int, v ${type}, w ${type} generated always as (v) stored)`);
    // Settings of the writer decide nothing.
    const lines = await project.run(`set timezone = 'Asia/Tokyo'; set datestyle = 'SQL, DMY';
      set intervalstyle = 'iso_8601'; set bytea_output = 'escape'; set extra_float_digits = -5;
      insert into docs (id, v) values (1, ${sql}); update docs set id = 2; delete from docs; reset all`);
    const [first, second] = [1, 2].map((id) => ({ id, v: json, w: json }));
    expect(lines).toEqual([inserted(first), updated(first, second), deleted(second)]);
  });
});

const long = (length: number) =>
  `(select string_agg(md5(n::text), '') from generate_series(1, ${length / 32}) n)`;

describe('a row that is too large is its key', () => {
  beforeEach(() => project.owner.query('create table docs (id int primary key, body text)'));

  test('when it passes 1 MB', async () => {
    const lines = await project.run(`insert into docs values (1, ${long(2_000_000)}), (2, 'b');
      update docs set id = id + 10; delete from docs`);
    expect(lines).toEqual([
      inserted({ id: 2, body: 'b' }),
      cut(inserted({ id: 1 })),
      updated({ id: 2, body: 'b' }, { id: 12, body: 'b' }),
      cut(updated({ id: 1 }, { id: 11 })),
      deleted({ id: 12, body: 'b' }),
      cut(deleted({ id: 11 })),
    ]);
  });

  test('when it is stored in few bytes but is long as JSON', async () => {
    await project.owner.query(`create table source (body text);
      insert into source values (repeat(chr(1), 400000))`);
    const lines = await project.run(`insert into docs select 1, body from source`);
    expect(lines).toEqual([cut(inserted({ id: 1 }))]);
  });

  test('when one of its two states is', async () => {
    await project.run(`insert into docs values (1, 'small')`);
    expect(await project.run(`update docs set body = ${long(2_000_000)}`)).toEqual([
      cut(updated({ id: 1 }, { id: 1 })),
    ]);
  });

  test('but not below 1 MB', async () => {
    const [line] = await project.run(`insert into docs values (1, ${long(1_000_000)})`);
    expect(line).toMatchObject({ isCut: false, new: { id: 1 } });
  });

  test('and nothing where the table has no key', async () => {
    await project.owner.query('alter table docs drop constraint docs_pkey');
    expect(await project.run(`insert into docs values (1, ${long(2_000_000)})`)).toEqual([
      cut(inserted({})),
    ]);
  });

  test('with keys of any type', async () => {
    await project.owner.query(`create type pair as (a int, b text); create domain small as int;
      create domain smaller as small;
      create table things (p pair, "K 1" int[], d small, e smaller, body text, primary key (p, "K 1", d, e))`);
    expect(
      await project.run(`insert into things values ('(1,x)', '{1,2}', 3, 4, ${long(2_000_000)})`),
    ).toEqual([cut(inserted({ p: '(1,x)', 'K 1': [1, 2], d: 3, e: '4' }, 'public.things'))]);
  });
});

describe('a write succeeds', () => {
  const failing = (body: string) => `
    create type mood as enum ('good', 'bad');
    create function mood_json(mood) returns json language plpgsql as $$ begin ${body}; end $$;
    create table docs (id int primary key, mood mood);
    create cast (mood as json) with function mood_json(mood);`;

  test.each([
    { name: 'raises', body: `raise 'no'` },
    { name: 'fails an assertion', body: `assert false` },
    { name: 'divides by zero', body: `return to_json(1 / 0)` },
    { name: 'calls itself without an end', body: `return mood_json($1)` },
    { name: 'may not do what it does', body: `delete from platform.schema_version; return 'null'` },
  ])('when a cast to JSON $name', async ({ body }) => {
    await project.owner.query(failing(body));
    const lines = await project.run(`insert into docs values (1, 'good')`);
    const { rows } = await project.owner.query('select id from docs where id = 1');
    expect(rows).toEqual([{ id: 1 }]);
    expect(lines.at(-1)).toEqual(cut(inserted({ id: 1 })));
  });

  test.each([
    { name: 'a column', column: 'mood' },
    { name: 'an array', column: 'mood[]', value: `'{good}'`, json: ['GOOD'] },
    { name: 'a domain', column: 'feeling' },
    { name: 'a composite', column: 'state', value: `'(good)'`, json: { mood: 'GOOD' } },
  ])('and has what a cast makes of $name', async ({ column, value = `'good'`, json = 'GOOD' }) => {
    await project.owner.query(`${failing(`return to_json(upper($1::text))`)} drop table docs;
      create type state as (mood mood); create domain feeling as mood; create table docs (id int, v ${column})`);
    expect(await project.run(`insert into docs values (1, ${value})`)).toEqual([
      inserted({ id: 1, v: json }),
    ]);
  });

  test('when a cast to JSON writes to the same table', async () => {
    await project.owner.query(
      failing(`insert into docs values (99, 'bad'); return to_json('x'::text)`),
    );
    // The cast of the row 99 makes that row once more, and fails.
    expect(await project.run(`insert into docs values (1, 'good')`)).toEqual([
      cut(inserted({ id: 99 })),
      inserted({ id: 1, mood: 'x' }),
    ]);
  });

  test('when the cast comes after the table', async () => {
    await project.owner
      .query(`create type mood as enum ('good'); create table docs (id int primary key, mood mood);
      create function mood_json(mood) returns json language plpgsql as $$ begin raise 'no'; end $$;
      create cast (mood as json) with function mood_json(mood)`);
    expect(await project.run(`insert into docs values (1, 'good')`)).toEqual([
      cut(inserted({ id: 1 })),
    ]);
  });

  test('with 1,600 columns', async () => {
    const columns = Array.from({ length: 1_600 }, (_, index) => `c${index} int`);
    await project.owner.query(`create table wide (${columns.join(', ')})`);
    const [line, ...more] = await project.run(`insert into wide (c0, c1599) values (1, 2)`);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ kind: 'I', isCut: false, new: { c0: 1, c1: null, c1599: 2 } });
  });

  test('without columns', async () => {
    await project.owner.query(`create table docs ()`);
    expect(await project.run(`insert into docs default values`)).toEqual([inserted({})]);
  });

  test('with dropped columns in the middle', async () => {
    await project.owner
      .query(`create table docs (a int, b text, c int); insert into docs values (1, 'x', 3);
      alter table docs drop column b, add column d int generated always as (a + c) stored`);
    expect(await project.run(`update docs set c = 4`)).toEqual([
      updated({ a: 1, c: 3, d: 4 }, { a: 1, c: 4, d: 5 }),
    ]);
  });

  test('in a child of a table', async () => {
    await project.owner.query(
      `create table docs (id int); create table more (extra int) inherits (docs)`,
    );
    expect(await project.run(`insert into more values (1, 2); update docs set id = 3`)).toEqual([
      inserted({ id: 1, extra: 2 }, 'public.more'),
      updated({ id: 1 }, { id: 3 }),
    ]);
  });

  test('of ten thousand rows, each with its line', async () => {
    await project.owner.query(`create table docs (id int primary key, body text)`);
    const lines =
      await project.run(`insert into docs select n, 'x' from generate_series(1, 10000) n;
      update docs set body = id::text where id % 2 = 0`);
    expect(lines).toHaveLength(15_000);
    const pairs = lines.slice(10_000) as {
      new: { id: number; body: string };
      old: { id: number };
    }[];
    expect(
      pairs.every((pair) => pair.new.id === pair.old.id && pair.new.body === `${pair.new.id}`),
    ).toBe(true);
  });
});
