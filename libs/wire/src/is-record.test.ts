import { expect, test } from 'vitest';

import { isRecord } from './is-record.js';

test.each([
  { name: 'an object', value: { a: 1 }, expected: true },
  { name: 'an object without a prototype', value: Object.create(null), expected: true },
  { name: 'an error', value: new Error('x'), expected: true },
  { name: 'null', value: null, expected: false },
  { name: 'a list', value: [{}], expected: false },
  { name: 'a text', value: '{}', expected: false },
  { name: 'undefined', value: undefined, expected: false },
])('$name: $expected', ({ value, expected }) => {
  expect(isRecord(value)).toBe(expected);
});
