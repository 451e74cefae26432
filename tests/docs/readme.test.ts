// README.md is short, and each figure that it gives is on the page that it links to for it.
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

const page = readFileSync('README.md', 'utf8');
const maxBytes = 7_168;
const reasons = page
  .slice(page.indexOf('\n## Why Rowhouse\n'), page.indexOf('\n## Documentation\n'))
  .split('\n')
  .filter((line) => line.startsWith('- '));
const numbersIn = (text: string): readonly string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? [];

test('it is short', () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxBytes);
});

test('it gives five reasons', () => expect(reasons).toHaveLength(5));

test.each(reasons)('%s', (reason) => {
  // Figures come from the page that is linked after them.
  const parts = [...reason.matchAll(/(.*?)\[[^\]]+\]\(([^)#]+)[^)]*\)/g)];
  expect(parts.length).toBeGreaterThan(0);
  for (const [, claim = '', path = ''] of parts) {
    const figures = numbersIn(claim.replaceAll(/`[^`]+`/g, ''));
    expect(figures.length).toBeGreaterThan(0);
    expect(numbersIn(readFileSync(path, 'utf8'))).toEqual(expect.arrayContaining([...figures]));
  }
});
