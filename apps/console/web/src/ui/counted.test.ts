import { expect, test } from 'vitest';

import { counted } from './counted.js';

test.each([
  { count: 1, noun: 'user', words: '1 user' },
  { count: 0, noun: 'user', words: '0 users' },
  { count: 1200, noun: 'user', words: '1,200 users' },
  { count: 1, noun: 'policy', words: '1 policy' },
  { count: 2, noun: 'policy', words: '2 policies' },
  { count: 2, noun: 'key', words: '2 keys' },
  { count: 2, noun: 'index', words: '2 indexes' },
])('$count of a kind: $words', ({ count, noun, words }) => {
  expect(counted(count, noun)).toBe(words);
});
