// One connection that runs batches. A batch is a list of statements and one Sync: PostgreSQL runs it as one
// transaction, and an error skips the rest and undoes the statements before it. Several batches may be in flight; they
// are answered in order. Knows bytes and statements, not callers or projects.

import { randomBytes } from 'node:crypto';

import { databaseAway, fail } from '#libs/errors';
import { type DatabaseAddress, type ReadySocket, sendCancelRequest } from './connect.js';
import { type Batch, type BatchResult, InFlightBatch, type Statement } from './in-flight-batch.js';
import { affectedRows } from './protocol/command-tag.js';
import { FrameReader } from './protocol/frame-reader.js';
import { MessageWriter } from './protocol/message-writer.js';
import {
  isOutdated,
  isUnknownStatement,
  type PostgresError,
  readPostgresError,
  tooLongToRead,
} from './protocol/postgres-error.js';
import { SocketWriter } from './protocol/socket-writer.js';
import type { ReplyShare } from './replies/reply-budget.js';
import { StatementCache } from './statement-cache.js';

export interface PipelineOptions {
  readonly address: DatabaseAddress;
  readonly maxStatements: number;
  /** A larger answer of a batch closes the connection; so does a reply that takes too long. */
  readonly maxResultBytes: number;
  /** Per statement of a batch, unless the batch sets a longer one. */
  readonly statementTimeoutMs: number;
  /** Added to the limit that the server itself enforces. */
  readonly replyGraceMs: number;
  /** Where the replies of batches with an owner are counted; absent: they stay in memory uncounted. */
  readonly replies?: ReplyShare | undefined;
  /** Called once when the connection dies without `close`. */
  readonly onLost: () => void;
}

const DATA_ROW = 0x44;
const ERROR_RESPONSE = 0x45;
const NOTICE_RESPONSE = 0x4e;
const ROW_DESCRIPTION = 0x54;
const SALT_BYTES = 9;
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
const CLOSE_TIMEOUT_MS = 1_000;
/** Notices of one batch. */
const maxNoticeBytes = 1024 ** 2;

/** A connection, open from the start; it ends by `close`, `destroy` or the loss of its socket. */
export class PipelineConnection {
  readonly #socket: ReadySocket;
  readonly #options: PipelineOptions;
  readonly #writer = new MessageWriter();
  readonly #socketWriter: SocketWriter;
  readonly #reader: FrameReader;
  readonly #statements: StatementCache;
  readonly #inFlight: InFlightBatch[] = [];
  /**
   * Prefix of every name on the server. Code of the project runs in this session and shares its prepared statements: if
   * it prepared a statement under a name of ours, that would answer another caller's request.
   */
  readonly #salt = randomBytes(SALT_BYTES).toString('base64url');
  #isFlushPlanned = false;
  #isOpen = true;
  #freeSince = 0;
  #watchdog: NodeJS.Timeout | undefined;
  /** A message of the server outside any batch, usually the reason why it is about to close the connection. */
  #lastWords: PostgresError | undefined;

