// PostgreSQL types as JSON Schema: how `row_to_json` writes their values, which is also how a write accepts them. An
// unknown type is written as text.
import type { ValueType } from '#libs/catalog';

import type { Schema } from './openapi.js';

/** Labels of enums by the SQL text of the type, as in the catalog. */
export type EnumLabels = ReadonlyMap<string, readonly string[]>;

const text: Schema = { type: 'string' };
const range = (example: string): Schema => ({
  type: 'string',
  description: `A range, for example \`${example}\`.`,
});

const SCHEMA_BY_TYPE: Readonly<Record<string, Schema>> = {
  smallint: { type: 'integer', format: 'int32', minimum: -32_768, maximum: 32_767 },
  integer: { type: 'integer', format: 'int32' },
  bigint: { type: 'integer', format: 'int64' },
  oid: { type: 'integer', format: 'int64', minimum: 0 },
  real: { type: 'number', format: 'float' },
  'double precision': { type: 'number', format: 'double' },
  numeric: { type: 'number' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  'timestamp with time zone': { type: 'string', format: 'date-time' },
  'timestamp without time zone': {
    type: 'string',
    description: 'Date and time without a time zone, for example `2024-01-31T12:00:00`.',
  },
  'time without time zone': {
    type: 'string',
    description: 'Time of day without a time zone, for example `12:00:00`.',
  },
  'time with time zone': { type: 'string', format: 'time' },
  interval: { type: 'string', description: 'A length of time, for example `1 day 02:00:00`.' },
  bytea: {
    type: 'string',
    pattern: '^\\\\x([0-9A-Fa-f]{2})*$',
    description: 'Bytes in hexadecimal digits behind `\\x`.',
  },
  json: { description: 'Any JSON value.' },
  jsonb: { description: 'Any JSON value.' },
  inet: { type: 'string', description: 'An IP address, perhaps with a netmask.' },
  cidr: { type: 'string', description: 'A network: an IP address with a netmask.' },
  tsvector: { type: 'string', description: 'A document for full-text search.' },
  tsquery: { type: 'string', description: 'A query of full-text search.' },
  int4range: range('[1,10)'),
  int8range: range('[1,10)'),
  numrange: range('[1.5,2.5)'),
  daterange: range('[2024-01-01,2024-02-01)'),
  tsrange: range('[2024-01-01 12:00,2024-01-01 13:00)'),
  tstzrange: range('[2024-01-01 12:00+00,2024-01-01 13:00+00)'),
};

/** Types of extensions, whose schema depends on where the extension was created. */
const SCHEMA_BY_EXTENSION_TYPE: Readonly<Record<string, Schema>> = {
  hstore: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
};

const lengthPattern = /^character(?: varying)?\((\d+)\)$/;
const modifierPattern = /\(\d+(?:,-?\d+)?\)/;

/** The schema of a value that is not null. */
export function valueSchema(value: ValueType, enums: EnumLabels): Schema {
  switch (value.valueKind) {
    case 'array':
      return { type: 'array', items: elementSchema(value.elementType ?? 'text', enums) };
    case 'composite':
      return { type: 'object', description: `A value of the type \`${value.type}\`.` };
    case 'geometry':
      return { type: 'object', description: 'A geometry as GeoJSON.' };
    case 'json':
    case 'jsonb':
    case 'tsvector':
    case 'text':
    case 'other':
      return limited(scalarSchema(value.baseType, enums), value.type);
  }
}

function elementSchema(type: string, enums: EnumLabels): Schema {
  return limited(scalarSchema(type, enums), type);
}

/** With the length from the SQL text of the type. */
function limited(schema: Schema, type: string): Schema {
  const maxLength = lengthPattern.exec(type)?.[1];
  return maxLength === undefined ? schema : { ...schema, maxLength: Number(maxLength) };
}

/** The schema of a value that may be null. */
export function nullable(schema: Schema): Schema {
  // A schema without a type already accepts null.
  if (schema.type === undefined) return schema;
  const orNull: Schema = { ...schema, type: [...[schema.type].flat(), 'null'] };
  return schema.enum === undefined ? orNull : { ...orNull, enum: [...schema.enum, null] };
}

function scalarSchema(type: string, enums: EnumLabels): Schema {
  const labels = enums.get(type);
  if (labels) return { type: 'string', enum: labels };
  const plain = type.replace(modifierPattern, '');
  const known = Object.hasOwn(SCHEMA_BY_TYPE, plain) ? SCHEMA_BY_TYPE[plain] : undefined;
  if (known) return known;
  const unqualified = plain.slice(plain.lastIndexOf('.') + 1);
  const extension = Object.hasOwn(SCHEMA_BY_EXTENSION_TYPE, unqualified)
    ? SCHEMA_BY_EXTENSION_TYPE[unqualified]
    : undefined;
  return extension ?? text;
}
