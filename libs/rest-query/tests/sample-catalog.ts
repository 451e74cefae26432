// A catalog made by hand, for tests that need no database.
import type { Catalog, Table } from '#libs/catalog';
import {
  catalogOf,
  column,
  foreignKey,
  routine,
  table,
  valueType,
} from '../../catalog/tests/build-catalog.js';

const planets = table('planets', {
  primaryKey: ['id'],
  columns: [
    column('id', 'bigint', { kind: 'identity', isAlways: false }),
    column('name', 'text'),
    column('mass', 'numeric', { kind: 'expression', sql: '1' }),
    column('found_at', 'timestamp with time zone', { kind: 'expression', sql: 'now()' }),
  ],
  computedColumns: [computed('full_name', 'text'), computed('secret_name', 'text', true)],
  computedRelations: [relation('nearest_moon'), relation('secret_moon', true)],
});

const moons = table('moons', {
  primaryKey: ['id'],
  columns: ['id bigint', 'planet_id bigint', 'name text', 'mass numeric', 'data jsonb'],
  foreignKeys: [foreignKey('planet_id -> planets(id)', { name: 'moons_planet_id_fkey' })],
});

const tables: readonly Table[] = [
  planets,
  moons,
  table('craters', {
    primaryKey: ['id'],
    columns: ['id bigint', 'moon_id bigint', 'width integer'],
    foreignKeys: [foreignKey('moon_id -> moons(id)', { name: 'craters_moon_id_fkey' })],
  }),
  table('capitals', {
    primaryKey: ['planet_id'],
    columns: ['planet_id bigint', 'name text'],
    foreignKeys: [
      foreignKey('planet_id -> planets(id)', { name: 'capitals_planet_id_fkey', isOneToOne: true }),
    ],
  }),
  table('missions', { primaryKey: ['id'], columns: ['id bigint', 'name text'] }),
  table('visits', {
    primaryKey: ['mission_id', 'planet_id'],
    columns: ['mission_id bigint', 'planet_id bigint', 'day date'],
    foreignKeys: [
      foreignKey('mission_id -> missions(id)', { name: 'visits_mission_id_fkey' }),
      foreignKey('planet_id -> planets(id)', { name: 'visits_planet_id_fkey' }),
    ],
  }),
  table('odd "name"', { columns: [column('päth.x', 'text'), column('a"b', 'integer')] }),
  table('session', { columns: ['token text'] }),
];

const routines = [
  routine('add', ['a integer', 'b integer default'], { volatility: 'immutable' }),
  routine('heavy_planets', ['least numeric'], {
    volatility: 'stable',
    returns: { kind: 'rows', isSet: true, table: 'planets', columns: planets.columns },
  }),
  routine('land', ['planet_id bigint'], { returns: { kind: 'void' } }),
  routine('keep', ['json'], { returns: { kind: 'scalar', isSet: false, ...valueType('json') } }),
];

/**
 * Tables `planets` (id, name, mass, found_at) with moons, craters on them, a capital, and missions that visit them; a
 * table with odd names and a blocked table. Functions add, heavy_planets, land, keep.
 */
export const sampleCatalog: Catalog = catalogOf(tables, routines);

function computed(name: string, type: string, isDefiner = false) {
  return { name, ...valueType(type), routine: { schema: 'public', name }, isDefiner };
}

function relation(name: string, isDefiner = false) {
  const routine = { schema: 'public', name };
  return { name, routine, table: 'moons', cardinality: 'one', isDefiner } as const;
}
