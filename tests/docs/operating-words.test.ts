// docs/operating.md names statuses, codes, lines of the log, figures and variables: each of them is in the code.
import { expect, test } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';

import { ERRORS } from '#libs/errors';

const text = readFileSync('docs/operating.md', 'utf8');
const sources = ['bin', 'libs', 'apps/api/src', 'apps/console/server/src', 'apps/worker/src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const configuration = readFileSync('docs/configuration.md', 'utf8');

const quoted = [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words))];
const codes: Readonly<Record<string, { readonly status: number }>> = ERRORS;
const names = quoted.filter((words) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(words));

test.each(names)('%s is a code or a variable', (name) => {
  expect(name in codes || configuration.includes(`\`${name}\``)).toBe(true);
});

const answers = [...text.matchAll(/\b([45]\d\d) `([A-Z][A-Z_]+)`/g)];
test.each(answers.map(([, status, code]) => ({ status: Number(status), code: String(code) })))(
  '$status $code',
  ({ status, code }) => {
    expect(codes[code]?.status).toBe(status);
  },
);

// Sentences that the product writes: two words or more, without what a reader types. Parts in angle brackets, and
// what follows an ellipsis, differ each time.
const commands =
  /^(?:GET|POST|PUT|PATCH|DELETE|kill|journalctl|rowhouse |alter |create |drop |export |vacuum )/;
const foreignSentences = new Set([
  'too many connections for role',
  'remaining connection slots are reserved',
  'terminating connection due to administrator command',
]);
const sentences = quoted.filter(
  (words) =>
    /^[\p{L}…"]+(?: [^=|]+)+$/u.test(words) &&
    !commands.test(words) &&
    !foreignSentences.has(words),
);
const fixedParts = (words: string): readonly string[] =>
  words
    .split(/…|<[^>]+>|\d+/)
    .map((part) => part.replace(/^[\s:]+|\s+$/g, ''))
    .filter((part) => part.length > 6);

test.each(sentences)('the product writes: %s', (words) => {
  const missing = fixedParts(words).filter((part) => !sources.includes(part));
  expect(missing).toEqual([]);
});

test.each(quoted.filter((words) => words.startsWith('rowhouse_')))('%s is a figure', (words) => {
  const [name = ''] = words.split('{');
  const isDefault = /^rowhouse_(?:process|nodejs)_/.test(name);
  expect(isDefault || sources.includes(`'${name}'`)).toBe(true);
});
