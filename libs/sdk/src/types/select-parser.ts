/**
 * Parses the text of a `select` into a tuple of items. It knows the grammar and no table. It splits the text at
 * delimiters rather than reading it letter by letter: the compiler takes a step per item.
 */
import type { NameOf, Tidy } from './select-text.js';

/** An error of the text. */
export interface Unreadable {
  kind: 'unreadable';
  reason: string;
}

export interface AllItem {
  kind: 'all';
}

export interface FieldItem {
  kind: 'field';
  column: string;
  alias: string | undefined;
  /** Keys into a JSON value; the last one is read as JSON or as text. Empty: the column. */
  path: readonly string[];
  isText: boolean;
  cast: string | undefined;
}

export interface AggregateItem {
  kind: 'aggregate';
  function: string;
  /** Undefined: the rows are counted. */
  field: FieldItem | undefined;
  alias: string | undefined;
  cast: string | undefined;
}

export interface EmbedItem {
  kind: 'embed';
  relation: string;
  alias: string | undefined;
  hint: string | undefined;
  isInner: boolean;
  isSpread: boolean;
  /** Empty: the embed is only filtered by. */
  items: readonly unknown[];
}

type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max';

/** The items of a select text, or its error. */
export type ParseSelect<Text extends string> =
  Tidy<Text> extends infer Tidied extends string
    ? Tidied extends ''
      ? [AllItem]
      : ParseItems<Tidied> extends infer Result
        ? Result extends { items: infer Items; rest: undefined }
          ? Items
          : Result extends Unreadable
            ? Result
            : Fault<`unexpected ")" in '${Text}'`>
        : never
    : never;

interface Fault<Reason extends string> {
  kind: 'unreadable';
  reason: Reason;
}

/** Items up to the end of the text, or up to a ")" that `rest` follows. */
interface Parsed<Items, Rest extends string | undefined> {
  items: Items;
  rest: Rest;
}

type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text;

/** The text up to the first delimiter. */
type Word<Text extends string> = Before<Before<Before<Text, ','>, ')'>, '('>;

type ParseItems<Text extends string, Items extends readonly unknown[] = []> =
  Word<Text> extends infer Head extends string
    ? Text extends `${Head}${infer Rest}`
      ? Rest extends `(${infer Inside}`
        ? ParseParenthesis<Head, Inside, Items>
        : Head extends ''
          ? ParseNothing<Text, Items>
          : ParseNext<Rest, [...Items, ParseField<Head>]>
      : never
    : never;

/** An item without a word: only `relation()` may be empty. */
type ParseNothing<
  Text extends string,
  Items extends readonly unknown[],
> = Text extends `)${infer Rest}`
  ? Items extends readonly []
    ? Parsed<[], Rest>
    : Fault<'an item is missing before ")"'>
  : Fault<'an item is missing in the select text'>;

/** The part after an item: another item, or the end of the list. */
type ParseNext<
  Rest extends string,
  Items extends readonly unknown[],
> = Rest extends `,${infer More}`
  ? ParseItems<More, Items>
  : Rest extends `)${infer After}`
    ? Parsed<Items, After>
    : Rest extends ''
      ? Parsed<Items, undefined>
      : Fault<`"${Rest}" is not expected in the select text`>;

type ParseParenthesis<
  Head extends string,
  Inside extends string,
  Items extends readonly unknown[],
> = Inside extends `)${infer After}`
  ? ParseAggregate<Head, CastOf<Word<After>>> extends infer Aggregate extends AggregateItem
    ? After extends `${Word<After>}${infer Rest}`
      ? ParseNext<Rest, [...Items, Aggregate]>
      : never
    : ParseEmbedded<Head, Inside, Items>
  : ParseEmbedded<Head, Inside, Items>;

