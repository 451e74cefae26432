import { setTimeout as delay } from 'node:timers/promises';

export interface Wait {
  /** The longest time. */
  readonly ms: number;
  /** For the error: the condition in words. */
  readonly until: string;
  readonly everyMs?: number;
}

/**
 * Waits until the condition holds, and returns the milliseconds that it took. Throws when it does not hold in time. A
 * condition that throws does not hold yet: servers are away for a while in a trial.
 */
export async function waitFor(
  condition: () => Promise<boolean>,
  { ms, until, everyMs = 100 }: Wait,
): Promise<number> {
  const startedAt = performance.now();
  let reason = '';
  for (;;) {
    try {
      if (await condition()) return performance.now() - startedAt;
      reason = '';
    } catch (error) {
      reason = `: ${String(error)}`;
    }
    if (performance.now() - startedAt > ms) {
      throw new Error(`within ${Math.round(ms / 1000)} s it did not happen that ${until}${reason}`);
    }
    await delay(everyMs);
  }
}
