import { expect, test } from 'vitest';

import { parseJson } from './parse-json.js';

test.each([
  { name: 'an object', text: '{"a":[1]}', value: { a: [1] } },
  { name: 'null', text: 'null', value: null },
  { name: 'no JSON', text: '{"a":', value: undefined },
  { name: 'nothing', text: '', value: undefined },
])('the value of $name', ({ text, value }) => {
  expect(parseJson(text)).toEqual(value);
});
