// One kind of connections of one project: the idle ones, the shared ones, and who waits, in order.

import { fail } from '#libs/errors';
import { Pace, type Usual } from './pace.js';
import type { ProjectShare } from './project-share.js';
import { PooledConnection } from './pooled-connection.js';
import type { LanePlan, LaneView, Leaver, LeaseMode } from './types.js';
import { WaitingLine } from './waiting-line.js';

/** A shared connection that serves this many already is reason enough to open another one. */
const GROW_AT_USERS = 2;
/** A connection on which nothing has begun or ended for this long does not count for the pace; milliseconds. */
const STUCK_MS = 250;
/** How often those who wait for the pace are looked at, should nothing happen until then; milliseconds. */
const LOOK_MS = 100;

/** Made by `ProjectShare.lane`. */
export class Lane<C> implements LaneView {
  readonly share: ProjectShare;
  readonly #plan: LanePlan<C>;
  readonly #idle: PooledConnection<C>[] = [];
  readonly #shared: PooledConnection<C>[] = [];
  readonly #waiting: WaitingLine<C>;
  /** All that count against the budget, except those that are being opened. */
  readonly #pooled = new Set<PooledConnection<C>>();
  readonly #pace: Pace | undefined;
  #opening = 0;
  #isLookPlanned = false;

  constructor(share: ProjectShare, plan: LanePlan<C>) {
    this.share = share;
    this.#plan = plan;
    this.#waiting = new WaitingLine(share);
    if (plan.isPaced) this.#pace = new Pace(share.limits.perProject);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get idle(): number {
    return this.#idle.length;
  }

  get size(): number {
    return this.#pooled.size + this.#opening;
  }

