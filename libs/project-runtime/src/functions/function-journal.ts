// What functions log, and their invocations: shown live to administrators, and written to the database in batches, so
// that a call waits for no write.
import type { EngineQueries } from '#libs/database';
import { fail } from '#libs/errors';
import type { FunctionInvocation, FunctionLogLine } from '#libs/functions';

import { type CalledInvocation, insertInvocations, insertLogs } from './function-journal.sql.js';

const flushMs = 250;
/** Rows that are written without waiting any longer. */
const batchRows = 100;
/** Rows that may wait; further ones are dropped. */
const maxWaiting = 2_000;
const maxWatchers = 10;
/** Callers of calls that have not ended. */
const maxCallers = 10_000;

export type JournalEvent =
  | { readonly kind: 'log'; readonly line: FunctionLogLine }
  | { readonly kind: 'invocation'; readonly invocation: CalledInvocation };

export interface JournalParts {
  readonly db: EngineQueries;
  readonly onError: (error: unknown, doing: string) => void;
}

export class FunctionJournal {
  readonly #parts: JournalParts;
  readonly #watchers = new Set<(event: JournalEvent) => void>();
  /** By request id. */
  readonly #callers = new Map<string, string>();
  #lines: FunctionLogLine[] = [];
  #invocations: CalledInvocation[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Names the caller of a request that begins: the id of a user, or the kind of the credential. */
  noteCaller(requestId: string, caller: string): void {
    this.#callers.set(requestId, caller);
    if (this.#callers.size <= maxCallers) return;
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined) this.#callers.delete(oldest);
  }

  log(line: FunctionLogLine): void {
    this.#announce({ kind: 'log', line });
    if (this.#hasRoom()) this.#lines.push(line);
    this.#schedule();
  }

  invoked(invocation: FunctionInvocation): void {
    const caller = this.#callers.get(invocation.requestId);
    this.#callers.delete(invocation.requestId);
    const called = { ...invocation, caller };
    this.#announce({ kind: 'invocation', invocation: called });
    if (this.#hasRoom()) this.#invocations.push(called);
    this.#schedule();
  }

  /** Calls with each further event until the returned function is called. Throws LIVE_FEED_BUSY. */
  watch(watcher: (event: JournalEvent) => void): () => void {
    if (this.#watchers.size >= maxWatchers) throw fail('LIVE_FEED_BUSY', { limit: maxWatchers });
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #announce(event: JournalEvent): void {
    for (const watch of this.#watchers) watch(event);
  }

  get #waiting(): number {
    return this.#lines.length + this.#invocations.length;
  }

  #hasRoom(): boolean {
    if (this.#waiting < maxWaiting) return true;
    this.#dropped += 1;
    return false;
  }

  #schedule(): void {
    if (this.#isWriting) return;
    if (this.#waiting >= batchRows) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Never rejects: rows that cannot be written are lost, and logged. */
  async #write(): Promise<void> {
    const { db, onError } = this.#parts;
    const [lines, invocations, dropped] = [this.#lines, this.#invocations, this.#dropped];
    [this.#lines, this.#invocations, this.#dropped] = [[], [], 0];
    this.#isWriting = true;
    try {
      if (lines.length > 0) await insertLogs(db, lines);
      if (invocations.length > 0) await insertInvocations(db, invocations);
      if (dropped > 0) {
        const text = `${dropped} log lines and invocations were dropped: they came too fast`;
        onError(new Error(text), 'keep the logs of functions');
      }
    } catch (error) {
      onError(error, 'keep the logs of functions');
    } finally {
      this.#isWriting = false;
    }
    if (this.#waiting > 0) this.#schedule();
  }
}
