// The plan of a request: every name is resolved against the catalog.
import type {
  Argument,
  Column,
  ComputedColumn,
  Relationship,
  Routine,
  Table,
  ValueType,
} from '#libs/catalog';
import type {
  Aggregation,
  BodyReference,
  FilterTree,
  JsonStep,
  OrderTerm,
  Test,
} from './grammar.js';
import type { ArgumentText, CountMode, PlanOption } from './request.js';

/** A value of a row, and the way into it. */
export interface Field {
  readonly source:
    | { readonly kind: 'column'; readonly column: Column }
    | { readonly kind: 'computed'; readonly column: ComputedColumn };
  readonly path: readonly JsonStep[];
}

export type PlannedCondition =
  | { readonly kind: 'test'; readonly field: Field; readonly test: Test }
  /** Whether the embed has a row, under the filters of its level. */
  | { readonly kind: 'related'; readonly embed: EmbedPlan };

export type Filter = FilterTree<PlannedCondition>;

export type OrderValue =
  | { readonly kind: 'field'; readonly field: Field }
  /** From the row that a to-one embed leads to. */
  | { readonly kind: 'related'; readonly embed: EmbedPlan; readonly field: Field }
  /** An output of the level, by its name. */
  | { readonly kind: 'output'; readonly name: string };

/** A column of the rows of a level. `name` is its key in the answer and unique among the outputs. */
export type Output =
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly field: Field;
      /** SQL text of a type, schema-qualified. */
      readonly cast: string | undefined;
    }
  | {
      readonly kind: 'aggregate';
      readonly name: string;
      /** Undefined: the rows are counted. */
      readonly field: Field | undefined;
      /** Of the field, before the aggregate; both casts are schema-qualified. */
      readonly cast: string | undefined;
      readonly aggregation: Aggregation;
    }
  | { readonly kind: 'embed'; readonly name: string; readonly embed: EmbedPlan }
  /**
   * The column `column` of a spread embed. An aggregate over a to-one embed is moved out with it, because it covers the
   * rows of the outer level.
   */
  | {
      readonly kind: 'spread';
      readonly name: string;
      readonly embed: EmbedPlan;
      readonly column: string;
      readonly aggregation: Aggregation | undefined;
    };

/** Rows of a table or of the result of a function, with their embeds. */
export interface Level {
  readonly outputs: readonly Output[];
  /** In the order of the request; contains all embeds that outputs, filters and orders use. */
  readonly embeds: readonly EmbedPlan[];
  readonly where: Filter;
  readonly order: readonly OrderTerm<OrderValue>[];
  /** Whether an output is an aggregate: then the other outputs group the rows. */
  readonly isGrouped: boolean;
}

/**
 * `object`, `array`: one output of the outer level. `columns`: a to-one spread. `column-arrays`: a to-many spread,
 * whose columns are arrays. `hidden`: no output.
 */
export type EmbedForm = 'object' | 'array' | 'columns' | 'column-arrays' | 'hidden';

export interface EmbedPlan {
  readonly relationship: Relationship;
  readonly form: EmbedForm;
  readonly level: Level;
  /** `limit` is undefined for to-one relationships without one. */
  readonly window: { readonly offset: number; readonly limit: number | undefined };
}

/** The output that is the geometry of a feature, and how it becomes GeoJSON. */
export interface Geometry {
  readonly name: string;
  /** `postgis` with the schema of its functions; `json`, `text`: the value is already GeoJSON. */
  readonly encoding:
    { readonly kind: 'postgis'; readonly schema: string } | { readonly kind: 'json' | 'text' };
}

/** How planned rows are written. */
export type RowStyle =
  | { readonly kind: 'array' | 'object'; readonly stripNulls: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson'; readonly geometry: Geometry };

/** Rows in the requested format. */
export interface Representation {
  readonly level: Level;
  readonly style: RowStyle;
}

/** Present if the plan of the statement is requested. */
export interface Explain {
  readonly as: 'text' | 'json';
  readonly options: readonly PlanOption[];
}

/**
 * How a total is found. `bounded`: counted, up to MAX_COUNTED rows. It replaces the planner's guesses if policies hide
 * rows, because the statistics behind a guess also cover hidden rows.
 */
export type CountRule = CountMode | 'bounded';

export interface ReadPlan {
  readonly kind: 'read';
  readonly table: Table;
  readonly rows: Representation;
  /** HEAD: no row is read, the window only affects Content-Range. */
  readonly readsRows: boolean;
  /** The offset is a value of the request, not of its shape. */
  readonly window: { readonly hasOffset: boolean; readonly limit: number };
  readonly count: CountRule;
  /** The maximum of one answer; an estimated count stops counting there, too. */
  readonly maxRows: number;
  readonly explain: Explain | undefined;
}

/** The result of a write besides the number of rows. */
export type Returning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rows'; readonly rows: Representation }
  /** The key of the one new row, for the header Location. */
  | { readonly kind: 'key'; readonly columns: readonly Column[] };

/** Conditions on a write that can be checked only after it ran. */
export interface WriteChecks {
  readonly isSingle: boolean;
  readonly maxAffected: number | undefined;
  readonly isDryRun: boolean;
}

interface WriteBase {
  readonly table: Table;
  /** Always resolved, so that a wrong name is refused even if nothing is returned. */
  readonly returning: Returning;
  readonly checks: WriteChecks;
  readonly showsTotal: boolean;
  readonly explain: Explain | undefined;
  /** Index under which the rows are kept for later operations of the batch. */
  readonly keepsAs: number | undefined;
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
  readonly references: readonly BodyReference[];
}

export interface UpdatePlan extends WriteBase {
  readonly kind: 'update';
  /** Empty: nothing is changed and no row counts as changed. */
  readonly columns: readonly WriteColumn[];
  readonly where: Filter;
  readonly references: readonly BodyReference[];
}

export interface DeletePlan extends WriteBase {
  readonly kind: 'delete';
  readonly where: Filter;
}

/** An argument of a call and the source of its value. */
export interface PlannedArgument {
  readonly argument: Argument;
  readonly value:
    | { readonly from: 'query'; readonly text: ArgumentText }
    /** The key of that name in the body. */
    | { readonly from: 'key' }
    /** The whole body. */
    | { readonly from: 'body' };
}

/** The result of a function. */
export type CallResult =
  | { readonly kind: 'void' }
  | { readonly kind: 'scalar'; readonly isSet: boolean; readonly value: ValueType }
  | { readonly kind: 'rows'; readonly isSet: boolean; readonly rows: Representation };

export interface CallPlan {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly arguments: readonly PlannedArgument[];
  readonly result: CallResult;
  readonly style: RowStyle;
  /** GET, HEAD, and functions that are declared not to write. */
  readonly isReadOnly: boolean;
  readonly readsRows: boolean;
  /** `return=minimal` and `headers-only`: the function runs and none of its result is sent. */
  readonly isMinimal: boolean;
  readonly window: { readonly hasOffset: boolean; readonly limit: number };
  readonly count: CountMode;
  readonly isDryRun: boolean;
  readonly maxAffected: number | undefined;
  readonly explain: Explain | undefined;
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;
export type Plan = ReadPlan | WritePlan | CallPlan;
