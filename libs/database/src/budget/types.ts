// The terms of the connection budget: project share -> lane -> pooled connection.

/** How one kind of connection is opened and closed. */
export interface LanePlan<C> {
  /** Opens a connection; call `lost` if it later dies by itself. */
  open(lost: () => void): Promise<C>;
  /** Closes a connection for good. The place is free only after this has settled. */
  close(connection: C): Promise<void>;
  /** How many users may share one connection that was acquired as `shared`. */
  readonly depth: number;
  /** Whether fewer of them work at a time while other projects are active and statements slow each other down. */
  readonly isPaced?: boolean;
  /** Whether data that is sent now leaves together with data that was sent just before. */
  isFilling?(connection: C): boolean;
}

/** A client that may disconnect while it waits. The signal is read only if there is a wait. */
export interface Leaver {
  readonly signal: AbortSignal;
}

/** `exclusive`: one user at a time. `shared`: up to `depth` users at once. */
export type LeaseMode = 'exclusive' | 'shared';

/** A monotonic clock in milliseconds, with timers. */
export interface BudgetClock {
  now(): number;
  /** Runs `action` once, later; the returned function cancels that. */
  after(delayMs: number, action: () => void): () => void;
}

export interface BudgetLimits {
  /** Connections of all projects together. */
  readonly total: number;
  /** Connections of one project; at most half of `total`, so that one project never has all. */
  readonly perProject: number;
  /** An unused connection is closed after this time. */
  readonly idleMs: number;
  /** How long a request may wait for a connection before PROJECT_BUSY. */
  readonly maxWaitMs: number;
  /** How many of one project may wait at the same time before PROJECT_BUSY. */
  readonly maxWaiting: number;
}

export interface BudgetStats {
  /** Everything that counts against the budget: opening, idle, busy and closing connections. */
  readonly open: number;
  readonly idle: number;
  readonly busy: number;
  readonly waiting: number;
}

/** The clock of the process. Its timers do not keep the process alive. */
export const processClock: BudgetClock = {
  now: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
