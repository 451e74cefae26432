// The only vocabulary between the stages: text -> RestRequest (parse) -> Plan (plan) -> statements
// (sql) and the head of the answer (shape). New grammar adds members to these unions.
//
// Values of filters are not part of any of them. They stand outside as a list of operands, and a
// filter knows the slot of its operand: requests that differ in values alone share one plan.
import type { Column, Table } from '#libs/catalog';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** The headers that decide about a table request, each as one line of text. */
export interface RestHeaders {
  readonly prefer?: string | undefined;
  readonly range?: string | undefined;
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly acceptProfile?: string | undefined;
  readonly contentProfile?: string | undefined;
}

export interface RestInput {
  readonly method: Method;
  /** Decoded last segment of the path. */
  readonly table: string;
  /** As it came: percent-encoded, without the question mark. */
  readonly queryString: string;
  readonly headers: RestHeaders;
  readonly body?: string | undefined;
}

// Parsed: names are still what the caller wrote.

export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'column';
      readonly name: string;
      readonly alias: string | undefined;
      readonly cast: string | undefined;
    };

export const COMPARISONS = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
} as const;
export type Comparison = keyof typeof COMPARISONS;

export type IsKeyword = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Test =
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      /** With one the operand is an array: `like(any).{a*,b*}`. */
      readonly quantifier: 'any' | 'all' | undefined;
      readonly slot: number;
    }
  | { readonly kind: 'in'; readonly slot: number }
  | { readonly kind: 'is'; readonly keyword: IsKeyword };

/** `Field` is a name after parsing and a column of the catalog after planning. */
export type FilterNode<Field> =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode<Field>[] }
  | { readonly kind: 'not'; readonly node: FilterNode<Field> }
  | { readonly kind: 'condition'; readonly field: Field; readonly test: Test };

export interface OrderTerm<Field> {
  readonly field: Field;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}

/** Rows counted from 0. */
export interface Window {
  readonly offset: number;
  /** Absent: as many as the server gives. */
  readonly limit: number | undefined;
}

export type CountMode = 'none' | 'exact' | 'planned' | 'estimated';

export interface Preferences {
  readonly count: CountMode;
  readonly returns: 'representation' | 'minimal' | 'headers-only';
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  /** What a write puts into a column that a row of the body leaves out. */
  readonly missing: 'default' | 'null';
  readonly maxAffected: number | undefined;
  readonly isDryRun: boolean;
  /** `name=value` of the preferences given, in the order of the implementation's table. */
  readonly given: readonly string[];
}

export interface Format {
  readonly kind: 'array' | 'object' | 'csv';
  readonly stripNulls: boolean;
}

/** What the keys of a JSON body say; the body itself goes to PostgreSQL untouched. */
export interface BodyShape {
  readonly kind: 'object' | 'array';
  /** Union of the keys of all rows, in the order in which they appear. */
  readonly keys: readonly string[];
  /** Whether each row has all of `keys`. */
  readonly isUniform: boolean;
}

interface RequestBase {
  readonly table: string;
  readonly select: readonly SelectItem[];
  readonly order: readonly OrderTerm<string>[];
  readonly preferences: Preferences;
  readonly format: Format;
}

export interface ReadRequest extends RequestBase {
  readonly kind: 'read';
  /** False for HEAD. */
  readonly readsRows: boolean;
  readonly where: FilterNode<string>;
  readonly window: Window;
}

export interface InsertRequest extends RequestBase {
  readonly kind: 'insert';
  readonly body: BodyShape;
  /** Columns to read from the body; absent: its keys. */
  readonly columns: readonly string[] | undefined;
  readonly onConflict: readonly string[] | undefined;
}

export interface UpdateRequest extends RequestBase {
  readonly kind: 'update';
  readonly body: BodyShape;
  readonly columns: readonly string[] | undefined;
  readonly where: FilterNode<string>;
}

export interface DeleteRequest extends RequestBase {
  readonly kind: 'delete';
  readonly where: FilterNode<string>;
}

export type RestRequest = ReadRequest | InsertRequest | UpdateRequest | DeleteRequest;

// Planned: every name is resolved against the catalog.

export interface Output {
  readonly kind: 'column';
  readonly column: Column;
  readonly cast: string | undefined;
  /** Key in the answer. */
  readonly name: string;
}

/** Rows as the caller wants to see them. */
export interface Representation {
  readonly outputs: readonly Output[];
  readonly order: readonly OrderTerm<Column>[];
  readonly format: Format;
}

export interface ReadPlan {
  readonly kind: 'read';
  readonly table: Table;
  readonly where: FilterNode<Column>;
  readonly rows: Representation;
  /** HEAD: no row is read, the window only shapes Content-Range. */
  readonly readsRows: boolean;
  readonly window: { readonly offset: number; readonly limit: number };
  readonly count: CountMode;
  /** Ceiling of one answer; also where an estimated count stops counting. */
  readonly maxRows: number;
}

/** What a write gives back besides the number of rows. */
export type Returning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rows'; readonly rows: Representation }
  /** The key of the one new row, for the header Location. */
  | { readonly kind: 'key'; readonly columns: readonly Column[] };

/** Demands on a write that are known only after it ran. */
export interface WriteChecks {
  readonly isSingle: boolean;
  readonly maxAffected: number | undefined;
  readonly isDryRun: boolean;
}

interface WriteBase {
  readonly table: Table;
  readonly returning: Returning;
  readonly checks: WriteChecks;
  readonly showsTotal: boolean;
}

/** A column that a write fills, and whether rows of the body may leave it to its default. */
export interface WriteColumn {
  readonly column: Column;
  readonly source: 'body' | 'body-or-default' | 'default';
}

export type ConflictRule =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'ignore'; readonly target: readonly Column[] }
  | { readonly kind: 'merge'; readonly target: readonly Column[] };

export interface InsertPlan extends WriteBase {
  readonly kind: 'insert';
  readonly columns: readonly WriteColumn[];
  readonly conflict: ConflictRule;
}

export interface UpdatePlan extends WriteBase {
  readonly kind: 'update';
  /** Empty: nothing is changed and no row counts as touched. */
  readonly columns: readonly WriteColumn[];
  readonly where: FilterNode<Column>;
}

export interface DeletePlan extends WriteBase {
  readonly kind: 'delete';
  readonly where: FilterNode<Column>;
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;
export type Plan = ReadPlan | WritePlan;

// Compiled: SQL text, and where its values come from.

/** Where the value of one `$n` comes from when the statement is run. */
export type Parameter =
  | { readonly from: 'body' }
  | {
      readonly from: 'operand';
      readonly slot: number;
      /** `pattern`: `*` stands for `%`. `list`: `(a,b)` becomes an array. */
      readonly as: 'text' | 'pattern' | 'list';
    };

export interface StatementTemplate {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly gives: StatementGives;
}

/**
 * What the executor does with the rows of a statement. Each row is one column of text.
 * `rows`: bytes passed through into the body; `text`: one row, decoded and handed to `respond`;
 * `nothing`: only the number of the command tag counts.
 */
export type StatementGives = 'rows' | 'text' | 'nothing';