  constructor(socket: ReadySocket, options: PipelineOptions) {
    this.#socket = socket;
    this.#socketWriter = new SocketWriter(socket.stream);
    this.#options = options;
    this.#statements = new StatementCache(options.maxStatements);
    this.#reader = new FrameReader(
      (code, bytes, start, end) => this.#onFrame(code, bytes, start, end),
      { maxBytes: options.maxResultBytes, accepts: (code, bytes) => this.#accepts(code, bytes) },
    );
    const { stream } = socket;
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('error', (error: Error) => this.#lose(error));
    stream.on('close', () => this.#lose(this.#lastWords ?? new Error('The connection was closed')));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether batches are being collected for a write that was not sent yet. */
  get isFilling(): boolean {
    return this.#isFlushPlanned;
  }

  get preparedCount(): number {
    return this.#statements.size;
  }

  /**
   * Runs a batch after those in flight. Rejects with the error of the first statement that failed; then the whole batch
   * has no effect. Throws DATABASE_UNAVAILABLE if the connection is lost, REQUEST_ABORTED if its signal cancelled it,
   * RESULT_TOO_LARGE.
   */
  run(batch: Batch): Promise<BatchResult> {
    if (!this.#isOpen) return Promise.reject(databaseAway(new Error('The connection is closed')));
    const { signal } = batch;
    if (!signal)
      return new Promise((resolve, reject) =>
        this.#send(new InFlightBatch(batch, resolve, reject)),
      );
    if (signal.aborted) return Promise.reject(fail('REQUEST_ABORTED'));
    return this.#runCancellable(batch, signal);
  }

  /** Sends Terminate and waits until the server has closed the socket, at most a second. */
  close(): Promise<void> {
    const { stream } = this.#socket;
    if (this.#inFlight.length > 0) this.#rejectAll(new Error('The connection was closed'));
    this.#isOpen = false;
    clearTimeout(this.#watchdog);
    if (stream.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS);
      stream.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      stream.end(TERMINATE);
    });
  }

  /** Closes the socket; batches in flight are rejected. */
  destroy(): void {
    this.#lose(new Error('The connection was dropped'));
  }

  #send(inFlight: InFlightBatch): void {
    const { statements } = inFlight.batch;
    let toParseInside: Set<string> | undefined;
    for (const statement of statements) {
      const isNamed = statement.name !== '';
      let prepared = isNamed ? this.#statements.find(statement.name) : undefined;
      if (!prepared && isNamed) {
        prepared = this.#statements.add(statement.name);
        if (inFlight.isPreparedInside(statement)) {
          inFlight.preparedInside.push(prepared);
          toParseInside ??= new Set();
          toParseInside.add(statement.name);
        } else {
          inFlight.preparing.push(prepared);
          this.#parseFirst(statement);
        }
      }
      inFlight.used.push(prepared);
    }
    for (const statement of statements) {
      const isUnnamed = statement.name === '';
      if (isUnnamed || toParseInside?.delete(statement.name)) this.#parse(statement);
      this.#writer.bindAndExecute(this.#serverName(statement), statement.values);
    }
    this.#writer.sync();
    // The server would keep the last unnamed statement until the next.
    if (statements.some(({ name }) => name === '')) this.#writer.closeStatement('');
    inFlight.sentAt = performance.now();
    const isFree = this.#inFlight.length === 0;
    this.#inFlight.push(inFlight);
    this.#watchdog ??= this.#armWatchdog(this.#replyTimeoutMs());
    if (isFree && inFlight.batch.isSentAtOnce === true) this.#flush();
    else this.#planFlush();
  }

  /**
   * Parse has a Sync of its own before the batch. After the lookup it would be skipped if the lookup fails, and batches
   * that are already queued would use a statement that does not exist.
   */
  #parseFirst(statement: Statement): void {
    this.#parse(statement);
    this.#writer.sync();
  }

  #parse(statement: Statement): void {
    for (const name of this.#statements.takeClosed()) {
      this.#writer.closeStatement(this.#salt + name);
    }
    this.#writer.parse(this.#serverName(statement), statement.text);
  }

  #serverName({ name }: Statement): string {
    return name === '' ? '' : this.#salt + name;
  }

  /** Requests that arrive in the same turn of the event loop leave in one write. */
  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => {
      this.#isFlushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isOpen) this.#socketWriter.write(this.#writer.take());
  }

