// How values of the SQL editor become JSON. Numbers stay numbers only when nothing is lost; dates and
// times stay PostgreSQL's text, in UTC; arrays of the types below become JSON arrays.

import { types, type CustomTypesConfig } from 'pg';

type Parser = (text: string) => unknown;

const number: Parser = (text) => {
  const value = Number(text);
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact && String(value) === text ? value : text;
};
const boolean: Parser = (text) => text === 't';
const json: Parser = (text): unknown => JSON.parse(text);
const plain: Parser = (text) => text;

const PARSERS: ReadonlyMap<number, Parser> = new Map([
  [types.builtins.BOOL, boolean],
  [types.builtins.INT2, number],
  [types.builtins.INT4, number],
  [types.builtins.INT8, number],
  [types.builtins.OID, number],
  [types.builtins.FLOAT4, number],
  [types.builtins.FLOAT8, number],
  [types.builtins.NUMERIC, number],
  [types.builtins.JSON, json],
  [types.builtins.JSONB, json],
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

// The list of types that pg-types declares lacks arrays, and it gives parsers out as `any`; this one makes
// nested arrays of texts and nulls.
const textArrayType: number = 1009;
const parseTextArray: Parser = types.getTypeParser(textArrayType);

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(types.builtins).flatMap(([name, oid]) =>
    typeof oid === 'number' ? [[oid, name.toLowerCase()] as const] : [],
  ),
);

/** For pg: the parser of each type of a result. */
export const scriptTypes: CustomTypesConfig = {
  getTypeParser: (oid: number) => parserOf(oid),
};

/** The name of a built-in type; `oid <number>` for types that the project made. */
export function typeName(oid: number): string {
  const element = ELEMENT_OF.get(oid);
  if (element !== undefined) return `${typeName(element)}[]`;
  return TYPE_NAMES.get(oid) ?? `oid ${oid}`;
}

function parserOf(oid: number): Parser {
  const element = ELEMENT_OF.get(oid);
  if (element === undefined) return PARSERS.get(oid) ?? plain;
  const parseElement = PARSERS.get(element) ?? plain;
  return (text) => mapArray(parseTextArray(text), parseElement);
}

/** Elements are texts or null; arrays of several dimensions are nested. */
function mapArray(value: unknown, parseElement: Parser): unknown {
  if (Array.isArray(value)) return value.map((element) => mapArray(element, parseElement));
  return typeof value === 'string' ? parseElement(value) : value;
}
