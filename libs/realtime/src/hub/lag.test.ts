import { expect, test } from 'vitest';

import type { Change } from '../feed/lines.js';
import { Lag } from './lag.js';

const change = (at: string): Change => ({
  seq: '1',
  txid: '1',
  table: 1,
  kind: 'I',
  newText: '{}',
  oldText: null,
  isCut: false,
  at,
});

/** A lag on a clock that stands at 0, and at midnight of the database. */
function stage() {
  const time = { clock: 0, now: Date.parse('2026-01-01T00:00:00Z') };
  const lag = new Lag({
    clock: { now: () => time.clock, setTimer: () => ({ cancel: () => undefined }) },
    now: () => time.now,
  });
  return { time, lag };
}

test('nothing has been sent, and the reader is well: there is no lag', () => {
  const { lag, time } = stage();
  expect(lag.read()).toBe(0);
  time.clock = 3_000;
  expect(lag.read()).toBe(0);
});

test('the newest change of a batch says the delay, for a minute', () => {
  const { lag, time } = stage();
  lag.sent([change('2025-12-31T23:59:00Z'), change('2025-12-31T23:59:59.600Z')]);
  for (const [clock, expected] of [
    [0, 400],
    [59_999, 400],
    [60_000, 0],
  ] as const) {
    time.clock = clock;
    lag.reached();
    expect(lag.read()).toBe(expected);
  }
});

test('a batch without changes says nothing, and a later one replaces the delay', () => {
  const { lag } = stage();
  lag.sent([change('2025-12-31T23:59:59Z')]);
  lag.sent([]);
  expect(lag.read()).toBe(1_000);
  lag.sent([change('2025-12-31T23:59:59.990Z')]);
  expect(lag.read()).toBe(10);
});

test('a clock of the database that is ahead is no lag', () => {
  const { lag } = stage();
  lag.sent([change('2026-01-01T00:00:05Z')]);
  expect(lag.read()).toBe(0);
});

test('a reader that is silent for more than three seconds is behind for that long', () => {
  const { lag, time } = stage();
  time.clock = 3_001;
  expect(lag.read()).toBe(3_001);
  lag.reached();
  expect(lag.read()).toBe(0);
  lag.sent([change('2025-12-31T23:59:50Z')]);
  time.clock += 4_000;
  expect(lag.read()).toBe(10_000);
  time.clock += 7_000;
  expect(lag.read()).toBe(11_000);
});
