// Filters and orders in the words of the REST API (docs/rest/filters.md).
import type { SchemaColumn } from '../project/schema.js';
import { isWords, type Operator, operators } from './operators.js';
import { kindOf, type ValueKind } from './value-kinds.js';

/** A column that decides the order. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface Filter {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

const comparisons: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in'];
const texts: readonly Operator[] = ['eq', 'neq', 'ilike', 'not.ilike', 'imatch', 'in', 'gt', 'lt'];

/** The operators that a column can be filtered by, the usual one first. */
export function operatorsFor(column: SchemaColumn): readonly Operator[] {
  return [...operatorsByKind(kindOf(column), column), 'is'];
}

function operatorsByKind(kind: ValueKind, { baseType }: SchemaColumn): readonly Operator[] {
  switch (kind) {
    case 'text':
      return texts;
    case 'json':
      return baseType === 'jsonb' ? ['cs', 'eq', 'neq'] : [];
    case 'array':
      return ['cs', 'ov', 'eq', 'neq'];
    case 'range':
      return ['cs', 'ov', 'eq', 'neq'];
    case 'boolean':
    case 'bytea':
    case 'uuid':
      return ['eq', 'neq', 'in'];
    case 'integer':
    case 'number':
    case 'enum':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'other':
      return comparisons;
  }
}

/** A filter in words, for its chip. */
export function filterInWords({ column, operator, value }: Filter): string {
  if (operator === 'is') return `${column} is ${isWords[value] ?? value}`;
  const words = operators.find(({ name }) => name === operator)?.words ?? operator;
  return `${column} ${words} ${value === '' ? '(empty)' : value}`;
}

/** A name that the grammar takes as it is, whatever its characters are: also `select` and `order` are columns. */
export function quotedName(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** A column as its text, in the grammar of `select`. */
export function asText(column: string): string {
  return `${quotedName(column)}::text`;
}

/** A filter as the parameter of a query: name and value, not percent-encoded. */
function parameterOf({ column, operator, value }: Filter): readonly [string, string] {
  return [quotedName(column), `${operator}.${operator === 'in' ? listOf(value) : value}`];
}

/** `(a,"b,c")` from `a, "b,c"`: items are separated by commas, and may be in quotes. */
function listOf(text: string): string {
  const items = text.match(/\s*(?:"(?:[^"\\]|\\[^])*"|[^,]*)\s*(?:,|$)/g) ?? [];
  const plain = items
    .map((item) => item.replace(/,$/, '').trim())
    .filter((item, index) => item !== '' || index < items.length - 1);
  return `(${plain.map((item) => (item.startsWith('"') ? item : quotedName(item))).join(',')})`;
}

export interface RowsQuery {
  readonly columns: readonly string[];
  readonly filters: readonly Filter[];
  readonly sorts: readonly Sort[];
  readonly primaryKey: readonly string[];
}

/** `select=…&filters&order=…`, percent-encoded. All columns are cast to text; the order ends with the primary key. */
export function queryOf(
  { columns, filters, sorts, primaryKey }: RowsQuery,
  window?: { readonly offset: number; readonly limit: number },
): string {
  const order = [
    ...sorts.map(
      ({ column, isDescending }) => `${quotedName(column)}.${isDescending ? 'desc' : 'asc'}`,
    ),
    ...primaryKey
      .filter((key) => !sorts.some(({ column }) => column === key))
      .map((key) => `${quotedName(key)}.asc`),
  ];
  const parameters: (readonly [string, string])[] = [
    ['select', columns.map(asText).join(',')],
    ...filters.map(parameterOf),
    ...(order.length > 0 ? [['order', order.join(',')] as const] : []),
    ...(window
      ? [['limit', String(window.limit)] as const, ['offset', String(window.offset)] as const]
      : []),
  ];
  return encodeQuery(parameters);
}

/** The query that counts the rows of another. */
export function countQueryOf({ filters, columns }: RowsQuery): string {
  const [first] = columns;
  return encodeQuery([
    ...(first === undefined ? [] : [['select', quotedName(first)] as const]),
    ...filters.map(parameterOf),
  ]);
}

export function encodeQuery(parameters: readonly (readonly [string, string])[]): string {
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
