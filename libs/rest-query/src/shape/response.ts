/** The result of one statement, as the executor saw it. */
export interface StatementResult {
  /**
   * The number in the command tag: rows returned by a select, rows changed by a write. The first row of
   * `total-and-rows` is not counted.
   */
  readonly count: number;
  /** The column of the first row, for statements that return `text` or `total-and-rows`. */
  readonly text?: string | undefined;
  /** The columns of the first row, for statements that return `settings`. */
  readonly texts?: readonly (string | null)[] | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Checks the results of all statements of a plan, in order; throws if the transaction must not be committed. `offset`
 * is the number of rows that the request skips.
 */
export type Respond = (
  results: readonly StatementResult[],
  values: { readonly offset: number },
) => ResponseHead;

export const NO_RESULT: StatementResult = { count: 0 };
