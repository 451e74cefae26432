// What a project's `public` schema holds, as one immutable value. Built by `load.ts`, read by the
// planner. It knows nothing of requests, roles or connections.

/** Where the value of a column comes from when a write does not give one. */
export type ColumnDefault =
  | { readonly kind: 'none' }
  /** SQL text as PostgreSQL prints it; safe to inline because it never comes from a request. */
  | { readonly kind: 'expression'; readonly sql: string }
  | { readonly kind: 'identity'; readonly isAlways: boolean }
  /** `generated always as (…)`: writes may not name it at all. */
  | { readonly kind: 'generated' };

export interface Column {
  readonly name: string;
  /** SQL text of the type, schema-qualified unless it is built in: `character varying(20)`, `public.mood[]`. */
  readonly type: string;
  /** SQL text of the element type when the column is an array. */
  readonly elementType: string | undefined;
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
}

export interface Catalog {
  /** Value of `platform.schema_version` that this content belongs to. */
  readonly schemaVersion: string;
  readonly tableByName: ReadonlyMap<string, Table>;
}
