// One kind of connections of one project: the idle ones, the shared ones, and who waits, in order.

import { type AppError, fail } from '#libs/errors';
import type { ProjectShare } from './project-share.js';
import { Slot } from './slot.js';
import type { LanePlan, LaneView, Leaver, LeaseMode } from './types.js';

interface Waiter<C> {
  readonly mode: LeaseMode;
  readonly since: number;
  grant(slot: Slot<C>): void;
  refuse(error: Error): void;
}

/** A shared connection that serves this many already is reason enough to open another one. */
const GROW_AT_USERS = 2;
const RETRY_AFTER_SECONDS = 1;

/** Made by `ProjectShare.lane`. */
export class Lane<C> implements LaneView {
  readonly share: ProjectShare;
  readonly #plan: LanePlan<C>;
  readonly #idle: Slot<C>[] = [];
  readonly #shared: Slot<C>[] = [];
  readonly #waiting = new Set<Waiter<C>>();
  /** All that count against the budget, except those that are being opened. */
  readonly #slots = new Set<Slot<C>>();
  #opening = 0;

  constructor(share: ProjectShare, plan: LanePlan<C>) {
    this.share = share;
    this.#plan = plan;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get idle(): number {
    return this.#idle.length;
  }

  get size(): number {
    return this.#slots.size + this.#opening;
  }

  get unserved(): number {
    return this.#waiting.size - this.#opening;
  }

