// The pages of docs/auth show every mail of the product. After a change of a template, this draws the pictures again:
// DRAW_MAIL_PICTURES=1 npm test -- tests/docs/auth-docs-pictures
import { beforeAll, expect, test } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';

import { MAIL_KIND_NAMES } from '#libs/mail-templates';

import { digestOf, drawPictures, pictureFolder, readDrawn } from './auth-docs-pictures.js';
import { readPages } from './folder-pages.js';

const text = readPages('docs/auth')
  .map((page) => page.text)
  .join('\n');
const maxBytes = 40 * 1024;
const maxWidth = 640;
/** Where a PNG says how wide it is (PNG 3 §11.2.1). */
const widthOffset = 16;

beforeAll(async () => {
  if (process.env['DRAW_MAIL_PICTURES'] === '1') await drawPictures();
}, 60_000);

test('the pages show a picture of every mail, and no other picture', () => {
  const shown = [...text.matchAll(/!\[[^\]]+\]\(\.\.\/images\/auth\/(\w+)\.png\)/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(shown)].sort()).toEqual([...MAIL_KIND_NAMES].sort());
  expect(text.match(/!\[/g)).toHaveLength(shown.length);
  const files = readdirSync(pictureFolder).filter((file) => file.endsWith('.png'));
  expect(files.sort()).toEqual(MAIL_KIND_NAMES.map((kind) => `${kind}.png`).sort());
});

test.each(MAIL_KIND_NAMES)('the picture of %s is small', (kind) => {
  const picture = readFileSync(`${pictureFolder}/${kind}.png`);
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.length).toBeLessThan(maxBytes);
  expect(picture.readUInt32BE(widthOffset)).toBeLessThanOrEqual(maxWidth);
});

test('the pictures show what mails say now', () => {
  expect(readDrawn()).toEqual(
    Object.fromEntries(MAIL_KIND_NAMES.map((kind) => [kind, digestOf(kind)])),
  );
});
