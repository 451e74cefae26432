// The table of docs/configuration.md: a default that it gives changes nothing when it is set.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { parseEnv } from '../../bin/env.js';
import { describeEnv, ENV_VARIABLES } from '../../bin/env-variables.js';

const rows = readFileSync('docs/configuration.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
/** What a variable needs beside it; its default is compared with the same surroundings. */
const surroundings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  S3_REGION: { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  SMTP_PROJECTS: { SMTP_HOST: 'mail.example.com', SMTP_FROM: 'me@example.com' },
};
/** Only read together with a password; the first start has its default (`tests/start/first-run.long.test.ts`). */
const needsPassword = 'OPERATOR_EMAIL';
const defaults = rows.flatMap(([, names = '', cell = '']) => {
  const value = /^`([^`<]+)`$/.exec(cell)?.[1];
  const name = names.replaceAll('`', '');
  return value === undefined || name === needsPassword ? [] : [{ name, value }];
});

test('the table has defaults', () => expect(defaults.length).toBeGreaterThan(15));

test('every row has a default and a meaning', () => {
  const incomplete = rows.filter(([, , cell, meaning]) => !cell || !meaning);
  expect(incomplete).toEqual([]);
});

test.each(defaults)('$name is $value by default', ({ name, value }) => {
  const beside = surroundings[name] ?? {};
  expect(parseEnv({ ...beside, [name]: value })).toEqual(parseEnv(beside));
});

/** The text of a cell without its links: a reference to another page goes, the text of other links stays. */
const withoutLinks = (cell: string): string =>
  cell
    .replaceAll(/ ?\(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replaceAll(/ ?See \[[^\]]+\]\([^)]+\)\./g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');

test('the console shows the same names, defaults and meanings', () => {
  const documented = rows.flatMap(([, names = '', value = '', meaning = '']) =>
    [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => ({
      name,
      default: withoutLinks(value),
      meaning: withoutLinks(meaning),
    })),
  );
  expect(ENV_VARIABLES.map(({ isSecret: _isSecret, ...variable }) => variable)).toEqual(documented);
});

test('what is read as a secret, or as a URL that may contain one, is never shown', () => {
  const read = readFileSync('bin/env.ts', 'utf8').matchAll(
    /reader\.(?:secret|url)\(\s*'([A-Z0-9_]+)'/g,
  );
  const hidden = new Set(ENV_VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  const names = [...read].map(([, name]) => String(name));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !hidden.has(name))).toEqual([]);
  expect([...hidden].filter((name) => !names.includes(name))).toEqual(['ROWHOUSE_SECRET_KEY']);
  const given = describeEnv(Object.fromEntries([...hidden].map((name) => [name, `hush ${name}`])));
  expect(JSON.stringify(given)).not.toContain('hush');
});
