import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { contentRange, resolveRange } from './ranges.js';

const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };
const part = (start: number, end: number) => ({ kind: 'part', start, end });

describe('of 100 bytes', () => {
  test.each([
    { name: 'both ends are included', range: 'bytes=0-9', gives: part(0, 9) },
    { name: 'one byte', range: 'bytes=5-5', gives: part(5, 5) },
    { name: 'to the end', range: 'bytes=90-', gives: part(90, 99) },
    { name: 'all', range: 'bytes=0-', gives: part(0, 99) },
    { name: 'an end beyond the end', range: 'bytes=90-1000', gives: part(90, 99) },
    { name: 'the last ones', range: 'bytes=-10', gives: part(90, 99) },
    { name: 'more last ones than there are', range: 'bytes=-1000', gives: part(0, 99) },
    { name: 'leading zeros', range: 'bytes=000-009', gives: part(0, 9) },
    { name: 'the unit in capital letters', range: 'BYTES=0-9', gives: part(0, 9) },
    { name: 'spaces around', range: ' bytes=0-9 ', gives: part(0, 9) },
    { name: 'an empty entry', range: 'bytes=,0-9,', gives: part(0, 9) },
    {
      name: 'more digits than a number holds',
      range: `bytes=1-${'9'.repeat(400)}`,
      gives: part(1, 99),
    },
    { name: 'the first byte behind the end', range: 'bytes=100-', gives: unsatisfiable },
    { name: 'far behind the end', range: `bytes=${'9'.repeat(400)}-`, gives: unsatisfiable },
    { name: 'no last ones', range: 'bytes=-0', gives: unsatisfiable },
    { name: 'several behind the end', range: 'bytes=100-, 200-300', gives: unsatisfiable },
    { name: 'several', range: 'bytes=0-0,5-5', gives: whole },
    { name: 'several that touch', range: 'bytes=0-4,5-9', gives: whole },
    { name: 'one of several behind the end', range: 'bytes=0-9,100-', gives: whole },
    { name: 'the end before the start', range: 'bytes=9-0', gives: whole },
    { name: 'one of several malformed', range: 'bytes=100-,x', gives: whole },
    { name: 'no range', range: 'bytes=', gives: whole },
    { name: 'only commas', range: 'bytes=,,', gives: whole },
    { name: 'a dash alone', range: 'bytes=-', gives: whole },
    { name: 'letters', range: 'bytes=a-b', gives: whole },
    { name: 'a sign', range: 'bytes=+0-9', gives: whole },
    { name: 'two dashes', range: 'bytes=--9', gives: whole },
    { name: 'a fraction', range: 'bytes=0.5-9', gives: whole },
    { name: 'hexadecimal digits', range: 'bytes=0x0-0x9', gives: whole },
    { name: 'spaces within', range: 'bytes=0 - 9', gives: whole },
    { name: 'digits of another script', range: 'bytes=٠-٩', gives: whole },
    { name: 'another unit', range: 'items=0-9', gives: whole },
    { name: 'no unit', range: '0-9', gives: whole },
    { name: 'nothing', range: '', gives: whole },
  ])('$name', ({ range, gives }) => {
    expect(resolveRange(range, 100)).toEqual(gives);
  });
});

describe('of an empty object', () => {
  test.each([
    { name: 'from the beginning', range: 'bytes=0-', gives: whole },
    { name: 'some from the beginning', range: 'bytes=0-9', gives: whole },
    { name: 'the last ones', range: 'bytes=-5', gives: whole },
    { name: 'from further on', range: 'bytes=1-', gives: unsatisfiable },
  ])('$name', ({ range, gives }) => {
    expect(resolveRange(range, 0)).toEqual(gives);
  });
});

test('a part lies within the object and is what was asked for', () => {
  const number = fc.oneof(fc.nat(30), fc.bigInt(0n, 10n ** 20n));
  const range = fc.oneof(
    fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
    number.map((first) => `bytes=${first}-`),
    number.map((last) => `bytes=-${last}`),
    fc
      .string({ unit: fc.constantFrom('0', '1', '9', '-', ',', ' ') })
      .map((text) => `bytes=${text}`),
  );
  const bytes = (size: number) => Array.from({ length: size }, (_byte, at) => at);
  fc.assert(
    fc.property(range, fc.nat(30), (header, size) => {
      const asked = resolveRange(header, size);
      if (asked.kind !== 'part') return;
      expect(asked.start).toBeGreaterThanOrEqual(0);
      expect(asked.end).toBeGreaterThanOrEqual(asked.start);
      expect(asked.end).toBeLessThan(size);
      const [, first = '', last = ''] = /(\d*)-(\d*)/.exec(header) ?? [];
      const expected =
        first === ''
          ? bytes(size).slice(-Number(last))
          : bytes(size).slice(Number(first), last === '' ? size : Number(last) + 1);
      expect(bytes(size).slice(asked.start, asked.end + 1)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('white space inside of a range takes no time', () => {
  const inside = `bytes=1${' '.repeat(500_000)}x`;
  expect(resolveRange(inside, 10)).toEqual({ kind: 'whole' });
});

test('Content-Range', () => {
  expect(contentRange({ start: 0, end: 9 }, 100)).toBe('bytes 0-9/100');
  expect(contentRange(undefined, 100)).toBe('bytes */100');
});
