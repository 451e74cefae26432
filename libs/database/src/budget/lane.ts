// One kind of connections of one project, as those who need a connection see it.

import { Pace, type Usual } from './pace.js';
import type { Pool } from './pool.js';
import type { LaneState, ProjectState, SlotState, Waiter } from './state.js';
import type { LanePlan, Leaver, LeaseMode } from './types.js';

/** Made by `ProjectShare.lane`. */
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

  /**
   * A connection, at once where one is free. Give it back with `release`, exactly once.
   * Throws PROJECT_BUSY, SHUTTING_DOWN, DATABASE_UNAVAILABLE, REQUEST_ABORTED.
   */
  acquire(mode: LeaseMode, leaver?: Leaver): SlotState<C> | Promise<SlotState<C>> {
    return this.#pool.acquire(this, mode, leaver);
  }

  /** Begins to open the first connection of the lane before it is asked for. Evicts nothing and takes no kept place. */
  openAhead(): void {
    this.#pool.openAhead(this);
  }

  /** Gives a connection back; `discard` closes it, for one whose session state is not known. */
  release(slot: SlotState<C>, discard = false): void {
    this.#pool.release(slot, discard);
  }

  /** Records how long a statement took on a connection that is not released yet. */
  noteTime(usual: Usual, ms: number): void {
    this.#pool.noteTime(this, usual, ms);
  }

  closeIdle(): void {
    this.#pool.closeIdle(this);
  }
}
