import { expect, test } from 'vitest';

import { type Actual, type Expectation, isAsExpected } from './expectation.js';

const answered = (count: number | null, keys: readonly unknown[] | null = null): Actual => ({
  kind: 'answered',
  count,
  keys,
});
const refused: Actual = { kind: 'refused', code: '42501', message: 'no' };

test.each<{ name: string; expected: Expectation; actual: Actual; passes: boolean }>([
  {
    name: 'the number of rows',
    expected: { kind: 'rows', count: 2 },
    actual: answered(2),
    passes: true,
  },
  {
    name: 'another number',
    expected: { kind: 'rows', count: 2 },
    actual: answered(3),
    passes: false,
  },
  {
    name: 'a refusal instead of rows',
    expected: { kind: 'rows', count: 0 },
    actual: refused,
    passes: false,
  },
  {
    name: 'the keys in another order',
    expected: {
      kind: 'keys',
      keys: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    },
    actual: answered(2, [
      { b: 4, a: 3 },
      { b: 2, a: 1 },
    ]),
    passes: true,
  },
  {
    name: 'a key too many',
    expected: { kind: 'keys', keys: [{ id: 1 }] },
    actual: answered(2, [{ id: 1 }, { id: 2 }]),
    passes: false,
  },
  {
    name: 'a key too few',
    expected: { kind: 'keys', keys: [{ id: 1 }, { id: 2 }] },
    actual: answered(1, [{ id: 1 }]),
    passes: false,
  },
  {
    name: 'another key',
    expected: { kind: 'keys', keys: [{ id: 1 }] },
    actual: answered(1, [{ id: '1' }]),
    passes: false,
  },
  { name: 'no keys', expected: { kind: 'keys', keys: [] }, actual: answered(0), passes: false },
  { name: 'the code', expected: { kind: 'refused', code: '42501' }, actual: refused, passes: true },
  {
    name: 'another code',
    expected: { kind: 'refused', code: '23505' },
    actual: refused,
    passes: false,
  },
  {
    name: 'an answer',
    expected: { kind: 'refused', code: '42501' },
    actual: answered(0),
    passes: false,
  },
])('$name', ({ expected, actual, passes }) => {
  expect(isAsExpected(expected, actual)).toBe(passes);
});
