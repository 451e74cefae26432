// Holds the state of the connection budget, and runs the actions of `decide.ts`. It opens nothing by itself, knows no
// database and reads only the given clock.

import { fail } from '#libs/errors';
import { FairTurns } from '#libs/steps';
import { choose, grantsOf, isCrowded } from './choose.js';
import { afterFailure, endOf, giveUp, growthOf, idleOf } from './decide.js';
import { placesFor, placesForAll, restOf, sweep } from './decide.js';
import { isLight, workingIn } from './facts.js';
import type { Usual } from './pace.js';
import { PooledConnection } from './pooled-connection.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';
import type { BudgetClock, BudgetLimits, BudgetStats, Leaver, LeaseMode } from './types.js';
import { join } from './waiting-line.js';

const MIN_TOTAL = 2;
/** A project is active for this long after it used a connection; milliseconds. */
const ACTIVE_MS = 1_000;
/** How often requests that wait for the pace are checked if nothing else happens; milliseconds. */
const LOOK_MS = 100;

/** The connections of all projects of a process. */
export class Pool {
  readonly clock: BudgetClock;
  readonly #state: PoolState;
  /** Projects and lanes for which a timer is set. */
  readonly #looks = new Set<ProjectState | LaneState>();
  #isSweepPlanned = false;
  #lastUser: ProjectState | undefined;
  readonly #answers: FairTurns<ProjectState>;

