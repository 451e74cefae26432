import { describe, expect, test } from 'vitest';

import { folderOf, foldersOf, isHidden, movedKey, shownName, typedFolder } from './names.js';

describe('a shown name', () => {
  test.each([
    {
      name: 'letters of any script stay',
      text: 'Größe 日本 עברית.png',
      shown: 'Größe 日本 עברית.png',
    },
    { name: 'markup stays text', text: '<img src=x onerror=1>', shown: '<img src=x onerror=1>' },
    {
      name: 'a mark that turns the direction',
      text: 'photo\u202egnp.exe',
      shown: 'photo\\u202Egnp.exe',
    },
    { name: 'a space without a width', text: 'a\u200bb', shown: 'a\\u200Bb' },
    { name: 'an isolate', text: '\u2067a\u2069', shown: '\\u2067a\\u2069' },
    { name: 'a mark of the order of bytes', text: '\ufeffa', shown: '\\uFEFFa' },
  ])('$name', ({ text, shown }) => {
    expect(shownName(text)).toBe(shown);
  });
});

test('the folders above a place are in order', () => {
  expect(foldersOf('')).toEqual([]);
  expect(foldersOf('a/b c/')).toEqual([
    { name: 'a', key: 'a/' },
    { name: 'b c', key: 'a/b c/' },
  ]);
});

test.each([
  { key: 'a.txt', folder: '' },
  { key: 'a/b/c.txt', folder: 'a/b/' },
  { key: 'a/b/', folder: 'a/' },
  { key: 'a/', folder: '' },
])('$key is in the folder "$folder"', ({ key, folder }) => {
  expect(folderOf(key)).toBe(folder);
});

test.each([
  { typed: '', folder: '' },
  { typed: ' / ', folder: '' },
  { typed: 'a', folder: 'a/' },
  { typed: '/a//b /', folder: 'a/b/' },
])('"$typed" is typed for "$folder"', ({ typed, folder }) => {
  expect(typedFolder(typed)).toBe(folder);
});

test('what is moved keeps what is below it', () => {
  expect(movedKey('a/b/c.txt', 'a/', 'x/')).toBe('x/b/c.txt');
  expect(movedKey('c.txt', '', 'x/y/')).toBe('x/y/c.txt');
  expect(movedKey('a/c.txt', 'a/', '')).toBe('c.txt');
});

test('buckets of the platform are known by their slug', () => {
  expect(isHidden('_private')).toBe(true);
  expect(isHidden('avatars')).toBe(false);
});
