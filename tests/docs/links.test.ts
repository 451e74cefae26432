// Links between the documents lead to files and headings that exist.
import { expect, test } from 'vitest';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listDocuments } from './documents.js';

const pages = listDocuments();
/** Text that is shown as it is: blocks of code and code in a line. */
const code = /^```[^]*?^```$|`[^`\n]+`/gm;

test.each(pages)('%s', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('the pages are those of the product', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/quickstart.md']));
  expect(pages.flatMap((page) => linksOf(page)).length).toBeGreaterThan(200);
});

test.each([
  { name: 'words', heading: '## The connection string', anchor: 'the-connection-string' },
  { name: 'punctuation', heading: '## CORS, `rpc` & co.', anchor: 'cors-rpc--co' },
  { name: 'a link', heading: '# See [the page](a.md#b)', anchor: 'see-the-page' },
  { name: 'other letters', heading: '### Größe_1', anchor: 'größe_1' },
])('the anchor of a heading with $name', ({ heading, anchor }) => {
  expect([...anchorsOf(heading)]).toEqual([anchor]);
});

test('equal headings are numbered, and code has no headings', () => {
  const text = '# Files\n```sh\n# Not this one\n```\n## Files\n## Files';
  expect([...anchorsOf(text)]).toEqual(['files', 'files-1', 'files-2']);
});

/** Returns the targets of relative links of a page. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  const inline = [...text.matchAll(/\]\(\s*<?([^()\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const defined = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  const html = [...text.replaceAll(code, '').matchAll(/\b(?:href|src)="([^"]+)"/g)];
  return [...inline, ...defined, ...html]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

function brokenLinks(page: string): readonly string[] {
  return linksOf(page).filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(file)) return true;
    if (anchor === undefined) return false;
    return !statSync(file).isFile() || !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
  });
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