  constructor(wanted: BudgetLimits, clock: BudgetClock) {
    const total = Math.max(MIN_TOTAL, wanted.total);
    const perProject = Math.max(1, Math.min(wanted.perProject, Math.floor(total / 2)));
    this.clock = clock;
    // An answer has just released a connection, at the time of the state.
    this.#answers = new FairTurns(() => this.#state.now);
    this.#state = {
      limits: { ...wanted, total, perProject },
      keptForFirst: Math.max(1, Math.floor(total / 10)),
      projects: new Set(),
      asking: new Set(),
      now: clock.now(),
      severalUntil: -Infinity,
      open: 0,
      closing: 0,
    };
  }

  get limits(): BudgetLimits {
    return this.#state.limits;
  }

  addProject(): ProjectState {
    const project: ProjectState = {
      lanes: [],
      replacements: new Set(),
      open: 0,
      closing: 0,
      waiting: 0,
      isClosed: false,
      onEmpty: undefined,
    };
    this.#state.projects.add(project);
    return project;
  }

  statsOf(projects: Iterable<ProjectState> = this.#state.projects): BudgetStats {
    const sum = { open: 0, idle: 0, waiting: 0 };
    for (const { open, waiting, lanes } of projects) {
      sum.open += open;
      sum.waiting += waiting;
      for (const lane of lanes) sum.idle += lane.idle.length;
    }
    return { ...sum, busy: sum.open - sum.idle };
  }

  acquire<C>(
    lane: LaneState<C>,
    mode: LeaseMode,
    leaver?: Leaver,
  ): SlotState<C> | Promise<SlotState<C>> {
    if (lane.project.isClosed) return Promise.reject(fail('SHUTTING_DOWN'));
    this.#lookAtClock();
    this.#noteUse(lane.project);
    const slot = choose(lane, mode, this.#state);
    if (!slot) return this.#enqueue(lane, mode, leaver);
    this.#take(slot, mode);
    if (isCrowded(slot, this.#state)) this.#carryOut(growthOf(this.#state, lane));
    return slot;
  }

  release<C>(slot: SlotState<C>, discard: boolean): void {
    const { lane } = slot;
    slot.users--;
    slot.movedAt = this.#lookAtClock();
    if (!slot.isUsable) return;
    if (slot.users > 0) {
      this.#serve(lane);
      return;
    }
    if (slot.state === 'shared') remove(lane.shared, slot);
    slot.state = 'idle';
    const action: Action | undefined = discard
      ? { kind: 'close', slot }
      : giveUp(this.#state, slot);
    if (action) this.#carryOut([action]);
    else this.#rest(slot);
  }

  noteTime(lane: LaneState, usual: Usual, ms: number): void {
    if (!lane.pace) return;
    const now = this.#lookAtClock();
    lane.pace.record(usual, { ms, working: workingIn(lane, now), now });
  }

  isLight(lane: LaneState): boolean {
    return isLight(lane, this.#state);
  }

  turnOfAnswer({ project }: LaneState): Promise<void> | undefined {
    return this.#answers.wait(project);
  }

  closeIdle(lane: LaneState): void {
    this.#carryOut(idleOf(lane));
  }

  async close(project: ProjectState, drainMs: number): Promise<void> {
    project.isClosed = true;
    this.#carryOut(endOf(project, fail('SHUTTING_DOWN')));
    if (project.open > 0) {
      const stopTimer = this.clock.after(drainMs, () => this.#carryOut(restOf(project)));
      await new Promise<void>((resolve) => (project.onEmpty = resolve));
      stopTimer();
    }
    this.#state.projects.delete(project);
    if (this.#lastUser === project) this.#lastUser = undefined;
  }

  #lookAtClock(): number {
    return (this.#state.now = this.clock.now());
  }

  /** Several projects are active when another one than the last uses a connection. */
  #noteUse(project: ProjectState): void {
    if (project === this.#lastUser) return;
    if (this.#lastUser) this.#state.severalUntil = this.#state.now + ACTIVE_MS;
    this.#lastUser = project;
  }

  #enqueue<C>(lane: LaneState<C>, mode: LeaseMode, leaver?: Leaver): Promise<SlotState<C>> {
    const waited = join(lane, mode, {
      pool: this.#state,
      clock: this.clock,
      signal: leaver?.signal,
    });
    this.#carryOut(placesFor(this.#state, lane.project));
    this.#lookForPace(lane);
    return waited;
  }

  #carryOut(actions: readonly Action[]): void {
    for (const action of actions) this.#do(action);
  }

  #do(action: Action): void {
    switch (action.kind) {
      case 'open':
        return this.#open(action.lane);
      case 'close':
        if (action.replacedBy) action.slot.lane.project.replacements.add(action.replacedBy);
        return this.#close(action.slot);
      case 'grant':
        this.#take(action.slot, action.waiter.mode);
        return action.waiter.grant(action.slot);
      case 'refuse':
        return action.waiter.refuse(action.because);
      case 'forget':
        action.lane.project.replacements.delete(action.lane);
        return;
      case 'look':
        this.#lookLater(action.project, action.at);
    }
  }

  #take(slot: SlotState, mode: LeaseMode): void {
    const { lane } = slot;
    if (slot.state === 'idle') {
      lane.idle.pop();
      slot.state = mode;
      if (mode === 'shared') lane.shared.push(slot);
    }
    slot.users++;
    slot.movedAt = this.#state.now;
  }

  #serve(lane: LaneState): void {
    if (lane.waiting.size > 0) this.#carryOut(grantsOf(lane, this.#state));
  }

  /**
   * Keeps a released connection: for the next request of its lane, or as a connection that may be closed for another
   * one.
   */
  #rest(slot: SlotState): void {
    slot.idleSince = this.#state.now;
    slot.lane.idle.push(slot);
    this.#serve(slot.lane);
    if (slot.state !== 'idle') return;
    this.#carryOut(placesForAll(this.#state));
    this.#planSweep(this.limits.idleMs);
  }

  #open<C>(lane: LaneState<C>): void {
    this.#state.open++;
    lane.project.open++;
    lane.project.replacements.delete(lane);
    lane.opening++;
    const lost: { slot?: SlotState<C>; isEarly: boolean } = { isEarly: false };
    const onLost = (): void => {
      if (lost.slot) this.#onLost(lost.slot);
      else lost.isEarly = true;
    };
    lane.plan.open(onLost).then(
      (connection) => {
        lost.slot = new PooledConnection(lane, connection);
        this.#onOpened(lost.slot, lost.isEarly);
      },
      (error: Error) => {
        lane.opening--;
        this.#carryOut(afterFailure(lane, error));
        this.#freed(lane.project);
      },
    );
  }

  #onOpened(slot: SlotState, isLost: boolean): void {
    const { lane } = slot;
    this.#lookAtClock();
    lane.opening--;
    lane.slots.add(slot);
    if (isLost) {
      const error = fail('DATABASE_UNAVAILABLE', {}, { retryAfterSeconds: 1 });
      this.#carryOut(afterFailure(lane, error));
      this.#onGone(slot);
    } else if (lane.project.isClosed) this.#close(slot);
    else this.#rest(slot);
  }

  /** Closes an unused connection; its place becomes free when that is done. */
  #close<C>(slot: SlotState<C>): void {
    const { lane } = slot;
    remove(lane.idle, slot);
    remove(lane.shared, slot);
    slot.state = 'closing';
    lane.project.closing++;
    this.#state.closing++;
    const done = (): void => {
      lane.project.closing--;
      this.#state.closing--;
      this.#onGone(slot);
    };
    lane.plan.close(slot.connection).then(done, done);
  }

  /** A user of the connection gets the error from the connection itself. */
  #onLost(slot: SlotState): void {
    if (!slot.isUsable) return;
    remove(slot.lane.idle, slot);
    remove(slot.lane.shared, slot);
    this.#onGone(slot);
  }

  #onGone(slot: SlotState): void {
    slot.state = 'gone';
    slot.lane.slots.delete(slot);
    this.#freed(slot.lane.project);
  }

  /** A place is free again: a connection is closed, lost, or could not be opened. */
  #freed(project: ProjectState): void {
    this.#lookAtClock();
    project.open--;
    this.#state.open--;
    this.#carryOut(placesForAll(this.#state));
    if (project.open === 0) project.onEmpty?.();
  }

  #lookLater(project: ProjectState, at: number): void {
    if (this.#looks.has(project)) return;
    this.#looks.add(project);
    this.clock.after(at - this.#state.now, () => {
      this.#looks.delete(project);
      this.#lookAtClock();
      this.#carryOut(placesFor(this.#state, project));
    });
  }

  #lookForPace(lane: LaneState): void {
    if (!lane.pace || this.#looks.has(lane)) return;
    this.#looks.add(lane);
    this.clock.after(LOOK_MS, () => {
      this.#looks.delete(lane);
      this.#lookAtClock();
      this.#serve(lane);
      if (lane.waiting.size === 0) return;
      this.#carryOut(placesFor(this.#state, lane.project));
      this.#lookForPace(lane);
    });
  }

  #planSweep(delayMs: number): void {
    if (this.#isSweepPlanned) return;
    this.#isSweepPlanned = true;
    this.clock.after(delayMs, () => {
      this.#isSweepPlanned = false;
      const { actions, nextAt } = sweep({ ...this.#state, now: this.#lookAtClock() });
      this.#carryOut(actions);
      if (nextAt !== undefined) this.#planSweep(nextAt - this.#state.now);
    });
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
