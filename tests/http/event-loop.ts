// How long one request keeps the process from everything else, in units of this machine.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What `speedFactor` works on takes this long on the machine that the bound of 50 ms is meant for. */
const referenceMs = 8;
const sample = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ id: at, text: 'abc' })));

/** How many times slower than the reference this machine is; at least 1. */
export function speedFactor(): number {
  const times = Array.from({ length: 7 }, () => {
    const begun = performance.now();
    JSON.parse(sample);
    return performance.now() - begun;
  });
  return Math.max(1, times.toSorted((a, b) => a - b)[3]! / referenceMs); // Seven times were taken.
}

/** The longest stretch in which nothing else ran while `work` did, in milliseconds. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  delays.disable();
  return delays.max / 1e6;
}

/**
 * Whether `work` holds the loop for longer than `boundMs`. Other programs of the machine can only add to a stretch,
 * so the shortest of several counts.
 */
export async function holdsLoop(work: () => Promise<unknown>, boundMs: number): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    if ((await longestStretch(work)) <= boundMs * speedFactor()) return false;
  }
  return true;
}
