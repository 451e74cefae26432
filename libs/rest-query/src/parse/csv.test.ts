// CSV is read in steps, and a step may end anywhere.
import { describe, expect, test } from 'vitest';

import { finish, stepChars } from '#libs/steps';
import { readCsv } from './csv.js';

const rowsOf = (text: string): unknown => JSON.parse(finish(readCsv(text)).json);

describe('a field across the end of a step', () => {
  test.each([
    { name: 'plain', field: 'abcdefgh', value: 'abcdefgh' },
    { name: 'NULL', field: 'NULL', value: null },
    { name: 'NULLABLE', field: 'NULLABLE', value: 'NULLABLE' },
    { name: 'quoted', field: '"ab,c\r\nd"', value: 'ab,c\r\nd' },
    { name: 'quotes inside', field: '"a""""b"""', value: 'a""b"' },
    { name: 'a letter of two units', field: 'a🪐b', value: 'a🪐b' },
    { name: 'the same in quotes', field: '"a🪐b"', value: 'a🪐b' },
    { name: 'empty', field: '', value: null },
  ])('$name', ({ field, value }) => {
    for (let shift = 0; shift <= field.length + 2; shift++) {
      const filler = 'x'.repeat(stepChars - 4 - shift);
      expect(rowsOf(`a,b\n${filler},${field}\n1,2\n`)).toEqual([
        { a: filler, b: value },
        { a: '1', b: '2' },
      ]);
    }
  });
});

const size = 1_000_000;
test.each([
  { name: 'empty fields', text: `a,b,c\n${',,\n'.repeat(size / 3)}` },
  { name: 'short rows', text: `a\n${'1\n'.repeat(size / 2)}` },
  { name: 'one long field', text: `a\n${'x'.repeat(size)}` },
  { name: 'one long quoted field', text: `a\n"${'""'.repeat(size / 2)}"` },
])('$name are read in steps', ({ text }) => {
  const steps = readCsv(text);
  let count = 1;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThanOrEqual(Math.floor(text.length / stepChars));
});

function stepsOf(text: string): number {
  const steps = readCsv(text);
  for (let count = 1; ; count++) {
    try {
      if (steps.next().done) return count;
    } catch {
      return count;
    }
  }
}

test('a step makes a few thousand rows at most', () => {
  expect(stepsOf(`a\n${'\n'.repeat(100_000)}`)).toBeGreaterThanOrEqual(20);
});

test.each([
  { name: 'plain', field: '\u0001'.repeat(10_000_000) },
  { name: 'quoted', field: `"${'\u0001'.repeat(10_000_000)}"` },
])('a $name field whose JSON gets too long is not read to its end', ({ field }) => {
  // A control character is six characters of JSON.
  expect(stepsOf(`a\n${field}`)).toBeLessThan(0.6 * stepsOf(`a\n${'x'.repeat(field.length)}`));
});

test.each([
  { name: 'a wide header', text: `${'a'.repeat(60)}\n${'\n'.repeat(1_000_000)}`, reason: /32 MB/ },
  {
    name: 'too many columns',
    text: Array.from({ length: 1_601 }, (_unused, i) => `c${i}`).join(','),
    reason: /more than 1600 columns/,
  },
  { name: 'ten million commas', text: ','.repeat(10_000_000), reason: /a column has no name/ },
])('$name is refused', ({ text, reason }) => {
  expect(() => finish(readCsv(text))).toThrow(reason);
});
