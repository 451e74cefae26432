// How a request waits for a connection of a lane, and stops waiting.

import { type AppError, fail } from '#libs/errors';
import type { LaneState, PoolState, SlotState, Waiter } from './state.js';
import type { BudgetClock, LeaseMode } from './types.js';

const RETRY_AFTER_SECONDS = 1;

interface Circumstances {
  readonly pool: PoolState;
  readonly clock: BudgetClock;
  readonly signal: AbortSignal | undefined;
}

/** Resolves when a connection is granted. Throws PROJECT_BUSY, and REQUEST_ABORTED when `signal` is aborted. */
export function join<C>(
  lane: LaneState<C>,
  mode: LeaseMode,
  { pool, clock, signal }: Circumstances,
): Promise<SlotState<C>> {
  if (signal?.aborted) return Promise.reject(fail('REQUEST_ABORTED'));
  if (lane.project.waiting >= pool.limits.maxWaiting) return Promise.reject(busy());
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      if (lane.waiting.delete(waiter)) count(pool, lane, mode, -1);
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
    };
    const waiter: Waiter<C> = {
      mode,
      since: pool.now,
      grant: (slot) => (settle(), resolve(slot)),
      refuse: (error) => (settle(), reject(error)),
    };
    const onAbort = (): void => waiter.refuse(fail('REQUEST_ABORTED'));
    const stopTimer = clock.after(pool.limits.maxWaitMs, () => waiter.refuse(busy()));
    signal?.addEventListener('abort', onAbort, { once: true });
    lane.waiting.add(waiter);
    count(pool, lane, mode, 1);
  });
}

function count(pool: PoolState, lane: LaneState, mode: LeaseMode, by: 1 | -1): void {
  if (mode === 'shared') lane.waitingShared += by;
  lane.project.waiting += by;
  if (lane.project.waiting > 0) pool.asking.add(lane.project);
  else pool.asking.delete(lane.project);
}

function busy(): AppError {
  return fail('PROJECT_BUSY', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
