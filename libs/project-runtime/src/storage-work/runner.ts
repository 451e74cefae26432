/** The work of a {@link Runner}, and its reports. */
export interface RunnerOptions {
  /** Name of the work, for the log, e.g. `deliver webhooks`. */
  readonly doing: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
  /** Called each time the work has ended, with or without an error. */
  readonly onEnd?: () => void;
}

/** Runs one piece of work on request, never twice at once: requests during a run cause one more run. */
export class Runner {
  private readonly stop = new AbortController();
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly options: RunnerOptions) {}

  /** Requests a run. Returns at once; does nothing after `close`. */
  schedule(): void {
    if (this.stop.signal.aborted) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Resolves when nothing runs. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Aborts the signal of the work and waits for it. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.settled();
  }

  private async run(): Promise<void> {
    const { doing, work, onError, onEnd } = this.options;
    while (this.isWanted && !this.stop.signal.aborted) {
      this.isWanted = false;
      try {
        // One after the other, on purpose.
        await work(this.stop.signal);
      } catch (error) {
        if (!this.stop.signal.aborted) onError(error, doing);
      }
      onEnd?.();
    }
  }
}
