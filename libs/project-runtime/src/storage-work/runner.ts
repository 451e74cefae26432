/** What a {@link Runner} runs and tells. */
export interface RunnerOptions {
  /** For the log, e.g. `deliver webhooks`. */
  readonly doing: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
  /** Called after each time that the work has ended, well or not. */
  readonly onEnd?: () => void;
}

/** Runs one piece of work when it is asked to, never twice at once: being asked meanwhile means once more. */
export class Runner {
  private readonly stop = new AbortController();
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly options: RunnerOptions) {}

  /** Asks for the work. Returns at once; does nothing after `close`. */
  nudge(): void {
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

  /** Ends the signal of the work and waits for it. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.settled();
  }

  private async run(): Promise<void> {
    const { doing, work, onError, onEnd } = this.options;
    while (this.isWanted && !this.stop.signal.aborted) {
      this.isWanted = false;
      try {
        // One after the other: that is the point.
        await work(this.stop.signal);
      } catch (error) {
        if (!this.stop.signal.aborted) onError(error, doing);
      }
      onEnd?.();
    }
  }
}
