// One budget of connections for all projects of a process. Its input: limits, and per project a share with lanes that
// know how to open and close connections. Its output: connections, in a fair order. `pool.ts` holds the state,
// `decide.ts` has the rules.

import { Pool } from './pool.js';
import { ProjectShare } from './project-share.js';
import { processClock, type BudgetClock, type BudgetLimits, type BudgetStats } from './types.js';

const DEFAULT_LIMITS: BudgetLimits = {
  total: 60,
  perProject: 8,
  idleMs: 30_000,
  maxWaitMs: 10_000,
  maxWaiting: 512,
};

/** Shared by all projects of a process. */
export class ConnectionBudget {
  readonly #pool: Pool;

  constructor(limits: Partial<BudgetLimits> = {}, clock: BudgetClock = processClock) {
    this.#pool = new Pool({ ...DEFAULT_LIMITS, ...limits }, clock);
  }

  get limits(): BudgetLimits {
    return this.#pool.limits;
  }

  openShare(): ProjectShare {
    return new ProjectShare(this.#pool);
  }

  stats(): BudgetStats {
    return this.#pool.statsOf();
  }
}
