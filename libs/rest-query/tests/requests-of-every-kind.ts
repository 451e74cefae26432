// A request of every kind on a catalog with columns of every kind of type, for tests that need no database.
import {
  catalogOf,
  column,
  foreignKey,
  routine,
  table,
  valueType,
} from '../../catalog/tests/build-catalog.js';
import { AGGREGATES, COMPARISONS, TEXT_SEARCHES } from '../src/types/grammar.js';
import type { Request } from './run-request.js';

const columnsOfTypes = [
  'text json jsonb text[] tsvector uuid "char" name money int4range bpchar "bit"'.split(' '),
  'integer bigint[] numeric(10,2) public.citext public.mood[] extensions.geometry(Point,4326)'.split(
    ' ',
  ),
  ['character varying(20)', 'bit varying(3)', 'timestamp(3) with time zone', 'double precision'],
  ['interval day to second(2)', 'public."odd type"'],
]
  .flat()
  .map((type, at) => column(`c${at}`, type, { kind: 'expression', sql: `null` }));

const stars = table('stars', {
  primaryKey: ['id'],
  columns: [
    column('id', 'bigint', { kind: 'identity', isAlways: false }),
    column('name', 'text'),
    column('mass', 'numeric', { kind: 'expression', sql: '1' }),
    column('sun_id', 'bigint'),
    column('data', 'jsonb'),
    column('raw', 'json'),
    column('words', 'tsvector'),
    column('tag', 'public.citext'),
    ...columnsOfTypes,
  ],
  foreignKeys: [foreignKey('sun_id -> suns(id)', { name: 'stars_sun_id_fkey' })],
  computedColumns: [
    { name: 'full_name', ...valueType('text'), routine: ofPublic('full_name'), isDefiner: false },
  ],
  computedRelations: [
    {
      name: 'nearest',
      routine: ofPublic('nearest'),
      table: 'suns',
      cardinality: 'one',
      isDefiner: false,
    },
  ],
});
const suns = table('suns', {
  primaryKey: ['id'],
  columns: ['id bigint', 'name text', 'mass numeric', 'tag public.citext', 'raw json'],
});
const visits = table('visits', {
  primaryKey: ['star_id', 'sun_id'],
  columns: ['star_id bigint', 'sun_id bigint', 'day date'],
  foreignKeys: [foreignKey('star_id -> stars(id)'), foreignKey('sun_id -> suns(id)')],
});
const shapes = table('shapes', {
  columns: [column('id', 'bigint'), { ...column('geom', 'x'), ...geometry() }],
});

const rows = { kind: 'rows', isSet: true, table: 'suns', columns: suns.columns } as const;
/** Tables stars, suns, visits and shapes, and functions of every kind. */
export const catalog = catalogOf(
  [stars, suns, visits, shapes],
  [
    routine('add', ['a integer', 'b text default'], { volatility: 'immutable' }),
    routine('change', ['a integer', 'b public.mood', 'c text[]']),
    routine('whole', ['json']),
    routine('note', ['text'], { returns: { kind: 'void' } }),
    routine('all_suns', ['least numeric'], { returns: rows, volatility: 'stable' }),
    routine('one_sun', ['least numeric'], { returns: { ...rows, isSet: false } }),
    routine('values_of', ['a integer'], {
      returns: { kind: 'scalar', isSet: true, ...valueType('jsonb') },
    }),
  ],
);

function ofPublic(name: string) {
  return { schema: 'public', name };
}

function geometry() {
  const type = 'extensions.geometry';
  return { type, baseType: type, elementType: undefined, valueKind: 'geometry' } as const;
}

export interface NamedRequest extends Request {
  readonly name: string;
}

/** A GET of `stars`, unless `more` says otherwise. */
export const read = (
  name: string,
  queryString: string,
  more: Partial<Request> = {},
): NamedRequest => ({
  name,
  table: 'stars',
  queryString,
  ...more,
});
const csv = { accept: 'text/csv' };
const geojson = { accept: 'application/geo+json' };
const stripped = { accept: 'application/vnd.pgrst.array+json;nulls=stripped' };

