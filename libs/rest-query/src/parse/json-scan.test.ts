// The scan agrees with JSON.parse about what is JSON, and finds the members that JSON.parse finds.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { finish, stepChars } from '#libs/steps';
import { scanJson, type ScannedValue } from './json-scan.js';

function membersOf(text: string): Map<string | undefined, string> {
  const members = new Map<string | undefined, string>();
  finish(
    scanJson(text, 1, ({ depth, key, start, end }) => {
      if (depth === 1) members.set(key, text.slice(start, end));
    }),
  );
  return members;
}

function isJson(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const fragment = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  ' ',
  '\n',
  '\t',
  '\u0001',
  '\u00a0',
  '"a"',
  '"b"',
  '\\"',
  '\\u0041',
  '\\u00',
  '\\x',
  '0',
  '01',
  '-',
  '1.5',
  '.5',
  '1e5',
  '1e',
  'true',
  'nul',
  'null',
  'false',
  '{}',
  '[]',
  '{"a":1}',
  '[1,2]',
  '"a":',
  'é',
  '\ud800',
);

describe('what is JSON', () => {
  test('is what JSON.parse takes: random pieces', () => {
    const pieces = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pieces, (text) => {
        expect(isJson(() => membersOf(text))).toBe(isJson(() => JSON.parse(text)));
      }),
      { numRuns: 3_000 },
    );
  });

  test('is what JSON.stringify writes, and its members are found as they are written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const members = [...membersOf(JSON.stringify(value, null, 1))];
        const parsed = members.map(([key, raw]) => [key, JSON.parse(raw) as unknown]);
        expect(new Map(parsed as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(JSON.stringify(value)) as object)),
        );
      }),
      { numRuns: 300 },
    );
  });
});

test('a text is nested at most 1,000 levels', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(isJson(() => membersOf(nested(1_000)))).toBe(true);
  expect(() => membersOf(nested(1_001))).toThrow(/nested deeper than 1000 levels/);
});

describe('a string at the end of a step', () => {
  test.each([
    { name: 'of letters', text: 'x' },
    { name: 'with an escape', text: '\\n' },
    { name: 'with an escaped quote', text: '\\"' },
    { name: 'with a control character', text: '\u0001' },
    { name: 'with a line feed', text: '\n' },
  ])('$name is read as JSON.parse reads it', ({ text }) => {
    for (let before = stepChars - 8; before < stepChars + 4; before++) {
      const json = `{"a":"${'x'.repeat(before)}${text}y","b":"${text}","c":"${'z'.repeat(stepChars)}"}`;
      expect(isJson(() => membersOf(json))).toBe(isJson(() => JSON.parse(json)));
      if (isJson(() => JSON.parse(json))) {
        const members = [...membersOf(json)].map(([key, raw]) => [key, JSON.parse(raw) as unknown]);
        expect(Object.fromEntries(members)).toEqual(JSON.parse(json));
      }
    }
  });
});

const size = 1_000_000;
test.each([
  { name: 'a long string', text: `["${'x'.repeat(size)}"]` },
  { name: 'escapes', text: `["${'\\n'.repeat(size / 2)}"]` },
  { name: 'empty objects', text: `[${'{},'.repeat(size / 3)}{}]` },
  { name: 'blanks', text: `[${' '.repeat(size)}]` },
  { name: 'members', text: `[${'{"a":1},'.repeat(size / 8)}{"a":1}]` },
])('$name are read in steps', ({ text }) => {
  const seen: ScannedValue[] = [];
  const steps = scanJson(text, 0, (value) => seen.push(value));
  let count = 1;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThanOrEqual(Math.floor(text.length / stepChars));
  expect(seen).toEqual([{ depth: 0, key: undefined, start: 0, end: text.length }]);
});
