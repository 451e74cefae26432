import { expect, test, vi } from 'vitest';

import type { WireAnswer } from './request.js';
import { type RetryPolicy, withRetries } from './retry.js';

const policy: RetryPolicy = { maxRetries: 2, firstPauseMs: 1, maxPauseMs: 1, maxRetryAfterMs: 50 };
const answer = (status: number, headers = {}): WireAnswer => ({
  status,
  statusText: '',
  headers: new Headers(headers),
  text: '',
});

/** Runs the steps in turn, the last one for ever, and tells how often something was sent. */
async function run(steps: readonly (WireAnswer | Error)[], signal?: AbortSignal) {
  let sent = 0;
  const attempt = () => {
    const step = steps[Math.min(sent, steps.length - 1)];
    sent += 1;
    return step instanceof Error ? Promise.reject(step) : Promise.resolve(step ?? answer(200));
  };
  const outcome = await withRetries(attempt, policy, signal).then(
    ({ status }) => status,
    (thrown: unknown) => thrown,
  );
  return { sent, outcome };
}

const fault = new TypeError('fetch failed');
const named = (name: string) => Object.assign(new Error(name), { name });

test.each<{ name: string; steps: (WireAnswer | Error)[]; sent: number; outcome: unknown }>([
  { name: 'a good answer is the answer', steps: [answer(200)], sent: 1, outcome: 200 },
  {
    name: '503 and 520 pass',
    steps: [answer(503), answer(520), answer(200)],
    sent: 3,
    outcome: 200,
  },
  { name: 'a network fault passes', steps: [fault, answer(200)], sent: 2, outcome: 200 },
  { name: 'other errors are the answer', steps: [answer(500), answer(200)], sent: 1, outcome: 500 },
  { name: '504 is the answer', steps: [answer(504), answer(200)], sent: 1, outcome: 504 },
  { name: 'after the last retry a 503 is the answer', steps: [answer(503)], sent: 3, outcome: 503 },
  { name: 'after the last retry a fault is thrown', steps: [fault], sent: 3, outcome: fault },
  {
    name: 'a server that asks for a long pause is left alone',
    steps: [answer(503, { 'retry-after': '1' }), answer(200)],
    sent: 1,
    outcome: 503,
  },
  {
    name: 'a date that has passed is no pause',
    steps: [answer(503, { 'retry-after': new Date(0).toUTCString() }), answer(200)],
    sent: 2,
    outcome: 200,
  },
  {
    name: 'a date far away is a long pause',
    steps: [answer(503, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }), answer(200)],
    sent: 1,
    outcome: 503,
  },
  {
    name: 'a Retry-After without meaning counts for nothing',
    steps: [answer(503, { 'retry-after': 'soon' }), answer(200)],
    sent: 2,
    outcome: 200,
  },
])('$name', async ({ steps, sent, outcome }) => {
  expect(await run(steps)).toEqual({ sent, outcome });
});

test.each(['AbortError', 'TimeoutError'])('an %s is final', async (name) => {
  const aborted = named(name);
  expect(await run([aborted, answer(200)])).toEqual({ sent: 1, outcome: aborted });
});

test('a pause ends when the signal aborts', async () => {
  const leaving = new AbortController();
  const long: RetryPolicy = { ...policy, maxRetryAfterMs: 3_600_000 };
  let sent = 0;
  const outcome = withRetries(
    () => {
      sent += 1;
      // The abort comes when the pause has begun.
      setTimeout(() => leaving.abort(), 0);
      return Promise.resolve(answer(503, { 'retry-after': '3600' }));
    },
    long,
    leaving.signal,
  );
  await expect(outcome).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toBe(1);
});

test('Retry-After is waited for', async () => {
  vi.useFakeTimers();
  try {
    const oneSecond: RetryPolicy = { ...policy, maxRetryAfterMs: 1_000 };
    const steps = [answer(503, { 'retry-after': '1' }), answer(200)];
    const got = withRetries(
      () => Promise.resolve(steps.shift() ?? answer(500)),
      oneSecond,
      undefined,
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(steps).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await got).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
