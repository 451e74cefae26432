// SQL text, and where its values come from when it is run.
import type { ArgumentText } from './request.js';

/** Where the value of one `$n` comes from when the statement is run. */
export type Parameter =
  | { readonly from: 'body' }
  /** The rows to skip. */
  | { readonly from: 'offset' }
  | {
      readonly from: 'operand';
      readonly slot: number;
      /** `pattern`: `*` stands for `%`. `list`: `(a,b)` becomes an array. */
      readonly as: 'text' | 'pattern' | 'list';
    }
  /** Text before an operand and the operand: what a query string gives to an argument. */
  | { readonly from: 'argument'; readonly value: ArgumentText };

export interface StatementTemplate {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly gives: StatementGives;
}

/**
 * What the executor does with the rows of a statement. Each row is one column of text.
 * `rows`: bytes passed through into the body; `total-and-rows`: the same, but the first row is the text
 * of the number of all rows; `text`: the first row, decoded and handed to `respond`; `settings`: all
 * columns of the first row, decoded; `nothing`: only the number of the command tag counts.
 */
export type StatementGives = 'rows' | 'total-and-rows' | 'text' | 'settings' | 'nothing';
