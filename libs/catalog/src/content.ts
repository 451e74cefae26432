// The answer of CATALOG_SQL: lists that name tables by oid, columns by number and types by key.
import type { UniqueKey } from './catalog.js';

export interface CatalogContent {
  readonly version: string | null;
  readonly types: readonly TypeRow[] | null;
  readonly enums: readonly EnumRow[] | null;
  /** Names of the types in `public` that requests may cast to. */
  readonly castTypes: readonly string[] | null;
  readonly tables: readonly TableRow[] | null;
  readonly columns: readonly ColumnsRow[] | null;
  readonly defaults: readonly DefaultRow[] | null;
  readonly uniqueKeys: readonly UniqueKeyRow[] | null;
  readonly foreignKeys: readonly ForeignKeyRow[] | null;
  readonly routines: readonly RoutineRow[] | null;
}

export type TypeRow = readonly [
  /** `oid:modifier`. */
  key: string,
  type: string,
  baseType: string,
  elementType: string | null,
  kind: string,
  /** Oid of the table or composite type whose rows are values of the type; 0 for all other types. */
  relationOid: number,
  isDomain: boolean,
  /** Its values print names that all projects of the cluster share. */
  isOfCluster: boolean,
];
export type EnumRow = readonly [type: string, labels: readonly string[]];
export type TableRow = readonly [oid: number, name: string, kind: 'r' | 'p', hasRls: boolean];
/** The columns of one table or composite type, in its order. */
export type ColumnsRow = readonly [
  relationOid: number,
  numbers: readonly number[],
  names: readonly string[],
  typeKeys: readonly string[],
  flags: readonly string[],
];
export type DefaultRow = readonly [tableOid: number, columnNumber: number, sql: string];
export type UniqueKeyRow = readonly [
  tableOid: number,
  name: string,
  isPrimary: boolean,
  columnCount: number,
  /** Numbers of the columns, blank separated; the first `columnCount` are the key, the rest INCLUDE. */
  columnNumbers: string,
  obstacle: UniqueKey['obstacle'] | null,
];
export type ForeignKeyRow = readonly [
  tableOid: number,
  name: string,
  columnNumbers: readonly number[],
  targetSchema: string,
  targetTable: string,
  targetOid: number,
  targetNumbers: readonly number[],
  /** Names of the target's columns by number; null when the target is in the catalog itself. */
  targetNames: Readonly<Record<string, string>> | null,
  isTemporal: boolean,
];
export type RoutineRow = readonly [
  schema: string,
  name: string,
  typeKeys: readonly string[],
  /** pg_proc.proargmodes; null when all arguments are IN. */
  modes: readonly string[] | null,
  /** Empty for an argument without a name; null when none has one. */
  names: readonly string[] | null,
  /** How many of the last input arguments have one. */
  defaultCount: number,
  resultKey: string,
  isSet: boolean,
  givesOneRow: boolean,
  volatility: 'i' | 's' | 'v',
  isDefiner: boolean,
];
