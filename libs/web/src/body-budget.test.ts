import { expect, test } from 'vitest';

import { BodyBudget } from './body-budget.js';

test('bodies take from the process and from their project, and give everything back', () => {
  const budget = new BodyBudget(100);
  const [mine, other] = [{ bytes: 0 }, { bytes: 0 }];
  const bodies = [budget.hold(mine), budget.hold(mine), budget.hold(other), budget.hold()];
  expect(bodies.map((body) => body.take(10))).toEqual([true, true, true, true]);
  expect([budget.bytes, mine.bytes, other.bytes]).toEqual([40, 20, 10]);
  for (const body of bodies) body.release();
  for (const body of bodies) body.release();
  expect([budget.bytes, mine.bytes, other.bytes]).toEqual([0, 0, 0]);
});

test('a project has a quarter, and others have room beside it', () => {
  const budget = new BodyBudget(100);
  const [mine, other] = [{ bytes: 0 }, { bytes: 0 }];
  const [first, second] = [budget.hold(mine), budget.hold(mine)];
  expect([first.take(20), second.take(5), second.take(1)]).toEqual([true, true, false]);
  expect(budget.hold(other).take(25)).toBe(true);
  first.release();
  expect(second.take(20)).toBe(true);
});

test('the process has a limit for all projects together', () => {
  const budget = new BodyBudget(100);
  const takes = Array.from({ length: 5 }, () => budget.hold({ bytes: 0 }).take(25));
  expect(takes).toEqual([true, true, true, true, false]);
  expect(budget.bytes).toBe(100);
});

test('a body alone always has room, and none beside it has', () => {
  const budget = new BodyBudget(10);
  const mine = { bytes: 0 };
  const large = budget.hold(mine);
  expect([large.take(10), large.take(1_000)]).toEqual([true, true]);
  expect(budget.hold(mine).take(1)).toBe(false);
  expect(budget.hold({ bytes: 0 }).take(1)).toBe(false);
  large.release();
  expect(budget.hold(mine).take(1)).toBe(true);
});
