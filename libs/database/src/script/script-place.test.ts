import { expect, test } from 'vitest';

import { finish } from '#libs/steps';

import { placeOf } from './script-place.js';
import { splitStatements } from './split-statements.js';

const script = "-- first\nselect 1;\n\n  select '🚀', wrong;\nselect 2";

test.each([
  { name: 'the first character', position: 1, place: { statement: 1, line: 1, column: 1 } },
  { name: 'the first statement', position: 10, place: { statement: 1, line: 2, column: 1 } },
  // The rocket is one character for PostgreSQL and two units here.
  {
    name: 'behind a character of two units',
    position: 35,
    place: { statement: 2, line: 4, column: 15 },
  },
  { name: 'the end', position: 1000, place: { statement: 3, line: 5, column: 9 } },
])('a position in the script: $name', ({ position, place }) => {
  const point = { kind: 'position', position, sentFrom: 0 } as const;
  expect(placeOf(script, finish(splitStatements(script)), point)).toEqual(place);
});

test('a position in a statement that was sent alone', () => {
  const statements = finish(splitStatements(script));
  const sentFrom = statements[1]?.start ?? 0;
  const point = { kind: 'position', position: 13, sentFrom } as const;
  expect(placeOf(script, statements, point)).toEqual({ statement: 2, line: 4, column: 15 });
});

test.each([
  { name: 'the first', index: 0, place: { statement: 1, line: 2, column: 1 } },
  { name: 'another', index: 1, place: { statement: 2, line: 4, column: 3 } },
  { name: 'the end of the script', index: 3, place: { statement: 3, line: 5, column: 1 } },
])('a statement without a position: $name', ({ index, place }) => {
  expect(placeOf(script, finish(splitStatements(script)), { kind: 'statement', index })).toEqual(
    place,
  );
});

test.each([
  { name: 'line breaks', part: '\n' },
  { name: 'letters', part: 'ü' },
])('the place behind a megabyte of $name is found in a moment', ({ part }) => {
  const long = part.repeat(1024 * 1024);
  const point = { kind: 'position', position: long.length, sentFrom: 0 } as const;
  // Character by character for each line, this would take longer than a test may.
  expect(placeOf(long, [{ words: [], start: 0, end: long.length }], point)).toMatchObject({
    statement: 1,
  });
});

test('a script of nothing has no place', () => {
  expect(placeOf('-- no', [], { kind: 'statement', index: 0 })).toBeUndefined();
});
