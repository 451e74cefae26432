import { expect, test } from 'vitest';

import { IMAGE_LOADERS, imageFileName } from './image-formats.js';

test('images of five formats are decoded', () => {
  expect(IMAGE_LOADERS.toSorted()).toEqual([
    'VipsForeignLoadHeif',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
  ]);
});

test.each([
  { name: 'photo.JPEG', format: 'webp', expected: 'photo.webp' },
  { name: 'photo.jfif', format: 'jpeg', expected: 'photo.jpg' },
  { name: 'photo.jpg', format: 'jpeg', expected: 'photo.jpg' },
  { name: 'photo.gif', format: 'png', expected: 'photo.png' },
  { name: 'photo.avif', format: 'avif', expected: 'photo.avif' },
  { name: 'photo.png.txt', format: 'png', expected: 'photo.png.txt.png' },
  { name: 'photo', format: 'jpeg', expected: 'photo.jpg' },
  { name: '.png', format: 'webp', expected: '.png.webp' },
] as const)('$name as $format is $expected', ({ name, format, expected }) => {
  expect(imageFileName(name, format)).toBe(expected);
});
