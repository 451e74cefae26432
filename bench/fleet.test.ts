import { expect, test } from 'vitest';
import { LEAST_PROJECTS, splitCold } from './fleet.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([
  // The warm project has the first of the places.
  { projects: 20, maxLive: 10, below: [3, 4, 5, 6, 7, 8], above: 11 },
  { projects: 21, maxLive: 10, below: [3, 4, 5, 6, 7, 8], above: 12 },
])('$projects projects, $maxLive of them live', ({ projects, maxLive, below, above }) => {
  const cold = splitCold(upTo(projects), maxLive);
  expect(cold.wide).toEqual([0, 1, 2]);
  expect(cold.below).toEqual(below);
  expect(cold.above).toHaveLength(above);
});

test('the smallest fleet has projects on both sides of the limit', () => {
  const { below, above } = splitCold(upTo(LEAST_PROJECTS), Math.floor(LEAST_PROJECTS / 2));
  expect([below.length, above.length]).toEqual([1, 6]);
});