const reads: readonly NamedRequest[] = [
  read('of all columns', ''),
  ...Object.keys(COMPARISONS).map((word) =>
    read(word, `name=${word}.x&tag=not.${word}.x&data->a=${word}.1`),
  ),
  ...['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'].map((word) =>
    read(`${word} of a list`, `name=${word}(any).{x}&tag=${word}(all).{x}`),
  ),
  ...Object.keys(TEXT_SEARCHES).map((word) =>
    read(word, `name=${word}.x&words=${word}(english).x&data->>a=${word}.x&raw=${word}.x`),
  ),
  ...AGGREGATES.flatMap((name) => [
    read(`${name}`, `select=data,raw,x:mass.${name}()::text,y:data->a::int.${name}()`),
    read(`${name} of an embed`, `select=id,suns!stars_sun_id_fkey(mass.${name}())`),
    read(`${name} of a spread`, `select=id,...suns!stars_sun_id_fkey(mass.${name}(),raw)`),
  ]),
  read('count of rows', 'select=count(),name'),
  read('count of rows of an own type', 'select=tag.count()'),
  ...['null', 'not_null', 'true', 'false', 'unknown'].map((word) => read(word, `name=is.${word}`)),
  read('in', 'id=in.(1,2)&name=not.in.(a,b)'),
  read('trees', 'or=(id.eq.1,not.and(name.like.a*,mass.gt.1))'),
  read('JSON paths', 'select=data->a->0->>b,name->x,tag->>y&data->a->>0=eq.1&order=data->a,raw->b'),
  read('casts', 'select=id::text,name::varchar,data->>a::int,c0::mood,c1::json'),
  read('computed columns', 'select=full_name,full_name->a&full_name=eq.x&order=full_name'),
  read('computed relations', 'select=id,nearest(id)&nearest.mass=gt.1&order=nearest(mass)'),
  read(
    'embeds',
    'select=id,suns!stars_sun_id_fkey(name),visits(day,suns(*))&visits.order=day&visits.limit=2',
  ),
  read('inner embeds', 'select=id,suns!stars_sun_id_fkey!inner(name)&suns.name=eq.x'),
  read('embeds that are filtered by', 'select=id,visits()&visits=not.is.null'),
  read('spreads', 'select=id,...suns!stars_sun_id_fkey(name,raw),...visits(day)'),
  read('embeds of a long page', 'select=id,suns!stars_sun_id_fkey(name)&limit=500'),
  read('orders by a related row', 'select=id,suns!stars_sun_id_fkey(id)&order=suns(mass).desc'),
  read('windows', 'limit=2&offset=4'),
  ...['exact', 'planned', 'estimated'].flatMap((count) =>
    [true, false].map((seesAllRows) =>
      read(`count=${count}`, 'id=gt.1', { headers: { prefer: `count=${count}` }, seesAllRows }),
    ),
  ),
  read('the count of groups', 'select=name,count()', { headers: { prefer: 'count=exact' } }),
  read('no row', '', { method: 'HEAD' }),
  read('CSV', 'select=id,data,suns!stars_sun_id_fkey(name)', { headers: csv }),
  read('rows without nulls', '', { headers: stripped }),
  read('GeoJSON of PostGIS', '', { table: 'shapes', headers: geojson }),
  read('GeoJSON of JSON', 'select=geom:data,id', { headers: geojson }),
  read('GeoJSON of text', 'select=geom:name,id', { headers: geojson }),
  read('plans', '', { headers: { accept: 'application/vnd.pgrst.plan+json' } }),
];

const write = (name: string, more: Partial<Request>): NamedRequest => ({
  name,
  table: 'stars',
  method: 'POST',
  body: `{${stars.columns.map((each) => `"${each.name}":1`).join(',')}}`,
  ...more,
});
const full = { prefer: 'return=representation' };

const writes: readonly NamedRequest[] = [
  write('an insert', {}),
  write('an insert of default rows', { body: '[{},{}]' }),
  write('an insert that answers', {
    headers: full,
    queryString: 'select=id,data->a,suns!stars_sun_id_fkey(*)',
  }),
  write('an insert with its key', { headers: { prefer: 'return=headers-only' } }),
  write('an insert of CSV', { headers: { contentType: 'text/csv' }, body: 'id,name\n1,a' }),
  write('an insert with defaults', {
    headers: { prefer: 'missing=default' },
    body: '[{"id":1,"mass":1},{"name":"a"}]',
  }),
  ...['merge', 'ignore'].map((kind) =>
    write(`an insert that does ${kind}`, { headers: { prefer: `resolution=${kind}-duplicates` } }),
  ),
  write('an update', { method: 'PATCH', queryString: 'id=eq.1', headers: full }),
  write('an update of nothing', {
    method: 'PATCH',
    queryString: 'id=eq.1',
    body: '{}',
    headers: full,
  }),
  write('a deletion', { method: 'DELETE', queryString: 'data->a=eq.1', headers: full }),
  write('a dry run', { headers: { prefer: 'tx=rollback' } }),
  write('a write as CSV', { headers: { ...csv, ...full } }),
];

const call = (name: string, routineName: string, more: Partial<Request> = {}): NamedRequest => ({
  name,
  function: routineName,
  method: 'POST',
  body: '{"a":1,"b":"x","c":[],"least":1}',
  ...more,
});
const counted = { prefer: 'count=exact' };

const calls: readonly NamedRequest[] = [
  call('a function of its own body', 'add', { body: '{"a":1,"b":"x"}' }),
  call('a function of a query', 'add', { method: 'GET', queryString: 'a=1&b=x' }),
  call('a volatile function', 'change', { body: '{"a":1,"b":"x","c":["y"]}' }),
  call('a function of the whole body', 'whole', { body: '[1]' }),
  call('a function without a result', 'note', {
    body: 'x',
    headers: { contentType: 'text/plain' },
  }),
  ...['all_suns', 'one_sun'].flatMap((name) => [
    call(`the rows of ${name}`, name, {
      body: '{"least":1}',
      queryString: 'select=name,raw&mass=gt.1&order=id',
    }),
    call(`the counted rows of ${name}`, name, { body: '{"least":1}', headers: counted }),
    call(`the rows of ${name} as CSV`, name, { body: '{"least":1}', headers: csv }),
  ]),
  call('the number of rows', 'all_suns', {
    body: '{"least":1}',
    headers: { prefer: 'count=exact,return=minimal' },
  }),
  ...[{}, counted, csv, stripped].map((headers) =>
    call(`values with ${JSON.stringify(headers)}`, 'values_of', { body: '{"a":1}', headers }),
  ),
];

/** Reads with every operator, aggregate, embed, count and format; writes and calls of every kind. */
export const requestsOfEveryKind: readonly NamedRequest[] = [...reads, ...writes, ...calls];
