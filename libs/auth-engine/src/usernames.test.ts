import { expect, test } from 'vitest';
import { randomUsername, usernameProblem } from './usernames.js';

test('random names are valid and differ', () => {
  const names = Array.from({ length: 1000 }, () => randomUsername());
  expect(new Set(names).size).toBe(1000);
  expect(names.filter((name) => usernameProblem(name) !== undefined)).toEqual([]);
});

test.each([
  { value: 'Ada Lovelace', fits: true },
  { value: '李小龙', fits: true },
  { value: 'x'.repeat(64), fits: true },
  { value: 'x'.repeat(65), fits: false },
  { value: '', fits: false },
  { value: ' ada', fits: false },
  { value: 'ada\n', fits: false },
  { value: 'a\u0000b', fits: false },
  { value: 'a\u200bb', fits: false },
  { value: null, fits: false },
  { value: 5, fits: false },
])('$value: $fits', ({ value, fits }) => {
  expect(usernameProblem(value) === undefined).toBe(fits);
});
