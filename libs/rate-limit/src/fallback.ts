import type { RateLimiter } from '#libs/wire';

/** A store that takes longer is taken for one that is down. */
const answerMs = 1_000;
/** For so long nothing waits for a store that did not answer in time. */
const restMs = 5_000;
const logEveryMs = 60_000;

/**
 * A limiter that asks `shared`, and `memory` when `shared` fails or does not answer within a second: a
 * limiter that is down must not keep people from signing in. `memory` counts along all the time, so a
 * failure gives no fresh allowance. `log` hears of failures at most once a minute.
 */
export function withFallback(
  shared: RateLimiter,
  memory: RateLimiter,
  log: (error: unknown) => void,
): RateLimiter {
  let restsUntil = -Infinity;
  let silentUntil = -Infinity;

  /** What the shared store answers, or undefined when it does not. */
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
