import type { RateLimiter } from '#libs/wire';

/** A store that takes longer counts as unavailable. */
const answerMs = 1_000;
/** How long the shared store is skipped after it did not answer in time. */
const restMs = 5_000;
const logEveryMs = 60_000;

/**
 * Returns a limiter that uses `shared`, and `memory` if `shared` fails or does not answer within a second: an
 * unavailable limiter must not keep users from signing in. `memory` always counts along, so a failure grants no fresh
 * allowance. `log` is called at most once a minute.
 */
export function withFallback(
  shared: RateLimiter,
  memory: RateLimiter,
  log: (error: unknown) => void,
): RateLimiter {
  let restsUntil = -Infinity;
  let silentUntil = -Infinity;

  /** Returns the answer of the shared store, or undefined if it fails. */
  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < restsUntil) return undefined;
    try {
      return await inTime(question());
    } catch (error) {
      const now = performance.now();
      if (error instanceof NoAnswer) restsUntil = now + restMs;
      if (now >= silentUntil) {
        silentUntil = now + logEveryMs;
        log(error);
      }
      return undefined;
    }
  }

  return {
    async consume(uses) {
      const own = await memory.consume(uses);
      return (await ask(() => shared.consume(uses))) ?? own;
    },
    async reset(keys) {
      await Promise.all([memory.reset(keys), ask(() => shared.reset(keys))]);
    },
    async giveBack(keys) {
      await Promise.all([memory.giveBack(keys), ask(() => shared.giveBack(keys))]);
    },
  };
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor() {
    super(`the shared rate limiter did not answer within ${answerMs} ms`);
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), answerMs);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
