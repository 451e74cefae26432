// Runs the removals of projects that requests begin. A caller waits for a while; then the removal continues without it,
// until it ends or the process stops. What is not done is left to the worker: each removal has an operation.
import { setTimeout as delay } from 'node:timers/promises';

/** How long callers wait, and who learns about failures after that. */
export interface RemovalWait {
  readonly maxWaitMs: number;
  /** Receives the error of a removal that failed after its caller was answered. The operation records it, too. */
  readonly onLateFailure: (ref: string, error: unknown) => void;
}

/** How many removals run at a time; the worker does the others. */
const maxRunning = 16;
/** How long the stop of the process waits for the steps under way; milliseconds. */
const stopMs = 5_000;

export class RemovalRunner {
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(
    private readonly wait: RemovalWait,
    private readonly limit = maxRunning,
  ) {}

  /** Whether another removal may begin. */
  get hasRoom(): boolean {
    return this.#running.size < this.limit && !this.#stop.signal.aborted;
  }

  /**
   * Begins a removal and returns when it is done, or when its caller has waited long enough. `work` begins no further
   * step after its signal aborts.
   */
  async run(ref: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const removal = work(this.#stop.signal);
    const settled = removal.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    if (await hasTimedOut(removal, this.wait.maxWaitMs)) {
      removal.catch((error: unknown) => this.wait.onLateFailure(ref, error));
    }
  }

  /** Ends the removals after their current step, and waits for that for five seconds at most. */
  async close(): Promise<void> {
    this.#stop.abort();
    await hasTimedOut(Promise.all(this.#running), stopMs);
  }
}

/** Waits for `work`, and rejects if it does; true if that takes longer than `maxWaitMs`. */
async function hasTimedOut(work: Promise<unknown>, maxWaitMs: number): Promise<boolean> {
  const timer = new AbortController();
  return Promise.race([
    work.then(() => false),
    delay(maxWaitMs, true, { signal: timer.signal, ref: false }),
  ]).finally(() => timer.abort());
}
