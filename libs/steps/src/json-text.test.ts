import { expect, test } from 'vitest';

import { jsonText } from './json-text.js';
import { finish } from './steps.js';

const value = {
  paths: { '/a': { get: { x: [1, { y: null }] }, post: undefined }, '/"b"': {} },
  empty: {},
  list: [1, undefined, { a: undefined }],
  nothing: null,
  missing: undefined,
  text: 'a "b" \u2028',
  when: new Date(0),
  hidden: { toJSON: () => undefined },
};

test.each([0, 1, 2, 3, 9])('is the text of JSON.stringify, %i objects deep', (depth) => {
  expect(finish(jsonText(value, depth))).toBe(JSON.stringify(value));
});

test('is the text of an object that writes itself', () => {
  const url = new URL('https://example.org/a');
  expect(finish(jsonText(url, 1))).toBe(JSON.stringify(url));
});

test('takes a step for each member', () => {
  const steps = jsonText({ a: { b: 1, c: 2 }, d: { e: 3 } }, 2);
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBe(5);
});
