import { expect, test } from 'vitest';

import { cookieIn, withoutDoubtful } from './cookies.js';

test.each([
  ['a=1; s=x; b=2', 'x'],
  ['s=x=y', 'x=y'],
  [' s = x ', 'x'],
  ['t=1', undefined],
  ['s=x; s=y', undefined],
  ['s=x; s=x', undefined],
  ['s', undefined],
  ['', undefined],
])('the cookie s of %j', (header, value) => {
  expect(cookieIn(header, 's')).toBe(value);
});

test('cookies of the prefix that came twice are left out, others stay', () => {
  const header = 'p.a=1; q=1; p.b=2; p.a=3; q=2';
  expect(withoutDoubtful(header, 'p.')).toBe('q=1; p.b=2; q=2');
});
