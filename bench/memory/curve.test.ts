import { describe, expect, test } from 'vitest';
import { blocks, growthOfLastHalf, thinned } from './curve.js';

describe('growth of the last half', () => {
  test.each([
    { name: 'flat', values: [9, 9, 9, 5, 5, 5], is: 0 },
    { name: 'rising by a fifth of its mean', values: [0, 0, 0, 9, 10, 11], is: 0.2 },
    { name: 'falling', values: [0, 0, 0, 11, 10, 9], is: -0.2 },
    { name: 'steep before, flat after', values: [1, 50, 90, 100, 100, 100], is: 0 },
    { name: 'a spike in the middle', values: [5, 5, 5, 5, 5, 5, 10, 5, 5], is: 0 },
    { name: 'nothing at all', values: [0, 0, 0, 0, 0, 0], is: 0 },
  ])('$name: $is', ({ values, is }) => {
    expect(growthOfLastHalf(values)).toBeCloseTo(is);
  });

  test('two samples tell nothing', () => {
    expect(growthOfLastHalf([1, 2, 3, 4])).toBeUndefined();
  });
});

test('blocks go from the lowest value to the highest', () => {
  expect(blocks([1, 8, 4.5])).toBe('▁█▅');
  expect(blocks([3, 3])).toBe('▁▁');
});

test.each([
  { count: 3, is: [0, 5, 10] },
  { count: 20, is: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
])('eleven values thinned to $count', ({ count, is }) => {
  expect(thinned([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], count)).toEqual(is);
});
