import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fullBucket, takeToken, type Bucket, type Rate } from './index.js';

/** How many of `count` takes at the same time are allowed, and the bucket after them. */
function takeMany(rate: Rate, bucket: Bucket, nowMs: number, count: number) {
  let allowed = 0;
  let current = bucket;
  for (let n = 0; n < count; n++) {
    const take = takeToken(rate, current, nowMs);
    if (!take.ok) continue;
    allowed++;
    current = take.next;
  }
  return { allowed, bucket: current };
}

describe('a token bucket', () => {
  test.each([
    { name: 'joins', rate: { perSecond: 10, burst: 50 }, inOneSecond: 10 },
    { name: 'messages', rate: { perSecond: 50, burst: 100 }, inOneSecond: 50 },
    { name: 'presence', rate: { perSecond: 0.5, burst: 5 }, inOneSecond: 0 },
  ])('of $name allows its burst at once and then its rate', ({ rate, inOneSecond }) => {
    const first = takeMany(rate, fullBucket, 1000, 1000);
    expect(first.allowed).toBe(rate.burst);
    const second = takeMany(rate, first.bucket, 2000, 1000);
    expect(second.allowed).toBe(inOneSecond);
    expect(takeMany(rate, second.bucket, 1_000_000, 1000).allowed).toBe(rate.burst);
  });

  test('reports when the next token is there', () => {
    const rate = { perSecond: 0.5, burst: 5 };
    const { bucket } = takeMany(rate, fullBucket, 0, 5);
    expect(takeToken(rate, bucket, 0)).toEqual({ ok: false, retryAfterMs: 2000 });
    expect(takeToken(rate, bucket, 1500)).toEqual({ ok: false, retryAfterMs: 500 });
    expect(takeToken(rate, bucket, 2000).ok).toBe(true);
  });

  test('does not fill while the clock runs backwards', () => {
    const rate = { perSecond: 1, burst: 2 };
    const { bucket } = takeMany(rate, fullBucket, 10_000, 2);
    expect(takeToken(rate, bucket, 5000).ok).toBe(false);
  });

  test('accepts after the reported time, and never more than burst and rate together', () => {
    const rates = fc.record({
      perSecond: fc.double({ min: 0.1, max: 3000, noNaN: true }),
      burst: fc.integer({ min: 1, max: 100 }),
    });
    const pauses = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        let bucket = fullBucket;
        let nowMs = 1_800_000_000_000;
        const startMs = nowMs;
        let allowed = 0;
        for (const wait of waits) {
          nowMs += wait;
          const take = takeToken(rate, bucket, nowMs);
          if (take.ok) {
            allowed++;
            bucket = take.next;
          } else expect(takeToken(rate, bucket, nowMs + take.retryAfterMs).ok).toBe(true);
        }
        const most = rate.burst + ((nowMs - startMs) / 1000) * rate.perSecond;
        expect(allowed).toBeLessThanOrEqual(most + 0.01);
      }),
    );
  });
});
