import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { isUuid, parseKeyPrefix, parseObjectKey } from './object-key.js';

describe('a key', () => {
  test.each([
    { name: 'one segment', text: 'a.png', key: 'a.png' },
    { name: 'several segments', text: 'avatars/2/a.png', key: 'avatars/2/a.png' },
    {
      name: 'spaces and signs',
      text: 'my photo (1) #?&"\'<>.png',
      key: 'my photo (1) #?&"\'<>.png',
    },
    { name: 'dots that are no dot segment', text: '.../..a/a../.b', key: '.../..a/a../.b' },
    { name: 'an escape stays text', text: '%2e%2e/%252e', key: '%2e%2e/%252e' },
    { name: 'letters and marks are composed', text: 'cafe\u0301.txt', key: 'caf\u00e9.txt' },
    { name: 'Korean letters are composed', text: '\u1112\u1161\u11ab', key: '\ud55c' },
    { name: 'compatibility forms stay', text: '\ufb01\uff0e\uff0e', key: '\ufb01\uff0e\uff0e' },
    { name: 'emoji', text: '👩‍👩‍👧/😀', key: '👩‍👩‍👧/😀' },
    { name: '1024 bytes', text: 'a'.repeat(1024), key: 'a'.repeat(1024) },
    { name: '1024 bytes in 512 letters', text: 'é'.repeat(512), key: 'é'.repeat(512) },
    {
      name: '1024 bytes only when composed',
      text: 'u\u0308\u0304'.repeat(512),
      key: '\u01d6'.repeat(512),
    },
    {
      name: 'a UUID',
      text: '0198f0e2-0000-7000-8000-000000000000',
      key: '0198f0e2-0000-7000-8000-000000000000',
    },
  ])('may be: $name', ({ text, key }) => {
    expect(parseObjectKey(text)).toBe(key);
  });

  const refused = [
    { name: 'nothing', text: '', reason: 'empty' },
    { name: '1025 bytes', text: 'a'.repeat(1025), reason: '1024 bytes' },
    { name: '1026 bytes in 513 letters', text: 'é'.repeat(513), reason: '1024 bytes' },
    { name: 'a megabyte', text: 'e\u0301'.repeat(500_000), reason: '1024 bytes' },
    { name: 'NUL', text: 'a\0b', reason: 'control' },
    { name: 'a line feed', text: 'a\nb', reason: 'control' },
    { name: 'a tab', text: '\ta', reason: 'control' },
    { name: 'DEL', text: 'a\u007f', reason: 'control' },
    { name: 'C1', text: 'a\u0085', reason: 'control' },
    { name: 'a separator of lines', text: 'a\u2028b', reason: 'control' },
    { name: 'a separator of paragraphs', text: 'a\u2029b', reason: 'control' },
    { name: 'the first half of a pair', text: 'a\ud83d', reason: 'control' },
    { name: 'the second half of a pair', text: '\ude00a', reason: 'control' },
    { name: 'what is no character', text: 'a\uffff', reason: 'control' },
    { name: 'a backslash', text: 'a\\b', reason: 'backslash' },
    { name: 'two dots and a backslash', text: '..\\a', reason: 'backslash' },
    { name: 'a slash in front', text: '/a', reason: 'begins with a slash' },
    { name: 'a slash alone', text: '/', reason: 'begins with a slash' },
    { name: 'a slash at the end', text: 'a/', reason: 'empty segment' },
    { name: 'two slashes', text: 'a//b', reason: 'empty segment' },
    { name: 'a dot', text: '.', reason: '".."' },
    { name: 'a dot within', text: 'a/./b', reason: '".."' },
    { name: 'two dots', text: '..', reason: '".."' },
    { name: 'two dots in front', text: '../a', reason: '".."' },
    { name: 'two dots at the end', text: 'a/..', reason: '".."' },
  ];
  test.each(refused)('may not be: $name', ({ text, reason }) => {
    expect(() => parseObjectKey(text)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OBJECT_KEY',
        status: 400,
        message: expect.stringContaining(reason),
      }),
    );
  });

  const refusedPieces = ['/', '.', '..', '\\', '\u0085', '\u2028', '\ud83d', '\ude00', '\uffff'];
  // Each of these becomes another character in the composed form.
  const composing = [
    '\u037e',
    '\u1fef',
    '\u212a',
    '\u2126',
    '\u2000',
    '\u0340',
    '\ufa10',
    '\u1112\u1161',
  ];
  const pieces = fc.constantFrom('a', '%2e', '\u0301', ' ', ...refusedPieces, ...composing);
  const texts = fc.oneof(
    fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })))
      .map((all) => all.join('')),
    // Near the limit, where composing makes the text shorter.
    fc
      .tuple(
        fc.constantFrom('a', 'e\u0301', '\u212a', '\u1112\u1161', '😀'),
        fc.integer({ min: 250, max: 1100 }),
      )
      .map(([piece, count]) => piece.repeat(count)),
  );

  test('that is accepted holds nothing refused, and is accepted again as it is', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const key = parsedOrNothing(text);
        if (key === undefined) return;
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
        expect(Buffer.from(key).toString()).toBe(key);
        expect(key.normalize('NFC')).toBe(key);
        // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(key).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]/);
        for (const segment of key.split('/')) expect(['', '.', '..']).not.toContain(segment);
        expect(
          new URL(`http://a/${key.split('/').map(encodeURIComponent).join('/')}`).pathname,
        ).toBe(`/${key.split('/').map(encodeURIComponent).join('/')}`);
        expect(parseObjectKey(key)).toBe(key);
      }),
      { numRuns: 500 },
    );
  });
});

function parsedOrNothing(text: string): string | undefined {
  try {
    return parseObjectKey(text);
  } catch {
    return undefined;
  }
}

describe('the prefix of a listing', () => {
  test.each([
    { name: 'nothing is the whole bucket', text: '', prefix: '' },
    { name: 'a folder with its slash', text: 'a/b/', prefix: 'a/b/' },
    { name: 'a folder without it', text: 'a/b', prefix: 'a/b/' },
    { name: 'composed', text: 'cafe\u0301', prefix: 'caf\u00e9/' },
  ])('$name', ({ text, prefix }) => {
    expect(parseKeyPrefix(text)).toBe(prefix);
  });

  test.each(['/', '//', '/a', 'a//', '..', '../', 'a/../', 'a\\', 'a\0/'])(
    'may not be %j',
    (text) => {
      expect(() => parseKeyPrefix(text)).toThrow(
        expect.objectContaining({ code: 'INVALID_OBJECT_KEY' }),
      );
    },
  );
});

test.each([
  { text: '0198f0e2-1a2b-7c3d-8e4f-0123456789ab', is: true },
  { text: '0198F0E2-1A2B-7C3D-8E4F-0123456789AB', is: true },
  { text: '00000000-0000-0000-0000-000000000000', is: true },
  { text: '0198f0e21a2b7c3d8e4f0123456789ab', is: false },
  { text: '{0198f0e2-1a2b-7c3d-8e4f-0123456789ab}', is: false },
  { text: '0198f0e2-1a2b-7c3d-8e4f-0123456789ab\n', is: false },
  { text: '0198f0e2-1a2b-7c3d-8e4f-0123456789ab/a', is: false },
  { text: '0198f0e2-1a2b-7c3d-8e4f-0123456789ag', is: false },
  { text: '', is: false },
])('$text is a UUID: $is', ({ text, is }) => {
  expect(isUuid(text)).toBe(is);
});
