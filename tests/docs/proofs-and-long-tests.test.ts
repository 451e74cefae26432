// The decisions about proofs and long tests list all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const files = ['apps', 'bench', 'bin', 'libs', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    join(folder, file).replaceAll('\\', '/'),
  ),
);

/** The tests of a kind, such as `tests/http/hostile-bodies`. */
function testsOf(kind: 'proof' | 'long'): readonly string[] {
  const ending = `.${kind}.test.ts`;
  const found = files.filter((file) => file.endsWith(ending));
  return found.map((file) => file.slice(0, -ending.length)).toSorted();
}

/** What is in backticks in each cell of the first table that begins behind `start`. */
function tableIn(page: string, start: string): readonly (readonly (readonly string[])[])[] {
  const text = readFileSync(join('docs/decisions', page), 'utf8');
  const lines = text.slice(text.indexOf(start)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('| ---'));
  const rows = lines.slice(first + 1);
  return rows.slice(0, rows.indexOf('')).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '')),
  );
}

test('decision 56 lists the proofs', () => {
  const rows = tableIn('0056-where-tests-spend-their-time.md', '\n| Proof ');
  expect(rows.flatMap(([proof = []]) => proof).toSorted()).toEqual(testsOf('proof'));
});

test('decision 76 lists the long tests', () => {
  const rows = tableIn('0076-long-tests.md', '\n## All of them\n');
  const listed = rows.flatMap(([folders = [], names = []]) =>
    folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)),
  );
  expect(listed.toSorted()).toEqual(testsOf('long'));
});

test('what is both a proof and a long test is one of each kind in the long test', () => {
  const proofs = testsOf('proof');
  expect(testsOf('long').filter((path) => proofs.includes(path))).toEqual([
    'tests/http/hostile-bodies',
    'tests/isolation/catalog-plans',
  ]);
});
