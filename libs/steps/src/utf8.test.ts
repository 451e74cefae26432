import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from 'vitest';

import { finish } from './steps.js';
import { checkUtf8, decodeUtf8, stepBytes } from './utf8.js';

const texts = [
  { name: 'nothing', text: '' },
  { name: 'ASCII', text: 'a'.repeat(3 * stepBytes) },
  { name: 'two bytes', text: `a${'é'.repeat(stepBytes)}` },
  { name: 'three bytes', text: `ab${'€'.repeat(stepBytes)}` },
  { name: 'four bytes', text: `abc${'🪐'.repeat(stepBytes)}` },
  { name: 'a byte order mark', text: '\uFEFFa' },
];

describe('text across the end of a step', () => {
  test.each(texts)('is decoded: $name', ({ text }) => {
    expect(finish(decodeUtf8(Buffer.from(text))) === text).toBe(true);
  });

  test.each(texts)('is UTF-8: $name', ({ text }) => {
    expect(finish(checkUtf8(Buffer.from(text)))).toBe(true);
  });
});

describe('bytes around the end of a step', () => {
  const odd = [
    '80',
    'c3',
    'e282',
    'eda080',
    'f09faa',
    'f09faa90',
    'f09faa9080',
    '80808080',
    'e28241',
  ];
  test.each(odd.map((hex) => Buffer.from(hex, 'hex')))('%# are UTF-8 as without steps', (bytes) => {
    for (let before = stepBytes - 8; before < stepBytes + 4; before++) {
      const all = Buffer.concat([Buffer.alloc(before, 'x'), bytes, Buffer.alloc(8, 'y')]);
      expect(finish(checkUtf8(all))).toBe(isUtf8(all));
    }
  });
});

test('a step is at most as long as it may be', () => {
  const bytes = Buffer.alloc(5 * stepBytes, 'a');
  for (const steps of [checkUtf8(bytes), decodeUtf8(bytes)]) {
    let count = 1;
    while (!steps.next().done) count++;
    expect(count).toBe(5);
  }
});
