// One kind of connections of one project, for the code that needs a connection.

import { Pace, type Usual } from './pace.js';
import type { Pool } from './pool.js';
import type { LaneState, ProjectState, SlotState, Waiter } from './state.js';
import type { LanePlan, Leaver, LeaseMode } from './types.js';

/** Created by `ProjectShare.lane`. */
export class Lane<C> implements LaneState<C> {
  readonly project: ProjectState;
  readonly plan: LanePlan<C>;
  readonly pace: Pace | undefined;
  readonly waiting = new Set<Waiter<C>>();
  readonly slots = new Set<SlotState<C>>();
  readonly idle: SlotState<C>[] = [];
  readonly shared: SlotState<C>[] = [];
  waitingShared = 0;
  opening = 0;
  readonly #pool: Pool;

  constructor(pool: Pool, project: ProjectState, plan: LanePlan<C>) {
    this.#pool = pool;
    this.project = project;
    this.plan = plan;
    this.pace = plan.isPaced ? new Pace(pool.limits.perProject) : undefined;
  }

  /** Whether one request alone uses a connection of the lane while other projects are active. */
  get isLight(): boolean {
    return this.#pool.isLight(this);
  }

  /**
   * Returns a connection, synchronously if one is free. Give it back with `release`, exactly once. Throws PROJECT_BUSY,
   * SHUTTING_DOWN, DATABASE_UNAVAILABLE, REQUEST_ABORTED.
   */
  acquire(mode: LeaseMode, leaver?: Leaver): SlotState<C> | Promise<SlotState<C>> {
    return this.#pool.acquire(this, mode, leaver);
  }

  /** Gives a connection back; `discard` closes it, if its session state is unknown. */
  release(slot: SlotState<C>, discard = false): void {
    this.#pool.release(slot, discard);
  }

  /** Records how long a statement took on a connection that is not released yet. */
  noteTime(usual: Usual, ms: number): void {
    this.#pool.noteTime(this, usual, ms);
  }

  /**
   * When the work on an answer may begin: at once if undefined, else in a later turn of the event loop, because others
   * of the project have come with it.
   */
  turnOfAnswer(): Promise<void> | undefined {
    return this.#pool.turnOfAnswer(this);
  }

  closeIdle(): void {
    this.#pool.closeIdle(this);
  }
}
