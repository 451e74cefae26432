/** At most `max` uses of a key in a window that starts with its first use. */
export interface RateRule {
  readonly windowSeconds: number;
  readonly max: number;
}

/** One use of a key, which must fit the rule. */
export interface RateUse {
  readonly key: string;
  readonly rule: RateRule;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole seconds until no key of the call is used up: at least 1, at most the longest window; 0 when allowed. */
  readonly retryAfterSeconds: number;
  /** The first key that is used up. */
  readonly key?: string;
}

/** Counts uses per key. One limiter serves one project, so that no project can use up another's allowance. */
export interface RateLimiter {
  /**
   * Counts one use of every key, also of those beside a key that is used up, and returns whether all
   * are allowed. A key that is named twice counts once, under the rule that comes first.
   */
  consume(uses: readonly RateUse[]): Promise<RateVerdict>;
  /** Gives keys their allowance back, for example after a success. */
  reset(keys: readonly string[]): Promise<void>;
  /** Takes back one use of each key, whose window goes on. A key without uses stays as it is. */
  giveBack(keys: readonly string[]): Promise<void>;
}
