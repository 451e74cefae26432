import { expect, test } from 'vitest';

import { findUnstorable } from './unstorable.js';

const nul = 'must not contain the character NUL';
const half = 'must not contain half of a surrogate pair';

test.each([
  { value: 'a\0', found: { field: undefined, reason: nul } },
  { value: '\ud800x', found: { field: undefined, reason: half } },
  { value: { a: 'x', b: { c: ['\0'] } }, found: { field: 'b', reason: nul } },
  { value: { a: { 'b\udc00': 1 } }, found: { field: 'a', reason: half } },
  { value: [{ a: '\0' }], found: { field: undefined, reason: nul } },
  { value: { ...Object.create(null), a: '\0' }, found: { field: 'a', reason: nul } },
])('$value', ({ value, found }) => {
  expect(findUnstorable(value)).toEqual(found);
});

test.each(['', 'x', '😀', 1, null, undefined, true, Buffer.from('\0'), { a: ['😀', null, 2] }])(
  '%j can be stored',
  (value) => {
    expect(findUnstorable(value)).toBeUndefined();
  },
);
