// The prose of the documents is free of the words that our sources avoid, and no page is longer than a reader reads.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { listDocuments } from './documents.js';
import { blob, turns } from './turns.js';

const maxLines = 600;
/** Decisions are history, and stay as they were written. */
const pages = listDocuments().filter((path) => !path.startsWith('docs/decisions/'));

test('the pages are those of the product', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/auth/README.md']));
});

test.each(pages)('%s is written in plain English', (path) => {
  expect(findings(readFileSync(path, 'utf8'))).toEqual([]);
});

/** The page of the client uses the class of browsers. */
const productPages = pages.filter((path) => path !== 'libs/sdk/README.md');

test.each(productPages)('%s calls the bytes of a file an object', (path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.filter((line) => blob.test(line))).toEqual([]);
});

test.each(pages)('%s has at most 600 lines', (path) => {
  expect(readFileSync(path, 'utf8').split('\n').length - 1).toBeLessThanOrEqual(maxLines);
});

test('a word is found in prose and not in code', () => {
  const text = 'Nobody `tells`\n```sh\n# whoever\n```\n| told | x |';
  expect(findings(text)).toEqual([
    '1: Nobody (no request, no other transaction)',
    '5: told (returns, reports, informs)',
  ]);
});

/** Returns the words of the list in the prose of a page, and what to write instead. */
function findings(text: string): string[] {
  return proseOf(text)
    .split('\n')
    .flatMap((line, at) => {
      const found = turns.filter(([turn]) => turn.test(line));
      return found.map(([turn, better]) => `${at + 1}: ${turn.exec(line)?.[0]} (${better})`);
    });
}

/** Returns a page with empty lines in place of blocks of code, and without code in a line. */
function proseOf(text: string): string {
  return text
    .replace(/^```[^]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]+`/g, '');
}
