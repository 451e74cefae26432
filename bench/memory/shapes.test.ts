import { expect, test } from 'vitest';
import { shapePath, SHAPES } from './shapes.js';

test('no two of all shapes are the same', () => {
  const paths = Array.from({ length: SHAPES }, (_, index) => shapePath(index));
  expect(SHAPES).toBeGreaterThan(10_000);
  expect(new Set(paths).size).toBe(SHAPES);
});

test('neighbors differ in more than one part', () => {
  const [one, other] = [shapePath(1), shapePath(2)].map((path) => path.split('&'));
  expect(one?.filter((part) => other?.includes(part) !== true).length).toBeGreaterThan(1);
});
