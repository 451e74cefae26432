import { expect, test } from 'vitest';

import { parseSize, sizeText } from './sizes.js';

test.each([
  { text: '', bytes: undefined },
  { text: '0', bytes: 0 },
  { text: '1024', bytes: 1024 },
  { text: '1,024 bytes', bytes: 1024 },
  { text: '500 MB', bytes: 500_000_000 },
  { text: '1.5gb', bytes: 1_500_000_000 },
  { text: ' 2 TB ', bytes: 2_000_000_000_000 },
  { text: 'much', bytes: Number.NaN },
  { text: '-1', bytes: Number.NaN },
  { text: '1e9', bytes: Number.NaN },
  { text: '99999999 TB', bytes: Number.NaN },
  { text: '5 MiB', bytes: Number.NaN },
])('"$text" is $bytes bytes', ({ text, bytes }) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each([
  { bytes: null, text: '' },
  { bytes: 0, text: '0' },
  { bytes: 999, text: '999' },
  { bytes: 5_000_000, text: '5 MB' },
  { bytes: 1_500_000_000, text: '1.5 GB' },
  { bytes: 1_234_567, text: '1234567' },
])('$bytes bytes are written as "$text", and read again', ({ bytes, text }) => {
  expect(sizeText(bytes)).toBe(text);
  expect(parseSize(text) ?? null).toBe(bytes);
});
