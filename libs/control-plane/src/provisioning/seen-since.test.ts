import { expect, test } from 'vitest';
import { SeenSince } from './seen-since.js';

test('a key that is found in every round is as old as its first round', () => {
  const seen = new SeenSince();
  expect(seen.record(['a'], 1_000)).toEqual(new Map([['a', 0]]));
  expect([...seen.record(['a', 'b'], 1_500)]).toEqual([
    ['a', 500],
    ['b', 0],
  ]);
  expect(seen.record(['a', 'b'], 1_600).get('b')).toBe(100);
});

test('a key that is missing from one round starts at 0 again', () => {
  const seen = new SeenSince();
  seen.record(['a'], 1_000);
  seen.record(['b'], 1_500);
  expect(seen.record(['a'], 2_000)).toEqual(new Map([['a', 0]]));
});
