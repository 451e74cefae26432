import { expect, test } from 'vitest';

import { Pace, type Usual } from './pace.js';

/** Runs statements for ten seconds; `time` says how long one takes while so many work. */
function run(
  pace: Pace,
  time: (working: number) => number,
  { from = 0, usual = { calmMs: undefined } }: { from?: number; usual?: Usual } = {},
): number[] {
  const limits: number[] = [];
  for (let now = from; now < from + 10_000; now += 10) {
    const working = pace.limit;
    pace.record(usual, { ms: time(working), working, now });
    limits.push(working);
  }
  return limits;
}

const late = (limits: readonly number[]): readonly number[] => limits.slice(500);

test('statements that wait for two processors leave two at a time, or one more or less', () => {
  const limits = late(run(new Pace(8), (working) => (20 * Math.max(2, working)) / 2));
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...limits)).toBeLessThanOrEqual(3);
});

test('statements that wait for a single processor leave one at a time', () => {
  const limits = late(run(new Pace(8), (working) => 20 * working));
  expect(Math.max(...limits)).toBeLessThanOrEqual(2);
});

test('statements that do not slow each other down get all connections', () => {
  expect(new Set(late(run(new Pace(8), () => 20)))).toEqual(new Set([8]));
});

test('the limit rises again when the server has become faster', () => {
  const pace = new Pace(8);
  const usual = { calmMs: undefined };
  run(pace, (working) => 20 * working, { usual });
  expect(pace.limit).toBeLessThan(5);
  run(pace, () => 20, { usual, from: 10_000 });
  expect(pace.limit).toBe(8);
});

test('a project with a single connection keeps it', () => {
  expect(new Set(run(new Pace(1), () => 20)).size).toBe(1);
});
