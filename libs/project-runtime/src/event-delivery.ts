// Delivers the events of a project while it is served: soon after one was stored, and now and then for those
// whose next try has come. Nothing runs while the hook is off.
import type { EnginePool } from '#libs/auth-engine';
import { deliverDue, type HookCaller } from '#libs/hooks';

/** How often events are looked for that wait for another try. */
const intervalMs = 10_000;

export interface EventDeliveryDeps {
  readonly pool: EnginePool;
  /** The hooks under the settings of now. */
  readonly caller: () => HookCaller;
  readonly onError: (error: unknown, doing: string) => void;
}

export class EventDelivery {
  private readonly stop = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly deps: EventDeliveryDeps) {
    this.timer = setInterval(() => this.nudge(), intervalMs);
    this.timer.unref();
  }

  /** Tells that an event may be due. Returns at once. */
  nudge(): void {
    if (this.stop.signal.aborted || !this.deps.caller().settings.events.enabled) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Ends after the events that are being delivered; the others wait in the database. */
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
        // One round after the other: a nudge during a round asks for one more.
        await deliverDue(pool, caller(), { signal: this.stop.signal });
      } catch (error) {
        onError(error, 'deliver events to a hook');
      }
    }
  }
}