type ParseEmbedded<Head extends string, Inside extends string, Items extends readonly unknown[]> =
  ParseItems<Inside> extends infer Result
    ? Result extends { items: infer Inner; rest: infer After extends string }
      ? ParseNext<After, [...Items, ParseEmbed<Head, Inner>]>
      : Result extends Unreadable
        ? Result
        : Fault<`a ")" is missing after "${Head}("`>
    : never;

type CastOf<Text extends string> = Text extends `${string}::${infer Cast}` ? Cast : undefined;

/** `alias:rest`, which must not be mistaken for the cast of `rest::type`. */
type AliasOf<Text extends string> = Text extends `${infer Alias}:${infer Rest}`
  ? Rest extends `:${string}`
    ? undefined
    : NameOf<Alias>
  : undefined;

type Unaliased<Text extends string> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${string}`
    ? Text
    : Rest
  : Text;

type ParseField<Text extends string> = Text extends '*'
  ? AllItem
  : FieldOf<Before<Unaliased<Text>, '::'>, AliasOf<Text>, CastOf<Unaliased<Text>>>;

type FieldOf<Text extends string, Alias, Cast> = Text extends `${infer Column}->${infer Path}`
  ? {
      kind: 'field';
      column: NameOf<Column>;
      alias: Alias;
      path: KeysOfPath<Path>;
      isText: EndsInText<Path>;
      cast: Cast;
    }
  : { kind: 'field'; column: NameOf<Text>; alias: Alias; path: []; isText: false; cast: Cast };

/** The text after the first arrow of a path: `a->0->>b`, or `>a` if that arrow was `->>`. */
type KeysOfPath<
  Path extends string,
  Keys extends readonly string[] = [],
> = Path extends `${infer Key}->${infer Rest}`
  ? KeysOfPath<Rest, [...Keys, KeyOf<Key>]>
  : [...Keys, KeyOf<Path>];

type KeyOf<Text extends string> = Text extends `>${infer Key}` ? NameOf<Key> : NameOf<Text>;

type EndsInText<Path extends string> = Path extends `${string}->${infer Rest}`
  ? EndsInText<Rest>
  : Path extends `>${string}`
    ? true
    : false;

/** `count` or `field.sum`; undefined if the text has no aggregate. */
type ParseAggregate<Text extends string, Cast> =
  Unaliased<Text> extends infer Body extends string
    ? Body extends 'count'
      ? {
          kind: 'aggregate';
          function: 'count';
          field: undefined;
          alias: AliasOf<Text>;
          cast: Cast;
        }
      : Body extends `${infer Field}.${infer Name extends AggregateName}`
        ? {
            kind: 'aggregate';
            function: Name;
            field: ParseField<Field>;
            alias: AliasOf<Text>;
            cast: Cast;
          }
        : undefined
    : never;

type ParseEmbed<Head extends string, Items> = Head extends `...${infer Name}`
  ? EmbedOf<Unaliased<Name>, undefined, true, Items>
  : EmbedOf<Unaliased<Head>, AliasOf<Head>, false, Items>;

type EmbedOf<
  Text extends string,
  Alias,
  IsSpread,
  Items,
> = Text extends `${infer Name}!${infer Hints}`
  ? {
      kind: 'embed';
      relation: NameOf<Name>;
      alias: Alias;
      hint: HintOf<Hints>;
      isInner: IsInner<Hints>;
      isSpread: IsSpread;
      items: Items;
    }
  : {
      kind: 'embed';
      relation: NameOf<Text>;
      alias: Alias;
      hint: undefined;
      isInner: false;
      isSpread: IsSpread;
      items: Items;
    };

/** The part of `hint!inner` that is not a join. */
type HintOf<Hints extends string> = Hints extends `${infer First}!${infer Rest}`
  ? First extends 'inner' | 'left'
    ? HintOf<Rest>
    : NameOf<First>
  : Hints extends 'inner' | 'left'
    ? undefined
    : NameOf<Hints>;

type IsInner<Hints extends string> = Hints extends 'inner' | `inner!${string}` | `${string}!inner`
  ? true
  : false;
