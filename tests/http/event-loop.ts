// How long one request keeps the process from everything else, in units of this machine.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { speedFactor } from '#libs/testing';

/** The longest stretch in which nothing else ran while `work` did, in milliseconds. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  delays.disable();
  return delays.max / 1e6;
}

const maxTries = 40;
const pauseMs = 250;

/**
 * Whether `work` holds the loop for longer than `boundMs`. Other programs of the machine can only add to a stretch,
 * so the shortest of several counts; later tries wait in between until the test files at its side have a quiet moment.
 */
export async function holdsLoop(work: () => Promise<unknown>, boundMs: number): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await longestStretch(work)) <= boundMs * speedFactor()) return false;
    if (tries > 3) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return true;
}
