/** What the executor saw of one statement. */
export interface StatementResult {
  /**
   * The number of the command tag: rows given by a select, rows touched by a write. The first row of
   * `total-and-rows` is not one of them.
   */
  readonly count: number;
  /** The column of the first row, for statements that give `text` or `total-and-rows`. */
  readonly text?: string | undefined;
  /** The columns of the first row, for statements that give `settings`. */
  readonly texts?: readonly (string | null)[] | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Judges the results of all statements of a plan, in their order; throws when they may not stand.
 * `offset` is the number of rows that the request skips.
 */
export type Respond = (
  results: readonly StatementResult[],
  values: { readonly offset: number },
) => ResponseHead;

export const NO_RESULT: StatementResult = { count: 0 };
