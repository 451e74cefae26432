// Functions as the published client calls them: by POST, GET and HEAD, with arguments of every shape.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { observatorySql } from './support/observatory.js';
import { clientOf, type PublishedClient } from './support/published-client.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(observatorySql);
  await project.sql(`
    create table calls (id int primary key generated always as identity, text text);
    create policy "everybody calls" on calls using (true) with check (true);
    create function add(a int, b int default 10) returns int immutable language sql as 'select a + b';
    create function greet(name text) returns text immutable language sql as $$ select 'Hello ' || name $$;
    create function greet(name text, "inLanguage" text) returns text immutable language sql
      as $$ select 'Salut ' || name || ', ' || "inLanguage" $$;
    create function total(numbers int[]) returns bigint immutable language sql as 'select sum(n) from unnest(numbers) n';
    create function keys_of(value jsonb) returns text[] immutable language sql
      as 'select array_agg(k order by k) from jsonb_object_keys(value) k';
    create function echo(value jsonb) returns jsonb immutable language sql as 'select value';
    create function names(rows jsonb) returns setof text immutable language sql
      as $$ select r ->> 'name' from jsonb_array_elements(rows) r $$;
    create function is_far(since timestamptz, distance numeric, exact boolean) returns boolean immutable language sql
      as 'select exact and distance > 1 and since is not null';
    create function nothing() returns void immutable language sql as '';
    create function no_text() returns text immutable language sql as 'select null::text';
    create function last_call() returns calls stable language sql as 'select * from calls order by id desc limit 1';
    create function ping(text text) returns calls language sql as 'insert into calls (text) values (text) returning *';
    create function heavier(min numeric default 0) returns setof planets stable language sql
      as 'select * from planets where mass > min order by id';
    create function squares(upto int) returns table (n int, square int) stable language sql
      as 'select n, n * n from generate_series(1, upto) n';
    create function variadic_sum(variadic numbers int[]) returns bigint immutable language sql
      as 'select sum(n) from unnest(numbers) n';
    create function fails() returns int language plpgsql as $$ begin
      raise exception 'out of ink' using hint = 'refill', detail = 'tank 2'; end $$;`);
  client = clientOf(project);
});
afterAll(() => deployment.close());

describe('a result', () => {
  test.each([
    { name: 'of a scalar', fn: 'add', args: { a: 1, b: 2 }, data: 3 },
    { name: 'with a default argument', fn: 'add', args: { a: 1 }, data: 11 },
    { name: 'of an overload', fn: 'greet', args: { name: 'Ada' }, data: 'Hello Ada' },
    {
      name: 'of the other overload, whose argument has capitals',
      fn: 'greet',
      args: { name: 'Ada', inLanguage: 'fr' },
      data: 'Salut Ada, fr',
    },
    { name: 'with an array as argument', fn: 'total', args: { numbers: [1, 2, 39] }, data: 42 },
    { name: 'with an empty array', fn: 'total', args: { numbers: [] }, data: null },
    {
      name: 'with a time, a number and a boolean',
      fn: 'is_far',
      args: { since: '2030-01-01T00:00:00Z', distance: 1.5, exact: true },
      data: true,
    },
    { name: 'that is NULL', fn: 'no_text', args: {}, data: null },
    {
      name: 'that is a table',
      fn: 'squares',
      args: { upto: 2 },
      data: [
        { n: 1, square: 1 },
        { n: 2, square: 4 },
      ],
    },
  ])('$name is the same by POST and by GET', async ({ fn, args, data }) => {
    expect(await client.rpc(fn, args)).toMatchObject({ error: null, status: 200, data });
    expect(await client.rpc(fn, args, { get: true })).toMatchObject({
      error: null,
      status: 200,
      data,
    });
  });

  test.each([
    {
      name: 'of an object is an array',
      fn: 'keys_of',
      args: { value: { b: 1, a: 2 } },
      data: ['a', 'b'],
    },
    {
      name: 'that is JSON is no text',
      fn: 'echo',
      args: { value: { a: [1, null] } },
      data: { a: [1, null] },
    },
    { name: 'of NULL as argument', fn: 'add', args: { a: 1, b: null }, data: null },
    {
      name: 'with an array of objects as argument',
      fn: 'names',
      args: { rows: [{ name: 'x' }, { name: 'y' }] },
      data: ['x', 'y'],
    },
  ])('$name', async ({ fn, args, data }) => {
    expect(await client.rpc(fn, args)).toMatchObject({ error: null, data });
  });

  test('of nothing is null', async () => {
    expect(await client.rpc('nothing')).toMatchObject({ data: null, error: null, status: 204 });
  });

  test('of a function that writes is the row, by POST alone', async () => {
    const { data } = await client.rpc('ping', { text: 'one' });
    expect(data).toEqual({ id: 1, text: 'one' });
    expect((await client.rpc('last_call')).data).toEqual({ id: 1, text: 'one' });
    const refused = await client.rpc('ping', { text: 'two' }, { get: true });
    expect([refused.status, refused.error?.code]).toEqual([405, '25006']);
    expect((await client.from('calls').select('text')).data).toEqual([{ text: 'one' }]);
  });

  test('leaves out arguments that are undefined', async () => {
    expect((await client.rpc('add', { a: 1, b: undefined }, { get: true })).data).toBe(11);
    expect((await client.rpc('add', { a: 1, b: undefined })).data).toBe(11);
  });
});

