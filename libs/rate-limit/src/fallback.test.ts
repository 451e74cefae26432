import { afterEach, beforeEach, expect, vi, test } from 'vitest';
import { withFallback } from './fallback.js';
import { createMemoryLimiter } from './memory-limiter.js';
import type { RateLimiter } from '#libs/wire';

const uses = [{ key: 'a', rule: { windowSeconds: 3600, max: 2 } }];
const refusedByShared = { allowed: false, retryAfterSeconds: 7, key: 'shared' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A limiter over a store that can be switched to failing and to giving no answer. */
function open() {
  const store: { state: 'up' | 'down' | 'hangs'; asked: number } = { state: 'up', asked: 0 };
  const answer = <T>(value: T): Promise<T> => {
    store.asked += 1;
    if (store.state === 'down') return Promise.reject(new Error('connection refused'));
    return store.state === 'up' ? Promise.resolve(value) : new Promise(() => undefined);
  };
  const shared: RateLimiter = {
    consume: () => answer(refusedByShared),
    reset: () => answer(undefined),
    giveBack: () => answer(undefined),
  };
  const logged: unknown[] = [];
  const memory = createMemoryLimiter(() => performance.now());
  const limiter = withFallback(shared, memory, (error) => logged.push(error));
  return { store, logged, limiter };
}

test('the shared store decides while it answers', async () => {
  const { limiter, logged } = open();
  expect(await limiter.consume(uses)).toEqual(refusedByShared);
  expect(logged).toEqual([]);
});

test('while the store fails, memory decides, and knows what was used before', async () => {
  const { limiter, store } = open();
  await limiter.consume(uses);
  store.state = 'down';
  expect((await limiter.consume(uses)).allowed).toBe(true);
  expect(await limiter.consume(uses)).toMatchObject({ allowed: false, key: 'a' });
  await limiter.reset(['a']);
  expect((await limiter.consume(uses)).allowed).toBe(true);
  await limiter.consume(uses);
  await limiter.giveBack(['a']);
  expect((await limiter.consume(uses)).allowed).toBe(true);
  store.state = 'up';
  expect(await limiter.consume(uses)).toEqual(refusedByShared);
});

test('failures are logged once a minute', async () => {
  const { limiter, logged, store } = open();
  store.state = 'down';
  await limiter.consume(uses);
  await limiter.consume(uses);
  await limiter.reset(['a']);
  vi.advanceTimersByTime(59_999);
  await limiter.consume(uses);
  expect(logged).toEqual([new Error('connection refused')]);
  vi.advanceTimersByTime(1);
  await limiter.consume(uses);
  expect(logged).toHaveLength(2);
});

test('a store that hangs holds up one second of requests, and is asked again five seconds later', async () => {
  const { limiter, logged, store } = open();
  store.state = 'hangs';
  const first = limiter.consume(uses);
  await vi.advanceTimersByTimeAsync(1000);
  expect((await first).allowed).toBe(true);
  expect((await limiter.consume(uses)).allowed).toBe(true);
  expect(store.asked).toBe(1);
  expect(String(logged)).toContain('did not answer');
  vi.advanceTimersByTime(5000);
  store.state = 'up';
  expect(await limiter.consume(uses)).toEqual(refusedByShared);
  expect(vi.getTimerCount()).toBe(0);
});
