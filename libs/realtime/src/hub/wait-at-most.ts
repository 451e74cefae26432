import type { Clock } from '../ports.js';

/** Resolves when the work has ended, or after this time; at once if it is 0 or less. The work does not reject. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  if (ms <= 0) return;
  let waited: (() => void) | undefined;
  const pause = new Promise<void>((resolve) => (waited = resolve));
  const timer = clock.setTimer(ms, () => waited?.());
  await Promise.race([work, pause]);
  timer.cancel();
}
