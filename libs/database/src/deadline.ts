// The end of work on a client before its time: its limit is over, or the one who waits for it is gone.

import type { Client } from 'pg';
import { fail } from '#libs/errors';

export interface RunLimits {
  /** Of the whole. The server's own limit applies to each statement alone. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Cancels the statement of a backend; resolves when the request was delivered. */
  readonly cancel: (client: Client) => Promise<void>;
  /** Ends a backend that ignores the cancel request. */
  readonly terminate: (client: Client) => Promise<void>;
}

/**
 * The server then ends a session whose connection is gone, although code of the project ignores that it is cancelled.
 */
export const NOTICE_LOSS = `select pg_catalog.set_config('client_connection_check_interval', '500', true)`;

/** How long the answer may take after a cancel request before the backend is ended. */
const CANCEL_GRACE_MS = 1_000;

/**
 * Ends a run that takes too long, or whose signal aborts: first cancels the statement, then ends the backend, then gives
 * up waiting.
 */
export class Deadline {
  hasPassed = false;
  readonly #client: Client;
  readonly #run: RunLimits;
  #timer: NodeJS.Timeout | undefined;
  #abort = (): void => undefined;

  constructor(client: Client, run: RunLimits) {
    this.#client = client;
    this.#run = run;
  }

  /** Whether the end is under way. A cancel request may still arrive: the connection has to be closed. */
  get isEnding(): boolean {
    return this.hasPassed || this.#run.signal?.aborted === true;
  }

  start(giveUp: (error: unknown) => void): void {
    const { timeoutMs, signal } = this.#run;
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#end().catch(giveUp);
    }, timeoutMs);
    this.#abort = () => {
      clearTimeout(this.#timer);
      // After the deadline the end is under way.
      if (!this.hasPassed) this.#end().catch(giveUp);
    };
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#run.signal?.removeEventListener('abort', this.#abort);
  }

  async #end(): Promise<never> {
    await this.#run.cancel(this.#client);
    await this.#pause();
    await this.#run.terminate(this.#client);
    await this.#pause();
    throw new Error('The backend did not end');
  }

  /** Never resolves after `stop`: by then the answer has arrived. */
  #pause(): Promise<void> {
    return new Promise((resolve) => (this.#timer = setTimeout(resolve, CANCEL_GRACE_MS)));
  }
}

/**
 * Runs `work` on a client until `deadline` ends it; the client then has to be closed. `work` asks `isEnding` before each
 * statement: a cancel request reaches a statement alone, not the time between two. Throws REQUEST_ABORTED, PGRST504,
 * and the errors of `work`.
 */
export async function runUntil<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => deadline.start(reject));
  const running = work();
  try {
    return await Promise.race([running, late]);
  } catch (error) {
    if (!deadline.isEnding) throw error;
    throw fail(deadline.hasPassed ? 'PGRST504' : 'REQUEST_ABORTED', {}, { cause: error });
  } finally {
    deadline.stop();
    // If the deadline passes first, the work still ends with the connection, and its result is ignored.
    running.catch(() => undefined);
  }
}
