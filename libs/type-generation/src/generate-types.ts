// The file that `rowhouse gen types` writes, from the catalog of a project. Its shape is that of supabase-js; the
// client's types read it.
import { type Catalog, isExposed } from '#libs/catalog';
import type { Steps } from '#libs/steps';

import { functionType } from './function-types.js';
import { indented, type Member, memberText, objectType, sortedByName } from './source-text.js';
import { type TableContext, tableType } from './table-types.js';
import { nameTypes, unionOf } from './value-types.js';

const NOTHING = objectType([]);

/**
 * Returns, in steps, TypeScript that declares `Database`, `Json` and short names for the parts of `Database`. The same
 * catalog always gives the same text. Tables and functions that requests cannot reach are left out.
 */
export function* generateTypes(catalog: Catalog): Steps<string> {
  const tables = sortedByName(catalog.tableByName.values()).filter(({ name }) => isExposed(name));
  const names = tables.map(({ name }) => name);
  const named = nameTypes(catalog, names);
  const declared = new Set(names);
  const context: TableContext = { named, isDeclared: (table) => declared.has(table) };
  const sections = [
    yield* section('Tables', tables, (table) => ({
      name: table.name,
      type: tableType(table, context),
    })),
    yield* section('Views', [], () => undefined),
    yield* section('Functions', functionsOf(catalog), ({ name, overloads }) => {
      const type = functionType(overloads, catalog, context);
      return type === undefined ? undefined : { name, type };
    }),
    yield* section('Enums', sortedByName(named.enums), ({ name, labels }) => ({
      name,
      type: unionOf(labels),
    })),
    yield* section('CompositeTypes', [], () => undefined),
  ];
  return `${HEAD}\nexport type Database = {\n  public: {\n${sections.join('\n')}\n  };\n};\n${TAIL}`;
}

/** A member of `public`, with a nested member for each of `items`; undefined items are skipped. */
function* section<Item>(
  name: string,
  items: readonly Item[],
  memberOf: (item: Item) => Member | undefined,
): Steps<string> {
  const members: string[] = [];
  for (const item of items) {
    const member = memberOf(item);
    if (member) members.push(indented(memberText(member), 3));
    yield;
  }
  const type = members.length === 0 ? NOTHING : `{\n${members.join('\n')}\n    }`;
  return `    ${name}: ${type};`;
}

function functionsOf({ routines }: Catalog) {
  const named = [...(routines.get('public') ?? [])].map(([name, overloads]) => ({
    name,
    overloads,
  }));
  return sortedByName(named);
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
