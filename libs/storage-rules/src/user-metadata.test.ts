import { expect, test } from 'vitest';

import { maxMetadataBytes, parseUserMetadata } from './user-metadata.js';

const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

test.each([
  { name: 'an object of the largest size', value: sized(maxMetadataBytes) },
  { name: 'no fields', value: {} },
  { name: 'a number with an exponent', value: { a: 1e300 } },
])('$name is metadata', ({ value }) => {
  expect(parseUserMetadata(value)).toEqual(value);
});

test.each([
  { name: 'one byte too many', value: sized(maxMetadataBytes + 1), says: /longer than 8192 bytes/ },
  {
    name: 'letters of two bytes are counted as two',
    value: { a: 'é'.repeat(maxMetadataBytes / 2) },
    says: /longer than 8192 bytes/,
  },
  {
    name: 'numbers that the database writes out',
    value: { a: Array.from({ length: 30 }, () => 1e300) },
    says: /longer than 8192 bytes/,
  },
  { name: 'an array', value: [], says: /must be a JSON object/ },
  { name: 'text', value: 'a', says: /must be a JSON object/ },
  { name: 'null', value: null, says: /must be a JSON object/ },
  { name: 'NUL', value: { a: '\0' }, says: /characters that do not exist/ },
  {
    name: 'too many levels',
    value: JSON.parse(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`) as unknown,
    says: /nested deeper than 100 levels/,
  },
])('$name is refused by the name of the field', ({ value, says }) => {
  expect(() => parseUserMetadata(value)).toThrow(says);
  expect(() => parseUserMetadata(value)).toThrow(/^metadata: /);
});
