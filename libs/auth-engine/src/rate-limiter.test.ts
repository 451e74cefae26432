import { expect, test } from '@jest/globals';
import { createRateLimiter } from './rate-limiter.js';

const rule = { windowSeconds: 10, max: 2 };

function limiterAt(maxKeys?: number) {
  const clock = { ms: 1000 };
  const limiter = createRateLimiter({ now: () => clock.ms, ...(maxKeys && { maxKeys }) });
  return { clock, limiter };
}

test('the use after the last allowed one is refused until the window ends', async () => {
  const { clock, limiter } = limiterAt();
  expect((await limiter.consume('a', rule)).allowed).toBe(true);
  clock.ms += 4000;
  expect(await limiter.consume('a', rule)).toEqual({ allowed: true, retryAfterSeconds: 0 });
  expect(await limiter.consume('a', rule)).toEqual({ allowed: false, retryAfterSeconds: 6 });
  clock.ms += 5999;
  expect(await limiter.consume('a', rule)).toEqual({ allowed: false, retryAfterSeconds: 1 });
  clock.ms += 1;
  expect((await limiter.consume('a', rule)).allowed).toBe(true);
});

test('keys do not share an allowance, and two limiters share nothing', async () => {
  const { limiter } = limiterAt();
  const { limiter: neighbour } = limiterAt();
  const once = { windowSeconds: 10, max: 1 };
  expect((await limiter.consume('a', once)).allowed).toBe(true);
  expect((await limiter.consume('b', once)).allowed).toBe(true);
  expect((await neighbour.consume('a', once)).allowed).toBe(true);
  expect((await limiter.consume('a', once)).allowed).toBe(false);
});

test('a full memory forgets the oldest key and no other', async () => {
  const { limiter } = limiterAt(3);
  const once = { windowSeconds: 10, max: 1 };
  for (const key of ['a', 'b', 'c', 'd']) await limiter.consume(key, once); // The order is the age.
  expect((await limiter.consume('d', once)).allowed).toBe(false);
  expect((await limiter.consume('c', once)).allowed).toBe(false);
  expect((await limiter.consume('a', once)).allowed).toBe(true);
});
