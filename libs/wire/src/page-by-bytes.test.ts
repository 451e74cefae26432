import { expect, test } from 'vitest';

import { pageByBytes } from './page-by-bytes.js';

const MB = 1024 * 1024;
const sized = (...sizes: number[]) => sizes.map((size) => ({ bytes: size * MB }));

test.each([
  { name: 'nothing', found: sized(), limit: 2, taken: 0, hasMore: false },
  { name: 'all that is there', found: sized(1, 1), limit: 2, taken: 2, hasMore: false },
  { name: 'no more than the limit', found: sized(1, 1, 1), limit: 2, taken: 2, hasMore: true },
  { name: 'as many as 8 MB', found: sized(4, 4, 1), limit: 9, taken: 2, hasMore: true },
  { name: 'one that is larger', found: sized(9, 1), limit: 9, taken: 1, hasMore: true },
  { name: 'a last one that is larger', found: sized(9), limit: 9, taken: 1, hasMore: false },
])('a page has $name', ({ found, limit, taken, hasMore }) => {
  expect(pageByBytes(found, limit)).toEqual({ entries: found.slice(0, taken), hasMore });
});
