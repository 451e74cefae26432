// Delivers the events of an open project: soon after one was stored, and periodically for events whose next try is due.
// Does nothing while the hook is off.
import type { EnginePool } from '#libs/auth-engine';
import { deliverDue, type HookCaller } from '#libs/hooks';

/** How often events are looked up whose next try may be due. */
const intervalMs = 10_000;

export interface EventDeliveryDeps {
  readonly pool: EnginePool;
  /** The hooks built from the current settings. */
  readonly caller: () => HookCaller;
  readonly onError: (error: unknown, doing: string) => void;
}

export class EventDelivery {
  private readonly stop = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly deps: EventDeliveryDeps) {
    this.timer = setInterval(() => this.schedule(), intervalMs);
    this.timer.unref();
  }

  /** Schedules a round of delivery. Returns at once. */
  schedule(): void {
    if (this.stop.signal.aborted || !this.deps.caller().settings.events.enabled) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Resolves after the events in delivery; the others wait in the database. */
  async close(): Promise<void> {
    this.stop.abort();
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { pool, caller, onError } = this.deps;
    while (this.isWanted && !this.stop.signal.aborted) {
      this.isWanted = false;
      try {
        // One round after the other: a request during a round runs one more.
        await deliverDue(pool, caller(), { signal: this.stop.signal });
      } catch (error) {
        onError(error, 'deliver events to a hook');
      }
    }
  }
}
