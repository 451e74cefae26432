import { expect, test } from 'vitest';
import { mixRequests } from './run.js';

test('the mix takes one request of each case in turn, and the shorter lists again', () => {
  expect(mixRequests([['a', 'b', 'c'], ['x']])).toEqual(['a', 'x', 'b', 'x', 'c', 'x']);
});

test('no cases: no requests', () => {
  expect(mixRequests([])).toEqual([]);
});
