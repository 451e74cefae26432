// The file that `rowhouse gen types` writes, from the catalog of a project. Its shape is the one that
// supabase-js users know; the client's types read it.
import { type Catalog, isExposed } from '#libs/catalog';

import { functionType } from './function-types.js';
import { indented, type Member, objectType, sortedByName } from './source-text.js';
import { type TableContext, tableType } from './table-types.js';
import { nameTypes, unionOf } from './value-types.js';

const NOTHING = objectType([]);

/**
 * TypeScript that declares `Database`, `Json` and short names for the parts of `Database`. The same
 * catalog always gives the same text. What requests can never reach is left out.
 */
export function generateTypes(catalog: Catalog): string {
  const tables = sortedByName(catalog.tableByName.values()).filter(({ name }) => isExposed(name));
  const names = tables.map(({ name }) => name);
  const named = nameTypes(catalog, names);
  const declared = new Set(names);
  const context: TableContext = { named, isDeclared: (table) => declared.has(table) };
  const schema = objectType([
    {
      name: 'Tables',
      type: objectType(
        tables.map((table) => ({ name: table.name, type: tableType(table, context) })),
      ),
    },
    { name: 'Views', type: NOTHING },
    { name: 'Functions', type: objectType(functionMembers(catalog, context)) },
    {
      name: 'Enums',
      type: objectType(
        sortedByName(named.enums).map(({ name, labels }) => ({ name, type: unionOf(labels) })),
      ),
    },
    { name: 'CompositeTypes', type: NOTHING },
  ]);
  return `${HEAD}\nexport type Database = {\n${indented(`public: ${schema};`)}\n};\n${TAIL}`;
}

function functionMembers(catalog: Catalog, context: TableContext): readonly Member[] {
  const routines = [...(catalog.routines.get('public') ?? [])];
  const named = routines.map(([name, overloads]) => ({ name, overloads }));
  return sortedByName(named).flatMap(({ name, overloads }) => {
    const type = functionType(overloads, catalog, context);
    return type === undefined ? [] : [{ name, type }];
  });
}

const HEAD = `// Written by \`rowhouse gen types\` from the tables and functions of a project. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

const TAIL = `
type Public = Database["public"];

/** A row as it is read. */
export type Tables<Name extends keyof Public["Tables"]> = Public["Tables"][Name]["Row"];

/** A row as an insert writes it. */
export type TablesInsert<Name extends keyof Public["Tables"]> = Public["Tables"][Name]["Insert"];

/** Columns as an update writes them. */
export type TablesUpdate<Name extends keyof Public["Tables"]> = Public["Tables"][Name]["Update"];

export type Enums<Name extends keyof Public["Enums"]> = Public["Enums"][Name];
`;
