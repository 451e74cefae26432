/** How often something may happen: at most `burst` times at once, and then `perSecond` times a second. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket: how much of its rate one client has used up. It is a value; the next one replaces it. */
export interface Bucket {
  /** When the bucket will be full again, in milliseconds; at any time in the past for a full one. */
  readonly fullAtMs: number;
}

/** A bucket from which nothing was taken. */
export const fullBucket: Bucket = { fullAtMs: Number.NEGATIVE_INFINITY };

export type Take =
  | { readonly ok: true; readonly next: Bucket }
  /** The bucket stays as it is. After this time it has the tokens. */
  | { readonly ok: false; readonly retryAfterMs: number };

/** Differences below it are rounding errors. */
const toleranceMs = 1e-3;

/**
 * Takes `tokens` (by default one) from the bucket at the time `nowMs`. The time may repeat or run backwards: then
 * the bucket does not fill. More tokens than `burst` are never there.
 */
export function takeToken(rate: Rate, bucket: Bucket, nowMs: number, tokens = 1): Take {
  const msPerToken = 1000 / rate.perSecond;
  const fullAtMs = Math.max(bucket.fullAtMs, nowMs) + tokens * msPerToken;
  const excessMs = fullAtMs - nowMs - rate.burst * msPerToken;
  return excessMs <= toleranceMs
    ? { ok: true, next: { fullAtMs } }
    : { ok: false, retryAfterMs: Math.ceil(excessMs) };
}
