// What a new row gets where no value is given, and where it is begun.
import { describe, expect, test } from 'vitest';

import { column as sampleColumn } from '../project/sample-tables.js';
import type { SchemaColumn } from '../project/schema.js';
import { firstColumnOf, untouched } from './new-row.js';

const column = (type: string, fields: Partial<SchemaColumn> = {}): SchemaColumn =>
  sampleColumn('owner', { type, baseType: type, ...fields });

describe('a column without a value', () => {
  test.each([
    { name: 'nullable', of: {}, word: 'NULL', help: 'is NULL' },
    { name: 'not null', of: { isNullable: false }, word: 'needs a value', help: 'no default' },
    { name: 'with a default', of: { default: 'now()' }, word: 'default', help: 'Default: now()' },
    { name: 'numbered', of: { identity: 'always' }, word: 'default', help: 'numbers the row' },
    {
      name: 'computed',
      of: { isGenerated: true, default: 'a + 1' },
      word: 'computed',
      help: 'a + 1',
    },
    {
      name: 'of the user who writes',
      of: { default: 'auth.uid()' },
      word: 'default: NULL',
      help: 'An operator has no user id',
    },
    {
      name: 'of the user who writes, cast to text',
      of: { default: '(auth.uid())::text' },
      word: 'default: NULL',
      help: 'Give the id of a user',
    },
    {
      name: 'of the user who writes and not null',
      of: { default: 'auth.uid()', isNullable: false },
      word: 'needs a value',
      help: 'owner is not null: give the id of a user',
    },
    {
      name: 'with the user in a part of its default',
      of: { default: `COALESCE(auth.uid(), 'nobody'::text)` },
      word: 'default',
      help: 'An operator has no user id',
    },
  ] as const)('$name: $word', ({ of, word, help }) => {
    const found = untouched(column('text', of));
    expect(found.word).toBe(word);
    expect(found.help).toContain(help);
    expect(found.isMissing).toBe(word === 'needs a value');
  });
});

describe('a new row is begun in', () => {
  const id = column('bigint', { name: 'id', identity: 'always' });
  const made = column('timestamp with time zone', { name: 'made', default: 'now()' });
  const facts = column('jsonb', { name: 'facts' });
  const title = column('text', { name: 'title' });
  const double = column('bigint', { name: 'double', isGenerated: true });

  test.each([
    { name: 'the first column without a default', shown: [id, made, facts, title], first: 'title' },
    {
      name: 'the first one that a cell edits, if all have defaults',
      shown: [double, id, made],
      first: 'id',
    },
    { name: 'no column, if no cell is edited', shown: [double, facts], first: undefined },
  ])('$name', ({ shown, first }) => {
    expect(firstColumnOf(shown)).toBe(first);
  });
});