  #runCancellable(batch: Batch, signal: AbortSignal): Promise<BatchResult> {
    let onAbort = (): void => {};
    const running = new Promise<BatchResult>((resolve, reject) => {
      const inFlight = new InFlightBatch(batch, resolve, reject);
      onAbort = () => this.#cancel(inFlight);
      this.#send(inFlight);
    });
    signal.addEventListener('abort', onAbort, { once: true });
    return running.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Only a batch that is alone here is cancelled: a cancel request names the connection, not the batch. */
  #cancel(inFlight: InFlightBatch): void {
    if (this.#inFlight.length !== 1 || this.#inFlight[0] !== inFlight) return;
    inFlight.cancelled ??= sendCancelRequest(this.#options.address, this.#socket);
  }

  #onData(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      // A message that cannot be read leaves the stream without a known position.
      this.#lose(error);
    }
  }

  #onFrame(code: number, bytes: Buffer, start: number, end: number): void {
    const head = this.#inFlight[0];
    switch (code) {
      case DATA_ROW:
        if (head?.addRow(bytes, start, end)) this.#onCountedRow(head, [bytes, start, end]);
        return;
      case 0x43: // CommandComplete
        head?.completeStatement(affectedRows(bytes, end));
        return;
      case 0x49: // EmptyQueryResponse
        head?.completeStatement(0);
        return;
      case ERROR_RESPONSE:
        this.#onError(head, readPostgresError(bytes, start, end));
        return;
      case 0x5a: // ReadyForQuery
        if (head) this.#onReady(head);
        return;
      case NOTICE_RESPONSE:
        if (head) this.#countNotice(head, end - start);
        return;
      case 0x47: // CopyInResponse, CopyOutResponse, CopyBothResponse: COPY is not supported here.
      case 0x48:
      case 0x57:
        throw new Error('COPY cannot be part of a batch');
      default: // Completions of Parse, Bind and Close, notices, parameters and notifications.
    }
  }

  #onCountedRow(head: InFlightBatch, row: readonly [Buffer, number, number]): void {
    if (head.resultBytes > this.#options.maxResultBytes) this.#refuseSize(head);
    else if (!head.addCounted(this.#options.replies, row)) this.#stop(head);
    else if (head.isBacklogged) this.#waitForDisk(head);
  }

  /**
   * Whether a message of many bytes may be read; otherwise it is skipped. Functions of the project decide how long
   * errors and notices are. Throws for other messages: no request needs longer ones.
   */
  #accepts(code: number, bytes: number): boolean {
    const head = this.#inFlight[0];
    switch (code) {
      case DATA_ROW:
        if (!head || head.reserveLarge(this.#options.replies, bytes)) return true;
        this.#stop(head);
        return false;
      case ROW_DESCRIPTION:
        return true;
      case ERROR_RESPONSE:
        this.#onError(head, tooLongToRead(bytes));
        return false;
      case NOTICE_RESPONSE:
        if (head) this.#countNotice(head, bytes);
        return false;
      default:
        throw new RangeError(`A message of ${bytes} bytes cannot be read`);
    }
  }

  /** Cancels a batch whose rows are dropped, unless it shares the connection: then they are skipped. */
  #stop(head: InFlightBatch): void {
    if (head.batch.signal) this.#cancel(head);
  }

  /** The server waits, too, once the buffers of the socket are full. */
  #waitForDisk(head: InFlightBatch): void {
    const { stream } = this.#socket;
    if (stream.isPaused()) return;
    stream.pause();
    void head.drained().then(() => stream.resume());
  }

  /** Notices of functions are dropped; reading millions of them would block the event loop. */
  #countNotice(head: InFlightBatch, bytes: number): void {
    head.noticeBytes += bytes;
    if (head.noticeBytes > maxNoticeBytes) this.#refuseSize(head, maxNoticeBytes);
  }

  #refuseSize(head: InFlightBatch, maxBytes = this.#options.maxResultBytes): void {
    head.release();
    const error = fail('RESULT_TOO_LARGE', { maxBytes });
    this.#inFlight.shift();
    head.reject(error);
    this.#lose(error);
  }

  #onError(head: InFlightBatch | undefined, error: PostgresError): void {
    const preparing = head?.preparing[0];
    if (!head) this.#lastWords = error;
    else if (preparing) {
      this.#statements.forget(preparing);
      head.prepareError ??= error;
    } else head.error = error;
  }

  #onReady(head: InFlightBatch): void {
    if (head.preparing.length > 0) {
      head.preparing.shift();
      return;
    }
    this.#inFlight.shift();
    const now = performance.now();
    const serviceMs = now - Math.max(head.sentAt, this.#freeSince);
    this.#freeSince = now;
    // A cancelled batch is not finished before its request was delivered, which must never cancel the next batch.
    if (head.cancelled) void head.cancelled.then(() => this.#settle(head, serviceMs));
    else this.#settle(head, serviceMs);
  }

  #settle(head: InFlightBatch, serviceMs: number): void {
    const { error, failedStatement } = head;
    if (!error) {
      if (head.refusal) head.reject(head.refusal);
      else head.resolve({ results: head.results, serviceMs });
      return;
    }
    head.release();
    // After an error the server has not read the statements that were to be prepared.
    for (const prepared of head.preparedInside) this.#statements.forget(prepared);
    // One unknown statement (after `deallocate all`) means that all of them are gone.
    if (isUnknownStatement(error) && !head.prepareError) this.#statements.forgetAll();
    else if (isOutdated(error) && failedStatement) this.#statements.forget(failedStatement);
    if (head.isDisowned) {
      head.reject(databaseAway(error));
      this.#lose(error);
    } else if (head.mayRetry && this.#isOpen) {
      head.startRetry();
      this.#send(head);
    } else head.reject(head.failure(error));
  }

  /**
   * One timer for the connection, set again only when it fires: batches do not touch it. It never waits longer than the
   * common limit, because the next batch may have no more than that.
   */
  #armWatchdog(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#watchdog = undefined;
      const head = this.#inFlight[0];
      if (!head) return;
      const busyMs = performance.now() - Math.max(head.sentAt, this.#freeSince);
      const { timeoutMs, statements } = head.batch;
      const leftMs = this.#replyTimeoutMs(timeoutMs) * statements.length - busyMs;
      if (leftMs <= 0) this.#lose(new Error('The server stopped answering'));
      else this.#watchdog = this.#armWatchdog(Math.min(leftMs, this.#replyTimeoutMs()));
    }, delayMs).unref();
  }

  #replyTimeoutMs(timeoutMs = 0): number {
    const { statementTimeoutMs, replyGraceMs } = this.#options;
    return Math.max(statementTimeoutMs, timeoutMs) + replyGraceMs;
  }

  #lose(cause: unknown): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#watchdog);
    this.#socket.stream.destroy();
    this.#rejectAll(cause);
    this.#options.onLost();
  }

  #rejectAll(cause: unknown): void {
    for (const inFlight of this.#inFlight.splice(0)) {
      inFlight.release();
      inFlight.reject(inFlight.refusal ?? databaseAway(inFlight.error ?? cause));
    }
  }
}
