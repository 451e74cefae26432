// The part of a project's catalog that the caller may use; the document names nothing else.
import {
  type Catalog,
  type Column,
  type ComputedColumn,
  hasFixedArguments,
  isExposed,
  isListedRoutine,
  type Routine,
  type Table,
} from '#libs/catalog';

import { type CallerRights, nameKey, routineKey, type TableRights } from './rights.js';

export interface VisibleTable {
  readonly table: Table;
  readonly rights: TableRights;
  /** Columns that functions compute, in the order of their names. */
  readonly computed: readonly ComputedColumn[];
}

/** Functions of one name, of which a call chooses one by its arguments. */
export interface VisibleFunction {
  readonly name: string;
  readonly overloads: readonly VisibleOverload[];
}

export interface VisibleOverload {
  readonly routine: Routine;
  readonly comment: string | undefined;
}

export interface Visible {
  /** In the order of their names. */
  readonly tables: readonly VisibleTable[];
  readonly tableByName: ReadonlyMap<string, VisibleTable>;
  readonly functions: readonly VisibleFunction[];
  /** How many the document leaves out because of its length. */
  readonly leftOut: { readonly tables: number; readonly functions: number };
}

/** For all described tables together: about 12 MB of text. */
const maxColumns = 20_000;
const maxFunctions = 2_000;

const noRoutines: ReadonlyMap<string, readonly Routine[]> = new Map();

export type BodyMediaType = 'application/json' | 'text/plain' | 'application/octet-stream';

export interface VisibleInput {
  readonly catalog: Catalog;
  readonly rights: CallerRights;
  /** The schema of the functions; tables are only in `public`. */
  readonly schema: string;
  /** SECURITY DEFINER functions that may be called: `name` or `schema.name`. */
  readonly definerFunctions: readonly string[];
}

/** The tables and functions that the caller with these rights may use. */
export function visibleTo(input: VisibleInput): Visible {
  const { catalog, rights, schema } = input;
  const allTables = sortedByName(catalog.tableByName).flatMap(([name, table]) => {
    const own = rights.tableByName.get(name);
    if (own === undefined || !isExposed(name)) return [];
    return [{ table, rights: own, computed: computedColumns(table, input) }];
  });
  const tables = fewTables(allTables);
  const allFunctions = sortedByName(catalog.routines.get(schema) ?? noRoutines).flatMap(
    ([name, routines]) => {
      const overloads = routines.flatMap((routine) => overloadOf(routine, input));
      return overloads.length > 0 ? [{ name, overloads }] : [];
    },
  );
  return {
    tables: schema === 'public' ? tables : [],
    tableByName: new Map(tables.map((each) => [each.table.name, each])),
    functions: allFunctions.slice(0, maxFunctions),
    leftOut: {
      tables: schema === 'public' ? allTables.length - tables.length : 0,
      functions: Math.max(0, allFunctions.length - maxFunctions),
    },
  };
}

/** The first tables that have no more than `maxColumns` together. */
function fewTables(tables: readonly VisibleTable[]): readonly VisibleTable[] {
  let columns = 0;
  const end = tables.findIndex(({ table }) => (columns += table.columns.length) > maxColumns);
  return end === -1 ? tables : tables.slice(0, end);
}

function overloadOf(routine: Routine, input: VisibleInput): readonly VisibleOverload[] {
  const own = input.rights.routineByKey.get(routineKey(routine));
  if (own === undefined || !isCallable(routine)) return [];
  return routine.isDefiner && !isListedRoutine(routine, input.definerFunctions)
    ? []
    : [{ routine, comment: own.comment }];
}

/** Calls pass arguments by name, or the body as the only argument, and no VARIADIC arguments. */
function isCallable(routine: Routine): boolean {
  if (!hasFixedArguments(routine)) return false;
  return (
    bodyMediaType(routine) !== undefined || routine.args.every(({ name }) => name !== undefined)
  );
}

/** By the type of the argument. */
const BODY_MEDIA_TYPES: Readonly<Record<string, BodyMediaType>> = {
  json: 'application/json',
  jsonb: 'application/json',
  text: 'text/plain',
  bytea: 'application/octet-stream',
};

/** The types of a body that is the only argument of the function, which has no name then. */
export function bodyMediaType({ args }: Routine): BodyMediaType | undefined {
  const [only] = args;
  const takesBody = args.length === 1 && only?.name === undefined;
  return takesBody ? BODY_MEDIA_TYPES[only?.type ?? ''] : undefined;
}

/** A real column hides a computed one with its name. */
function computedColumns(table: Table, input: VisibleInput): readonly ComputedColumn[] {
  return sortedByName(table.computedColumns)
    .map(([, column]) => column)
    .filter(
      ({ name, routine, isDefiner }) =>
        !table.columnByName.has(name) &&
        input.rights.routineNames.has(nameKey(routine)) &&
        (!isDefiner || isListedRoutine(routine, input.definerFunctions)),
    );
}

/** Whether a write may name the column at all. */
export function isWritable({ default: from }: Column): boolean {
  return from.kind !== 'generated' && !(from.kind === 'identity' && from.isAlways);
}

/** By code units, so that the order depends on no locale. */
function sortedByName<Value>(
  map: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