describe('rows of a function', () => {
  test.each([{ get: false }, { get: true }])(
    'are chosen from, filtered, ordered, cut and embedded in (get: $get)',
    async ({ get }) => {
      const { data, error, count } = await client
        .rpc('heavier', { min: 0.05 }, { get, count: 'exact' })
        .select('name, stars(name), moons(name)')
        .eq('has_rings', false)
        .or('name.eq.Earth,moon_count.gt.1,id.eq.1')
        .order('id', { ascending: false })
        .limit(1, { referencedTable: 'moons' })
        .order('id', { referencedTable: 'moons' })
        .range(0, 1);
      expect(error).toBeNull();
      expect(data).toEqual([
        { name: 'Mars', stars: { name: 'Sun' }, moons: [{ name: 'Phobos' }] },
        { name: 'Earth', stars: { name: 'Sun' }, moons: [{ name: 'Luna' }] },
      ]);
      expect(count).toBe(3);
    },
  );

  test('are chosen by !inner', async () => {
    const { data } = await client
      .rpc('heavier')
      .select('id, moons!inner(name)')
      .eq('moons.name', 'Luna');
    expect(data).toEqual([{ id: 2, moons: [{ name: 'Luna' }] }]);
  });

  test('are one row with single, none with maybeSingle', async () => {
    const heavier = (min: number) => client.rpc('heavier', { min }).select('name');
    expect((await heavier(100).single()).data).toEqual({ name: 'Jupiter' });
    expect((await heavier(0).single()).error?.code).toBe('PGRST116');
    expect(await heavier(1000).maybeSingle()).toMatchObject({ data: null, error: null });
  });

  test('are CSV on demand', async () => {
    const { data } = await client.rpc('squares', { upto: 2 }).csv();
    expect(data).toBe('n,square\r\n1,1\r\n2,4\r\n');
  });

  test('are at most as many as maxAffected', async () => {
    const refused = await client.rpc('squares', { upto: 3 }).maxAffected(2);
    expect([refused.status, refused.error?.code]).toEqual([400, 'PGRST124']);
    expect((await client.rpc('squares', { upto: 2 }).maxAffected(2)).data).toHaveLength(2);
  });

  test('are written and rolled back with rollback', async () => {
    const before = (await client.from('calls').select('id')).data?.length;
    const { data } = await client.rpc('ping', { text: 'dry' }).rollback();
    expect(data).toMatchObject({ text: 'dry' });
    expect((await client.from('calls').select('id')).data).toHaveLength(before ?? 0);
  });
});

describe('head', () => {
  test.each(['exact', 'planned', 'estimated'])(
    'counts without rows with count=%s',
    async (count) => {
      const {
        data,
        error,
        count: rows,
      } = await client.rpc('squares', { upto: 5 }, { head: true, count });
      expect([data, error]).toEqual([null, null]);
      expect(rows).toBeGreaterThanOrEqual(5);
    },
  );

  test('with an array as argument', async () => {
    const { status, error } = await client.rpc('total', { numbers: [1, 2] }, { head: true });
    expect([status, error]).toEqual([200, null]);
  });

  test('with objects as argument, which the client sends as a POST without an answer', async () => {
    const rows = [{ name: 'x' }, { name: 'y' }];
    const { data, error, count } = await client.rpc(
      'names',
      { rows },
      { head: true, count: 'exact' },
    );
    expect([data, error, count]).toEqual([null, null, 2]);
  });
});

describe('refusals', () => {
  test.each([
    { name: 'an unknown function', fn: 'unknown', args: {}, status: 404, code: 'PGRST202' },
    { name: 'an argument too few', fn: 'add', args: { b: 1 }, status: 404, code: 'PGRST202' },
    {
      name: 'an argument too many',
      fn: 'add',
      args: { a: 1, c: 1 },
      status: 404,
      code: 'PGRST202',
    },
    {
      name: 'a function with a variadic tail',
      fn: 'variadic_sum',
      args: { numbers: [1, 2] },
      status: 404,
      code: 'PGRST202',
    },
    { name: 'a value of the wrong type', fn: 'add', args: { a: 'x' }, status: 400, code: '22P02' },
    { name: 'an exception', fn: 'fails', args: {}, status: 400, code: 'P0001' },
  ])('$name is $status $code', async ({ fn, args, ...refusal }) => {
    const { data, error, status } = await client.rpc(fn, args);
    expect([data, status, error?.code]).toEqual([null, refusal.status, refusal.code]);
  });

  test('an exception has its message, its detail and its hint', async () => {
    const { error } = await client.rpc('fails');
    expect(error).toMatchObject({ message: 'out of ink', details: 'tank 2', hint: 'refill' });
  });
});
