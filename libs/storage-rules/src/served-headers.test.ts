import { describe, expect, test } from 'vitest';

import {
  type AskedDisposition,
  notModifiedHeaders,
  parseCacheControl,
  type ServedObject,
  servedHeaders,
} from './served-headers.js';

const photo: ServedObject = {
  version: '0198f0e2-1a2b-7c3d-8e4f-0123456789ab',
  mediaType: 'image/png',
  updatedAt: new Date('2024-02-29T12:00:00.700Z'),
  isPublic: true,
  fileName: 'a.png',
};
const save: AskedDisposition = { kind: 'attachment' };
const show: AskedDisposition = { kind: 'inline' };

test('a public image is shown, kept and used anywhere', () => {
  expect(servedHeaders(photo)).toEqual({
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="a.png"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    etag: '"0198f0e2-1a2b-7c3d-8e4f-0123456789ab"',
    'last-modified': 'Thu, 29 Feb 2024 12:00:00 GMT',
    'accept-ranges': 'bytes',
  });
});

test('a private object is kept by no shared cache, whatever is stored for it', () => {
  expect(
    servedHeaders({ ...photo, isPublic: false, cacheControl: 'public, max-age=9' }),
  ).toMatchObject({
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'Authorization',
  });
});

test.each([
  { name: 'public', isPublic: true, isNegotiated: false, vary: undefined },
  { name: 'public, negotiated', isPublic: true, isNegotiated: true, vary: 'Accept' },
  { name: 'private', isPublic: false, isNegotiated: false, vary: 'Authorization' },
  {
    name: 'private, negotiated',
    isPublic: false,
    isNegotiated: true,
    vary: 'Authorization, Accept',
  },
])('Vary: $name', ({ isPublic, isNegotiated, vary }) => {
  expect(servedHeaders({ ...photo, isPublic, isNegotiated })['vary']).toBe(vary);
});

test('a stored Cache-Control counts for a public object', () => {
  const headers = servedHeaders({ ...photo, cacheControl: 'public, max-age=60' });
  expect(headers['cache-control']).toBe('public, max-age=60');
});

describe('shown or saved', () => {
  const kindOf = (mediaType: string, asked?: AskedDisposition) =>
    servedHeaders({ ...photo, mediaType }, asked)['content-disposition']?.split(';')[0];

  test.each([
    'image/png',
    'image/jpeg',
    'image/jpg',
    'image/gif',
    'image/webp',
    'image/avif',
    'video/mp4',
    'video/webm',
    'audio/mpeg',
    'audio/mp3',
    'audio/ogg',
    'audio/wav',
    'text/plain',
    'text/plain; charset=utf-8',
    'Text/Plain',
  ])('%s is shown unless it is to be saved', (mediaType) => {
    expect(kindOf(mediaType)).toBe('inline');
    expect(kindOf(mediaType, show)).toBe('inline');
    expect(kindOf(mediaType, save)).toBe('attachment');
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'text/html; charset=utf-8',
    'text/javascript',
    'text/css',
    'text/csv',
    'application/json',

    'application/octet-stream',
    'image/tiff',
    'image/x-canon-cr3',
    'image/vnd.dxf',
    'image/svg+xml-compressed',
    'application/vnd.apple.keynote',
    'application/vnd.adobe.illustrator',
    'model/gltf+json',
    'multipart/mixed',
    'constructor',
  ])('%s is saved even when it is to be shown', (mediaType) => {
    expect(kindOf(mediaType)).toBe('attachment');
    expect(kindOf(mediaType, show)).toBe('attachment');
  });

  test('PDF is shown when that is asked for, and only then without a sandbox', () => {
    const pdf = { ...photo, mediaType: 'application/pdf' };
    expect(kindOf('application/pdf')).toBe('attachment');
    expect(kindOf('application/pdf', show)).toBe('inline');
    expect(servedHeaders(pdf)['content-security-policy']).toContain('sandbox');
    expect(servedHeaders(pdf, save)['content-security-policy']).toContain('sandbox');
    expect(servedHeaders(pdf, show)['content-security-policy']).not.toContain('sandbox');
    expect(
      servedHeaders({ ...photo, mediaType: 'text/html' }, show)['content-security-policy'],
    ).toContain('sandbox');
  });

  test.each([
    { mediaType: 'video/mp4', isAlone: false },
    { mediaType: 'audio/mp3', isAlone: false },
    { mediaType: 'application/ogg', isAlone: false },
    { mediaType: 'image/png', isAlone: true },
    { mediaType: 'text/plain', isAlone: true },
    { mediaType: 'text/html', isAlone: true },
    { mediaType: 'video/unheard-of', isAlone: true },
  ])('$mediaType runs no script; it is without origin: $isAlone', ({ mediaType, isAlone }) => {
    const policy = servedHeaders({ ...photo, mediaType })['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toMatch(isAlone ? /; sandbox$/ : /; sandbox allow-same-origin$/);
    expect(policy).not.toMatch(/script/);
  });

  test('a download has the name that is asked for, or its own', () => {
    const name = (asked: AskedDisposition) => servedHeaders(photo, asked)['content-disposition'];
    expect(name(save)).toBe('attachment; filename="a.png"');
    expect(name({ kind: 'attachment', fileName: 'b.png' })).toBe('attachment; filename="b.png"');
    expect(name({ kind: 'attachment', fileName: 'b"\r\nX: y' })).toBe(
      `attachment; filename="b___X: y"; filename*=UTF-8''b%22__X%3A%20y`,
    );
  });
});

test('an answer 304 has the headers that a cache renews', () => {
  expect(Object.keys(notModifiedHeaders(servedHeaders({ ...photo, isPublic: false })))).toEqual([
    'cache-control',
    'etag',
    'last-modified',
    'vary',
  ]);
});

test.each([
  { text: '3600', value: 'public, max-age=3600' },
  { text: ' 0 ', value: 'public, max-age=0' },
  { text: 'no-store', value: 'no-store' },
  {
    text: 'Public, Max-Age=60, stale-while-revalidate=30',
    value: 'public, max-age=60, stale-while-revalidate=30',
  },
  { text: 'public,max-age=60,immutable', value: 'public,max-age=60,immutable' },
])('Cache-Control may be $text', ({ text, value }) => {
  expect(parseCacheControl(text)).toBe(value);
});

test.each([
  '',
  '-1',
  '1.5',
  'max-age=',
  'public;max-age=1',
  'public, ,max-age=1',
  'no-cache="set-cookie"',
  'public\r\nSet-Cookie: a',
  'public\nx',
  `max-age=${'1'.repeat(20)}`,
  'public, '.repeat(50),
])('Cache-Control may not be %j', (text) => {
  expect(() => parseCacheControl(text)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', status: 400 }),
  );
});
