import { expect, test } from 'vitest';

import { parseBucketSlug } from './bucket-slug.js';

test.each(['a', '7', 'avatars', 'user-files_2', 'a-', 'a_', 'a'.repeat(63), 'public', 'myfiles'])(
  '%s is a slug',
  (text) => {
    expect(parseBucketSlug(text)).toBe(text);
  },
);

test.each([
  { name: 'nothing', text: '' },
  { name: '64 letters', text: 'a'.repeat(64) },
  { name: 'a hidden bucket', text: '_public' },
  { name: 'a dash in front', text: '-a' },
  { name: 'a capital letter', text: 'Avatars' },
  { name: 'a dot', text: 'a.b' },
  { name: 'dots', text: '..' },
  { name: 'a slash', text: 'a/b' },
  { name: 'a space', text: 'a b' },
  { name: 'a line feed at the end', text: 'a\n' },
  { name: 'a letter beyond ASCII', text: 'é' },
  { name: 'the sign that lower-cases to k', text: '\u212a' },
])('$name is no slug', ({ text }) => {
  expect(() => parseBucketSlug(text)).toThrow(
    expect.objectContaining({ code: 'INVALID_BUCKET_SLUG', status: 400 }),
  );
});

test.each(['buckets', 'files', 'render', 'resumable', 'upload'])('%s is reserved', (text) => {
  expect(() => parseBucketSlug(text)).toThrow(
    expect.objectContaining({
      code: 'INVALID_BUCKET_SLUG',
      message: expect.stringContaining(`${text} is reserved`),
    }),
  );
});
