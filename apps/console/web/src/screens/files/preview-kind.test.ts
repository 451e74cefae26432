import { describe, expect, test } from 'vitest';

import { shownType, isTransformable, previewOf } from './preview-kind.js';

describe('a preview', () => {
  test.each([
    { mime: 'image/png', name: 'a.png', kind: 'image' },
    { mime: 'IMAGE/JPEG; q=1', name: 'a', kind: 'image' },
    { mime: 'image/svg+xml', name: 'a.svg', kind: 'text' },
    { mime: 'text/html; charset=utf-8', name: 'a.html', kind: 'text' },
    { mime: 'application/xhtml+xml', name: 'a.xhtml', kind: 'text' },
    { mime: 'application/javascript', name: 'a.js', kind: 'text' },
    { mime: 'application/json', name: 'a', kind: 'json' },
    { mime: 'application/geo+json', name: 'a', kind: 'json' },
    { mime: 'application/pdf', name: 'a.pdf', kind: 'pdf' },
    { mime: 'video/mp4', name: 'a.mp4', kind: 'video' },
    { mime: 'audio/mpeg', name: 'a.mp3', kind: 'audio' },
    { mime: 'application/octet-stream', name: 'notes.md', kind: 'text' },
    { mime: 'application/octet-stream', name: 'a.json', kind: 'json' },
    { mime: 'application/octet-stream', name: 'a.png', kind: 'none' },
    { mime: 'application/zip', name: 'a.txt', kind: 'none' },
    { mime: 'application/x-shockwave-flash', name: 'a.swf', kind: 'none' },
  ])('of $mime ($name) is $kind', ({ kind, ...file }) => {
    expect(previewOf(file)).toBe(kind);
  });
});

test.each([
  'text/html',
  'image/svg+xml',
  'application/xhtml+xml',
  'text/xml',
  'application/javascript',
  'text/plain',
])('the browser is never given %s', (mime) => {
  expect(shownType(mime)).toBeUndefined();
});

test('the browser is given a type without its parameters', () => {
  expect(shownType('image/png; x="<script>"')).toBe('image/png');
});

test('images of pixels alone have other sizes', () => {
  expect(isTransformable('image/webp')).toBe(true);
  expect(isTransformable('image/svg+xml')).toBe(false);
  expect(isTransformable('video/mp4')).toBe(false);
});
