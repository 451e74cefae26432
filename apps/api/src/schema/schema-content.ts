// What the routes of the schema answer with. The statements build it as JSON, so the names here are theirs.

/** What a schema holds. Objects of extensions are left out. */
export interface SchemaContent {
  readonly tables: readonly SchemaTable[];
  readonly enums: readonly EnumType[];
  readonly functions: readonly SchemaFunction[];
}

export interface SchemaColumn {
  readonly name: string;
  /** As SQL writes it; types outside pg_catalog with their schema. */
  readonly type: string;
  /** The type below domains; the same as `type` for others. */
  readonly baseType: string;
  /** `pg_type.typcategory` of the base type: N numbers, S texts, B booleans, D times, A arrays, E enums, U others. */
  readonly category: string;
  readonly isNullable: boolean;
  /** The column's own default or, if it is generated, its expression. */
  readonly default: string | null;
  readonly isGenerated: boolean;
  readonly identity: 'always' | 'by default' | null;
  /** The values of the enum, or of the members of an array of enums, in their order. */
  readonly enumValues: readonly string[] | null;
  readonly comment: string | null;
}

type KeyAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

export interface SchemaForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** Where the table is that the key refers to. */
  readonly schema: string;
  readonly table: string;
  /** In the order of `columns`. */
  readonly foreignColumns: readonly string[];
  readonly onUpdate: KeyAction;
  readonly onDelete: KeyAction;
}

export interface SchemaTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'partitioned' | 'view' | 'materialized view' | 'foreign';
  /** The name of the table that this one is a partition of. */
  readonly partitionOf: string | null;
  readonly comment: string | null;
  readonly hasRls: boolean;
  readonly policyCount: number;
  /** Partitions included. From the statistics of PostgreSQL, which follow writes after a moment. */
  readonly estimatedRows: number;
  /** With indexes and partitions; null while a change of the schema keeps a table of the schema locked. */
  readonly bytes: number | null;
  /** Whether requests to `/rest/v1` reach the table. Policies and grants decide what they see. */
  readonly isExposed: boolean;
  /** In the order of the key; empty without one. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly SchemaColumn[];
  readonly foreignKeys: readonly SchemaForeignKey[];
}

export interface EnumType {
  readonly schema: string;
  readonly name: string;
  /** In their order. */
  readonly values: readonly string[];
  readonly comment: string | null;
}

export interface SchemaFunction {
  /** Its oid; another one after it was dropped and made again. */
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  /** With names, modes and defaults. */
  readonly arguments: string;
  /** What names the function among others of its name in `alter` and `drop`. */
  readonly identityArguments: string;
  /** Null for procedures. */
  readonly returns: string | null;
  readonly language: string;
  readonly kind: 'function' | 'procedure' | 'aggregate' | 'window';
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly isSecurityDefiner: boolean;
  readonly comment: string | null;
}

export interface FunctionDetails extends SchemaFunction {
  /** The statement that makes it; null for aggregates. */
  readonly definition: string | null;
  /** The roles of requests that may call it. */
  readonly grantedTo: readonly string[];
}
