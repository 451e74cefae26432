import { describe, expect, test } from 'vitest';

import { metadataChange, metadataText, parseMetadata } from './metadata.js';

describe('parseMetadata', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    [metadataText({ a: [1], b: { c: null } }), { a: [1], b: { c: null } }],
  ])('%j is metadata', (text, value) => {
    expect(parseMetadata(text)).toEqual({ value });
  });

  test.each(['[]', 'null', '3', '"a"', '{a:1}', '{'])('%j is a problem', (text) => {
    expect(parseMetadata(text)).toEqual({ problem: expect.any(String) });
  });
});

describe('metadataChange', () => {
  test.each([
    { name: 'nothing', before: { a: 1 }, after: { a: 1 }, change: undefined },
    { name: 'a new name', before: {}, after: { a: 1 }, change: { a: 1 } },
    {
      name: 'another value',
      before: { a: { b: 1 } },
      after: { a: { b: 2 } },
      change: { a: { b: 2 } },
    },
    { name: 'a name that is gone', before: { a: 1, b: 2 }, after: { b: 2 }, change: { a: null } },
  ])('$name', ({ before, after, change }) => {
    expect(metadataChange(before, after)).toEqual(change);
  });
});
