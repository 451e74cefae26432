/** The TypeScript types of casts, JSON paths and aggregates. */
import type { GenericSchema, Json, NamedType } from './database.js';

/** PostgreSQL types by the names that a cast may use; the array form is derived. */
interface BuiltIn {
  text: string;
  varchar: string;
  bpchar: string;
  char: string;
  citext: string;
  uuid: string;
  date: string;
  time: string;
  timetz: string;
  timestamp: string;
  timestamptz: string;
  interval: string;
  bytea: string;
  inet: string;
  cidr: string;
  macaddr: string;
  money: string;
  int2: number;
  int4: number;
  int8: number;
  int: number;
  integer: number;
  smallint: number;
  bigint: number;
  float4: number;
  float8: number;
  real: number;
  float: number;
  numeric: number;
  decimal: number;
  bool: boolean;
  boolean: boolean;
  json: Json;
  jsonb: Json;
}

type TypeNamed<Schema extends GenericSchema, Name extends string> = Name extends keyof BuiltIn
  ? BuiltIn[Name]
  : [NamedType<Schema, Name>] extends [never]
    ? unknown
    : NamedType<Schema, Name>;

/** The type of a cast; nullable if the value is. */
export type CastType<
  Schema extends GenericSchema,
  Cast extends string,
  From,
> = Cast extends `${infer Element}[]`
  ? TypeNamed<Schema, Element>[] | NullOf<From>
  : TypeNamed<Schema, Cast> | NullOf<From>;

/**
 * `null` if the value may be null, else nothing. `Json` contains the null of JSON, so it does not show whether the
 * column may be null; it counts as not null, as in supabase-js.
 */
type NullOf<Value> = IsJson<Value> extends true ? never : Value extends null ? null : never;

/** The type of a cast after a path: the value at its end may be missing. */
export type CastOfPath<Schema extends GenericSchema, Cast extends string, From> = CastType<
  Schema,
  Cast,
  IsJson<From> extends true ? null : From
>;

/** The type at the end of a path into a JSON value: text if the last arrow was `->>`. */
export type PathType<Value, Path extends readonly string[], IsText> =
  ValueAt<Value, Path> extends infer Found
    ? IsText extends true
      ? IsJson<Found> extends true
        ? string | null
        : AsText<Found> | NullOf<Found>
      : Found
    : never;

/** A column of type `Json` stays `Json` along the path; a narrower type of the user's own is followed. */
type ValueAt<Value, Path extends readonly string[]> =
  IsJson<Value> extends true
    ? Json
    : Path extends readonly [infer Key extends string, ...infer Rest extends readonly string[]]
      ? ValueAt<MemberOf<Value, Key>, Rest>
      : Value;

type IsJson<Value> = [Json] extends [Value] ? true : false;

type MemberOf<Value, Key extends string> = Value extends null | undefined
  ? null
  : Value extends readonly (infer Element)[]
    ? Key extends `${number}`
      ? Element | null
      : null
    : Key extends keyof Value
      ? Exclude<Value[Key], undefined> | (undefined extends Value[Key] ? null : never)
      : Json;

type AsText<Value> = Value extends null ? never : Value extends string ? Value : string;

/** The result of an aggregate over values of a type: null if no row has a value, except for a count. */
export type AggregateType<Name extends string, Value> = Name extends 'count'
  ? number
  : Name extends 'min' | 'max'
    ? Value | null
    : number | null;
