// The built-in types that requests may cast to, and those that a project must not show at all.

/**
 * Built-in types that requests may cast to: their values are what is written in them. Types that turn a
 * number into a name of the catalogs (`regclass`, `regrole`), internal ones (`oid`, `xid`, `tid`, `name`,
 * `refcursor`, `pg_lsn`), pseudo types and `xml` are not among them.
 */
export const CAST_TYPE_NAMES: ReadonlySet<string> = new Set([
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  'money',
  'bool',
  'text',
  'varchar',
  'bpchar',
  'char',
  'bit',
  'varbit',
  'bytea',
  'uuid',
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
  'json',
  'jsonb',
  'jsonpath',
  'tsvector',
  'tsquery',
  'inet',
  'cidr',
  'macaddr',
  'macaddr8',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'int4range',
  'int8range',
  'numrange',
  'tsrange',
  'tstzrange',
  'daterange',
  'int4multirange',
  'int8multirange',
  'nummultirange',
  'tsmultirange',
  'tstzmultirange',
  'datemultirange',
]);

/** Types whose values print names that all projects of the cluster share: roles and databases. */
export const CLUSTER_TYPES: ReadonlySet<string> = new Set(['regrole', 'regdatabase', 'aclitem']);

/** Words of SQL's grammar for built-in types, and the types that they mean in a cast. */
const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['smallint', 'int2'],
  ['int', 'int4'],
  ['integer', 'int4'],
  ['bigint', 'int8'],
  ['real', 'float4'],
  ['float', 'float8'],
  ['decimal', 'numeric'],
  ['dec', 'numeric'],
  ['boolean', 'bool'],
  // Without a length these types have the length 1 (PostgreSQL manual 8.3 and 8.10).
  ['char', 'bpchar(1)'],
  ['nchar', 'bpchar(1)'],
  ['character', 'bpchar(1)'],
  ['bit', 'bit(1)'],
]);

/** The built-in type of a cast, schema-qualified; undefined when requests may not cast to it. */
export function builtInCastType(name: string): string | undefined {
  const word = TYPE_WORDS.get(name);
  if (word !== undefined) return `pg_catalog.${word}`;
  return CAST_TYPE_NAMES.has(name) ? `pg_catalog.${name}` : undefined;
}
