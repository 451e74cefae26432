// Checked by the compiler: an expectation that does not hold is an error of `tsc --noEmit`. Running the
// file proves only that it loads.
import { expect, test } from 'vitest';
import type {
  FunctionArgs,
  FunctionReturns,
  GenericDatabase,
  Json,
  LooseRow,
  SelectResult,
  TableInsert,
  TableRow,
  TableUpdate,
} from './index.js';
import type { SampleDatabase as Db, Settings } from '../../tests/sample-database.js';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for a list of `true`. */
type Expect<Results extends readonly true[]> = Results;
type Not<Result extends boolean> = Result extends true ? false : true;

type Of<Query extends string, Table extends string = 'planets'> = SelectResult<Db, Table, Query>;
type Row<Table extends keyof Db['public']['Tables']> = Db['public']['Tables'][Table]['Row'];
type Id = { id: number };

export type Columns = Expect<
  [
    Equal<Of<'*'>, Row<'planets'>>,
    Equal<Of<''>, Row<'planets'>>,
    Equal<Of<'id'>, Id>,
    Equal<Of<'id,name'>, { id: number; name: string }>,
    Equal<Of<' id , name '>, { id: number; name: string }>,
    Equal<
      Of<`
        id,
        name,
        moons (
          id
        )
      `>,
      { id: number; name: string; moons: Id[] }
    >,
    Equal<Of<'mass'>, { mass: number | null }>,
    Equal<Of<'has_rings'>, { has_rings: boolean }>,
    Equal<Of<'kind'>, { kind: 'rocky' | 'gas' }>,
    Equal<Of<'tags'>, { tags: string[] }>,
    Equal<Of<'notes'>, { notes: Json | null }>,
    Equal<Of<'title:name'>, { title: string }>,
    Equal<Of<'*,title:name', 'astronauts'>, { id: number; name: string; title: string }>,
    Equal<Of<'"odd name, (sic)"'>, { 'odd name, (sic)': string }>,
    Equal<Of<'x:"odd name, (sic)",id'>, { x: string; id: number }>,
    Equal<Of<'"a b":name'>, { 'a b': string }>,
    Equal<Of<'name', 'big_planets'>, { name: string | null }>,
  ]
>;

export type Casts = Expect<
  [
    Equal<Of<'id::text'>, { id: string }>,
    Equal<Of<'mass::text'>, { mass: string | null }>,
    Equal<Of<'name::int4'>, { name: number }>,
    Equal<Of<'n:name::bigint'>, { n: number }>,
    Equal<Of<'facts::bool'>, { facts: boolean }>,
    Equal<Of<'name::jsonb'>, { name: Json }>,
    Equal<Of<'tags::text[]'>, { tags: string[] }>,
    Equal<Of<'name::timestamptz'>, { name: string }>,
    Equal<Of<'name::mood'>, { name: 'calm' | 'stormy' }>,
    Equal<Of<'name::geometry'>, { name: unknown }>,
    Equal<Of<'*,id::text', 'astronauts'>, { id: string; name: string }>,
  ]
>;

export type JsonPaths = Expect<
  [
    Equal<Of<'facts->moons'>, { moons: Json }>,
    Equal<Of<'facts->>moons'>, { moons: string | null }>,
    Equal<Of<'notes->>author'>, { author: string | null }>,
    Equal<Of<'facts->a->0->>b'>, { b: string | null }>,
    Equal<Of<'facts->mass::int'>, { mass: number | null }>,
    Equal<Of<'facts->a->0'>, { a: Json }>,
    Equal<Of<'first:facts->a->0'>, { first: Json }>,
    Equal<Of<'facts->>mass::int'>, { mass: number | null }>,
    Equal<Of<'settings->>theme', 'stars'>, { theme: 'dark' | 'light' | null }>,
    Equal<Of<'settings->font->size', 'stars'>, { size: number | null }>,
    Equal<Of<'settings->font->>size', 'stars'>, { size: string | null }>,
    Equal<Of<'settings->tags->>0', 'stars'>, { tags: string | null }>,
    Equal<Of<'settings', 'stars'>, { settings: Settings | null }>,
  ]
>;

export type ToOne = Expect<
  [
    Equal<Of<'planets(id)', 'moons'>, { planets: Id }>,
    Equal<Of<'stars(id)'>, { stars: Id | null }>,
    Equal<Of<'stars!inner(id)'>, { stars: Id }>,
    Equal<Of<'stars!left(id)'>, { stars: Id | null }>,
    Equal<Of<'sun:stars(id)'>, { sun: Id | null }>,
    Equal<Of<'sun:star_id(id)'>, { sun: Id | null }>,
    Equal<Of<'planet_id(id)', 'moons'>, { planet_id: Id }>,
    Equal<Of<'moons_planet_id_fkey(id)', 'moons'>, { moons_planet_id_fkey: Id }>,
    Equal<Of<'planets(*)', 'moons'>, { planets: Row<'planets'> }>,
    Equal<Of<'orbits(period)'>, { orbits: { period: number } | null }>,
    Equal<Of<'orbits!inner(period)'>, { orbits: { period: number } }>,
    Equal<Of<'shelves(label)', 'parcels'>, { shelves: { label: string } | null }>,
    Equal<Of<'parcels(id)', 'shelves'>, { parcels: Id[] }>,
  ]
