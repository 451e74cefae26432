// What a project's schemas hold, as one immutable value. Built by `load.ts`, read by the planner. It
// knows nothing of requests, roles or connections.

/** Where the value of a column comes from when a write does not give one. */
export type ColumnDefault =
  | { readonly kind: 'none' }
  /** SQL text as PostgreSQL prints it; safe to inline because it never comes from a request. */
  | { readonly kind: 'expression'; readonly sql: string }
  | { readonly kind: 'identity'; readonly isAlways: boolean }
  /** `generated always as (…)`: writes may not name it at all. */
  | { readonly kind: 'generated' };

/** What operators and paths a value takes; domains count as the type they are made of. */
export type ValueKind =
  'json' | 'jsonb' | 'array' | 'composite' | 'text' | 'tsvector' | 'geometry' | 'other';

/** The type of a value in a row, an argument or a result. */
export interface ValueType {
  /** SQL text of the type, schema-qualified unless it is built in: `character varying(20)`, `public.mood[]`. */
  readonly type: string;
  /** The type without its modifier, and for a domain the type that it is made of: `character varying`. */
  readonly baseType: string;
  /** SQL text of the element type when the value is an array or a domain over one. */
  readonly elementType: string | undefined;
  readonly valueKind: ValueKind;
}

export interface Column extends ValueType {
  readonly name: string;
  readonly isNullable: boolean;
  readonly default: ColumnDefault;
}

/** Columns that identify at most one row and can be named as a conflict target. */
export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: {
    readonly schema: string;
    readonly table: string;
    /** In the order of `columns`. */
    readonly columns: readonly string[];
  };
  /** Whether `columns` are unique in the table that refers, so that the way back also leads to one row. */
  readonly isOneToOne: boolean;
}

/** The name of a function. Functions of one name differ in their arguments. */
export interface RoutineName {
  readonly schema: string;
  readonly name: string;
}

/** A function of one row that reads like a column: `full_name(people) returns text`. */
export interface ComputedColumn extends ValueType {
  readonly name: string;
  readonly routine: RoutineName;
  /** SECURITY DEFINER: it runs with the rights of its owner. */
  readonly isDefiner: boolean;
}

/** A function of one row that leads to rows of a table: `author(posts) returns setof authors rows 1`. */
export interface ComputedRelation {
  readonly name: string;
  readonly routine: RoutineName;
  /** Name of the table in `public` whose rows it gives. */
  readonly table: string;
  /** `one`: it gives no set, or its set is declared with ROWS 1. */
  readonly cardinality: 'one' | 'many';
  /** SECURITY DEFINER: it runs with the rights of its owner. */
  readonly isDefiner: boolean;
}

/** A table without the columns whose values would tell of other projects, as those of `regrole` do. */
export interface Table {
  readonly schema: 'public';
  readonly name: string;
  readonly kind: 'table' | 'partitioned';
  readonly hasRls: boolean;
  /** In the order of the table. */
  readonly columns: readonly Column[];
  readonly columnByName: ReadonlyMap<string, Column>;
  /** Empty when the table has none. */
  readonly primaryKey: readonly string[];
  /** The primary key is among them. */
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Functions in `public`; a real column of the same name comes first. */
  readonly computedColumns: ReadonlyMap<string, ComputedColumn>;
  readonly computedRelations: readonly ComputedRelation[];
}

/** An argument that a call gives. */
export interface Argument extends ValueType {
  /** Undefined for an argument that can be given by its position alone. */
  readonly name: string | undefined;
  readonly hasDefault: boolean;
  /** `variadic`: the type is the array of all values. Always the last one. */
  readonly isVariadic: boolean;
}

export type RoutineResult =
  | { readonly kind: 'void' }
  | ({ readonly kind: 'scalar'; readonly isSet: boolean } & ValueType)
  | {
      readonly kind: 'rows';
      readonly isSet: boolean;
      /** Name of the table in `public` when the rows are of its type, else undefined. */
      readonly table: string | undefined;
      /** Of the table, of the composite type, or the OUT arguments. */
      readonly columns: readonly Column[];
    };

/** A function that requests may call. */
export interface Routine extends RoutineName {
  /** Those a call gives: IN, INOUT and VARIADIC. */
  readonly args: readonly Argument[];
  readonly returns: RoutineResult;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  /** SECURITY DEFINER: it runs with the rights of its owner. */
  readonly isDefiner: boolean;
}

export interface Catalog {
  /** Value of `platform.schema_version` that this content belongs to. */
  readonly schemaVersion: string;
  readonly tableByName: ReadonlyMap<string, Table>;
  /**
   * Functions by schema and name; of `public` and of schemas that the owner has made. Left out are those
   * of extensions, triggers, procedures, aggregates, and results that are not exposed: rows of views, of
   * tables outside `public`, values that tell of other projects, and records without named columns.
   */
  readonly routines: ReadonlyMap<string, ReadonlyMap<string, readonly Routine[]>>;
  /** Labels of the enums that columns, arguments and results use, by the SQL text of the type. */
  readonly enumByType: ReadonlyMap<string, readonly string[]>;
  /** Names of the types in `public` that requests may cast to; none of them tells of the catalogs. */
  readonly castTypes: ReadonlySet<string>;
}
