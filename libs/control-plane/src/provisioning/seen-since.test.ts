import { expect, test } from 'vitest';
import { SeenSince } from './seen-since.js';

test('what each round finds is found for longer', () => {
  const seen = new SeenSince();
  expect(seen.note(['a'], 1_000)).toEqual(new Map([['a', 0]]));
  expect(seen.note(['a', 'b'], 1_500)).toEqual(
    new Map([
      ['a', 500],
      ['b', 0],
    ]),
  );
  expect(seen.note(['a', 'b'], 1_600).get('b')).toBe(100);
});

test('what one round does not find begins anew', () => {
  const seen = new SeenSince();
  seen.note(['a'], 1_000);
  seen.note(['b'], 1_500);
  expect(seen.note(['a'], 2_000)).toEqual(new Map([['a', 0]]));
});

test('a key that is found twice counts once', () => {
  const seen = new SeenSince();
  expect(seen.note(['a', 'a'], 1_000).size).toBe(1);
});
