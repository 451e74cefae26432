import { describe, expect, test } from 'vitest';

import { shownName } from './shown-name.js';

describe('a shown name', () => {
  test.each([
    {
      name: 'letters of any script stay',
      text: 'Größe 日本 עברית.png',
      shown: 'Größe 日本 עברית.png',
    },
    { name: 'markup stays text', text: '<img src=x onerror=1>', shown: '<img src=x onerror=1>' },
    {
      name: 'a mark that turns the direction',
      text: 'photo\u202egnp.exe',
      shown: 'photo\\u202Egnp.exe',
    },
    { name: 'a space without a width', text: 'a\u200bb', shown: 'a\\u200Bb' },
    { name: 'an isolate', text: '\u2067a\u2069', shown: '\\u2067a\\u2069' },
    { name: 'a mark of the order of bytes', text: '\ufeffa', shown: '\\uFEFFa' },
  ])('$name', ({ text, shown }) => {
    expect(shownName(text)).toBe(shown);
  });
});
