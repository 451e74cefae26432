import { expect, test } from 'vitest';

import { commentText, quoteName, quoteText } from './quote.js';

test.each([
  ['notes', 'notes'],
  ['Notes', '"Notes"'],
  ['user', '"user"'],
  ['order', '"order"'],
  ['left', '"left"'],
  ['authorization', '"authorization"'],
  ['two words', '"two words"'],
  ['a"b', '"a""b"'],
  ['1st', '"1st"'],
  ['größe', '"größe"'],
  ['<script>alert(1)</script>', '"<script>alert(1)</script>"'],
])('the name %s is written %s', (name, written) => {
  expect(quoteName(name)).toBe(written);
});

test.each([
  ['plain', `'plain'`],
  [`it's`, `'it''s'`],
  [String.raw`a\b`, String.raw`E'a\\b'`],
  [`'; drop table notes; --`, `'''; drop table notes; --'`],
])('the text %s is written %s', (text, written) => {
  expect(quoteText(text)).toBe(written);
});

test('no comment is null', () => {
  expect([commentText(null), commentText(''), commentText('x')]).toEqual(['null', 'null', `'x'`]);
});
