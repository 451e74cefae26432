// A batch between its sending and its answer: the data received so far and its outcome.

import { type AppError, fail } from '#libs/errors';
import type { ParameterValue } from '#libs/wire';
import { DataRows } from './protocol/data-rows.js';
import { LARGE_FRAME_BYTES } from './protocol/frame-reader.js';
import { isOutdated, type PostgresError, toAppError } from './protocol/postgres-error.js';
import { KeptReply, type ReplyOwner, uncountedBytes } from './replies/kept-reply.js';
import type { ReplyShare } from './replies/reply-budget.js';
import type { PreparedStatement } from './statement-cache.js';

/** A statement with its values in PostgreSQL's text format. */
export interface Statement {
  /** A name always has the same text. A statement whose name is empty is parsed each time and not kept. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly ParameterValue[];
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
   * True for queries to be prepared as the caller, after the lookup: they name objects that the login of the connection
   * cannot look up. Only for a batch that has the connection to itself.
   */
  readonly preparesAsCaller?: boolean | undefined;
  /** True for a part of a transaction that other batches open or end: it cannot be run again by itself. */
  readonly isPart?: boolean;
  /** The statement timeout, if it is longer than the connection's own. */
  readonly timeoutMs?: number | undefined;
  /**
   * True while other projects are active: if nothing is in flight, the batch is sent at once, before other requests of
   * the turn of the event loop run. Otherwise the requests of a turn leave in one write.
   */
  readonly isSentAtOnce?: boolean | undefined;
  /** The owner of the rows: what a reply has above 16 KB is counted until it ends. Absent: nothing is counted. */
  readonly owner?: ReplyOwner | undefined;
  /**
   * Whether each row can be read, however large the reply is: it stays in memory then, and is refused if memory is
   * short. Otherwise only the body of a large reply can be read, which is written to a file if memory is short.
   */
  readonly areRowsRead?: boolean | undefined;
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

/** The body of a row's message: its bytes from the first number up to the second. */
type Row = readonly [bytes: Buffer, start: number, end: number];

const REFUSED = '42501';
/** A larger one takes memory in steps of this size. */
const STEP_BYTES = 16 * 1024;
/** The first row of each statement of a large reply stays in memory. Up to this size it is not counted. */
const SHORT_ROW_BYTES = 1024;
/** A reply up to this size is kept as received, and is one Buffer in the end. */
const SMALL_REPLY_BYTES = 256 * 1024;

/** Settled exactly once, by `resolve` or `reject`. */
export class InFlightBatch {
  readonly batch: Batch;
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: Error) => void;
  /** By statement what the connection has prepared, to be forgotten if the server no longer knows it. */
  used: (PreparedStatement | undefined)[] = [];
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
  /** Why the rest of the reply is dropped: there was no space for it. */
  refusal: AppError | undefined;
  #rows = new DataRows();
  #kept: KeptReply | undefined;
  /** How large the reply may get before more memory is taken for it; bytes. */
  #takenUpTo = uncountedBytes;
  /** Whether its further rows are kept as those of a large reply. */
  #isLong = false;
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
   * Whether it may be sent again: the server undid it and none of it was answered. Not if its own preparation failed,
   * because it would fail again.
   */
  get mayRetry(): boolean {
    return (
      isOutdated(this.error) &&
      !this.refusal &&
      !this.prepareError &&
      !this.#isRetry &&
      this.batch.isPart !== true
    );
  }

  /**
   * Whether the session refused the platform's own statement: code of the project has left a role in it other than that
   * of the login.
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

  /** Whether rows of it wait for the disk. */
  get isBacklogged(): boolean {
    return this.#kept?.isBacklogged === true;
  }

  /** Resolves when all waiting rows are on the disk. */
  async drained(): Promise<void> {
    await this.#kept?.drained();
  }

  /** Keeps a row. Returns true if there is no memory for it yet: then it belongs to {@link addCounted}. */
  addRow(bytes: Buffer, start: number, end: number): boolean {
    this.resultBytes += end - start;
    if (this.resultBytes > this.#takenUpTo) return true;
    this.#rows.add(bytes, start, end);
    return false;
  }

  /** Takes space for a row and keeps it. False if there is no space; then `refusal` is set. */
  addCounted(share: ReplyShare | undefined, row: Row): boolean {
    if (this.refusal) return true;
    const kept = this.#keptOf(share);
    if (!kept) {
      this.#takenUpTo = SMALL_REPLY_BYTES;
      this.#rows.add(...row);
    } else if (this.#takesMore(kept, row)) this.#rows.add(...row);
    else if (this.batch.areRowsRead === true || !this.#addLong(kept, row)) {
      this.refusal = kept.refuse();
      return false;
    }
    return true;
  }

  /** Whether the row stays in memory as received: after a row that does not, none does. */
  #takesMore(kept: KeptReply, [chunk]: Row): boolean {
    const isKept = this.batch.areRowsRead === true || this.resultBytes <= SMALL_REPLY_BYTES;
    if (!isKept || this.#isLong) return false;
    // A larger message has memory of its own, which was taken before it was read.
    const bytes =
      chunk.length > LARGE_FRAME_BYTES ? 0 : this.resultBytes - this.#takenUpTo + STEP_BYTES;
    if (!kept.takeMemory(bytes)) return false;
    this.#takenUpTo = Math.max(this.resultBytes, this.#takenUpTo + bytes);
    return true;
  }

  #addLong(kept: KeptReply, row: Row): boolean {
    this.#isLong = true;
    const [chunk, start, end] = row;
    const isInMemory = this.#rows.count === 0 && chunk.length <= LARGE_FRAME_BYTES;
    const bytes = end - start;
    if (isInMemory && bytes > SHORT_ROW_BYTES && !kept.takeMemory(bytes)) return false;
    return this.#rows.addLong(kept, row);
  }

  /** Reserves space for a message of many bytes before it is read; false if there is none, as for a row. */
  reserveLarge(share: ReplyShare | undefined, bytes: number): boolean {
    if (this.refusal) return false;
    const kept = this.#keptOf(share);
    if (!kept || kept.takeMemory(bytes)) return true;
    this.refusal = kept.refuse();
    return false;
  }

  /** Releases the rows of a reply that will not be read. */
  release(): void {
    this.#kept?.release();
    this.#kept = undefined;
  }

  #keptOf(share: ReplyShare | undefined): KeptReply | undefined {
    const { owner } = this.batch;
    if (share && owner) this.#kept ??= new KeptReply(share, owner);
    return this.#kept;
  }

  completeStatement(affected: number): void {
    this.results.push({ rows: this.#rows, affected });
    this.#rows = new DataRows();
  }

  startRetry(): void {
    this.release();
    this.#isRetry = true;
    this.used = [];
    this.preparing = [];
    this.preparedInside = [];
    this.results = [];
    this.resultBytes = 0;
    this.#takenUpTo = uncountedBytes;
    this.#isLong = false;
    this.error = undefined;
    this.#rows = new DataRows();
  }

  /** Maps a PostgreSQL error to the error of the caller. A failed preparation explains an unknown statement. */
  failure(error: PostgresError): AppError {
    if (this.refusal) return this.refusal;
    if (this.batch.signal?.aborted) return fail('REQUEST_ABORTED', {}, { cause: error });
    const cause = isOutdated(error) ? (this.prepareError ?? error) : error;
    cause.query = this.batch.statements[this.results.length]?.query;
    return toAppError(cause);
  }
}
