// A budget on a clock that tests move, and lanes whose connections are numbers.

import { ConnectionBudget } from '../../libs/database/src/budget/connection-budget.js';
import type { Lane } from '../../libs/database/src/budget/lane.js';
import type { ProjectShare } from '../../libs/database/src/budget/project-share.js';
import type { PooledConnection } from '../../libs/database/src/budget/pooled-connection.js';
import type { BudgetClock, BudgetLimits } from '../../libs/database/src/budget/types.js';

export class ManualClock implements BudgetClock {
  #now = 0;
  readonly #timers = new Set<{ at: number; action: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.action();
    }
    await settled();
  }
}

export function manualBudget(limits: Partial<BudgetLimits> = {}): {
  budget: ConnectionBudget;
  clock: ManualClock;
} {
  const clock = new ManualClock();
  return { budget: new ConnectionBudget(limits, clock), clock };
}

/** A lane that counts what it opened; `isDown` makes opening fail, `isHeld` leaves it undecided. */
export class NumberLane {
  readonly lane: Lane<number>;
  isDown = false;
  isHeld = false;
  opened = 0;
  closed = 0;
  readonly #lost = new Map<number, () => void>();
  readonly #held: (() => void)[] = [];

  constructor(share: ProjectShare, depth = 1, isPaced = false) {
    this.lane = share.lane<number>({
      depth,
      isPaced,
      open: async (lost) => {
        if (this.isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
        if (this.isDown) throw new Error('down');
        const connection = ++this.opened;
        this.#lost.set(connection, lost);
        return connection;
      },
      close: async (connection) => {
        await Promise.resolve();
        this.#lost.delete(connection);
        this.closed++;
      },
    });
  }

  get alive(): number {
    return this.opened - this.closed;
  }

  /** Lets the openings that are held go on. */
  async letOpen(): Promise<void> {
    this.isHeld = false;
    for (const go of this.#held.splice(0)) go();
    await settled();
  }

  lose(connection: number): void {
    this.#lost.get(connection)?.();
  }

  async take(mode: 'exclusive' | 'shared' = 'exclusive'): Promise<PooledConnection<number>> {
    return this.lane.acquire(mode);
  }

  async takeMany(count: number): Promise<PooledConnection<number>[]> {
    return Promise.all(Array.from({ length: count }, () => this.take()));
  }

  /** Asks without waiting; tells how it ended. */
  ask(mode: 'exclusive' | 'shared' = 'exclusive', signal?: AbortSignal): Asked {
    const asked: Asked = { slot: undefined, error: undefined };
    void (async () => {
      try {
        asked.slot = await this.lane.acquire(mode, signal && { signal });
      } catch (error) {
        asked.error = error;
      }
    })();
    return asked;
  }
}

export interface Asked {
  slot: PooledConnection<number> | undefined;
  error: unknown;
}

/** Runs everything that is due without time passing. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
