/**
 * The row that a `select` text returns. Each item becomes fields, a field being a name with a type; of two fields with
 * the same name the later one counts.
 */
import type { GenericDatabase, GenericSchema, IsLoose, LooseRow, RowOf } from './database.js';
import type { Failure, ResolveWay, Way } from './relationships.js';
import type {
  AggregateItem,
  AllItem,
  EmbedItem,
  FieldItem,
  ParseSelect,
  Unreadable,
} from './select-parser.js';
import type { AggregateType, CastOfPath, CastType, PathType } from './values.js';

/**
 * One row of the selection `Query` from `Table`. If the text does not fit the database, the row is `{ error: "…" }`
 * with the reason. A text that the compiler does not know gives a loose row.
 */
export type SelectResult<
  Db extends GenericDatabase,
  Table extends string,
  Query extends string,
> = string extends Query | Table
  ? LooseRow
  : IsLoose<Db['public']> extends true
    ? LooseRow
    : Query extends '*'
      ? RowOf<Db['public'], Table>
      : Query extends string
        ? ParseSelect<Query> extends infer Items
          ? Items extends readonly unknown[]
            ? RowOfItems<Db['public'], Table, Items>
            : Items extends Unreadable
              ? Failure<Items['reason']>
              : never
          : never
        : never;

interface Field<Name, Type> {
  name: Name;
  type: Type;
}

type RowOfItems<
  Schema extends GenericSchema,
  Table extends string,
  Items extends readonly unknown[],
> = Items extends readonly [AllItem]
  ? RowOf<Schema, Table>
  : RowOfFields<FieldsOf<Schema, Table, Items>>;

type RowOfFields<Fields> = [Extract<Fields, Failure>] extends [never]
  ? { [Each in Extract<Fields, Field<string, unknown>> as Each['name']]: Each['type'] }
  : Extract<Fields, Failure>;

/** The fields of all items, collected from the last to the first. */
type FieldsOf<
  Schema extends GenericSchema,
  Table extends string,
  Items extends readonly unknown[],
  Later = never,
> = Items extends readonly [...infer Earlier, infer Item]
  ? FieldsOf<
      Schema,
      Table,
      Earlier,
      Later | Unless<FieldsOfItem<Schema, Table, Item>, NamesOf<Later>>
    >
  : Later;

type NamesOf<Fields> = Fields extends Field<infer Name, unknown> ? Name : never;

type Unless<Fields, Taken> =
  Fields extends Field<infer Name, unknown> ? (Name extends Taken ? never : Fields) : Fields;

type FieldsOfItem<Schema extends GenericSchema, Table extends string, Item> = Item extends AllItem
  ? FieldsOfRow<RowOf<Schema, Table>>
  : Item extends FieldItem
    ? FieldOfColumn<Schema, Table, Item>
    : Item extends AggregateItem
      ? FieldOfAggregate<Schema, Table, Item>
      : Item extends EmbedItem
        ? FieldsOfEmbed<Schema, Table, Item>
        : never;

type FieldsOfRow<Row> = { [Name in keyof Row]: Field<Name, Row[Name]> }[keyof Row];

/** The alias, else the last key of the path that is not an index, else the column. */
type FieldName<Item extends FieldItem> = Item['alias'] extends string
  ? Item['alias']
  : LastKey<Item['path'], Item['column']>;

type LastKey<Path extends readonly string[], Column extends string> = Path extends readonly [
  ...infer Keys extends readonly string[],
  infer Last extends string,
]
  ? Last extends `${number}`
    ? LastKey<Keys, Column>
    : Last
  : Column;

type FieldOfColumn<Schema extends GenericSchema, Table extends string, Item extends FieldItem> =
  ValueOf<Schema, Table, Item> extends infer Found
    ? Found extends Value<infer Type>
      ? Field<FieldName<Item>, Type>
      : Found
    : never;

/** A type in a wrapper, so that no type of a column is mistaken for a Failure. */
interface Value<Type> {
  value: Type;
}

/** The type of a column, or of a function of the row, after path and cast. */
type ValueOf<
  Schema extends GenericSchema,
  Table extends string,
  Item extends FieldItem,
