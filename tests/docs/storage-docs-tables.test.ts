// The tables of docs/storage: the settings of files with their defaults, and errors as they are.
import { expect, test } from 'vitest';

import { type ErrorCode, ERRORS } from '#libs/errors';
import { getGroup } from '#libs/settings';

import { readTable } from '../support/markdown.js';
import { readPages } from './folder-pages.js';
import { settingsTable } from './settings-tables.js';

const text = readPages('docs/storage')
  .map((page) => page.text)
  .join('\n');

test('the table of settings has exactly the fields of the group, in their order, with their defaults', () => {
  const shown = readTable(text, '`storage`').map(([name, value]) => [name, value]);
  expect(shown).toEqual(settingsTable(getGroup('storage').fields));
});

test('errors have the statuses of the table of errors', () => {
  const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
  const table = readTable(text, 'Code');
  const wrong: string[] = [];
  for (const [codes = '', statuses = ''] of table) {
    const expected = statuses.split(', ').map(Number);
    for (const [place, code] of codes.replaceAll('`', '').split(', ').entries()) {
      const status = expected[place] ?? expected[0];
      if (!isOurs(code) || ERRORS[code].status !== status) wrong.push(code);
    }
  }
  expect(table.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
