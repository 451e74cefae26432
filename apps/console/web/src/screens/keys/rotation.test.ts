import { describe, expect, test } from 'vitest';

import type { Key } from './queries.js';
import { effectOnTokens, endOfOldKeys } from './rotation.js';

const key = (expiresAt: string | null): Key => ({
  id: 'k',
  kind: 'secret',
  hint: 'abcd',
  createdAt: '2030-01-01T00:00:00Z',
  expiresAt,
});

describe('the end of the old keys', () => {
  test.each([
    {
      name: 'one, at once',
      old: [key(null)],
      overlap: 0,
      words: 'The current key ends as soon as the new one is made.',
    },
    {
      name: 'several, at once',
      old: [key(null), key('2030-02-01T00:00:00Z')],
      overlap: 0,
      words: 'The 2 current keys end as soon as the new one is made.',
    },
    {
      name: 'one, later',
      old: [key(null)],
      overlap: 3_600,
      words: 'The current key works until noon.',
    },
    {
      name: 'several, one of which has an end',
      old: [key(null), key('2030-02-01T00:00:00Z')],
      overlap: 3_600,
      words: 'The 2 current keys work until noon. A key that ends earlier keeps its end.',
    },
  ])('$name', ({ old, overlap, words }) => {
    expect(endOfOldKeys(old, overlap, 'noon')).toBe(words);
  });
});

test('tokens outlive a replaced key only while it is published', () => {
  expect(effectOnTokens(0, 900)).toMatch(/refused .* a token lives 15 minutes\.$/);
  expect(effectOnTokens(1, 60)).toMatch(/published for 1 day, .* A token lives 1 minute\.$/);
});
