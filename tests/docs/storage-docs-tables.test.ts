// The tables of docs/storage: the settings of files with their defaults, and errors as they are.
import { expect, test } from 'vitest';

import { type ErrorCode, ERRORS } from '#libs/errors';
import { getGroup } from '#libs/settings';

import { readTable } from '../support/markdown.js';
import { readPages } from './folder-pages.js';

type Field = ReturnType<typeof getGroup>['fields'][string];

const text = readPages('docs/storage')
  .map((page) => page.text)
  .join('\n');

/** The fields of a group by their full names, with their defaults as the page writes them. */
function fieldsOf(fields: Readonly<Record<string, Field>>, prefix = ''): readonly string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    if (field.kind === 'object') return fieldsOf(field.fields, `${path}.`);
    const value = 'default' in field ? field.default : undefined;
    return [[`\`${path}\``, value === undefined ? '' : `\`${JSON.stringify(value)}\``]];
  });
}

test('the table of settings has exactly the fields of the group, in their order, with their defaults', () => {
  const shown = readTable(text, '`storage`').map(([name, value]) => [name, value]);
  expect(shown).toEqual(fieldsOf(getGroup('storage').fields));
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
