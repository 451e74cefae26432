/** The columns that a filter may name, and the values that it accepts for them. */
import type { Condition } from '../encode.js';

/** A column of the row, a path into its JSON (`data->>key`) or a column of an embed (`author.name`). */
export type ColumnOf<Row> = (keyof Row & string) | `${string}->${string}` | `${string}.${string}`;

/** The value that a column is compared with. NULL can only be tested with `is`. */
export type ValueOf<Row, Column extends string> = Column extends keyof Row
  ? NonNullable<Row[Column]>
  : unknown;

/** Columns of text accept patterns. */
export type ArrayOperand = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** One condition as text, or several as parts. */
export type Conditions = string | readonly Condition[];

/** The operators of the REST grammar, without the prefix `not.`. */
export type FilterOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'is'
  | 'isdistinct'
  | 'in'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj'
  | 'fts'
  | 'plfts'
  | 'phfts'
  | 'wfts';
