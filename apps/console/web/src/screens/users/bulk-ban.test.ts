import { expect, test } from 'vitest';

import { banOf, leftOutInWords } from './bulk-ban.js';

const ada = { id: 'ada', status: 'active' };
const bob = { id: 'bob', status: 'inactive' };
const eve = { id: 'eve', status: 'active' };

test('only active users are banned, so that an undo activates no other account', () => {
  expect(banOf([ada, bob, eve])).toEqual({ banned: [ada, eve], leftOut: [bob] });
});

test.each([
  { leftOut: [], words: undefined },
  { leftOut: [bob], words: '1 user left out: deactivated or banned already.' },
  { leftOut: [bob, bob], words: '2 users left out: deactivated or banned already.' },
])('$leftOut.length left out: $words', ({ leftOut, words }) => {
  expect(leftOutInWords(leftOut)).toBe(words);
});
