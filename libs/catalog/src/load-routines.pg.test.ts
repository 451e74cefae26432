import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import type { Catalog, Routine } from './catalog.js';
import { loadCatalog } from './load.js';
import { argumentNames, listRoutines } from './routines.js';

const database = `catalog_routines_${process.pid}_${Date.now()}`;
const server = process.env['TEST_DATABASE_URL'] ?? '';
const admin = new pg.Client(server);
const client = new pg.Client({
  connectionString: Object.assign(new URL(server), { pathname: database }).href,
});

const SETUP = `
create schema platform;
create table platform.schema_version (version bigint not null);
insert into platform.schema_version values (1);
create schema auth; create schema api; create schema hidden;
create function auth.uid() returns text language sql as 'select null::text';
create function platform.inner_work() returns int language sql as 'select 1';
create function api.ping() returns text language sql immutable as 'select ''pong''';
create extension pg_trgm;
create type mood as enum ('calm', 'wild');
create type pair as (a int, b text);
create domain paired as pair;
create table people (id int primary key, first text, last text, boss_id int);
create table posts (id int primary key, author_id int);
create table session (id int);
create table parted (day date) partition by range (day);
create table parted_2024 partition of parted for values from ('2024-01-01') to ('2025-01-01');
create table hidden.things (id int);
create view a_view as select 1 as x;

create function add(a int, b int default 2) returns int language sql as 'select a + b';
create function add(a text) returns text language sql stable as 'select a';
create function total(variadic numbers int[]) returns bigint language sql as 'select 1::bigint';
create function nameless(json) returns json language sql as 'select $1';
create function half_named(a int, int) returns int language sql as 'select 1';
create function "Odd name"("Some arg" mood) returns mood[] language sql as 'select array[$1]';
create function void_work() returns void language sql as 'select';
create function numbers() returns setof int language sql as 'select 1';
create function one_person() returns people language sql as 'select * from people limit 1';
create function all_people() returns setof people language sql as 'select * from people';
create function one_pair() returns pair language sql as 'select 1, ''x''';
create function with_out(a int, out x int, inout y text) language sql as 'select 1, y';
create function one_out(out only_one int) language sql as 'select 1';
create function unnamed_outs(out int, out text) language sql as 'select 1, ''x''';
create function with_table() returns table (id bigint, feel mood) language sql as 'select 1::bigint, ''calm''::mood';
create function pair_table() returns table (p pair) language sql as 'select row(1, ''x'')::pair';
create function people_out(out p people) language sql as 'select people from people';
create function paired_rows() returns paired language sql as 'select row(1, ''x'')::paired';
create function owned() returns int language sql security definer as 'select 1';

create function on_change() returns trigger language plpgsql as 'begin return null; end';
create function on_ddl() returns event_trigger language plpgsql as 'begin end';
create function polymorphic(x anyelement) returns int language sql as 'select 1';
create function loose() returns setof record language sql as 'select 1, 2';
create procedure proc() language sql as 'select 1';
create aggregate agg(int) (sfunc = int4pl, stype = int);
create function view_rows() returns setof a_view language sql as 'select * from a_view';
create function hidden_rows() returns setof hidden.things language sql as 'select * from hidden.things';
create function blocked_rows() returns setof session language sql as 'select * from session';
create function partition_rows() returns setof parted_2024 language sql as 'select * from parted_2024';

create function full_name(people) returns text language sql stable as 'select $1.first || '' '' || $1.last';
create function moods(people) returns setof mood language sql stable as 'select ''calm''::mood';
create function posts_of(people) returns setof posts language sql stable as 'select * from posts where author_id = $1.id';
create function boss(people) returns people language sql stable as 'select * from people where id = $1.boss_id';
create function first_post(people) returns setof posts rows 1 language sql stable security definer as 'select * from posts';
create function sessions(people) returns setof session language sql as 'select * from session';
create function two(people, int) returns int language sql as 'select 1';
create function full_name(posts) returns int language sql as 'select 1';
create function api.outside(people) returns int language sql as 'select 1';
create function of_view(a_view) returns int language sql as 'select 1';
`;

