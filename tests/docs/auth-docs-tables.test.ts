// The tables of docs/auth: every setting of the accounts with its default, every mail, and errors as they are.
import { expect, test } from 'vitest';

import { type ErrorCode, ERRORS } from '#libs/errors';
import { MAIL_KIND_NAMES, MAIL_KINDS } from '#libs/mail-templates';
import { getGroup, type GroupName, SETTINGS_GROUPS } from '#libs/settings';

import { readTable } from '../support/markdown.js';
import { readPages } from './folder-pages.js';
import { shownFields } from './settings-tables.js';

const text = readPages('docs/auth')
  .map((page) => page.text)
  .join('\n');
/** Groups whose parts all have the same fields: the page shows these once, below this name. */
const PATTERNS: Partial<Record<GroupName, string>> = {
  'auth.social': '<provider>',
  'auth.hooks': '<hook>',
};
/** Settings that belong to other pages. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'api.rest',
  'functions',
  'realtime',
  'security.keys',
  'storage',
]);
/** A table of its own: kinds as rows, fields as columns. */
const limits = 'auth.rateLimits';
const mails = 'email.templates';

/** The defaults in the table of a group, by the names in their first cells. */
function tableOf(group: string): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [names = '', shown = ''] of readTable(text, `\`${group}\``)) {
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) table.set(name, shown);
  }
  return table;
}

const groups = SETTINGS_GROUPS.map(({ name }) => name).filter(
  (name) => !ELSEWHERE.has(name) && name !== limits && name !== mails,
);

test.each(groups)('%s', (name) => {
  const table = tableOf(name);
  const pattern = PATTERNS[name];
  for (const { path, shown } of shownFields(getGroup(name).fields)) {
    const common = pattern === undefined ? path : path.replace(/^\w+/, pattern);
    expect([path, table.get(path) ?? table.get(common)]).toEqual([
      path,
      table.has(path) ? shown : expect.any(String),
    ]);
    if (pattern === undefined) expect([path, table.has(path)]).toEqual([path, true]);
  }
});

test.each(Object.keys(getGroup('auth.social').fields))('the provider %s is named', (provider) => {
  expect(text).toContain(`\`${provider}\``);
});

test(limits, () => {
  const rows = readTable(text, `\`${limits}\``);
  for (const [name, field] of Object.entries(getGroup(limits).fields)) {
    if (field.kind !== 'object') {
      expect(text).toContain(`\`${name}\` (${'default' in field ? String(field.default) : ''})`);
      continue;
    }
    const numbers = shownFields(field.fields).map(({ shown }) => shown.replaceAll('`', ''));
    const row = rows.find(([first]) => first === `\`${name}\``);
    expect([name, row?.slice(1, 4)]).toEqual([name, numbers]);
  }
});

test('every mail has a row with what its template needs', () => {
  const rows = readTable(text, 'Kind');
  const shown = MAIL_KIND_NAMES.map((kind) => {
    const row = rows.find(([first]) => first === `[\`${kind}\`](../images/auth/${kind}.png)`);
    return [kind, row?.[1]];
  });
  const needs = MAIL_KIND_NAMES.map((kind) => {
    const [names = []] = MAIL_KINDS[kind].needs;
    return [kind, names.map((name) => `\`{{ ${name} }}\``).join(' ')];
  });
  expect(shown).toEqual(needs);
});

test('errors have the statuses of the table of errors', () => {
  const isOurs = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
  const table = readTable(text, 'Code');
  const wrong: string[] = [];
  for (const [codes = '', statuses = ''] of table) {
    const expected = statuses.split(', ').map(Number);
    for (const [place, code] of codes.replaceAll('`', '').split(', ').entries()) {
      const status = expected[place] ?? expected[0];
      if (isOurs(code) && ERRORS[code].status !== status) wrong.push(code);
    }
  }
  expect(table.length).toBeGreaterThan(15);
  expect(wrong).toEqual([]);
});
