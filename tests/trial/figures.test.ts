import { expect, test } from 'vitest';

import { counted, quantile, shownMs } from './figures.js';

test('a quantile is one of the values', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.99].map((share) => quantile(values, share))).toEqual([1, 3, 5]);
  expect(quantile([], 0.5)).toBe(0);
});

test('texts are counted, the most frequent first', () => {
  expect(counted([503, 200, 200])).toBe('200 x 2, 503 x 1');
  expect(counted([])).toBe('');
});

test('times are shown in the unit that fits', () => {
  expect([1.23, 34.6, 1_250].map(shownMs)).toEqual(['1.2 ms', '35 ms', '1.3 s']);
});
