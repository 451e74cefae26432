import { expect, test } from 'vitest';

import { parseJson } from './json.js';

test.each([
  { text: '{"a":1}', value: { a: 1 } },
  { text: 'null', value: null },
  { text: '', value: undefined },
  { text: '<html>', value: undefined },
])('the value of $text is $value', ({ text, value }) => {
  expect(parseJson(text)).toEqual(value);
});
