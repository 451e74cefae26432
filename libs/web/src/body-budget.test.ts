import { expect, test } from 'vitest';

import { BodyBudget } from './body-budget.js';

const nothing = () => ({ known: 0, strangers: 0 });
const signedOut = () => Promise.resolve(false);
const signedIn = () => Promise.resolve(true);

test('bodies take from the process and from their project, and give everything back', () => {
  const budget = new BodyBudget(100);
  const [mine, other] = [nothing(), nothing()];
  const bodies = [budget.hold(mine), budget.hold(mine), budget.hold(other), budget.hold()];
  expect(bodies.map((body) => body.take(10))).toEqual([true, true, true, true]);
  expect([budget.bytes, mine.known, other.known]).toEqual([40, 20, 10]);
  for (const body of bodies) body.release();
  for (const body of bodies) body.release();
  expect([budget.bytes, mine.known, other.known]).toEqual([0, 0, 0]);
});

test('a project has a quarter, and others have room beside it', () => {
  const budget = new BodyBudget(100);
  const [mine, other] = [nothing(), nothing()];
  const [first, second] = [budget.hold(mine), budget.hold(mine)];
  expect([first.take(20), second.take(5), second.take(1)]).toEqual([true, true, false]);
  expect(budget.hold(other).take(25)).toBe(true);
  first.release();
  expect(second.take(20)).toBe(true);
});

test('the process has a limit for all projects together', () => {
  const budget = new BodyBudget(100);
  const takes = Array.from({ length: 5 }, () => budget.hold(nothing()).take(25));
  expect(takes).toEqual([true, true, true, true, false]);
  expect(budget.bytes).toBe(100);
});

test('a body alone always has room, and none beside it has', () => {
  const budget = new BodyBudget(10);
  const mine = nothing();
  const large = budget.hold(mine);
  expect([large.take(10), large.take(1_000)]).toEqual([true, true]);
  expect(budget.hold(mine).take(1)).toBe(false);
  expect(budget.hold(nothing()).take(1)).toBe(false);
  large.release();
  expect(budget.hold(mine).take(1)).toBe(true);
});

test('strangers have half of what a project has, and take no more of it from others', () => {
  const budget = new BodyBudget(400);
  const mine = nothing();
  const stranger = () => budget.hold(mine, signedOut);
  const [first, second] = [stranger(), stranger()];
  expect([first.take(40), second.take(10), first.take(1)]).toEqual([true, true, false]);
  const known = budget.hold(mine);
  expect([known.take(25), budget.hold(mine).take(26), budget.hold(mine).take(25)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(budget.hold(nothing(), signedOut).take(50)).toBe(true);
  first.release();
  second.release();
  expect(mine).toEqual({ known: 50, strangers: 0 });
});

test('a large body of a stranger alone has room, and does not refuse others', () => {
  const budget = new BodyBudget(400);
  const mine = nothing();
  expect(budget.hold(mine, signedOut).take(300)).toBe(true);
  const [first, second] = [budget.hold(mine), budget.hold(mine)];
  expect([first.take(30), second.take(20), second.take(1)]).toEqual([true, true, false]);
});

test('strangers have half of the process, too', () => {
  const budget = new BodyBudget(400);
  const takes = Array.from({ length: 5 }, () => budget.hold(nothing(), signedOut).take(50));
  expect(takes).toEqual([true, true, true, true, false]);
  expect(budget.hold(nothing()).take(100)).toBe(true);
});

test('a caller who proves to be signed in leaves the strangers', async () => {
  const budget = new BodyBudget(400);
  const mine = nothing();
  const [user, stranger] = [budget.hold(mine, signedIn), budget.hold(mine, signedOut)];
  expect([user.take(40), stranger.take(20)]).toEqual([true, false]);
  expect([await stranger.prove(), await user.prove(), await user.prove()]).toEqual([
    false,
    true,
    false,
  ]);
  expect(mine).toEqual({ known: 40, strangers: 0 });
  expect([stranger.take(50), user.take(10), user.take(41)]).toEqual([true, true, true]);
  user.release();
  stranger.release();
  expect([budget.bytes, mine]).toEqual([0, nothing()]);
});
