// Shows the progress of a start: a line when each step begins, and at the end how long each
// of them took.
import type { Logger } from 'pino';

export class StartSteps {
  private readonly startedAt = performance.now();
  private readonly tookMs: Record<string, number> = {};
  private current: { readonly name: string; readonly beganAt: number } | undefined;

  constructor(private readonly log: Logger) {}

  /** Ends the previous step. `name` is one word, `detail` describes the step. */
  begin(name: string, detail: string): void {
    this.endCurrent();
    this.current = { name, beganAt: performance.now() };
    this.log.info({ step: name }, `starting: ${detail}`);
  }

  /** Ends the last step and logs the times, in ms. */
  end(): void {
    this.endCurrent();
    const ms = Math.round(performance.now() - this.startedAt);
    this.log.info({ ms, steps: this.tookMs }, `started in ${(ms / 1000).toFixed(1)} s`);
  }

  private endCurrent(): void {
    if (this.current === undefined) return;
    this.tookMs[this.current.name] = Math.round(performance.now() - this.current.beganAt);
    this.current = undefined;
  }
}
