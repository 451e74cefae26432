import { describe, expect, test } from 'vitest';
import type { Catalog } from '#libs/catalog';
import { finish } from '#libs/steps';
import { CLIENT_TYPES, compileErrors } from '#libs/testing';
import { argument, catalogOf, column, routine, table, typed } from '../tests/sample-catalog.js';
import { generateTypes } from './generate-types.js';

const foreignKey = (name: string, from: string, to: string, isOneToOne = false) => ({
  name,
  columns: [from],
  target: { schema: 'public', table: to, columns: ['id'] },
  isOneToOne,
});

const planets = table(
  'planets',
  [
    column('id', 'bigint', { default: { kind: 'identity', isAlways: true } }),
    column('name', 'character varying(20)'),
    column('mass', 'numeric(8,1)', { isNullable: true }),
    column('mood', 'public.mood', { default: { kind: 'expression', sql: `'calm'` } }),
    column('moods', 'public.mood[]'),
    column('facts', 'jsonb', { isNullable: true }),
    column('tags', 'text[]'),
    column('shape', 'public.geometry', { isNullable: true }),
    column('shown_as', 'text', { default: { kind: 'generated' } }),
    column('number', 'integer', { default: { kind: 'identity', isAlways: false } }),
    column('star_id', 'integer', { isNullable: true }),
  ],
  {
    foreignKeys: [
      foreignKey('planets_star_id_fkey', 'star_id', 'stars'),
      foreignKey('planets_session_fkey', 'star_id', 'session'),
      {
        ...foreignKey('planets_user_fkey', 'star_id', 'user'),
        target: { schema: 'auth', table: 'user', columns: ['id'] },
      },
    ],
    computedRelations: [
      {
        name: 'biggest_moon',
        routine: { schema: 'public', name: 'biggest_moon' },
        table: 'moons',
        cardinality: 'one',
        isDefiner: false,
      },
    ],
  },
);
const moons = table(
  'moons',
  [column('id', 'integer'), column('planet_id', 'bigint'), column('mail', 'public.email')],
  { foreignKeys: [foreignKey('moons_planet_id_fkey', 'planet_id', 'planets', true)] },
);
const stars = table('stars', [column('id', 'integer')]);
const session = table('session', [column('token', 'text')]);

const catalog = catalogOf({
  tables: [planets, moons, stars, session],
  enums: { 'public.mood': ['calm', 'st"or\nmy'], 'other.state': ['on', 'off'] },
  routines: [
    routine('add', {
      args: [argument('a', 'integer'), argument('b', 'integer', { hasDefault: true })],
      returns: { kind: 'scalar', isSet: false, ...typed('integer') },
    }),
    routine('search', {
      args: [argument('text', 'text')],
      returns: { kind: 'rows', isSet: true, table: 'planets', columns: planets.columns },
    }),
    routine('search', {
      args: [argument('id', 'integer')],
      returns: { kind: 'rows', isSet: false, table: 'planets', columns: planets.columns },
    }),
    routine('tick'),
    routine('states', { returns: { kind: 'scalar', isSet: true, ...typed('other.state') } }),
    routine('totals', {
      returns: { kind: 'rows', isSet: true, table: undefined, columns: [column('n', 'bigint')] },
    }),
    routine('sum_all', {
      args: [argument('numbers', 'integer[]', { isVariadic: true })],
      returns: { kind: 'scalar', isSet: false, ...typed('bigint') },
    }),
    routine('biggest_moon', {
      args: [argument(undefined, 'public.planets')],
      returns: { kind: 'rows', isSet: true, table: 'moons', columns: moons.columns },
    }),
    routine('density', {
      args: [argument(undefined, 'public.planets')],
      returns: { kind: 'scalar', isSet: false, ...typed('double precision') },
    }),
    routine('by_place', { args: [argument(undefined, 'integer'), argument(undefined, 'text')] }),
    routine('sessions', {
      returns: { kind: 'rows', isSet: true, table: 'session', columns: session.columns },
    }),
    routine('elsewhere', { schema: 'api' }),
  ],
});
const typesOf = (known: Catalog): string => finish(generateTypes(known));
const generated = typesOf(catalog);

const EQUAL = `
import type { Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from './generated.js';
import type { SelectResult, FunctionArgs, FunctionReturns, GenericDatabase } from '${CLIENT_TYPES}';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Expect<T extends true> = T;
type Public = Database['public'];
type Plain<T> = { [K in keyof T]: T[K] };
type Of<Table extends string, Query extends string> = SelectResult<Database, Table, Query>;
type IsDatabase<T extends GenericDatabase> = T;
export type Accepted = IsDatabase<Database>;
`;

/** The types of the generated file are equal, pair by pair. */
async function expectEqual(
  pairs: readonly (readonly [type: string, expected: string])[],
): Promise<void> {
  const lines = pairs.map(([a, b], i) => `export type T${i} = Expect<Equal<${a}, ${b}>>;`);
  const uses = `${EQUAL}${lines.join('\n')}\n`;
  expect(await compileErrors({ 'generated.ts': generated, 'uses.ts': uses })).toEqual([]);
}

