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
  /**
   * Whole seconds until every key of the call has allowance again: at least 1, at most the longest window; 0 if
   * allowed.
   */
  readonly retryAfterSeconds: number;
  /** The first key that is used up. */
  readonly key?: string;
}

/** Counts uses per key. One limiter serves one project, so that no project can use up another's allowance. */
export interface RateLimiter {
  /**
   * Counts one use of every key, even if another key of the call is used up, and returns whether all are allowed. A key
   * that is named twice counts once, under the rule that comes first.
   */
  consume(uses: readonly RateUse[]): Promise<RateVerdict>;
  /** Restores the allowance of keys, for example after a success. */
  reset(keys: readonly string[]): Promise<void>;
  /** Takes back one use of each key without ending its window. Does nothing for a key without uses. */
  giveBack(keys: readonly string[]): Promise<void>;
}

/** The state of a use in its window. */
export interface RateCount {
  readonly use: RateUse;
  /** Uses in the window, this one included. */
  readonly uses: number;
  readonly msLeft: number;
}

/** The uses with each key once, in the order of first appearance. */
export function distinctUses(uses: readonly RateUse[]): readonly RateUse[] {
  const useByKey = new Map<string, RateUse>();
  for (const use of uses) if (!useByKey.has(use.key)) useByKey.set(use.key, use);
  return [...useByKey.values()];
}

/** Interprets the counts of a store, given in the order of the call. */
export function verdictOf(counts: readonly RateCount[]): RateVerdict {
  const usedUp = counts.filter(({ use, uses }) => uses > use.rule.max);
  const [first] = usedUp;
  if (first === undefined) return { allowed: true, retryAfterSeconds: 0 };
  // A store counts by the clock of a transaction or a server, which may lag behind the one that began the window.
  const msLeft = Math.max(
    ...usedUp.map((count) => Math.min(count.msLeft, count.use.rule.windowSeconds * 1000)),
  );
  return {
    allowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
    key: first.use.key,
  };
}
