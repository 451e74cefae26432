import type { Routine, RoutineName } from '#libs/catalog';

import { RIGHTS_SQL } from './rights.sql.js';

/** Whether a role has a right on a column. */
export type ColumnRight = 'all' | 'none' | ReadonlySet<string>;

/** The rights of a role on a table on which it has any right, and the comments. */
export interface TableRights {
  readonly select: ColumnRight;
  readonly insert: ColumnRight;
  readonly update: ColumnRight;
  readonly canDelete: boolean;
  readonly comment: string | undefined;
  readonly columnComments: ReadonlyMap<string, string>;
}

/** A function that a role may execute. */
export interface RoutineRights {
  readonly comment: string | undefined;
}

/** Everything that a role may reach. Policies are not in it: they decide about rows. */
export interface CallerRights {
  readonly tableByName: ReadonlyMap<string, TableRights>;
  /** By `routineKey`. */
  readonly routineByKey: ReadonlyMap<string, RoutineRights>;
  /** Functions that may be executed, with any arguments; by `nameKey`. */
  readonly routineNames: ReadonlySet<string>;
}

/** Returns the statement whose result `readRights` reads, for the functions of `schemas`. Run it as the caller. */
export function rightsQuery(schemas: readonly string[]) {
  return { text: RIGHTS_SQL, values: [JSON.stringify(schemas)] };
}

type ColumnsJson = boolean | readonly string[];
type TableJson = readonly [
  name: string,
  comment: string | null,
  select: ColumnsJson,
  insert: ColumnsJson,
  update: ColumnsJson,
  canDelete: boolean,
  columnComments: Readonly<Record<string, string>> | null,
];
type RoutineJson = readonly [
  schema: string,
  name: string,
  argumentNames: readonly (string | null)[] | null,
  comment: string | null,
];
interface RightsJson {
  readonly tables: readonly TableJson[] | null;
  readonly routines: readonly RoutineJson[] | null;
}

/** Reads the rights from the only row of the statement of `rightsQuery`. */
export function readRights(text: string): CallerRights {
  // RIGHTS_SQL alone decides the shape of this text.
  const { tables, routines } = JSON.parse(text) as RightsJson;
  const routineByKey = new Map<string, RoutineRights>();
  for (const [schema, name, argumentNames, comment] of routines ?? []) {
    const key = keyOf({ schema, name }, argumentNames ?? []);
    const known = routineByKey.get(key)?.comment;
    routineByKey.set(key, { comment: known ?? comment ?? undefined });
  }
  return {
    tableByName: new Map((tables ?? []).map((row) => [row[0], readTable(row)])),
    routineByKey,
    routineNames: new Set((routines ?? []).map(([schema, name]) => nameKey({ schema, name }))),
  };
}

function readTable(row: TableJson): TableRights {
  const [, comment, select, insert, update, canDelete, columnComments] = row;
  return {
    select: readColumns(select),
    insert: readColumns(insert),
    update: readColumns(update),
    canDelete,
    comment: comment ?? undefined,
    columnComments: new Map(Object.entries(columnComments ?? {})),
  };
}

function readColumns(columns: ColumnsJson): ColumnRight {
  if (typeof columns !== 'boolean') return new Set(columns);
  return columns ? 'all' : 'none';
}

/** The key of a function in `routineByKey`. */
export function routineKey(routine: Routine): string {
  return keyOf(
    routine,
    routine.args.map(({ name }) => name ?? null),
  );
}

/** The key of a function's name in `routineNames`. */
export function nameKey({ schema, name }: RoutineName): string {
  return JSON.stringify([schema, name]);
}

function keyOf({ schema, name }: RoutineName, argumentNames: readonly (string | null)[]): string {
  return JSON.stringify([schema, name, ...argumentNames]);
}

/** Whether `right` covers the column. */
export function covers(right: ColumnRight, column: string): boolean {
  return right === 'all' || (right !== 'none' && right.has(column));
}
