// The part of the connection budget that one project uses: its lanes, and which of them may open what.

import { type AppError, fail } from '#libs/errors';
import type { ConnectionBudget } from './connection-budget.js';
import { Lane } from './lane.js';
import type { BudgetLimits, BudgetStats, LanePlan, LaneView } from './types.js';

/** A lane takes over a connection of a richer lane when the first of its queue has waited for this long. */
const LANE_SWITCH_MS = 50;
/** The same of any other lane: what its own connections do may take for ever. */
const LANE_STARVED_MS = 1_000;
/**
 * A connection that is idle for less is about to be used again: requests that need two lanes by turns would
 * otherwise close and open connections all the time, which costs more than all of their work.
 */
const LANE_IDLE_MS = 1_000;

/** Made by `ConnectionBudget.openShare`, ended by `close`. */
export class ProjectShare {
  readonly limits: BudgetLimits;
  readonly #budget: ConnectionBudget;
  readonly #lanes: LaneView[] = [];
  /** Lanes for which a connection of another lane is being closed; they open next. */
  readonly #owed = new Set<LaneView>();
  #open = 0;
  #closing = 0;
  #isClosed = false;
  #isLookPlanned = false;
  #onEmpty: (() => void) | undefined;

  constructor(budget: ConnectionBudget) {
    this.#budget = budget;
    this.limits = budget.limits;
  }

  /** Connections of any state, from the start of opening to the end of closing. */
  get open(): number {
    return this.#open;
  }

  get closing(): number {
    return this.#closing;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get waiting(): number {
    return this.#sum((lane) => lane.waiting);
  }

  /** Waiters that no connection on its way will serve. */
  get unserved(): number {
    return this.#sum((lane) => Math.max(0, lane.unserved));
  }

  get lanes(): readonly LaneView[] {
    return this.#lanes;
  }

  lane<C>(plan: LanePlan<C>): Lane<C> {
    const lane = new Lane(this, plan);
    this.#lanes.push(lane);
    return lane;
  }

