// PostgreSQL types as TypeScript: the types of their values after `row_to_json`.
import type { Catalog, ValueType } from '#libs/catalog';
import { quoteIdent } from '#libs/wire';

import { stringLiteral } from './source-text.js';

/** Types that JSON does not write as strings; all other built-in types are strings. */
const TYPE_BY_NAME: Readonly<Record<string, string>> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  oid: 'number',
  real: 'number',
  'double precision': 'number',
  numeric: 'number',
  boolean: 'boolean',
  json: 'Json',
  jsonb: 'Json',
};

/** Types of extensions that are written as strings, whatever their schema. */
const TEXT_EXTENSION_TYPES: ReadonlySet<string> = new Set(['citext', 'ltree', 'vector']);

/** What types a schema defines, by the SQL text of the type. */
export interface NamedTypes {
  /** The enums that the file declares, by their names in it. */
  readonly enums: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly textByType: ReadonlyMap<string, string>;
}

/** Enums and rows of tables. `tables` are the names of those that the file declares. */
export function nameTypes(catalog: Catalog, tables: readonly string[]): NamedTypes {
  const textByType = new Map<string, string>();
  for (const table of tables) {
    const text = rowType(table);
    textByType.set(`public.${table}`, text).set(`public.${quoteIdent(table)}`, text);
  }
  const enums = [...catalog.enumByType].flatMap(([type, labels]) => {
    const name = nameInPublic(type);
    textByType.set(
      type,
      name === undefined ? unionOf(labels) : `Database["public"]["Enums"][${stringLiteral(name)}]`,
    );
    return name === undefined ? [] : [{ name, labels }];
  });
  return { enums, textByType };
}

/** The row of a table of the file. */
export function rowType(table: string): string {
  return `Database["public"]["Tables"][${stringLiteral(table)}]["Row"]`;
}

/** A union of string literals. */
export function unionOf(labels: readonly string[]): string {
  return labels.length === 0 ? 'never' : labels.map(stringLiteral).join(' | ');
}

/** The TypeScript type of a value that is not null. */
export function valueType(value: ValueType, { textByType }: NamedTypes): string {
  if (value.valueKind === 'geometry') return 'unknown';
  if (value.elementType === undefined) return scalarType(value.baseType, textByType);
  const element = scalarType(value.elementType, textByType);
  return element.includes(' | ') ? `(${element})[]` : `${element}[]`;
}

function scalarType(type: string, textByType: ReadonlyMap<string, string>): string {
  const named = textByType.get(type);
  if (named !== undefined) return named;
  const plain = type.replace(/\(\d+(?:,-?\d+)?\)/, '');
  if (Object.hasOwn(TYPE_BY_NAME, plain)) return TYPE_BY_NAME[plain] ?? 'unknown';
  const isBuiltIn = !plain.includes('.');
  return isBuiltIn || TEXT_EXTENSION_TYPES.has(plain.slice(plain.lastIndexOf('.') + 1))
    ? 'string'
    : 'unknown';
}

/** `mood` of `public.mood`, `My mood` of `public."My mood"`; undefined for types elsewhere. */
function nameInPublic(type: string): string | undefined {
  if (!type.startsWith('public.')) return undefined;
  const name = type.slice('public.'.length);
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
