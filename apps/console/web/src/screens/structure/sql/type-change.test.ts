import { expect, test } from 'vitest';

import { mayLoseValues } from './type-change.js';

test.each([
  ['integer', 'bigint', false],
  ['int4', 'int8', false],
  ['bigint', 'integer', true],
  ['integer', 'text', false],
  ['text', 'integer', true],
  ['character varying(20)', 'varchar(40)', false],
  ['character varying(40)', 'varchar(20)', true],
  ['text', 'varchar(20)', true],
  ['timestamptz', 'timestamp with time zone', false],
  ['timestamp with time zone', 'date', true],
  ['numeric(10,2)', 'numeric(10, 2)', false],
  ['numeric(10,2)', 'numeric(8,2)', true],
  ['public.mood', 'public.other', true],
])('a change from %s to %s may lose values: %s', (from, to, isLossy) => {
  expect(mayLoseValues(from, to)).toBe(isLossy);
});
