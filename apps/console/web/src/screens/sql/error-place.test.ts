import { expect, test } from 'vitest';

import { Problem } from '../../api/problem.js';
import { errorRange } from './error-place.js';

const at = (details: unknown) => new Problem('wrong', '42703', 400, undefined, undefined, details);
const sent = 'select 1;\nselect nothing from a';

test.each([
  { name: 'the word', details: { statement: 2, line: 2, column: 8 }, from: 0, word: [17, 24] },
  { name: 'in a selection', details: { line: 2, column: 8 }, from: 100, word: [117, 124] },
  { name: 'behind a prefix of ours', details: { line: 2, column: 8 }, from: -10, word: [7, 14] },
  { name: 'at the end', details: { line: 9, column: 99 }, from: 0, word: [31, 31] },
])('$name', ({ details, from, word }) => {
  const range = errorRange(at(details), sent, from);
  expect([range?.from, range?.to]).toEqual(word);
});

test('columns count characters', () => {
  expect(errorRange(at({ line: 1, column: 4 }), '😀a nothing', 0)).toEqual({ from: 4, to: 11 });
});

test.each([undefined, null, 'text', {}, { line: 1 }])('%s has no place', (details) => {
  expect(errorRange(at(details), sent, 0)).toBeUndefined();
});
