// A batch between its sending and its answer: what has come in so far and what its end will be.

import { type AppError, fail } from '#libs/errors';
import { DataRows } from './protocol/data-rows.js';
import { isOutdated, type PostgresError, toAppError } from './protocol/postgres-error.js';
import type { PreparedStatement } from './statement-cache.js';

/** A statement with its values in PostgreSQL's text format. One name always stands for the same text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** True for a statement that the login of the connection may always run. */
  readonly isOwn?: boolean;
  /** Index among the queries of a request; absent for what the platform adds to them. */
  readonly query?: number;
}

export interface Batch {
  readonly statements: readonly Statement[];
  /** Cancels the batch on the server. Only for a batch that has the connection to itself. */
  readonly signal?: AbortSignal | undefined;
  /**
   * True for queries that are to be prepared as the caller, behind the lookup: they name what the login of
   * the connection may not look up. Only for a batch that has the connection to itself.
   */
  readonly preparesAsCaller?: boolean | undefined;
  /** True for a part of a transaction that other batches open or end: it cannot be run again by itself. */
  readonly isPart?: boolean;
  /** The longest that one of the statements may take, where it is more than the connection's own limit. */
  readonly timeoutMs?: number | undefined;
}

export interface StatementResult {
  readonly rows: DataRows;
  /** The number in the command tag: rows written, or rows read. */
  readonly affected: number;
}

export interface BatchResult {
  /** One per statement, in order. */
  readonly results: readonly StatementResult[];
  /** Time that the server was busy with this batch alone; milliseconds. */
  readonly serviceMs: number;
}

const REFUSED = '42501';

/** Settled exactly once, by `resolve` or `reject`. */
export class InFlightBatch {
  readonly batch: Batch;
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: Error) => void;
  /** The statements on this connection, to be forgotten when the server does not know them any more. */
  used: PreparedStatement[] = [];
  /** Those sent for preparation right before; each is a transaction of its own with a ReadyForQuery. */
  preparing: PreparedStatement[] = [];
  /** Those sent for preparation within the batch. */
  preparedInside: PreparedStatement[] = [];
  results: StatementResult[] = [];
  resultBytes = 0;
  noticeBytes = 0;
  sentAt = 0;
  error: PostgresError | undefined;
  prepareError: PostgresError | undefined;
  /** Settles when a cancel request for this batch was delivered. */
  cancelled: Promise<void> | undefined;
  #rows = new DataRows();
  #isRetry = false;

  constructor(
    batch: Batch,
    resolve: (result: BatchResult) => void,
    reject: (error: Error) => void,
  ) {
    this.batch = batch;
    this.resolve = resolve;
    this.reject = reject;
  }

  /**
   * Whether it may be sent once more: the server undid it and nothing of it was answered. Not when its own
   * preparation failed, for it would fail again.
   */
  get mayRetry(): boolean {
    return (
      isOutdated(this.error) && !this.prepareError && !this.#isRetry && this.batch.isPart !== true
    );
  }

  /**
   * Whether the session refused the platform's own statement: code of the project has left another role in
   * it than that of the login.
   */
  get isDisowned(): boolean {
    const error = this.prepareError ?? this.error;
    const failed = this.batch.statements[this.results.length];
    return error?.code === REFUSED && failed?.isOwn === true;
  }

  /** The statement that the error is about; undefined for an error of the commit itself. */
  get failedStatement(): PreparedStatement | undefined {
    return this.used[this.results.length];
  }

  isPreparedInside(statement: Statement): boolean {
    return this.batch.preparesAsCaller === true && statement.query !== undefined;
  }

  addRow(bytes: Buffer, start: number, end: number): void {
    this.#rows.add(bytes, start, end);
    this.resultBytes += end - start;
  }

  completeStatement(affected: number): void {
    this.results.push({ rows: this.#rows, affected });
    this.#rows = new DataRows();
  }

  startRetry(): void {
    this.#isRetry = true;
    this.used = [];
    this.preparing = [];
    this.preparedInside = [];
    this.results = [];
    this.resultBytes = 0;
    this.error = undefined;
    this.#rows = new DataRows();
  }

  /** What whoever waits is told of `error`. A statement that failed to prepare explains why it is unknown. */
  failure(error: PostgresError): AppError {
    if (this.batch.signal?.aborted) return fail('REQUEST_ABORTED', {}, { cause: error });
    const cause = isOutdated(error) ? (this.prepareError ?? error) : error;
    cause.query = this.batch.statements[this.results.length]?.query;
    return toAppError(cause);
  }
}
