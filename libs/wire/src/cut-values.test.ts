import { expect, test } from 'vitest';

import { cutValues } from './cut-values.js';

test('values of up to 8 KB stay', () => {
  const values = { text: 'x'.repeat(8190), list: ['a', { b: 1 }], flag: false, none: null };
  expect(cutValues(values)).toEqual(values);
});

test.each([
  { name: 'letters', text: 'x'.repeat(8191), bytes: 8193 },
  { name: 'characters that JSON escapes', text: '\u0001'.repeat(2000), bytes: 12_002 },
  { name: 'pairs of code units', text: `x${'😀'.repeat(4000)}`, bytes: 16_003 },
])('a longer text of $name keeps its beginning, with a mark', ({ text, bytes }) => {
  const { value } = cutValues({ value: text });
  expect(value).toMatch(new RegExp(`… \\[cut: ${bytes} bytes\\]$`));
  expect(text.startsWith(String(value).slice(0, 1000))).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(8192);
  expect(String(value).isWellFormed()).toBe(true);
});

test.each([
  { name: 'a list', value: Array.from({ length: 2000 }, () => 'example.org') },
  { name: 'an object', value: { a: { b: 'x'.repeat(10_000) } } },
])('$name that is longer is a mark alone', ({ value }) => {
  const bytes = JSON.stringify(value).length;
  expect(cutValues({ value, other: 1 })).toEqual({ value: `[cut: ${bytes} bytes]`, other: 1 });
});
