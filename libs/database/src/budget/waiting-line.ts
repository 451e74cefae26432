// Who waits for a connection of a lane, in the order they came.

import { type AppError, fail } from '#libs/errors';
import type { ProjectShare } from './project-share.js';
import type { PooledConnection } from './pooled-connection.js';
import type { LeaseMode } from './types.js';

export interface Waiter<C> {
  readonly mode: LeaseMode;
  readonly since: number;
  grant(pooled: PooledConnection<C>): void;
  refuse(error: Error): void;
}

const RETRY_AFTER_SECONDS = 1;

export class WaitingLine<C> {
  readonly #share: ProjectShare;
  readonly #waiters = new Set<Waiter<C>>();
  #shared = 0;

  constructor(share: ProjectShare) {
    this.#share = share;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Whether some of them wait for a place on a shared connection. */
  get hasShared(): boolean {
    return this.#shared > 0;
  }

  /** When the first of them came; undefined for an empty line. */
  get headSince(): number | undefined {
    for (const waiter of this.#waiters) return waiter.since;
    return undefined;
  }

  [Symbol.iterator](): Iterator<Waiter<C>> {
    return this.#waiters.values();
  }

  /** Resolves when a connection is granted. Throws PROJECT_BUSY, and REQUEST_ABORTED when `signal` is aborted. */
  join(mode: LeaseMode, signal: AbortSignal | undefined): Promise<PooledConnection<C>> {
    const share = this.#share;
    if (signal?.aborted) return Promise.reject(fail('REQUEST_ABORTED'));
    if (share.waiting >= share.limits.maxWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        if (this.#waiters.delete(waiter) && mode === 'shared') this.#shared -= 1;
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<C> = {
        mode,
        since: share.now(),
        grant: (pooled) => (settle(), resolve(pooled)),
        refuse: (error) => (settle(), reject(error)),
      };
      const onAbort = (): void => waiter.refuse(fail('REQUEST_ABORTED'));
      const stopTimer = share.after(share.limits.maxWaitMs, () => waiter.refuse(busy()));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
      if (mode === 'shared') this.#shared += 1;
    });
  }

  refuseAll(error: Error): void {
    for (const waiter of this.#waiters) waiter.refuse(error);
  }

  /** One failed attempt to open a connection refuses one waiter: the next attempt may be luckier. */
  refuseHead(error: Error): void {
    for (const waiter of this.#waiters) {
      waiter.refuse(error);
      return;
    }
  }
}

function busy(): AppError {
  return fail('PROJECT_BUSY', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