  get unserved(): number {
    const extra = this.#waiting.hasShared && this.#shared.length === 0 ? 1 : 0;
    return Math.min(this.#waiting.size, this.#room() + extra) - this.#opening;
  }

  get headSince(): number | undefined {
    return this.#waiting.headSince;
  }

  get oldestIdleSince(): number | undefined {
    return this.#idle[0]?.idleSince;
  }

  /**
   * A connection, at once where one is free. Give it back with `release`, exactly once.
   * Throws PROJECT_BUSY, SHUTTING_DOWN, DATABASE_UNAVAILABLE, REQUEST_ABORTED.
   */
  acquire(mode: LeaseMode, leaver?: Leaver): PooledConnection<C> | Promise<PooledConnection<C>> {
    const refusal = this.share.shuttingDown();
    if (refusal) return Promise.reject(refusal);
    this.share.noteUse();
    // Quick reads do not wait for the pace.
    if (this.#waiting.size === 0 || (mode === 'shared' && this.#room() === 0)) {
      const pooled = this.#take(mode);
      if (pooled) {
        const mayGrow = pooled.users > GROW_AT_USERS && this.#opening === 0 && this.#room() > 0;
        if (mayGrow) this.share.growIfRoom(this);
        return pooled;
      }
    }
    return this.#enqueue(mode, leaver?.signal);
  }

  /** Begins to open the first connection of the lane before it is asked for. Evicts nothing and takes no kept place. */
  openAhead(): void {
    if (this.size === 0) this.share.growIfRoom(this);
  }

  /** Gives a connection back; `discard` closes it, for one whose session state is not known. */
  release(pooled: PooledConnection<C>, discard = false): void {
    pooled.users--;
    pooled.movedAt = this.share.now();
    if (!pooled.isUsable) return;
    if (pooled.users > 0) {
      this.serve();
      return;
    }
    if (pooled.state === 'shared') remove(this.#shared, pooled);
    pooled.state = 'idle';
    if (discard || this.share.mustGiveUp(this)) {
      this.close(pooled);
      return;
    }
    pooled.idleSince = this.share.now();
    this.#idle.push(pooled);
    this.serve();
    if (pooled.state === 'idle') this.share.wentIdle();
  }

  /** Tells how long a statement took on a connection that is not given back yet. */
  noteTime(usual: Usual, ms: number): void {
    this.#pace?.note(usual, { ms, working: this.#working(), now: this.share.now() });
  }

  /** Hands out what is there, in the order of the queue. Quick reads pass those who wait for the pace. */
  serve(): void {
    let isPacedOut = false;
    for (const waiter of this.#waiting) {
      if (isPacedOut && waiter.mode !== 'shared') continue;
      const pooled = this.#take(waiter.mode);
      if (pooled) waiter.grant(pooled);
      else if (waiter.mode === 'shared' || this.#room() > 0) return;
      else isPacedOut = true;
    }
  }

  /** Opens one connection on a place that the share has already taken from the budget. */
  open(): void {
    this.#opening++;
    const lost: { pooled?: PooledConnection<C>; isEarly: boolean } = { isEarly: false };
    this.#plan
      .open(() => {
        if (lost.pooled) this.#onLost(lost.pooled);
        else lost.isEarly = true;
      })
      .then(
        (connection) => {
          this.#opening--;
          const pooled = new PooledConnection(this, connection);
          this.#pooled.add(pooled);
          lost.pooled = pooled;
          this.#onOpened(pooled, lost.isEarly);
        },
        (error: Error) => {
          this.#opening--;
          this.#waiting.refuseHead(error);
          this.share.freed(false);
        },
      );
  }

  /** Closes an unused connection; its place becomes free when that is done. */
  close(pooled: PooledConnection<C>): void {
    if (pooled.state === 'idle') remove(this.#idle, pooled);
    if (pooled.state === 'shared') remove(this.#shared, pooled);
    pooled.state = 'closing';
    this.share.startsClosing();
    const done = (): void => this.#onGone(pooled);
    this.#plan.close(pooled.connection).then(done, done);
  }

  closeOldestIdle(): void {
    const pooled = this.#idle[0];
    if (pooled) this.close(pooled);
  }

  closeAll(): void {
    for (const pooled of this.#pooled) if (pooled.isUsable) this.close(pooled);
  }

  closeIdle(): void {
    while (this.#idle.length > 0) this.closeOldestIdle();
  }

  refuseAll(error: Error): void {
    this.#waiting.refuseAll(error);
  }

  /** A place in a write that is being filled, else an idle connection, else a place on a shared one. */
  #take(mode: LeaseMode): PooledConnection<C> | undefined {
    const isShared = mode === 'shared';
    const pooled =
      (isShared ? this.#filling() : undefined) ??
      (this.#idle.length > 0 && this.#mayWork(mode) ? this.#idle.pop() : undefined) ??
      (isShared ? this.#leastShared() : undefined);
    if (!pooled) return undefined;
    if (pooled.state === 'idle') {
      pooled.state = mode;
      if (mode === 'shared') this.#shared.push(pooled);
    }
    pooled.users++;
    pooled.movedAt = this.share.now();
    return pooled;
  }

  /** Quick reads may always use one connection: they would wait for the slow statements of their own project. */
  #mayWork(mode: LeaseMode): boolean {
    return (mode === 'shared' && this.#shared.length === 0) || this.#room() > 0;
  }

  /** How many more connections may work now: any number while no other project is active. */
  #room(): number {
    if (!this.#pace || this.share.isAlone) return Infinity;
    return Math.max(0, this.#pace.limit - this.#working());
  }

  #working(): number {
    const since = this.share.now() - STUCK_MS;
    let working = 0;
    for (const pooled of this.#pooled) if (pooled.users > 0 && pooled.movedAt >= since) working++;
    return working;
  }

  #lookAgain(): void {
    if (!this.#pace || this.#isLookPlanned) return;
    this.#isLookPlanned = true;
    this.share.after(LOOK_MS, () => {
      this.#isLookPlanned = false;
      this.serve();
      if (this.#waiting.size === 0) return;
      this.share.openForWaiting();
      this.#lookAgain();
    });
  }

  /** Requests that come together go together: one write carries them, and one read brings the answers. */
  #filling(): PooledConnection<C> | undefined {
    const last = this.#shared.at(-1);
    const isOpen = last && last.users < this.#plan.depth && this.#plan.isFilling?.(last.connection);
    return isOpen ? last : undefined;
  }

  #leastShared(): PooledConnection<C> | undefined {
    let least: PooledConnection<C> | undefined;
    for (const pooled of this.#shared) {
      if (pooled.users < (least?.users ?? this.#plan.depth)) least = pooled;
    }
    return least;
  }

  #enqueue(mode: LeaseMode, signal: AbortSignal | undefined): Promise<PooledConnection<C>> {
    const waited = this.#waiting.join(mode, signal);
    this.share.openForWaiting();
    this.#lookAgain();
    return waited;
  }

  #onOpened(pooled: PooledConnection<C>, isLost: boolean): void {
    if (isLost) {
      this.#waiting.refuseHead(fail('DATABASE_UNAVAILABLE', {}, { retryAfterSeconds: 1 }));
      this.#onGone(pooled);
      return;
    }
    pooled.idleSince = this.share.now();
    if (this.share.isClosed) {
      this.close(pooled);
      return;
    }
    this.#idle.push(pooled);
    this.serve();
    if (pooled.state === 'idle') this.share.wentIdle();
  }

  /** Whoever still uses the connection learns it from the connection itself. */
  #onLost(pooled: PooledConnection<C>): void {
    if (!pooled.isUsable) return;
    if (pooled.state === 'idle') remove(this.#idle, pooled);
    if (pooled.state === 'shared') remove(this.#shared, pooled);
    this.#onGone(pooled);
  }

  #onGone(pooled: PooledConnection<C>): void {
    const wasClosing = pooled.state === 'closing';
    pooled.state = 'gone';
    this.#pooled.delete(pooled);
    this.share.freed(wasClosing);
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
