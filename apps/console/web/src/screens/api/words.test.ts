import { describe, expect, test } from 'vitest';

import {
  encoded,
  filterName,
  objectLiteral,
  shellWord,
  textLiteral,
  valueLiteral,
} from './words.js';

/** The value of an expression of JavaScript. */
// oxlint-disable-next-line typescript/no-implied-eval -- the test is whether the text means the value
const valueOf = (code: string): unknown => new Function(`return (${code})`)();

const texts = [
  'plain',
  `it's`,
  'say "x"',
  'back\\slash',
  '`${1}`',
  'line\nend\r\u2028\u2029',
  '</script>',
  '__proto__',
  'Ä 🜂',
  '',
];

describe('a text as TypeScript', () => {
  test.each(texts)('%j is itself', (text) => {
    expect(valueOf(textLiteral(text))).toBe(text);
    expect(textLiteral(text)).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(valueOf(valueLiteral([text, 1, true, {}]))).toEqual([text, 1, true, {}]);
  });

  test('plain texts are in single quotes', () => {
    expect(textLiteral('orders')).toBe(`'orders'`);
    expect(textLiteral('svc_publishable_…')).toBe(`'svc_publishable_…'`);
  });
});

test('an object has exactly its names, also __proto__ and those that are no identifiers', () => {
  const entries = texts.map((name) => [name, textLiteral(name)] as const);
  const made = Object.entries(Object(valueOf(objectLiteral(entries, '  '))));
  expect(made).toEqual(texts.map((name) => [name, name]));
  expect(objectLiteral([], '')).toBe('{}');
});

test.each([
  { name: 'id', filter: 'id' },
  { name: 'Server Today', filter: 'Server Today' },
  { name: 'größe', filter: 'größe' },
  { name: 'order', filter: '"order"' },
  { name: 'a.b', filter: '"a.b"' },
  { name: ' a', filter: '" a"' },
  { name: 'a"\\', filter: '"a\\"\\\\"' },
])('the column $name is the filter $filter', ({ name, filter }) => {
  expect(filterName(name)).toBe(filter);
});

test('a word of the shell and an address hold any text', () => {
  expect(shellWord(`a'b $(c)`)).toBe(`'a'\\''b $(c)'`);
  expect(encoded('a b/ä?&\uD800')).toBe('a%20b%2F%C3%A4%3F%26%EF%BF%BD');
});