>;

export type ToMany = Expect<
  [
    Equal<Of<'moons(id)'>, { moons: Id[] }>,
    Equal<Of<'moons!inner(id)'>, { moons: Id[] }>,
    Equal<Of<'m:moons(id,title:name)'>, { m: { id: number; title: string }[] }>,
    Equal<Of<'moons_planet_id_fkey(id)'>, { moons_planet_id_fkey: Id[] }>,
    Equal<Of<'astronauts(id)'>, { astronauts: Id[] }>,
    Equal<Of<'planets(id)', 'astronauts'>, { planets: Id[] }>,
    Equal<Of<'moons!dreams(id)', 'astronauts'>, { moons: Id[] }>,
    Equal<Of<'moons!landings_moon_id_fkey(id)', 'astronauts'>, { moons: Id[] }>,
    Equal<Of<'id,moons()'>, Id>,
    Equal<
      Of<'id,moons(id,planets(id,stars(name)))'>,
      {
        id: number;
        moons: { id: number; planets: { id: number; stars: { name: string } | null } }[];
      }
    >,
    Equal<
      Of<'visits(on,astronauts(name)),moons(id)'>,
      { visits: { on: string; astronauts: { name: string } }[]; moons: Id[] }
    >,
  ]
>;

export type Hints = Expect<
  [
    Equal<Of<'start:planets!from_id(id)', 'flights'>, { start: Id }>,
    Equal<Of<'goal:planets!flights_to_id_fkey(id)', 'flights'>, { goal: Id | null }>,
    Equal<Of<'goal:planets!to_id!inner(id)', 'flights'>, { goal: Id }>,
    Equal<Of<'goal:planets!inner!to_id(id)', 'flights'>, { goal: Id }>,
    Equal<Of<'flights!from_id(id)'>, { flights: Id[] }>,
    Equal<Of<'shelves!place(label)', 'parcels'>, { shelves: { label: string } | null }>,
    Equal<Of<'start:from_id(id),goal:to_id(id)', 'flights'>, { start: Id; goal: Id | null }>,
    Equal<
      Of<'planets(id)', 'flights'>,
      {
        planets: {
          error: "more than one relationship between 'flights' and 'planets' was found: name one as 'planets!constraint'";
        };
      }
    >,
    Equal<
      Of<'moons(id)', 'astronauts'>,
      {
        moons: {
          error: "more than one relationship between 'astronauts' and 'moons' was found: name one as 'moons!constraint'";
        };
      }
    >,
  ]
>;

export type SelfReferences = Expect<
  [
    Equal<Of<'employees(id)', 'employees'>, { employees: Id[] }>,
    Equal<Of<'staff:employees!boss_id(id)', 'employees'>, { staff: Id[] }>,
    Equal<Of<'staff:employees!employees_boss_id_fkey(id)', 'employees'>, { staff: Id[] }>,
    Equal<Of<'boss:boss_id(id)', 'employees'>, { boss: Id | null }>,
    Equal<Of<'boss:employees_boss_id_fkey(id)', 'employees'>, { boss: Id | null }>,
  ]
>;

export type Spreads = Expect<
  [
    Equal<Of<'id,...stars(star:name)'>, { id: number; star: string | null }>,
    Equal<Of<'id,...stars!inner(star:name)'>, { id: number; star: string }>,
    Equal<Of<'id,...planets(planet:name)', 'moons'>, { id: number; planet: string }>,
    Equal<Of<'id,...planets(...stars(star:name))', 'moons'>, { id: number; star: string | null }>,
    Equal<Of<'id,...moons(names:name)'>, { id: number; names: string[] }>,
    Equal<Of<'...moons(radius)'>, { radius: (number | null)[] }>,
    Equal<Of<'id,...planets(stars(id))', 'moons'>, { id: number; stars: Id | null }>,
    Equal<Of<'...planets(nope)', 'moons'>, { error: "column 'nope' does not exist on 'planets'" }>,
  ]
>;

export type Aggregates = Expect<
  [
    Equal<Of<'count()'>, { count: number }>,
    Equal<Of<'n:count()'>, { n: number }>,
    Equal<Of<'count()::text'>, { count: string }>,
    Equal<Of<'kind,mass.sum()'>, { kind: 'rocky' | 'gas'; sum: number | null }>,
    Equal<Of<'total:mass.sum()::text,id'>, { total: string | null; id: number }>,
    Equal<Of<'mass.avg()'>, { avg: number | null }>,
    Equal<Of<'id.sum()'>, { sum: number | null }>,
    Equal<Of<'id.count()'>, { count: number }>,
    Equal<Of<'count'>, { count: number }>,
    Equal<Of<'mass.max()'>, { max: number | null }>,
    Equal<Of<'name.min()'>, { min: string | null }>,
    Equal<Of<'id.count()'>, { count: number }>,
    Equal<Of<'low:name::int.min()'>, { low: number | null }>,
    Equal<Of<'moons(count())'>, { moons: { count: number }[] }>,
    Equal<Of<'nope.sum()'>, { error: "column 'nope' does not exist on 'planets'" }>,
  ]
