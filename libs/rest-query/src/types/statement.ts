// SQL text, and the sources of its values.
import type { ArgumentText } from './request.js';

/** The source of the value of one `$n`. */
export type Parameter =
  | { readonly from: 'body' }
  /** The rows to skip. */
  | { readonly from: 'offset' }
  | {
      readonly from: 'operand';
      readonly slot: number;
      /** `pattern`: `*` is replaced by `%`. `list`: `(a,b)` becomes an array. */
      readonly as: 'text' | 'pattern' | 'list';
    }
  /** Text before an operand and the operand: the value of an argument in a query string. */
  | { readonly from: 'argument'; readonly value: ArgumentText };

export interface StatementTemplate {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly gives: StatementGives;
}

/**
 * What the executor does with the rows of a statement. Each row is one column of text. `rows`: bytes copied into the
 * body; `total-and-rows`: the same, but the first row is the text of the total number of rows; `text`: the first row,
 * decoded and passed to `respond`; `settings`: all columns of the first row, decoded; `nothing`: only the number of the
 * command tag is used.
 */
export type StatementGives = 'rows' | 'total-and-rows' | 'text' | 'settings' | 'nothing';
