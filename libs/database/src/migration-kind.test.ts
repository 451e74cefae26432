import { expect, test } from 'vitest';

import { requirementOf } from './migration-kind.js';

test.each([
  {
    name: 'a file without a declaration expands',
    sql: '-- Adds a column.\nselect 1',
    required: undefined,
  },
  { name: 'a file can say that it expands', sql: '-- expand\nselect 1', required: undefined },
  { name: 'an empty file expands', sql: '', required: undefined },
  {
    name: 'a contraction names what a release must know',
    sql: '-- contract: requires 0064_names\ndrop table a',
    required: '0064_names',
  },
  {
    name: 'only the first line declares',
    sql: '-- Removes a table.\n-- contract: requires 0064_names',
    required: undefined,
  },
])('$name', ({ sql, required }) => {
  expect(requirementOf('0065_a', sql)).toBe(required);
});

test.each([
  '-- contract',
  '-- contract: requires',
  '-- contract: requires 64',
  '--contract: requires 0064_names',
  '-- Contract: requires 0064_names',
  '-- expand: all',
])('%s is refused', (line) => {
  expect(() => requirementOf('0065_a', `${line}\nselect 1`)).toThrow(
    `The first line of 0065_a is neither "-- expand" nor "-- contract: requires 0001_name": ${line}`,
  );
});