>;

export type Computed = Expect<
  [
    Equal<Of<'id,density'>, { id: number; density: number | null }>,
    Equal<Of<'neighbors(id)'>, { neighbors: Id[] }>,
    Equal<Of<'largest_moon(id)'>, { largest_moon: Id | null }>,
    Equal<Of<'density', 'moons'>, { error: "column 'density' does not exist on 'moons'" }>,
  ]
>;

export type Failures = Expect<
  [
    Equal<Of<'x'>, { error: "column 'x' does not exist on 'planets'" }>,
    Equal<Of<'id,x'>, { error: "column 'x' does not exist on 'planets'" }>,
    Equal<Of<'moons(x)'>, { moons: { error: "column 'x' does not exist on 'moons'" }[] }>,
    Equal<
      Of<'id,employees(id)'>,
      {
        id: number;
        employees: { error: "no relationship between 'planets' and 'employees' was found" };
      }
    >,
    Equal<
      Of<'...employees(id)'>,
      { error: "no relationship between 'planets' and 'employees' was found" }
    >,
    Equal<
      Of<'nothing(id)'>,
      { nothing: { error: "no relationship between 'planets' and 'nothing' was found" } }
    >,
    Equal<Of<'moons(id'>, { error: 'a ")" is missing after "moons("' }>,
    Equal<Of<'id)'>, { error: `unexpected ")" in 'id)'` }>,
    Equal<Of<'id,,name'>, { error: 'an item is missing in the select text' }>,
    Equal<Of<'id,'>, { error: 'an item is missing in the select text' }>,
    Equal<Of<'error'>, { error: string }>,
    Equal<Of<'...planets(error)', 'moons'>, { error: string }>,
  ]
>;

type Wide = 'id,name,kind,mass,facts,notes,tags,has_rings,star_id,error';
type Long =
  `${Wide},a1:id,a2:id,a3:id,a4:id,a5:id,a6:id,a7:id,a8:id,a9:id,b1:name,b2:name,b3:name,b4:name,b5:name,b6:name,b7:name,b8:name,b9:name`;
type Deep<Inner extends string> = `id,moons(id,planets(id,${Inner}))`;

export type Loose = Expect<
  [
    Equal<Of<string>, LooseRow>,
    Equal<SelectResult<GenericDatabase, 'planets', 'id'>, LooseRow>,
    Equal<SelectResult<Db, string, 'id'>, LooseRow>,
    Equal<Of<'id' | 'name'>, Id | { name: string }>,
    Equal<Of<Long>['b9'], string>,
    Equal<keyof Of<`${Wide},${Long}`>, keyof Of<Long>>,
    Equal<
      Of<Deep<Deep<Deep<Deep<'name'>>>>>['moons'][0]['planets']['moons'][0]['planets']['id'],
      number
    >,
  ]
>;

export type Parts = Expect<
  [
    Equal<TableRow<Db, 'stars'>, Row<'stars'>>,
    Equal<TableInsert<Db, 'stars'>, Partial<Row<'stars'>>>,
    Equal<TableUpdate<Db, 'stars'>, Partial<Row<'stars'>>>,
    Equal<TableRow<GenericDatabase, 'stars'>, LooseRow>,
    Equal<FunctionArgs<Db, 'add'>, { a: number; b?: number }>,
    Equal<FunctionArgs<Db, 'now_here'>, Record<PropertyKey, never>>,
    Equal<FunctionArgs<Db, 'search'>, { text: string } | { id: number }>,
    Equal<FunctionReturns<Db, 'search'>, number[] | string>,
    Equal<FunctionReturns<Db, 'add'>, number>,
    Equal<FunctionArgs<GenericDatabase, 'add'>, LooseRow>,
  ]
>;

export type TheTestsCanFail = Expect<
  [
    Not<Equal<Of<'id'>, { id: string }>>,
    Not<Equal<Of<'mass'>, { mass: number }>>,
    Not<Equal<Of<'stars(id)'>, { stars: Id }>>,
    Not<Equal<Of<'moons(id)'>, { moons: Id }>>,
  ]
>;

// @ts-expect-error -- a wrong expectation does not compile
export type Wrong = Expect<[Equal<Of<'id'>, { id: string }>]>;
// @ts-expect-error -- nor does one that takes null for granted
export type WrongNull = Expect<[Equal<Of<'stars(id)'>, { stars: Id }>]>;

test('the expectations above are checked by the compiler', () => {
  expect(true).toBe(true);
});
