// How values of the SQL editor become JSON. Numbers stay numbers only if nothing is lost; dates and times stay
// PostgreSQL's text, in UTC; arrays of the types below become JSON arrays. JSON is passed on unchanged.

import { types, type CustomTypesConfig } from 'pg';

/** The kind of JSON for the text of a value. */
export type ValueKind = 'number' | 'boolean' | 'json' | 'text';

const KINDS: ReadonlyMap<number, ValueKind> = new Map([
  [types.builtins.BOOL, 'boolean'],
  [types.builtins.INT2, 'number'],
  [types.builtins.INT4, 'number'],
  [types.builtins.INT8, 'number'],
  [types.builtins.OID, 'number'],
  [types.builtins.FLOAT4, 'number'],
  [types.builtins.FLOAT8, 'number'],
  [types.builtins.NUMERIC, 'number'],
  [types.builtins.JSON, 'json'],
  [types.builtins.JSONB, 'json'],
]);

/** Array types by the type of their elements (pg_type.typarray). */
const ELEMENT_OF: ReadonlyMap<number, number> = new Map([
  [1000, types.builtins.BOOL],
  [1005, types.builtins.INT2],
  [1007, types.builtins.INT4],
  [1016, types.builtins.INT8],
  [1021, types.builtins.FLOAT4],
  [1022, types.builtins.FLOAT8],
  [1231, types.builtins.NUMERIC],
  [199, types.builtins.JSON],
  [3807, types.builtins.JSONB],
  [1009, types.builtins.TEXT],
  [1014, types.builtins.BPCHAR],
  [1015, types.builtins.VARCHAR],
  [1115, types.builtins.TIMESTAMP],
  [1182, types.builtins.DATE],
  [1183, types.builtins.TIME],
  [1185, types.builtins.TIMESTAMPTZ],
  [1270, types.builtins.TIMETZ],
  [2951, types.builtins.UUID],
]);

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(types.builtins).flatMap(([name, oid]) =>
    typeof oid === 'number' ? [[oid, name.toLowerCase()] as const] : [],
  ),
);

/** For pg: values stay the text from PostgreSQL. */
export const scriptTypes: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Whether values of a type become JSON arrays. */
export function isArrayType(oid: number): boolean {
  return ELEMENT_OF.has(oid);
}

/** The kind of a type's values; of arrays the kind of their elements. */
export function kindOf(oid: number): ValueKind {
  return KINDS.get(ELEMENT_OF.get(oid) ?? oid) ?? 'text';
}

/** The JSON of a value. PostgreSQL guarantees that JSON is valid. */
export function jsonOf(kind: ValueKind, text: string): string {
  switch (kind) {
    case 'json':
      return text;
    case 'boolean':
      return text === 't' ? 'true' : 'false';
    case 'number':
      return isExact(text) ? text : JSON.stringify(text);
    case 'text':
      return JSON.stringify(text);
  }
}

/** Whether JavaScript reads the number without loss and writes it unchanged. */
function isExact(text: string): boolean {
  const value = Number(text);
  const isInRange = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isInRange && String(value) === text;
}

/** The name of a built-in type; `oid <number>` for types that the project has created. */
export function typeName(oid: number): string {
  const element = ELEMENT_OF.get(oid);
  if (element !== undefined) return `${typeName(element)}[]`;
  return TYPE_NAMES.get(oid) ?? `oid ${oid}`;
}
