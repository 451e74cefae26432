import { expect, test } from 'vitest';

import { decodeComponent } from './decode-component.js';

test.each([
  { text: 'plain', decoded: 'plain' },
  { text: 'a%20b%2Fc', decoded: 'a b/c' },
  { text: '%C3%A4', decoded: 'ä' },
  { text: '%2525', decoded: '%25' },
  { text: 'a+b', decoded: 'a+b' },
  { text: '100%', decoded: undefined },
  { text: '%zz', decoded: undefined },
  { text: '%C3', decoded: undefined },
])('$text: $decoded', ({ text, decoded }) => {
  expect(decodeComponent(text)).toBe(decoded);
});
