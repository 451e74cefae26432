import { distinctUses, type RateLimiter, type RateRule, verdictOf } from './rate-limiter.js';

interface Options {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The most keys that are kept; the oldest is removed first. */
  readonly maxKeys?: number;
}

interface Window {
  uses: number;
  readonly endsAt: number;
}

/** A limiter in this process's memory, with fixed windows. Counting a use takes constant time. */
export function createMemoryLimiter({ now, maxKeys = 20_000 }: Options): RateLimiter {
  // A Map keeps the order of insertion, so its first key is the key whose window began first.
  const windows = new Map<string, Window>();

  function windowOf(key: string, rule: RateRule): Window {
    const found = windows.get(key);
    if (found && found.endsAt > now()) return found;
    windows.delete(key);
    for (const [oldest, window] of windows) {
      if (windows.size < maxKeys && window.endsAt > now()) break;
      windows.delete(oldest);
    }
    const fresh = { uses: 0, endsAt: now() + rule.windowSeconds * 1000 };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    consume(uses) {
      const counts = distinctUses(uses).map((use) => {
        const window = windowOf(use.key, use.rule);
        window.uses += 1;
        return { use, uses: window.uses, msLeft: window.endsAt - now() };
      });
      return Promise.resolve(verdictOf(counts));
    },
    reset(keys) {
      for (const key of keys) windows.delete(key);
      return Promise.resolve();
    },
    giveBack(keys) {
      for (const key of new Set(keys)) {
        const window = windows.get(key);
        if (window) window.uses = Math.max(0, window.uses - 1);
      }
      return Promise.resolve();
    },
  };
}
