// How long one request keeps the process from everything else, in processor time of the thread that runs the loop: what
// other programs of the machine do adds nothing to it.
import { existsSync, openSync, readSync } from 'node:fs';

import { speedFactor } from '#libs/testing';

/** Linux writes here the nanoseconds that the thread which opens it has run, to some four milliseconds. */
const ownThread = '/proc/thread-self/schedstat';
const threadFile = existsSync(ownThread) ? openSync(ownThread, 'r') : undefined;
const threadText = Buffer.alloc(64);

/** Processor time of this thread, or of all threads where the system does not tell, in milliseconds. */
export function processorMs(): number {
  if (threadFile === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const length = readSync(threadFile, threadText, 0, threadText.length, 0);
  return Number.parseInt(threadText.toString('latin1', 0, length), 10) / 1e6;
}

/** The most processor time that one turn of the loop takes during `work`, in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const before = processorMs();
    await new Promise((resolve) => setImmediate(resolve));
    longest = Math.max(longest, processorMs() - before);
  }
  await done;
  return longest;
}

/** Collecting garbage adds to a turn whose request is not the cause, so the shortest of several counts. */
const maxTries = 5;

/** Whether `work` holds the loop for longer than `boundMs`, a time of the machine that bounds are set on. */
export async function holdsLoop(work: () => Promise<unknown>, boundMs: number): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await longestTurn(work)) <= boundMs * speedFactor()) return false;
  }
  return true;
}

/**
 * The most processor time of this thread that passes between a request of `neighbor` and its answer, while `work` is
 * done, in milliseconds. The neighbor sends one request after the other, at least one.
 */
export async function longestWait(
  work: () => Promise<unknown>,
  neighbor: () => Promise<unknown>,
): Promise<number> {
  let longest = 0;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  do {
    const before = processorMs();
    await neighbor();
    longest = Math.max(longest, processorMs() - before);
  } while (!isDone);
  await done;
  return longest;
}
