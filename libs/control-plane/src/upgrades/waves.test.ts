import { expect, test } from 'vitest';
import { isTooMany, waveSizes } from './waves.js';

test.each([
  { total: 0, sizes: [0, 0, 0, 0] },
  { total: 1, sizes: [1, 0, 0, 0] },
  { total: 3, sizes: [1, 1, 1, 0] },
  { total: 10, sizes: [1, 1, 3, 5] },
  { total: 100, sizes: [1, 5, 25, 69] },
  { total: 1999, sizes: [1, 100, 500, 1398] },
])('$total projects are upgraded in waves of $sizes', ({ total, sizes }) => {
  expect(waveSizes(total)).toEqual(sizes);
});

test.each([
  { failed: 0, size: 1, isStopped: false },
  { failed: 1, size: 1, isStopped: true },
  { failed: 1, size: 9, isStopped: true },
  { failed: 1, size: 10, isStopped: false },
  { failed: 2, size: 10, isStopped: true },
])('$failed failures in a wave of $size: stopped is $isStopped', ({ failed, size, isStopped }) => {
  expect(isTooMany(failed, size)).toBe(isStopped);
});
