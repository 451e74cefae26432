// The scan agrees with JSON.parse about what is JSON, and finds the members that JSON.parse finds.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { finish, stepChars } from '#libs/steps';
import { scanJson, type ScannedValue } from './json-scan.js';

/** The bytes of a text that begins at `offset` of other bytes and has quotes and backslashes around it. */
function bytesOf(text: string, offset: number): Buffer {
  const all = Buffer.from(`${'"'.repeat(offset)}${text}"\\"`);
  return all.subarray(offset, all.length - 3);
}

function membersOf(text: string, offset = 0): Map<string | undefined, string> {
  const members = new Map<string | undefined, string>();
  const bytes = bytesOf(text, offset);
  finish(
    scanJson(bytes, 1, ({ depth, key, start, end }) => {
      if (depth === 1) members.set(key, bytes.toString('utf8', start, end));
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
  '日本',
  '🪐',
  '\u007f',
  '\u0080',
  'a longer run of letters ',
  '"a longer run of letters"',
  '"a longer run of letters":',
);
/** Where a text begins; four bytes of a string are read at once. */
const offset = fc.nat({ max: 7 });

const name = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  // Aa and BB have the same hash.
  fc.constantFrom('a', 'b', 'Aa', 'BB', 'größe', 'line\n', 'x'.repeat(64), 'x'.repeat(65)),
);

describe('what is JSON', () => {
  test('is what JSON.parse takes: random pieces', () => {
    const pieces = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pieces, offset, (text, from) => {
        expect(isJson(() => membersOf(text, from))).toBe(isJson(() => JSON.parse(text)));
      }),
      { numRuns: 3_000 },
    );
  });

  test('is what JSON.stringify writes, and its members are found as they are written', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), offset, (value, from) => {
        const members = [...membersOf(JSON.stringify(value, null, 1), from)];
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
      for (let from = 0; from < 4; from++) {
        expect(isJson(() => membersOf(json, from))).toBe(isJson(() => JSON.parse(json)));
      }
      if (isJson(() => JSON.parse(json))) {
        const members = [...membersOf(json)].map(([key, raw]) => [key, JSON.parse(raw) as unknown]);
        expect(Object.fromEntries(members)).toEqual(JSON.parse(json));
      }
    }
  });
});

test('the names of rows are found in every row', () => {
  const row = fc.dictionary(name, fc.constantFrom(1, 'a text', null, {}));
  fc.assert(
    fc.property(fc.array(row), offset, (rows, from) => {
      const bytes = bytesOf(JSON.stringify(rows), from);
      const found: string[] = [];
      finish(
        scanJson(bytes, 2, ({ depth, key }) => {
          if (depth === 2 && key !== undefined) found.push(key);
        }),
      );
      expect(found).toEqual(rows.flatMap((each) => Object.keys(each)));
    }),
    { numRuns: 300 },
  );
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
  const steps = scanJson(Buffer.from(text), 0, (value) => seen.push(value));
  let count = 1;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThanOrEqual(Math.floor(text.length / stepChars));
  expect(seen).toEqual([{ depth: 0, key: undefined, start: 0, end: text.length }]);
});
