import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { matchesMediaTypes, parseMediaType, parseMediaTypePattern } from './media-type.js';

describe('a declared type', () => {
  test.each([
    { name: 'a type', text: 'image/png', type: 'image/png' },
    { name: 'capital letters', text: 'IMAGE/Png', type: 'image/png' },
    { name: 'spaces around', text: '  image/png ', type: 'image/png' },
    { name: 'nothing', text: undefined, type: 'application/octet-stream' },
    { name: 'an empty text', text: '', type: 'application/octet-stream' },
    { name: 'only spaces', text: '  ', type: 'application/octet-stream' },
    {
      name: 'a charset of a text',
      text: 'text/plain; charset=UTF-8',
      type: 'text/plain; charset=utf-8',
    },
    {
      name: 'a quoted charset',
      text: 'text/plain;charset="utf-8"',
      type: 'text/plain; charset=utf-8',
    },
    {
      name: 'the first of two charsets',
      text: 'text/css;charset=a;charset=b',
      type: 'text/css; charset=a',
    },
    {
      name: 'a charset of something else',
      text: 'application/json; charset=utf-8',
      type: 'application/json',
    },
    { name: 'other parameters', text: 'text/html; a=b; c="d;e=\\"f"', type: 'text/html' },
    { name: 'an empty parameter', text: 'text/html; ;', type: 'text/html' },
    { name: 'a boundary', text: 'multipart/mixed; boundary=x', type: 'multipart/mixed' },
    {
      name: 'signs in names',
      text: 'application/vnd.a-b_c+xml',
      type: 'application/vnd.a-b_c+xml',
    },
    { name: 'another name stays', text: 'image/jpg', type: 'image/jpg' },
  ])('$name', ({ text, type }) => {
    expect(parseMediaType(text)).toBe(type);
  });

  test.each([
    'image',
    'image/',
    '/png',
    'image/png/x',
    'image/*',
    '*/*',
    'image png',
    'image/png, text/html',
    'image/png\r\nX-A: b',
    'image/p\0ng',
    'imäge/png',
    '"image/png"',
    'image/png; charset',
    'image/png; a="b',
    'image/png; a=b c',
    'text/plain; charset="a\r\nb"',
    'text/plain; charset=<script>',
    `a/${'b'.repeat(128)}`,
    `text/plain; a=${'b'.repeat(600)}`,
  ])('%j is refused', (text) => {
    expect(() => parseMediaType(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_MEDIA_TYPE', status: 400 }),
    );
  });

  test('never breaks out of a header', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          fc.constantFrom('text/plain', 'Text/HTML '),
          fc.string({ unit: 'binary', maxLength: 30 }),
        )
        .map(([type, more]) => `${type}; charset=${more}`),
    );
    fc.assert(
      fc.property(text, (declared) => {
        let type: string;
        try {
          type = parseMediaType(declared);
        } catch {
          return;
        }
        expect(type).toMatch(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(; charset=[a-z0-9_.+-]+)?$/);
        expect(parseMediaType(type)).toBe(type);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  { text: 'image/*', pattern: 'image/*' },
  { text: ' Image/PNG ', pattern: 'image/png' },
  { text: '*/*', pattern: '*/*' },
])('$text may stand in a list', ({ text, pattern }) => {
  expect(parseMediaTypePattern(text)).toBe(pattern);
});
test.each(['', '*', 'image', '*/png', 'image/**', 'image/p*', 'text/plain; charset=a', 'a b/c'])(
  '%j may not stand in a list',
  (text) => {
    expect(() => parseMediaTypePattern(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_MEDIA_TYPE' }),
    );
  },
);

test.each([
  { name: 'the type itself', type: 'image/png', allowed: ['image/png'], is: true },
  { name: 'a type of the group', type: 'image/png', allowed: ['text/plain', 'image/*'], is: true },
  { name: 'everything', type: 'a/b', allowed: ['*/*'], is: true },
  {
    name: 'parameters do not count',
    type: 'text/plain; charset=a',
    allowed: ['text/plain'],
    is: true,
  },
  { name: 'another name in the type', type: 'image/jpg', allowed: ['image/jpeg'], is: true },
  { name: 'another name in the list', type: 'image/jpeg', allowed: ['image/jpg'], is: true },
  { name: 'XML as a text', type: 'text/xml', allowed: ['application/xml'], is: true },
  { name: 'another type', type: 'image/gif', allowed: ['image/png'], is: false },
  { name: 'another group', type: 'imagex/gif', allowed: ['image/*'], is: false },
  { name: 'an empty list', type: 'image/gif', allowed: [], is: false },
  {
    name: 'a type like a property of every object',
    type: 'constructor',
    allowed: ['image/*'],
    is: false,
  },
])('a list covers a type: $name, $is', ({ type, allowed, is }) => {
  expect(matchesMediaTypes(type, allowed)).toBe(is);
});
