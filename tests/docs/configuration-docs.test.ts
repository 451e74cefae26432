// The table of docs/configuration.md: a default that it gives changes nothing when it is set.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { parseEnv } from '../../bin/env.js';

const rows = readFileSync('docs/configuration.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
/** What a variable needs beside it; its default is compared with the same surroundings. */
const surroundings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  S3_REGION: { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  SMTP_PROJECTS: { SMTP_HOST: 'mail.example.com', SMTP_FROM: 'me@example.com' },
};
/** Only read together with a password; the first start has its default (`tests/start/first-run.pg.test.ts`). */
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
