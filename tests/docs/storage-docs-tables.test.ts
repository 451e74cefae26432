// The tables of docs/storage.md: the settings of files with their defaults, and errors as they are.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { type ErrorCode, ERRORS } from '#libs/errors';
import { getGroup } from '#libs/settings';

type Field = ReturnType<typeof getGroup>['fields'][string];

const page = readFileSync('docs/storage.md', 'utf8');

/** The rows of the table whose head begins with this cell, each as its cells. */
function tableOf(head: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const rows: string[][] = [];
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  for (const line of start === -1 ? [] : lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}

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
  const shown = tableOf('`storage`').map(([name, value]) => [name, value]);
  expect(shown).toEqual(fieldsOf(getGroup('storage').fields));
});

test('errors have the statuses of the table of errors', () => {
  const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
  const table = tableOf('Code');
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