let catalog: Catalog;

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${database}`);
  await client.connect();
  await client.query(SETUP);
  catalog = await loadCatalog(async (text) => (await client.query(text)).rows);
});

afterAll(async () => {
  await client.end();
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.end();
});

function only(name: string, schema = 'public'): Routine {
  const [routine, second] = listRoutines(catalog, schema, name);
  if (!routine || second) throw new Error(`there is not exactly one function ${name}`);
  return routine;
}

const namesOf = ({ columns }: { readonly columns: readonly { readonly name: string }[] }) =>
  columns.map(({ name }) => name);

describe('which functions are there', () => {
  test('those of public and of schemas that the owner made', () => {
    expect([...catalog.routines.keys()].sort()).toEqual(['api', 'public']);
    expect(only('ping', 'api')).toMatchObject({ schema: 'api', volatility: 'immutable' });
  });

  test.each([
    { name: 'a trigger', routine: 'on_change' },
    { name: 'an event trigger', routine: 'on_ddl' },
    { name: 'a function of any type', routine: 'polymorphic' },
    { name: 'a record without named columns', routine: 'loose' },
    { name: 'a procedure', routine: 'proc' },
    { name: 'an aggregate', routine: 'agg' },
    { name: 'a member of an extension', routine: 'similarity' },
    { name: 'rows of a view', routine: 'view_rows' },
    { name: 'rows of a table outside public', routine: 'hidden_rows' },
    { name: 'rows of a blocked table', routine: 'blocked_rows' },
    { name: 'rows of a partition', routine: 'partition_rows' },
    { name: 'nothing of that name', routine: 'missing' },
  ])('$name is left out', ({ routine }) => {
    expect(listRoutines(catalog, 'public', routine)).toEqual([]);
  });
});

describe('arguments', () => {
  test('overloads, their names and defaults', () => {
    expect(listRoutines(catalog, 'public', 'add')).toHaveLength(2);
    expect([...argumentNames(catalog, 'public', 'add')].sort()).toEqual(['a', 'b']);
    expect([...argumentNames(catalog, 'api', 'add')]).toEqual([]);
    const numbers = listRoutines(catalog, 'public', 'add').find(({ args }) => args.length === 2);
    expect(numbers?.args).toEqual([
      expect.objectContaining({ name: 'a', type: 'integer', hasDefault: false, isVariadic: false }),
      expect.objectContaining({ name: 'b', type: 'integer', hasDefault: true }),
    ]);
  });

  test.each([
    { routine: 'total', args: [{ name: 'numbers', isVariadic: true, elementType: 'integer' }] },
    { routine: 'nameless', args: [{ name: undefined, type: 'json', valueKind: 'json' }] },
    { routine: 'half_named', args: [{ name: 'a' }, { name: undefined }] },
    { routine: 'Odd name', args: [{ name: 'Some arg', type: 'public.mood' }] },
    { routine: 'with_out', args: [{ name: 'a' }, { name: 'y', type: 'text' }] },
  ])('$routine', ({ routine, args }) => {
    expect(only(routine).args).toMatchObject(args);
  });
});

describe('results', () => {
  test.each([
    { routine: 'void_work', returns: { kind: 'void' } },
    { routine: 'numbers', returns: { kind: 'scalar', isSet: true, type: 'integer' } },
    { routine: 'Odd name', returns: { kind: 'scalar', elementType: 'public.mood' } },
    { routine: 'one_person', returns: { kind: 'rows', isSet: false, table: 'people' } },
    { routine: 'all_people', returns: { kind: 'rows', isSet: true, table: 'people' } },
    { routine: 'one_pair', returns: { kind: 'rows', isSet: false, table: undefined } },
    { routine: 'with_table', returns: { kind: 'rows', isSet: true, table: undefined } },
    { routine: 'pair_table', returns: { kind: 'rows', isSet: true, table: undefined } },
    { routine: 'people_out', returns: { kind: 'rows', isSet: false, table: 'people' } },
  ])('$routine', ({ routine, returns }) => {
    expect(only(routine).returns).toMatchObject(returns);
  });

  test.each([
    { routine: 'all_people', columns: ['id', 'first', 'last', 'boss_id'] },
    { routine: 'one_pair', columns: ['a', 'b'] },
    { routine: 'with_out', columns: ['x', 'y'] },
    { routine: 'one_out', columns: ['only_one'] },
    { routine: 'unnamed_outs', columns: ['column1', 'column2'] },
    { routine: 'with_table', columns: ['id', 'feel'] },
    { routine: 'pair_table', columns: ['a', 'b'] },
    { routine: 'people_out', columns: ['id', 'first', 'last', 'boss_id'] },
  ])('columns of $routine', ({ routine, columns }) => {
    const { returns } = only(routine);
    expect(returns.kind === 'rows' && namesOf(returns)).toEqual(columns);
  });

  test('columns are called as PostgreSQL calls them', async () => {
    for (const routine of ['one_out', 'unnamed_outs', 'with_table', 'pair_table', 'people_out']) {
      const { returns } = only(routine);
      const { fields } = await client.query(`select * from ${routine}() t`);
      expect(returns.kind === 'rows' && namesOf(returns)).toEqual(namesOf({ columns: fields }));
    }
  });

  test('volatility and rights', () => {
    expect(only('owned')).toMatchObject({ isDefiner: true, volatility: 'volatile' });
    expect(only('ping', 'api')).toMatchObject({ isDefiner: false, volatility: 'immutable' });
  });

  test('labels of the enums of arguments and results', () => {
    expect([...catalog.enumByType]).toEqual([['public.mood', ['calm', 'wild']]]);
  });
});

describe('computed columns and relations', () => {
  test('functions of one row that give one value', () => {
    const people = catalog.tableByName.get('people');
    expect([...(people?.computedColumns.values() ?? [])]).toEqual([
      {
        name: 'full_name',
        routine: { schema: 'public', name: 'full_name' },
        type: 'text',
        baseType: 'text',
        elementType: undefined,
        valueKind: 'text',
        isDefiner: false,
      },
    ]);
    expect(catalog.tableByName.get('posts')?.computedColumns.get('full_name')?.type).toBe(
      'integer',
    );
  });

  test('functions of one row that give rows of an exposed table', () => {
    const relations = catalog.tableByName.get('people')?.computedRelations ?? [];
    expect([...relations].sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'boss', table: 'people', cardinality: 'one', isDefiner: false },
      { name: 'first_post', table: 'posts', cardinality: 'one', isDefiner: true },
      { name: 'posts_of', table: 'posts', cardinality: 'many', isDefiner: false },
    ]);
  });
});
