import { expect, test } from 'vitest';

import { bytesOf, gigabytesOf } from './gigabytes.js';

test.each([
  { name: 'no limit of its own', bytes: null, text: '' },
  { name: 'nothing at all', bytes: 0, text: '0' },
  { name: 'whole gigabytes', bytes: 10_000_000_000, text: '10' },
  { name: 'a part of one', bytes: 1_500_000_000, text: '1.5' },
  {
    name: 'a number of megabytes as the environment counts them',
    bytes: 536_870_912,
    text: '0.536870912',
  },
  { name: 'one byte', bytes: 1, text: '1e-9' },
  { name: 'the largest limit that the field takes', bytes: 9e15, text: '9000000' },
])('a limit is typed and read back: $name', ({ bytes, text }) => {
  expect(gigabytesOf(bytes)).toBe(text);
  expect(bytesOf(text)).toBe(bytes);
});

test('spaces are no limit', () => {
  expect(bytesOf('  ')).toBeNull();
});