describe('a table', () => {
  test('the row has the types of JSON, and null where a column may be null', async () => {
    await expectEqual([
      [`Tables<'planets'>['id']`, 'number'],
      [`Tables<'planets'>['name']`, 'string'],
      [`Tables<'planets'>['mass']`, 'number | null'],
      [`Tables<'planets'>['mood']`, `'calm' | 'st"or\\nmy'`],
      [`Tables<'planets'>['moods']`, `('calm' | 'st"or\\nmy')[]`],
      [`Tables<'planets'>['facts']`, 'Json | null'],
      [`Tables<'planets'>['tags']`, 'string[]'],
      [`Tables<'planets'>['shape']`, 'unknown'],
      [`Tables<'moons'>['mail']`, 'unknown'],
      [`Enums<'mood'>`, `'calm' | 'st"or\\nmy'`],
      [`keyof Public['Enums']`, `'mood'`],
    ]);
  });

  test('an insert must give what has no default, and may not give what the database fills', async () => {
    await expectEqual([
      [
        `Plain<Pick<TablesInsert<'planets'>, 'id' | 'name' | 'mass' | 'mood' | 'shown_as' | 'number'>>`,
        `{ id?: never; name: string; mass?: number | null; mood?: Enums<'mood'>; shown_as?: never; number?: number }`,
      ],
      [`TablesInsert<'stars'>`, `{ id: number }`],
    ]);
  });

  test('an update gives any of them', async () => {
    await expectEqual([
      [
        `Plain<Pick<TablesUpdate<'planets'>, 'id' | 'name' | 'mass' | 'shown_as'>>`,
        `{ id?: never; name?: string; mass?: number | null; shown_as?: never }`,
      ],
    ]);
  });

  test('relationships lead to tables of the file only', async () => {
    await expectEqual([
      [
        `Public['Tables']['planets']['Relationships']`,
        `[{ foreignKeyName: 'planets_star_id_fkey'; columns: ['star_id']; isOneToOne: false; referencedRelation: 'stars'; referencedColumns: ['id'] }]`,
      ],
      [`Public['Tables']['moons']['Relationships'][0]['isOneToOne']`, 'true'],
      [`Public['Tables']['stars']['Relationships']`, '[]'],
    ]);
  });
});

test('a blocked table is left out, and so is a function that gives its rows', () => {
  expect(generated).not.toMatch(/session/);
});

test('functions have arguments by name, results by kind, and overloads as a union', async () => {
  await expectEqual([
    [`FunctionArgs<Database, 'add'>`, '{ a: number; b?: number }'],
    [`FunctionReturns<Database, 'add'>`, 'number'],
    [`FunctionArgs<Database, 'search'>`, '{ text: string } | { id: number }'],
    [`FunctionReturns<Database, 'search'>`, `Tables<'planets'> | Tables<'planets'>[]`],
    [`FunctionArgs<Database, 'tick'>`, 'Record<PropertyKey, never>'],
    [`FunctionReturns<Database, 'tick'>`, 'null'],
    [`FunctionReturns<Database, 'states'>`, `('on' | 'off')[]`],
    [`FunctionReturns<Database, 'totals'>`, '{ n: number }[]'],
    [
      `keyof Public['Functions']`,
      `'add' | 'search' | 'tick' | 'states' | 'totals' | 'biggest_moon' | 'density'`,
    ],
  ]);
});

test('the client infers results from the file', async () => {
  await expectEqual([
    [`Of<'planets', 'id,stars(id)'>`, '{ id: number; stars: { id: number } | null }'],
    [`Of<'planets', 'moons(id)'>`, '{ moons: { id: number } | null }'],
    [`Of<'moons', '...planets(name)'>`, '{ name: string }'],
    [`Of<'planets', 'density'>`, '{ density: number | null }'],
    [`Of<'planets', 'biggest_moon(id)'>`, '{ biggest_moon: { id: number } | null }'],
    [`Of<'planets', 'x'>`, `{ error: "column 'x' does not exist on 'planets'" }`],
  ]);
});

test('a wrong expectation does not compile', async () => {
  const uses = `${EQUAL}export type T = Expect<Equal<Of<'planets', 'id'>, { id: string }>>;`;
  const errors = await compileErrors({ 'generated.ts': generated, 'uses.ts': uses });
  expect(errors).toEqual([expect.stringMatching(/^uses\.ts:\d+ Type 'false'/)]);
});

const oddNames = [
  'with blank',
  'quote"s',
  "apostrophe's",
  'back\\slash',
  'end */ of // comment',
  'line\nend\r\u2028\u2029',
  '${template} `tick`',
  'new',
  'constructor',
  '__proto__',
  '1st',
  'Ä',
  '',
];

test('names of any text compile and stay themselves', async () => {
  const tables = oddNames.map((name) =>
    table(name, [column(name, 'text'), column('self', 'integer')], {
      foreignKeys: [foreignKey(name, 'self', name)],
    }),
  );
  const routines = oddNames.map((name) => routine(name, { args: [argument(name, 'text')] }));
  const text = typesOf(catalogOf({ tables, routines, enums: { 'public."a ""b"': oddNames } }));
  const keys = oddNames.map((name) => JSON.stringify(name)).join(' | ');
  const uses = `${EQUAL}
export type T1 = Expect<Equal<keyof Public['Tables'], ${keys}>>;
export type T2 = Expect<Equal<keyof Public['Functions'], ${keys}>>;
export type T3 = Expect<Equal<Enums<'a "b'>, ${keys}>>;
export type T4 = Expect<Equal<Tables<'quote"s'>, { 'quote"s': string; self: number }>>;
`;
  expect(await compileErrors({ 'generated.ts': text, 'uses.ts': uses })).toEqual([]);
});

test('a project without tables has empty lists', async () => {
  const uses = `${EQUAL}export type T = Expect<Equal<keyof Public['Tables'], never>>;`;
  const files = { 'generated.ts': typesOf(catalogOf({})), 'uses.ts': uses };
  expect(await compileErrors(files)).toEqual([]);
});

test('the order of the catalog makes no difference', () => {
  const turned = catalogOf({
    tables: [...catalog.tableByName.values()].toReversed(),
    routines: [...(catalog.routines.get('public')?.values() ?? [])].flat().toReversed(),
    enums: Object.fromEntries([...catalog.enumByType].toReversed()),
  });
  expect(typesOf(turned)).toBe(generated);
});
