/** At most `max` uses of a key in a window that starts with its first use. */
export interface RateRule {
  readonly windowSeconds: number;
  readonly max: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole seconds until the window ends, at least 1; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/** Counts uses per key. One limiter serves one project, so that no project can use up another's allowance. */
export interface RateLimiter {
  consume(key: string, rule: RateRule): Promise<RateVerdict>;
}

interface Options {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The most keys that are remembered; the oldest is forgotten first. */
  readonly maxKeys?: number;
}

interface Window {
  uses: number;
  readonly endsAt: number;
}

const allowed: RateVerdict = { allowed: true, retryAfterSeconds: 0 };

/** A limiter in this process's memory, with fixed windows. Every operation takes constant time. */
export function createRateLimiter({ now, maxKeys = 20_000 }: Options): RateLimiter {
  // A Map keeps the order of insertion, so its first key is the one whose window began first.
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
    consume(key, rule) {
      const window = windowOf(key, rule);
      window.uses += 1;
      if (window.uses <= rule.max) return Promise.resolve(allowed);
      const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - now()) / 1000));
      return Promise.resolve({ allowed: false, retryAfterSeconds });
    },
  };
}
