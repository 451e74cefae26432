/**
 * The target of an embed, by the rules of the server: by the name of a table, of a constraint, of the column of a key,
 * or of a function of the row. The `Database` type does not contain primary keys, so any table with keys to both sides
 * counts as a junction.
 */
import type { GenericSchema, KeysOf, RelationOf, RowOf } from './database.js';

/** `one`: always a row. `optional`: a row or null. `many`: an array. */
export type Cardinality = 'one' | 'optional' | 'many';

/** The table that an embed leads to. */
export interface Way {
  to: string;
  cardinality: Cardinality;
}

/** A message for the developer in place of a type. */
export interface Failure<Message extends string = string> {
  error: Message;
}

interface WayTo<To, Is extends Cardinality> {
  to: To;
  cardinality: Is;
}

/** The relationship from a table for an embed's `relation!hint`, or a Failure. */
export type ResolveWay<
  Schema extends GenericSchema,
  From extends string,
  Relation extends string,
  Hint extends string | undefined,
> = [ComputedWay<Schema, From, Relation>] extends [never]
  ? [RelationOf<Schema, Relation>] extends [never]
    ? OnlyWay<WayByKey<Schema, From, Relation>, From, Relation>
    : OnlyWay<WayToTable<Schema, From, Relation, Hint>, From, Relation>
  : ComputedWay<Schema, From, Relation>;

type OnlyWay<Ways, From extends string, Relation extends string> = [Ways] extends [never]
  ? Failure<`no relationship between '${From}' and '${Relation}' was found`>
  : IsUnion<Ways> extends true
    ? Failure<`more than one relationship between '${From}' and '${Relation}' was found: name one as '${Relation}!constraint'`>
    : Ways extends { way: infer Found }
      ? Found
      : never;

type IsUnion<Value, Each = Value> = Value extends Value
  ? [Each] extends [Value]
    ? false
    : true
  : never;

/** Ways that differ only in the key are kept separate, so that they count as two. */
interface Candidate<Key, To, Is extends Cardinality> {
  key: Key;
  way: WayTo<To, Is>;
}

/** A function that takes a row of the table and returns rows of another. */
type ComputedWay<
  Schema extends GenericSchema,
  From extends string,
  Name extends string,
> = Name extends keyof Schema['Functions']
  ? Schema['Functions'][Name] extends infer Each
    ? Each extends { SetofOptions: { from: From; to: infer To; isOneToOne: infer IsOne } }
      ? WayTo<To, IsOne extends true ? 'optional' : 'many'>
      : never
    : never
  : never;

/** If a table refers to itself, its own name selects the rows that refer to this one. */
type WayToTable<
  Schema extends GenericSchema,
  From extends string,
  To extends string,
  Hint extends string | undefined,
> = [DirectWay<Schema, From, To, Hint>] extends [never]
  ? JunctionWay<Schema, From, To, Hint>
  : DirectWay<Schema, From, To, Hint>;

type DirectWay<
  Schema extends GenericSchema,
  From extends string,
  To extends string,
  Hint extends string | undefined,
> =
  | (From extends To ? never : Forward<Schema, From, Between<Schema, From, To, Hint>>)
  | Backward<To, Between<Schema, To, From, Hint>>;

/** The keys of a table that refer to another one and match the hint. */
type Between<
  Schema extends GenericSchema,
  Referring extends string,
  Referred extends string,
  Hint extends string | undefined,
> = HintedKeys<Extract<KeysOf<Schema, Referring>, { referencedRelation: Referred }>, Hint>;

/** A hint names a constraint, or a column on either side of it. */
type HintedKeys<Key, Hint extends string | undefined> = Hint extends string
  ? Key extends {
      foreignKeyName: infer Name;
      columns: readonly (infer Column)[];
      referencedColumns: readonly (infer Referred)[];
    }
    ? Hint extends Name | Column | Referred
      ? Key
      : never
    : never
  : Key;

/** Along the key: to one row, or to none if one of its columns may be null. */
type Forward<Schema extends GenericSchema, From extends string, Key> = Key extends {
  foreignKeyName: infer Name;
  columns: readonly (infer Column)[];
  referencedRelation: infer To;
}
  ? Candidate<Name, To, null extends ColumnType<RowOf<Schema, From>, Column> ? 'optional' : 'one'>
  : never;

type ColumnType<Row, Column> = Column extends keyof Row ? Row[Column] : null;

/** Against the key: to all rows that refer to this one, or to the only one. */
type Backward<Referring extends string, Key> = Key extends { foreignKeyName: infer Name }
  ? Candidate<Name, Referring, Key extends { isOneToOne: true } ? 'optional' : 'many'>
  : never;

/** The column of a key, or the name of a constraint of this table or of a referring table. */
type WayByKey<Schema extends GenericSchema, From extends string, Name extends string> = [
  KeyNamed<ToTables<Schema, KeysOf<Schema, From>>, Name>,
] extends [never]
  ? WayBack<Schema, From, Name>
  : Forward<Schema, From, KeyNamed<ToTables<Schema, KeysOf<Schema, From>>, Name>>;

type WayBack<Schema extends GenericSchema, From extends string, Name extends string> = {
  [Referring in keyof Schema['Tables'] & string]: Backward<
    Referring,
    Extract<KeysOf<Schema, Referring>, { foreignKeyName: Name; referencedRelation: From }>
  >;
}[keyof Schema['Tables'] & string];

type KeyNamed<Key, Name extends string> =
  Extract<Key, { foreignKeyName: Name }> | Extract<Key, { columns: readonly [Name] }>;

/** Generators also list keys to the views over a table; those have the same names. */
type ToTables<Schema extends GenericSchema, Key> = Extract<
  Key,
  { referencedRelation: keyof Schema['Tables'] }
>;

type JunctionWay<
  Schema extends GenericSchema,
  From extends string,
  To extends string,
  Hint extends string | undefined,
> = {
  [Through in Exclude<keyof Schema['Tables'], From | To> & string]: IsJunction<
    Schema,
    Through,
    From,
    To,
    Hint
  > extends true
    ? Candidate<Through, To, 'many'>
    : never;
}[Exclude<keyof Schema['Tables'], From | To> & string];

/** A hint names the junction, or its key to the target. */
type IsJunction<
  Schema extends GenericSchema,
  Through extends string,
  From extends string,
  To extends string,
  Hint extends string | undefined,
> = [Between<Schema, Through, From, undefined>] extends [never]
  ? false
  : [Between<Schema, Through, To, Through extends Hint ? undefined : Hint>] extends [never]
    ? false
    : true;
