import { expect, test } from 'vitest';

import { folderOf, foldersOf, isHidden, movedKey, typedFolder } from './names.js';

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
