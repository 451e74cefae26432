import { expect, test } from 'vitest';
import { verdictOf } from './rate-limiter.js';

test.each([
  { name: 'a window that a later transaction began', windowSeconds: 3600, msLeft: 3_600_004 },
  { name: 'a clock that went back', windowSeconds: 3600, msLeft: 9_000_000 },
])('$name does not make the wait longer than the window', ({ windowSeconds, msLeft }) => {
  const rule = { windowSeconds, max: 1 };
  expect(verdictOf([{ use: { key: 'a', rule }, uses: 2, msLeft }])).toEqual({
    allowed: false,
    retryAfterSeconds: windowSeconds,
    key: 'a',
  });
});

test('a window of less than a second still asks to wait for a whole one', () => {
  const rule = { windowSeconds: 0.4, max: 1 };
  const verdict = verdictOf([{ use: { key: 'a', rule }, uses: 2, msLeft: 900 }]);
  expect(verdict.retryAfterSeconds).toBe(1);
});
