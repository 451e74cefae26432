// The tables of docs/functions.md: the settings of functions with their defaults, and errors as they are.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { type ErrorCode, ERRORS } from '#libs/errors';
import { getGroup } from '#libs/settings';

import { readTable } from '../support/markdown.js';
import { settingsTable } from './settings-tables.js';

const text = readFileSync('docs/functions.md', 'utf8');

test('the table of settings has exactly the fields of the group, in their order, with their defaults', () => {
  const shown = readTable(text, '`functions`').map(([name, value]) => [name, value]);
  expect(shown).toEqual(settingsTable(getGroup('functions').fields));
});

test('errors have the statuses of the table of errors', () => {
  const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
  const table = readTable(text, 'Code');
  const wrong = table.filter(([cell = '', status]) => {
    const code = cell.replaceAll('`', '');
    return !isOurs(code) || ERRORS[code].status !== Number(status);
  });
  expect(table).toHaveLength(19);
  expect(wrong).toEqual([]);
});