  get headSince(): number | undefined {
    for (const waiter of this.#waiting) return waiter.since;
    return undefined;
  }

  get oldestIdleSince(): number | undefined {
    return this.#idle[0]?.idleSince;
  }

  /**
   * A connection, at once where one is free. Give it back with `release`, exactly once.
   * Throws PROJECT_BUSY, SHUTTING_DOWN, DATABASE_UNAVAILABLE, REQUEST_ABORTED.
   */
  acquire(mode: LeaseMode, leaver?: Leaver): Slot<C> | Promise<Slot<C>> {
    const refusal = this.share.shuttingDown();
    if (refusal) return Promise.reject(refusal);
    if (this.#waiting.size === 0) {
      const slot = this.#take(mode);
      if (slot) {
        if (slot.users > GROW_AT_USERS && this.#opening === 0) this.share.growIfRoom(this);
        return slot;
      }
    }
    return this.#enqueue(mode, leaver?.signal);
  }

  /** Begins to open the first connection of the lane before it is asked for. Evicts nothing and takes no kept place. */
  openAhead(): void {
    if (this.size === 0) this.share.growIfRoom(this);
  }

  /** Gives a connection back; `discard` closes it, for one whose session state is not known. */
  release(slot: Slot<C>, discard = false): void {
    slot.users--;
    if (!slot.isUsable) return;
    if (slot.users > 0) {
      this.serve();
      return;
    }
    if (slot.state === 'shared') remove(this.#shared, slot);
    slot.state = 'idle';
    if (discard || this.share.mustGiveUp(this)) {
      this.close(slot);
      return;
    }
    slot.idleSince = this.share.now();
    this.#idle.push(slot);
    this.serve();
    if (slot.state === 'idle') this.share.wentIdle();
  }

  /** Hands out what is there, in the order of the queue. */
  serve(): void {
    for (const waiter of this.#waiting) {
      const slot = this.#take(waiter.mode);
      if (!slot) return;
      this.#waiting.delete(waiter);
      waiter.grant(slot);
    }
  }

  /** Opens one connection on a place that the share has already taken from the budget. */
  open(): void {
    this.#opening++;
    const lost: { slot?: Slot<C>; isEarly: boolean } = { isEarly: false };
    this.#plan
      .open(() => {
        if (lost.slot) this.#onLost(lost.slot);
        else lost.isEarly = true;
      })
      .then(
        (connection) => {
          this.#opening--;
          const slot = new Slot(this, connection);
          this.#slots.add(slot);
          lost.slot = slot;
          this.#onOpened(slot, lost.isEarly);
        },
        (error: Error) => {
          this.#opening--;
          this.#refuseHead(error);
          this.share.freed(false);
        },
      );
  }

  /** Closes an unused connection; its place becomes free when that is done. */
  close(slot: Slot<C>): void {
    if (slot.state === 'idle') remove(this.#idle, slot);
    if (slot.state === 'shared') remove(this.#shared, slot);
    slot.state = 'closing';
    this.share.startsClosing();
    const done = (): void => this.#onGone(slot);
    this.#plan.close(slot.connection).then(done, done);
  }

  closeOldestIdle(): void {
    const slot = this.#idle[0];
    if (slot) this.close(slot);
  }

  closeAll(): void {
    for (const slot of this.#slots) if (slot.isUsable) this.close(slot);
  }

  closeIdle(): void {
    while (this.#idle.length > 0) this.closeOldestIdle();
  }

  refuseAll(error: Error): void {
    for (const waiter of this.#waiting) waiter.refuse(error);
  }

  /** A place in a write that is being filled, else an idle connection, else a place on a shared one. */
  #take(mode: LeaseMode): Slot<C> | undefined {
    const isShared = mode === 'shared';
    const slot =
      (isShared ? this.#filling() : undefined) ??
      this.#idle.pop() ??
      (isShared ? this.#leastShared() : undefined);
    if (!slot) return undefined;
    if (slot.state === 'idle') {
      slot.state = mode;
      if (mode === 'shared') this.#shared.push(slot);
    }
    slot.users++;
    return slot;
  }

  /** Requests that come together go together: one write carries them, and one read brings the answers. */
  #filling(): Slot<C> | undefined {
    const last = this.#shared.at(-1);
    const isOpen = last && last.users < this.#plan.depth && this.#plan.isFilling?.(last.connection);
    return isOpen ? last : undefined;
  }

  #leastShared(): Slot<C> | undefined {
    let least: Slot<C> | undefined;
    for (const slot of this.#shared) {
      if (slot.users < (least?.users ?? this.#plan.depth)) least = slot;
    }
    return least;
  }

  #enqueue(mode: LeaseMode, signal: AbortSignal | undefined): Promise<Slot<C>> {
    const { share } = this;
    if (signal?.aborted) return Promise.reject(fail('REQUEST_ABORTED'));
    if (share.waiting >= share.limits.maxWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(waiter);
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<C> = {
        mode,
        since: share.now(),
        grant: (slot) => (settle(), resolve(slot)),
        refuse: (error) => (settle(), reject(error)),
      };
      const onAbort = (): void => waiter.refuse(fail('REQUEST_ABORTED'));
      const stopTimer = share.after(share.limits.maxWaitMs, () => waiter.refuse(busy()));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
      share.openForWaiting();
    });
  }

  #onOpened(slot: Slot<C>, isLost: boolean): void {
    if (isLost) {
      this.#refuseHead(
        fail('DATABASE_UNAVAILABLE', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS }),
      );
      this.#onGone(slot);
      return;
    }
    slot.idleSince = this.share.now();
    if (this.share.isClosed) {
      this.close(slot);
      return;
    }
    this.#idle.push(slot);
    this.serve();
    if (slot.state === 'idle') this.share.wentIdle();
  }

  /** Whoever still uses the connection learns it from the connection itself. */
  #onLost(slot: Slot<C>): void {
    if (!slot.isUsable) return;
    if (slot.state === 'idle') remove(this.#idle, slot);
    if (slot.state === 'shared') remove(this.#shared, slot);
    this.#onGone(slot);
  }

  #onGone(slot: Slot<C>): void {
    const wasClosing = slot.state === 'closing';
    slot.state = 'gone';
    this.#slots.delete(slot);
    this.share.freed(wasClosing);
  }

  /** One failed attempt refuses one waiter: the next attempt may be luckier. */
  #refuseHead(error: Error): void {
    for (const waiter of this.#waiting) {
      waiter.refuse(error);
      return;
    }
  }
}

function busy(): AppError {
  return fail('PROJECT_BUSY', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
