import type { RateUse, RateVerdict } from '#libs/wire';

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