  stats(): BudgetStats {
    const idle = this.#sum((lane) => lane.idle);
    return { open: this.#open, idle, busy: this.#open - idle, waiting: this.waiting };
  }

  /**
   * Refuses who waits and who comes, closes what is idle, and the rest when it is given back or after
   * `drainMs`. Resolves when no connection is left.
   */
  async close(drainMs: number): Promise<void> {
    this.#isClosed = true;
    for (const lane of this.#lanes) {
      lane.refuseAll(fail('SHUTTING_DOWN'));
      lane.closeIdle();
    }
    if (this.#open > 0) {
      const stopTimer = this.after(drainMs, () => this.#closeAll());
      await new Promise<void>((resolve) => (this.#onEmpty = resolve));
      stopTimer();
    }
    this.#budget.removeShare(this);
  }

  /** Opens as many connections as there are waiters, as far as the limits and idle connections allow. */
  openForWaiting(): void {
    while (!this.#isClosed) {
      const lane = this.#nextOwed() ?? this.#neediestLane();
      if (!lane) break;
      if (this.#budget.mayOpen(this)) {
        this.#owed.delete(lane);
        this.#openIn(lane);
      } else if (!this.#makeRoomFor(lane)) break;
    }
    this.#budget.noteHunger(this);
  }

  growIfRoom(lane: LaneView): void {
    if (this.#budget.mayOpen(this)) this.#openIn(lane);
  }

  /** Whether a connection that was just given back to `lane` is needed more elsewhere. */
  mustGiveUp(lane: LaneView): boolean {
    if (this.#isClosed) return true;
    if (this.#budget.isOwedByOthers(this)) return true;
    const owed = this.#laneBefore(lane);
    if (owed) this.#owed.add(owed);
    return owed !== undefined;
  }

  startsClosing(): void {
    this.#closing++;
    this.#budget.startsClosing();
  }

  /** A place is free again: a connection is closed (`wasClosing`), lost, or could not be opened. */
  freed(wasClosing: boolean): void {
    this.#open--;
    if (wasClosing) this.#closing--;
    this.#budget.freed(wasClosing);
    if (this.#open === 0) this.#onEmpty?.();
  }

  wentIdle(): void {
    this.#budget.wentIdle();
  }

  now(): number {
    return this.#budget.clock.now();
  }

  after(delayMs: number, action: () => void): () => void {
    return this.#budget.clock.after(delayMs, action);
  }

  noteUse(): void {
    this.#budget.noteUse(this);
  }

  /** Whether no other project has used a connection lately. */
  get isAlone(): boolean {
    return !this.#budget.areSeveral;
  }

  shuttingDown(): AppError | undefined {
    return this.#isClosed ? fail('SHUTTING_DOWN') : undefined;
  }

  #openIn(lane: LaneView): void {
    this.#open++;
    this.#budget.taken();
    lane.open();
  }

  /** Closes an idle connection for a new one; false when there is none or enough are closing already. */
  #makeRoomFor(lane: LaneView): boolean {
    if (this.#open < this.limits.perProject) return this.#budget.evictIdle();
    if (this.#closing >= this.unserved) return false;
    const now = this.now();
    const givers = this.#lanes.filter(
      (other) => isPoorer(lane, other) || now - (other.oldestIdleSince ?? Infinity) >= LANE_IDLE_MS,
    );
    const oldest = oldestIdle(givers);
    if (oldest) oldest.closeOldestIdle();
    else this.#lookAgain(now);
    return oldest !== undefined;
  }

  /** Looks again when the connection that is idle for longest may be taken, should nothing happen until then. */
  #lookAgain(now: number): void {
    const idleSince = oldestIdle(this.#lanes)?.oldestIdleSince;
    if (idleSince === undefined || this.#isLookPlanned) return;
    this.#isLookPlanned = true;
    this.after(idleSince + LANE_IDLE_MS - now, () => {
      this.#isLookPlanned = false;
      this.openForWaiting();
    });
  }

  /** Among the lanes that need more connections, the one with the oldest queue. */
  #neediestLane(): LaneView | undefined {
    let neediest: LaneView | undefined;
    for (const lane of this.#lanes) {
      if (lane.unserved > 0 && (!neediest || isNeedier(lane, neediest))) neediest = lane;
    }
    return neediest;
  }

  /**
   * The lane that goes before `lane`: it has no connection at all, or the older queue and fewer connections, or
   * it has waited for too long.
   */
  #laneBefore(lane: LaneView): LaneView | undefined {
    return this.#lanes.find((other) => {
      if (other === lane || other.unserved <= this.#closing) return false;
      if (other.size === 0) return true;
      const since = other.headSince ?? Infinity;
      if (since >= (lane.headSince ?? Infinity)) return false;
      return this.now() - since > (isPoorer(other, lane) ? LANE_SWITCH_MS : LANE_STARVED_MS);
    });
  }

  #nextOwed(): LaneView | undefined {
    for (const lane of this.#owed) {
      if (lane.unserved > 0) return lane;
      this.#owed.delete(lane);
    }
    return undefined;
  }

  #closeAll(): void {
    for (const lane of this.#lanes) lane.closeAll();
  }

  #sum(of: (lane: LaneView) => number): number {
    let sum = 0;
    for (const lane of this.#lanes) sum += of(lane);
    return sum;
  }
}

/** Whether a lane has still no more connections than the other one when it has got one of its. */
function isPoorer(lane: LaneView, than: LaneView): boolean {
  return lane.size === 0 || lane.size + 1 < than.size;
}

function isNeedier(lane: LaneView, than: LaneView): boolean {
  const [since, thanSince] = [lane.headSince ?? Infinity, than.headSince ?? Infinity];
  return since === thanSince ? lane.size < than.size : since < thanSince;
}

/** The lane that has the connection which is idle for longest. */
export function oldestIdle(lanes: Iterable<LaneView>): LaneView | undefined {
  let oldest: LaneView | undefined;
  for (const lane of lanes) {
    if (lane.oldestIdleSince === undefined) continue;
    if (lane.oldestIdleSince < (oldest?.oldestIdleSince ?? Infinity)) oldest = lane;
  }
  return oldest;
}
