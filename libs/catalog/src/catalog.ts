// The tables, functions and types of a project as one immutable value. Built by `load.ts`, read by the planner. It
// knows nothing of requests, roles or connections.

/** Where the value of a column comes from if a write does not give one. */
export type ColumnDefault =
  | { readonly kind: 'none' }
  /** SQL text as PostgreSQL prints it; safe to inline because it never comes from a request. */
  | { readonly kind: 'expression'; readonly sql: string }
  | { readonly kind: 'identity'; readonly isAlways: boolean }
  /** `generated always as (…)`: writes must not name the column. */
  | { readonly kind: 'generated' };

/** The operators and paths that a value accepts; a domain counts as its base type. */
export type ValueKind =
  'json' | 'jsonb' | 'array' | 'composite' | 'text' | 'tsvector' | 'geometry' | 'other';

/** The type of a value in a row, an argument or a result. */
export interface ValueType {
  /** SQL text of the type, schema-qualified unless it is built in: `character varying(20)`, `public.mood[]`. */
  readonly type: string;
  /** The type without its modifier; for a domain, its base type: `character varying`. */
  readonly baseType: string;
  /** SQL text of the element type if the value is an array or a domain over an array. */
  readonly elementType: string | undefined;
  readonly valueKind: ValueKind;
}

export interface Column extends ValueType {
  readonly name: string;
  readonly isNullable: boolean;
  readonly default: ColumnDefault;
}

/** Columns that identify at most one row. */
export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** What keeps upserts from naming the key as their conflict target; undefined if they can. */
  readonly obstacle: 'deferrable' | 'WITHOUT OVERLAPS' | undefined;
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
  /** Whether `columns` are unique in the referring table, so that the way back also leads to one row. */
  readonly isOneToOne: boolean;
}

/** The name of a function. Functions of one name differ in their arguments. */
export interface RoutineName {
  readonly schema: string;
  readonly name: string;
}

/** A function of one row that requests select like a column: `full_name(people) returns text`. */
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
  /** Name of the table in `public` whose rows it returns. */
  readonly table: string;
  /** `one`: it returns no set, or its set is declared with ROWS 1. */
  readonly cardinality: 'one' | 'many';
  /** SECURITY DEFINER: it runs with the rights of its owner. */
  readonly isDefiner: boolean;
}

/** A table without the columns that print names of other projects, such as columns of the type `regrole`. */
export interface Table {
  readonly schema: 'public';
  readonly name: string;
  readonly kind: 'table' | 'partitioned';
  readonly hasRls: boolean;
  /** In the order of the table. */
  readonly columns: readonly Column[];
  readonly columnByName: ReadonlyMap<string, Column>;
  /** Empty if the table has no primary key. */
  readonly primaryKey: readonly string[];
  /** The primary key is among them. */
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Foreign keys with PERIOD. Their rows overlap instead of being equal: no relationship. */
  readonly temporalKeys: readonly ForeignKey[];
  /** Functions in `public`; a real column of the same name comes first. */
  readonly computedColumns: ReadonlyMap<string, ComputedColumn>;
  readonly computedRelations: readonly ComputedRelation[];
}

/** An argument of a call. */
export interface Argument extends ValueType {
  /** Undefined for an argument that can only be given by position. */
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
  /** The arguments of a call: IN, INOUT and VARIADIC. */
  readonly args: readonly Argument[];
  readonly returns: RoutineResult;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  /** SECURITY DEFINER: it runs with the rights of its owner. */
  readonly isDefiner: boolean;
}

export interface Catalog {
  /** The value of `platform.schema_version` for this content. */
  readonly schemaVersion: string;
  readonly tableByName: ReadonlyMap<string, Table>;
  /**
   * Functions by schema and name, in `public` and in schemas that the owner has created. Left out are functions of
   * extensions, triggers, procedures, aggregates, and functions whose results are not exposed: rows of views, of tables
   * outside `public`, values that name other projects, and records without named columns.
   */
  readonly routines: ReadonlyMap<string, ReadonlyMap<string, readonly Routine[]>>;
  /** Labels of the enums that columns, arguments and results use, by the SQL text of the type. */
  readonly enumByType: ReadonlyMap<string, readonly string[]>;
  /** Names of the types in `public` that requests may cast to; casting to them reveals nothing about the catalogs. */
  readonly castTypes: ReadonlySet<string>;
}
