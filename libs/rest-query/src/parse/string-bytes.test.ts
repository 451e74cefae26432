import { expect, test } from 'vitest';

import { StringBytes } from './string-bytes.js';

const size = 48;

test.each([
  { code: 0x00, isSpecial: true },
  { code: 0x1f, isSpecial: true },
  { code: 0x20, isSpecial: false },
  { code: 0x21, isSpecial: false },
  { code: 0x22, isSpecial: true },
  { code: 0x23, isSpecial: false },
  { code: 0x5b, isSpecial: false },
  { code: 0x5c, isSpecial: true },
  { code: 0x5d, isSpecial: false },
  { code: 0x7f, isSpecial: false },
  { code: 0x80, isSpecial: false },
  { code: 0xa2, isSpecial: false },
  { code: 0xdc, isSpecial: false },
  { code: 0xff, isSpecial: false },
])('stops at $code: $isSpecial, wherever it is', ({ code, isSpecial }) => {
  for (let offset = 0; offset < 5; offset++) {
    for (let at = 0; at < size; at++) {
      // What is outside of the text does not count.
      const all = Buffer.alloc(offset + size + 4, '"');
      const text = all.subarray(offset, offset + size).fill('x');
      text[at] = code;
      const strings = new StringBytes(text);
      for (const [start, stop] of [[0, size] as const, [3, size - 5] as const]) {
        const isInside = isSpecial && at >= start && at < stop;
        expect(strings.skipPlain(start, stop)).toBe(isInside ? at : stop);
      }
    }
  }
});
