/**
 * The shape of a project's `Database` type, and the names of its parts. `rowhouse gen types` writes the type; its shape
 * is that of supabase-js. Without it rows are loose: any column, any value.
 */

/** A row of unknown columns. */
export type LooseRow = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- an untyped client must not force a cast on every column

/** A value of a `json` or `jsonb` column. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** A foreign key, described by the referring table. */
export interface GenericRelationship {
  foreignKeyName: string;
  columns: readonly string[];
  isOneToOne?: boolean;
  referencedRelation: string;
  referencedColumns: readonly string[];
}

export interface GenericTable {
  Row: LooseRow;
  Insert: LooseRow;
  Update: LooseRow;
  Relationships?: readonly GenericRelationship[];
}

export interface GenericView {
  Row: LooseRow;
  Relationships?: readonly GenericRelationship[];
}

/** Overloads of a function are a union of these. */
export interface GenericFunction {
  Args: unknown;
  Returns: unknown;
  SetofOptions?: { from: string; to: string; isOneToOne: boolean; isSetofReturn?: boolean };
}

export interface GenericSchema {
  Tables: Record<string, GenericTable>;
  Views?: Record<string, GenericView>;
  Functions: Record<string, GenericFunction>;
  Enums?: Record<string, unknown>;
  CompositeTypes?: Record<string, unknown>;
}

export interface GenericDatabase {
  public: GenericSchema;
}

/** A member that a schema may lack, as an object without keys. */
type MembersOf<Schema, Kind extends string> = Schema extends { [K in Kind]: infer Members }
  ? Members
  : Record<never, never>;

/** A table or a view of a schema; `never` if there is none with that name. */
export type RelationOf<
  Schema extends GenericSchema,
  Name extends string,
> = Name extends keyof Schema['Tables']
  ? Schema['Tables'][Name]
  : Name extends keyof MembersOf<Schema, 'Views'>
    ? MembersOf<Schema, 'Views'>[Name]
    : never;

/** The row of a table or a view. */
export type RowOf<Schema extends GenericSchema, Name extends string> =
  RelationOf<Schema, Name> extends { Row: infer Row } ? Row : never;

/** The foreign keys of a table or a view, as a union. */
export type KeysOf<Schema extends GenericSchema, Name extends string> =
  RelationOf<Schema, Name> extends { Relationships: readonly (infer Key)[] } ? Key : never;

/** The enum or composite type with a name; `never` if there is none. */
export type NamedType<
  Schema extends GenericSchema,
  Name extends string,
> = Name extends keyof MembersOf<Schema, 'Enums'>
  ? MembersOf<Schema, 'Enums'>[Name]
  : Name extends keyof MembersOf<Schema, 'CompositeTypes'>
    ? MembersOf<Schema, 'CompositeTypes'>[Name]
    : never;

/** Whether a schema's tables are unknown. */
export type IsLoose<Schema extends GenericSchema> = string extends keyof Schema['Tables']
  ? true
  : false;

type Part<
  Db extends GenericDatabase,
  Table extends string,
  Kind extends keyof GenericTable,
> = Table extends keyof Db['public']['Tables'] ? Db['public']['Tables'][Table][Kind] : LooseRow;

/** A row as it is read. */
export type TableRow<Db extends GenericDatabase, Table extends string> = Part<Db, Table, 'Row'>;

/** A row as it is written by an insert. */
export type TableInsert<Db extends GenericDatabase, Table extends string> = Part<
  Db,
  Table,
  'Insert'
>;

/** Columns as an update writes them. */
export type TableUpdate<Db extends GenericDatabase, Table extends string> = Part<
  Db,
  Table,
  'Update'
>;

type FunctionOf<
  Db extends GenericDatabase,
  Name extends string,
> = Name extends keyof Db['public']['Functions'] ? Db['public']['Functions'][Name] : never;

type IsLooseFunction<Db extends GenericDatabase, Name extends string> = string extends
  Name | keyof Db['public']['Functions']
  ? true
  : false;

/** The arguments of a function, by name; of all its overloads, as a union. */
export type FunctionArgs<Db extends GenericDatabase, Name extends string> =
  IsLooseFunction<Db, Name> extends true
    ? LooseRow
    : [FunctionOf<Db, Name>['Args']] extends [never]
      ? Record<PropertyKey, never>
      : FunctionOf<Db, Name>['Args'];

/** What a function returns. */
export type FunctionReturns<Db extends GenericDatabase, Name extends string> =
  IsLooseFunction<Db, Name> extends true ? LooseRow[string] : FunctionOf<Db, Name>['Returns'];

/** The table whose rows a function returns; any text for a function whose rows belong to no table. */
export type FunctionTable<Db extends GenericDatabase, Name extends string> =
  IsLooseFunction<Db, Name> extends true
    ? string
    : FunctionOf<Db, Name> extends { SetofOptions: { to: infer Table extends string } }
      ? Table
      : string;