> = Item['column'] extends keyof RowOf<Schema, Table>
  ? Value<Converted<Schema, Item, RowOf<Schema, Table>[Item['column']]>>
  : [ComputedValue<Schema, Table, Item['column']>] extends [never]
    ? Item extends { column: 'count'; path: readonly [] }
      ? Value<Cast<Schema, Item['cast'], number>>
      : Failure<`column '${Item['column']}' does not exist on '${Table}'`>
    : ComputedValue<Schema, Table, Item['column']> extends Value<infer Type>
      ? Value<Converted<Schema, Item, Type | null>>
      : never;

/** The result of a function whose only argument is a row of the table. */
type ComputedValue<
  Schema extends GenericSchema,
  Table extends string,
  Name extends string,
> = Name extends keyof Schema['Functions']
  ? Schema['Functions'][Name] extends infer Each
    ? Each extends { Args: infer Args; Returns: infer Type }
      ? [RowOf<Schema, Table>] extends [Args[keyof Args]]
        ? [Args[keyof Args]] extends [RowOf<Schema, Table>]
          ? Value<Type>
          : never
        : never
      : never
    : never
  : never;

type Converted<
  Schema extends GenericSchema,
  Item extends FieldItem,
  Type,
> = Item['path'] extends readonly []
  ? Cast<Schema, Item['cast'], Type>
  : Item['cast'] extends string
    ? CastOfPath<Schema, Item['cast'], PathType<Type, Item['path'], Item['isText']>>
    : PathType<Type, Item['path'], Item['isText']>;

type Cast<Schema extends GenericSchema, To, Type> = To extends string
  ? CastType<Schema, To, Type>
  : Type;

type FieldOfAggregate<
  Schema extends GenericSchema,
  Table extends string,
  Item extends AggregateItem,
> =
  AggregatedValue<Schema, Table, Item> extends infer Found
    ? Found extends Value<infer Type>
      ? Field<
          Item['alias'] extends string ? Item['alias'] : Item['function'],
          Cast<Schema, Item['cast'], AggregateType<Item['function'], Type>>
        >
      : Found
    : never;

/** The aggregated type; rows themselves are counted as numbers. */
type AggregatedValue<
  Schema extends GenericSchema,
  Table extends string,
  Item extends AggregateItem,
> = Item['field'] extends FieldItem ? ValueOf<Schema, Table, Item['field']> : Value<number>;

type FieldsOfEmbed<Schema extends GenericSchema, Table extends string, Item extends EmbedItem> =
  ResolveWay<Schema, Table, Item['relation'], Item['hint']> extends infer Found
    ? Found extends Failure
      ? Item['isSpread'] extends true
        ? Found
        : Field<EmbedName<Item>, Found>
      : Found extends Way
        ? FieldsOfFound<Schema, Item, Found>
        : never
    : never;

type EmbedName<Item extends EmbedItem> = Item['alias'] extends string
  ? Item['alias']
  : Item['relation'];

/** An embed that is only filtered by has no output, but its target must exist. */
type FieldsOfFound<
  Schema extends GenericSchema,
  Item extends EmbedItem,
  Found extends Way,
> = Item['items'] extends readonly []
  ? never
  : Item['isSpread'] extends true
    ? SpreadField<FieldsOf<Schema, Found['to'], Item['items']>, CardinalityOf<Item, Found>>
    : Field<
        EmbedName<Item>,
        Embedded<RowOfItems<Schema, Found['to'], Item['items']>, CardinalityOf<Item, Found>>
      >;

type CardinalityOf<Item extends EmbedItem, Found extends Way> = Found['cardinality'] extends 'many'
  ? 'many'
  : Item['isInner'] extends true
    ? 'one'
    : Found['cardinality'];

type Embedded<Type, Is> = Is extends 'many' ? Type[] : Is extends 'one' ? Type : Type | null;

/** A column of the embedded row, or an array of them, as a column of this one. */
type SpreadField<Fields, Is> =
  Fields extends Field<infer Name, infer Type> ? Field<Name, Embedded<Type, Is>> : Fields;
