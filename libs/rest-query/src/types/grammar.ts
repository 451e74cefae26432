// The syntax tree of a request. Values of filters are not in it: they are a separate list of operands, and a test has
// the slot of its operand, so that requests which differ only in values share one plan.

/** The place of a value in the results of earlier operations of a batch. */
export interface ResultReference {
  /** Index of the operation. */
  readonly operation: number;
  readonly row: number;
  readonly column: string;
}

/** A value of a body that an earlier operation of the batch provides. */
export interface BodyReference {
  readonly row: number;
  readonly column: string;
  readonly reference: ResultReference;
}

/** The parts of a batch operation besides its request. */
export interface BatchPlace {
  readonly index: number;
  /** A later operation refers to the rows of this one. */
  readonly isReferenced: boolean;
  readonly references: readonly BodyReference[];
  /** Columns that equal a value of an earlier result. */
  readonly matches: readonly { readonly column: string; readonly reference: ResultReference }[];
}

/** One step into a JSON value: `->key`, `->0`, and `->>` for the last one as text. */
export interface JsonStep {
  readonly kind: 'key' | 'index';
  readonly key: string;
  readonly isText: boolean;
}

export interface FieldName {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

export const AGGREGATES = ['count', 'sum', 'avg', 'max', 'min'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

export interface Aggregation {
  readonly function: AggregateName;
  /** Of the aggregate's result: `mass.sum()::text`. */
  readonly cast: string | undefined;
}

export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'field';
      readonly field: FieldName;
      readonly alias: string | undefined;
      /** Of the field, before any aggregate. */
      readonly cast: string | undefined;
      readonly aggregation: Aggregation | undefined;
    }
  /** `count()`: the number of rows. */
  | {
      readonly kind: 'count';
      readonly alias: string | undefined;
      readonly cast: string | undefined;
    }
  | EmbedItem;

/** `alias:relation!hint!inner(…)`, and with a leading `...` the spread of its columns. */
export interface EmbedItem {
  readonly kind: 'embed';
  /** A table, a constraint, a column of a key, or a computed relation. */
  readonly relation: string;
  readonly alias: string | undefined;
  readonly hint: string | undefined;
  readonly join: 'left' | 'inner' | undefined;
  readonly isSpread: boolean;
  /** Empty for `relation()`, which is only filtered by. */
  readonly select: readonly SelectItem[];
}

const comparison = (sql: string) => ({
  sql,
  /** Whether it takes `any` and `all`: `eq(any).{1,2}`. */
  takesQuantifier: false,
  /** Whether `*` in its operand means `%`. */
  isPattern: false,
  /** Whether its operand may be a range or a JSON array, with commas inside brackets. */
  takesBrackets: false,
});
const quantifiable = (sql: string) => ({ ...comparison(sql), takesQuantifier: true });
const pattern = (sql: string) => ({ ...quantifiable(sql), isPattern: true });
const ofLists = (sql: string) => ({ ...comparison(sql), takesBrackets: true });

/** The operators of filters with one operand. */
export const COMPARISONS = {
  eq: quantifiable('='),
  neq: comparison('<>'),
  gt: quantifiable('>'),
  gte: quantifiable('>='),
  lt: quantifiable('<'),
  lte: quantifiable('<='),
  like: pattern('like'),
  ilike: pattern('ilike'),
  match: quantifiable('~'),
  imatch: quantifiable('~*'),
  isdistinct: comparison('is distinct from'),
  cs: ofLists('@>'),
  cd: ofLists('<@'),
  ov: ofLists('&&'),
  sl: ofLists('<<'),
  sr: ofLists('>>'),
  nxr: ofLists('&<'),
  nxl: ofLists('&>'),
  adj: ofLists('-|-'),
};
export type Comparison = keyof typeof COMPARISONS;

/** The function that builds a full-text query from the operand. */
export const TEXT_SEARCHES = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;
export type TextSearch = keyof typeof TEXT_SEARCHES;

/** The words that `is` takes, as SQL. */
export const IS_TESTS = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const;
export type IsKeyword = keyof typeof IS_TESTS;

export type Test =
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      /** If present, the operand is an array: `like(any).{a*,b*}`. */
      readonly quantifier: 'any' | 'all' | undefined;
      readonly slot: number;
    }
  | { readonly kind: 'in'; readonly slot: number }
  | { readonly kind: 'is'; readonly keyword: IsKeyword }
  | {
      readonly kind: 'search';
      readonly operator: TextSearch;
      /** Text search configuration; a word of letters, digits, `_` and `.`. */
      readonly config: string | undefined;
      readonly slot: number;
    }
  /** Only in a batch. */
  | { readonly kind: 'equals-result'; readonly reference: ResultReference };

export type FilterTree<Leaf> =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterTree<Leaf>[] }
  | { readonly kind: 'not'; readonly node: FilterTree<Leaf> }
  | { readonly kind: 'leaf'; readonly leaf: Leaf };

/** `column=operator.operand`; the column may turn out to be an embed: `author=not.is.null`. */
export interface ParsedCondition {
  readonly field: FieldName;
  readonly test: Test;
}

export interface OrderTerm<Value> {
  readonly value: Value;
  readonly isDescending: boolean;
  readonly nulls: 'first' | 'last' | undefined;
}

/** `column`, `column->key`, or `relation(column)`. */
export interface OrderName {
  readonly relation: string | undefined;
  readonly field: FieldName;
}

/**
 * Rows counted from 0. The offset of the outermost rows is a value of the request and not part of its shape: there
 * `offset` is 1 for any number of rows to skip, and 0 for none.
 */
export interface Window {
  readonly offset: number;
  /** Absent: as many as the server returns. */
  readonly limit: number | undefined;
}
