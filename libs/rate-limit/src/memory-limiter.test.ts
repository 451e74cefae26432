import { expect, test } from 'vitest';
import { createMemoryLimiter } from './memory-limiter.js';

const rule = { windowSeconds: 10, max: 2 };
const once = { windowSeconds: 10, max: 1 };

function limiterAt(maxKeys?: number) {
  const clock = { ms: 1000 };
  const limiter = createMemoryLimiter(() => clock.ms, maxKeys);
  return { clock, limiter };
}

test('the use after the last allowed one is refused until the window ends', async () => {
  const { clock, limiter } = limiterAt();
  const use = () => limiter.consume([{ key: 'a', rule }]);
  expect((await use()).allowed).toBe(true);
  clock.ms += 4000;
  expect(await use()).toEqual({ allowed: true, retryAfterSeconds: 0 });
  expect(await use()).toEqual({ allowed: false, retryAfterSeconds: 6, key: 'a' });
  clock.ms += 5999;
  expect(await use()).toEqual({ allowed: false, retryAfterSeconds: 1, key: 'a' });
  clock.ms += 1;
  expect((await use()).allowed).toBe(true);
});

test('who uses up several keys is told the first one and the longest wait', async () => {
  const { limiter } = limiterAt();
  const uses = [
    { key: 'free', rule },
    { key: 'short', rule: once },
    { key: 'long', rule: { windowSeconds: 60, max: 1 } },
  ];
  await limiter.consume(uses);
  expect(await limiter.consume(uses)).toEqual({
    allowed: false,
    retryAfterSeconds: 60,
    key: 'short',
  });
});

test('a full memory forgets the oldest key and no other', async () => {
  const { limiter } = limiterAt(3);
  const use = async (key: string) => (await limiter.consume([{ key, rule: once }])).allowed;
  for (const key of ['a', 'b', 'c', 'd']) await use(key); // The order is the age.
  expect(await use('d')).toBe(false);
  expect(await use('c')).toBe(false);
  expect(await use('a')).toBe(true);
});
