// A file that is renamed stays in its part of the proofs: every beginning of a path in scripts/proof-parts.mjs names one.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { filesOf, parts } from '../../scripts/proof-parts.mjs';

test.each(parts)('each entry of the part $name has files', ({ name, files = [] }) => {
  const found = filesOf(name);
  const isEmpty = (beginning: string) => !found.some((file) => file.startsWith(beginning));
  expect(files.filter(isEmpty)).toEqual([]);
});

test('CONTRIBUTING.md names every part', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  expect(parts.filter(({ name }) => !page.includes(`\`${name}\``)).map(({ name }) => name)).toEqual(
    [],
  );
});
