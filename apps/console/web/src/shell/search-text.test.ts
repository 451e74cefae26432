import { expect, test } from 'vitest';

import { searchText } from './search-text.js';

test.each([
  { value: 'orders', text: 'orders' },
  { value: 42, text: '42' },
  { value: 0, text: '0' },
  { value: '', text: undefined },
  { value: undefined, text: undefined },
  { value: null, text: undefined },
  { value: true, text: undefined },
  { value: ['a'], text: undefined },
])('the text of $value in an address is $text', ({ value, text }) => {
  expect(searchText(value)).toBe(text);
});
