// The part of the connection budget that one project uses.

import { Lane } from './lane.js';
import type { Pool } from './pool.js';
import type { ProjectState } from './state.js';
import type { BudgetStats, LanePlan } from './types.js';

/** Created by `ConnectionBudget.openShare`, ended by `close`. */
export class ProjectShare {
  readonly #pool: Pool;
  readonly #project: ProjectState;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#project = pool.addProject();
  }

  lane<C>(plan: LanePlan<C>): Lane<C> {
    const lane = new Lane(this.#pool, this.#project, plan);
    this.#project.lanes.push(lane);
    return lane;
  }

  stats(): BudgetStats {
    return this.#pool.statsOf([this.#project]);
  }

  /**
   * Refuses waiting and new requests, closes idle connections, and the rest when they are released or after `drainMs`.
   * Resolves when no connection is left.
   */
  close(drainMs: number): Promise<void> {
    return this.#pool.close(this.#project, drainMs);
  }
}
