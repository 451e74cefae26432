// One budget of connections for all projects of a process. What comes in: limits, and per project a
// share with lanes that know how to open and close. What goes out: connections, in a fair order.
// It opens nothing by itself, knows no database and reads no clock but the one it was given.
//
// Rules: nobody waits while there is room; one project has `perProject` at most; the last tenth of the
// budget is kept for projects without any connection, so that a quiet project always gets its first;
// when the budget is full, the connection that is idle for longest makes room; when all are busy,
// projects above the fair part give up what they release to projects below it.

import { oldestIdle, ProjectShare } from './project-share.js';
import { processClock, type BudgetClock, type BudgetLimits, type BudgetStats } from './types.js';
import type { LaneView } from './types.js';

const DEFAULT_LIMITS: BudgetLimits = {
  total: 60,
  perProject: 8,
  idleMs: 30_000,
  maxWaitMs: 10_000,
  maxWaiting: 512,
};
const MIN_TOTAL = 2;
/** A project is active for this long after it used a connection; milliseconds. */
const ACTIVE_MS = 1_000;

/** Shared by all projects of a process. */
export class ConnectionBudget {
  readonly limits: BudgetLimits;
  readonly clock: BudgetClock;
  readonly #keptForFirst: number;
  readonly #shares = new Set<ProjectShare>();
  /** Shares that had waiters without a connection on its way when last looked at. */
  readonly #hungry = new Set<ProjectShare>();
  #open = 0;
  #closing = 0;
  #isSweepPlanned = false;
  #lastUser: ProjectShare | undefined;
  #areSeveralUntil = -Infinity;
  #isServing = false;
  #mustServeAgain = false;

  constructor(limits: Partial<BudgetLimits> = {}, clock: BudgetClock = processClock) {
    const wanted = { ...DEFAULT_LIMITS, ...limits };
    const total = Math.max(MIN_TOTAL, wanted.total);
    const perProject = Math.max(1, Math.min(wanted.perProject, Math.floor(total / 2)));
    this.limits = { ...wanted, total, perProject };
    this.clock = clock;
    this.#keptForFirst = Math.max(1, Math.floor(total / 10));
  }

  openShare(): ProjectShare {
    const share = new ProjectShare(this);
    this.#shares.add(share);
    return share;
  }

  removeShare(share: ProjectShare): void {
    this.#shares.delete(share);
    if (this.#lastUser === share) this.#lastUser = undefined;
    this.#hungry.delete(share);
  }

  stats(): BudgetStats {
    let idle = 0;
    let waiting = 0;
    for (const share of this.#shares) {
      const part = share.stats();
      idle += part.idle;
      waiting += part.waiting;
    }
    return { open: this.#open, idle, busy: this.#open - idle, waiting };
  }

  /** Whether several projects are active. A use by another one than the last says so. */
  get areSeveral(): boolean {
    return this.clock.now() < this.#areSeveralUntil;
  }

  noteUse(share: ProjectShare): void {
    if (share === this.#lastUser) return;
    if (this.#lastUser) this.#areSeveralUntil = this.clock.now() + ACTIVE_MS;
    this.#lastUser = share;
  }

  mayOpen(share: ProjectShare): boolean {
    if (share.isClosed || share.open >= this.limits.perProject) return false;
    return this.limits.total - this.#open > (share.open === 0 ? 0 : this.#keptForFirst);
  }

  taken(): void {
    this.#open++;
  }

  startsClosing(): void {
    this.#closing++;
  }

  freed(wasClosing: boolean): void {
    this.#open--;
    if (wasClosing) this.#closing--;
    this.#serveHungry();
  }

  noteHunger(share: ProjectShare): void {
    if (share.unserved > 0) this.#hungry.add(share);
    else this.#hungry.delete(share);
  }

  /** Closes the longest idle connection of any project; false when there is none or enough are closing. */
  evictIdle(): boolean {
    if (this.#closing >= this.#owedPlaces()) return false;
    const oldest = oldestIdle(this.#allLanes());
    oldest?.closeOldestIdle();
    return oldest !== undefined;
  }

  /** Whether `share` has more than its fair part while others below theirs wait for a place. */
  isOwedByOthers(share: ProjectShare): boolean {
    if (this.#hungry.size === 0) return false;
    const fair = this.#fairPart();
    if (share.open <= fair) return false;
    let owed = 0;
    for (const other of this.#hungry) {
      if (other === share || this.mayOpen(other)) continue;
      owed += Math.max(0, Math.min(other.unserved, fair - other.open));
    }
    return owed > this.#closing;
  }

  wentIdle(): void {
    this.#serveHungry();
    this.#planSweep(this.limits.idleMs);
  }

  #serveHungry(): void {
    if (this.#hungry.size === 0) return;
    if (this.#isServing) {
      // Serving closes and opens, which ends up here again: one loop does it all.
      this.#mustServeAgain = true;
      return;
    }
    this.#isServing = true;
    do {
      this.#mustServeAgain = false;
      const poorestFirst = [...this.#hungry].sort((a, b) => a.open - b.open);
      for (const share of poorestFirst) share.openForWaiting();
    } while (this.#mustServeAgain);
    this.#isServing = false;
  }

  #fairPart(): number {
    let active = 0;
    for (const share of this.#shares) if (share.open > 0 || share.waiting > 0) active++;
    return Math.max(1, Math.floor(this.limits.total / Math.max(1, active)));
  }

  /** Places that waiters of all projects could use. */
  #owedPlaces(): number {
    let owed = 0;
    for (const share of this.#shares) {
      if (!share.isClosed) owed += Math.min(share.unserved, this.limits.perProject - share.open);
    }
    return owed;
  }

  #planSweep(delayMs: number): void {
    if (this.#isSweepPlanned) return;
    this.#isSweepPlanned = true;
    this.clock.after(delayMs, () => {
      this.#isSweepPlanned = false;
      this.#sweepIdle();
    });
  }

  #sweepIdle(): void {
    const now = this.clock.now();
    let nextMs: number | undefined;
    for (const lane of this.#allLanes()) {
      let idleSince = lane.oldestIdleSince;
      while (idleSince !== undefined && idleSince + this.limits.idleMs <= now) {
        lane.closeOldestIdle();
        idleSince = lane.oldestIdleSince;
      }
      if (idleSince === undefined) continue;
      nextMs = Math.min(nextMs ?? Infinity, idleSince + this.limits.idleMs - now);
    }
    if (nextMs !== undefined) this.#planSweep(nextMs);
  }

  *#allLanes(): Generator<LaneView> {
    for (const share of this.#shares) yield* share.lanes;
  }
}
