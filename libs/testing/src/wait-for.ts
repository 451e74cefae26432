import { setTimeout as delay } from 'node:timers/promises';

/** How to wait for a condition. */
export interface Wait {
  /** The condition in words, for the error; by default its source text. */
  readonly until?: string;
  /** The longest time; by default ten seconds. */
  readonly ms?: number;
  /** The pause between two looks; by default 20 ms. */
  readonly everyMs?: number;
  /** Whether a condition that throws does not hold yet, as while a server is away. By default its error is thrown. */
  readonly retriesErrors?: boolean;
}

/**
 * Waits until the condition holds, which means that it returns something other than undefined, null, false, 0 or '';
 * returns that. Throws if it does not hold in time.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { until = String(condition), ms = 10_000, everyMs = 20, retriesErrors = false }: Wait = {},
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + ms;
  for (;;) {
    let cause: unknown;
    let reason = '';
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      if (!retriesErrors) throw error;
      cause = error;
      reason = `: ${String(error)}`;
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`This did not happen within ${ms / 1000} s: ${until}${reason}`, { cause });
    }
    await delay(everyMs);
  }
}

/** Like {@link waitFor} with `retriesErrors`, and returns the milliseconds that it took. */
export async function timeUntil(
  condition: () => boolean | Promise<boolean>,
  wait: Wait,
): Promise<number> {
  const startedAt = performance.now();
  await waitFor(condition, { everyMs: 100, ...wait, retriesErrors: true });
  return performance.now() - startedAt;
}
