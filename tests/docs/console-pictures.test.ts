// The documents show the screens of the console. After a change of a screen, or with a new one in
// tests/console-screens/screens.ts, `npm run pictures` takes the pictures again.
import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { screens } from '../console-screens/screens.js';

const folder = 'docs/pictures';
const maxBytes = 120_000;
const width = 1440;
/** Where a PNG says how wide it is (PNG 3 §11.2.1). */
const widthOffset = 16;

/** The pictures of a page: the path of each with its alternative text. */
function picturesIn(page: string): readonly (readonly [path: string, title: string])[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g)].map(
    ([, path = '', title = '']) => [path, title],
  );
}

test('docs/console.md shows a picture of each screen', () => {
  const expected = screens.map(({ name, title }) => [`pictures/${name}.png`, title]);
  expect(picturesIn('docs/console.md')).toEqual(expected);
});

test('README.md shows five of them', () => {
  const known = new Map(screens.map(({ name, title }) => [`${folder}/${name}.png`, title]));
  const shown = picturesIn('README.md');
  expect(shown).toHaveLength(5);
  expect(shown.filter(([path, title]) => known.get(path) !== title)).toEqual([]);
});

test('there is no other picture', () => {
  const files = screens.map(({ name }) => `${name}.png`);
  expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
});

test.each(screens)('the picture of $title is wide, and small to load', ({ name }) => {
  const picture = readFileSync(`${folder}/${name}.png`);
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.readUInt32BE(widthOffset)).toBe(width);
  expect(picture.length).toBeLessThanOrEqual(maxBytes);
});
