import type { SchemaColumn } from '../project/schema.js';
// Which editor a column has, and which texts are values of its type. PostgreSQL has the last word: a text that looks right
// here may be refused when it is saved.

export type ValueKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'json'
  | 'array'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'uuid'
  | 'bytea'
  | 'range'
  | 'other';

const kindByType: Readonly<Record<string, ValueKind>> = {
  text: 'text',
  'character varying': 'text',
  character: 'text',
  citext: 'text',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'json',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  uuid: 'uuid',
  bytea: 'bytea',
};
const isRange = /^(?:int4|int8|num|date|ts|tstz)range$/;

/** The kind of the values of a column. */
export function kindOf({
  type,
  baseType,
  enumValues,
}: Pick<SchemaColumn, 'type' | 'baseType' | 'enumValues'>): ValueKind {
  if (type.endsWith('[]') || baseType.endsWith('[]')) return 'array';
  if (enumValues !== null && enumValues.length > 0) return 'enum';
  const plain = baseType.replace(/\(.*?\)/g, '').replace(/^(?:pg_catalog|public)\./, '');
  return kindByType[plain] ?? (isRange.test(plain) ? 'range' : 'other');
}

/** Kinds whose empty text is no value: an emptied field means NULL. */
export const hasEmptyText = (kind: ValueKind): boolean => kind === 'text' || kind === 'other';

/** Kinds that need more room than a cell. */
export const isLarge = (kind: ValueKind): boolean =>
  kind === 'json' || kind === 'array' || kind === 'bytea' || kind === 'range';

const bounds: Readonly<Record<string, readonly [bigint, bigint]>> = {
  smallint: [-(2n ** 15n), 2n ** 15n - 1n],
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
};
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const special = /^(?:NaN|[+-]?inf(?:inity)?)$/i;
const uuid = /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i;
const day = String.raw`\d{4,}-\d{1,2}-\d{1,2}(?: BC)?`;
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`;
const zone = String.raw`\s?(?:Z|UTC|[+-]\d{1,2}(?::?\d{2}(?::\d{2})?)?|[A-Za-z]+/[A-Za-z_]+)`;
const never = 'infinity|-infinity';
const date = new RegExp(`^(?:${day}|${never})$`);
const time = new RegExp(`^${clock}$`);
const timestamp = new RegExp(`^(?:${day}(?:[T ]${clock})?|${never})$`, 'i');
const zoned = new RegExp(`^(?:${day}[T ]${clock}(?:${zone})(?: BC)?|${never})$`, 'i');
const booleans = /^(?:t|f|true|false|yes|no|on|off|1|0)$/i;

/** Which text of a column is refused, and why; undefined if it may be a value. */
export function problemOfText(
  column: Pick<SchemaColumn, 'type' | 'baseType' | 'enumValues'>,
  text: string,
): string | undefined {
  switch (kindOf(column)) {
    case 'integer':
      return problemOfInteger(column.baseType, text);
    case 'number':
      return decimal.test(text) || special.test(text) ? undefined : 'Not a number';
    case 'boolean':
      return booleans.test(text) ? undefined : 'Neither true nor false';
    case 'enum':
      return column.enumValues?.includes(text) ? undefined : 'Not a value of the enum';
    case 'json':
      return problemOfJson(text);
    case 'date':
      return date.test(text) ? undefined : 'Not a date such as 2026-01-31';
    case 'time':
      return time.test(text) ? undefined : 'Not a time such as 13:45:00';
    case 'timestamp':
      return timestamp.test(text) ? undefined : 'Not a time such as 2026-01-31 13:45:00';
    case 'timestamptz':
      return zoned.test(text) ? undefined : 'Not a time with a zone such as 2026-01-31 13:45:00+00';
    case 'uuid':
      return uuid.test(text) ? undefined : 'Not a UUID';
    case 'bytea':
      return /^\\x(?:[0-9a-f]{2})*$/i.test(text) ? undefined : 'Not bytes such as \\x00ff';
    case 'array':
      return /^(?:\[[-\d:]+\](?:\[[-\d:]+\])*=)?\{[^]*\}$/.test(text)
        ? undefined
        : 'Not an array such as {1,2}';
    case 'range':
      return /^(?:empty|[[(][^,]*,[^,]*[\])])$/i.test(text)
        ? undefined
        : 'Not a range such as [1,5)';
    case 'text':
    case 'other':
      return undefined;
  }
}

function problemOfInteger(type: string, text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return 'Not a whole number';
  const [least, most] = bounds[type] ?? [undefined, undefined];
  const value = BigInt(text.replace(/^\+/, ''));
  if (least === undefined || most === undefined) return undefined;
  return value < least || value > most ? `Out of the range of ${type}` : undefined;
}

function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return `Not JSON: ${error.message}`;
    throw error;
  }
}

/** The text that a person gave, as a value: NULL for an emptied field of a type without an empty text. */
export function valueOfInput(kind: ValueKind, text: string): string | null {
  return text === '' && !hasEmptyText(kind) ? null : text;
}
