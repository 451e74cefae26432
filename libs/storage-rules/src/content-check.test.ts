import { expect, test } from 'vitest';

import { checkContent } from './content-check.js';

interface Case {
  readonly name: string;
  readonly declared: string;
  readonly sniffed?: string;
  readonly allowed?: readonly string[];
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const taken: Case[] = [
  { name: 'an image that is that image', declared: 'image/png', sniffed: 'image/png' },
  { name: 'an image under another name', declared: 'image/jpg', sniffed: 'image/jpeg' },
  {
    name: 'an icon under its registered name',
    declared: 'image/vnd.microsoft.icon',
    sniffed: 'image/x-icon',
  },
  { name: 'HEIC as HEIF', declared: 'image/heif', sniffed: 'image/heic' },
  { name: 'an animated PNG', declared: 'image/apng', sniffed: 'image/png' },
  { name: 'a raw photograph', declared: 'image/x-adobe-dng', sniffed: 'image/tiff' },
  { name: 'SVG as SVG', declared: 'image/svg+xml', sniffed: 'image/svg+xml' },
  { name: 'an image as bytes', declared: 'application/octet-stream', sniffed: 'image/png' },
  { name: 'HTML as HTML', declared: 'text/html', sniffed: 'text/html' },
  { name: 'HTML as a text', declared: 'text/plain; charset=utf-8', sniffed: 'text/html' },
  { name: 'what tells nothing', declared: 'text/csv' },
  { name: 'a listed image', declared: 'image/png', sniffed: 'image/png', allowed: ['image/*'] },
  { name: 'a listed text', declared: 'text/plain; charset=a', allowed: ['text/plain'] },
  {
    name: 'two listed types',
    declared: 'text/plain',
    sniffed: 'application/pdf',
    allowed: ['text/*', 'application/pdf'],
  },
  {
    name: 'a listed type in its container',
    declared: docx,
    sniffed: 'application/zip',
    allowed: [docx],
  },
  {
    name: 'a book',
    declared: 'application/epub+zip',
    sniffed: 'application/zip',
    allowed: ['application/epub+zip'],
  },
  {
    name: 'a feed',
    declared: 'application/rss+xml',
    sniffed: 'application/xml',
    allowed: ['application/rss+xml'],
  },
  {
    name: 'XML as a text',
    declared: 'text/xml',
    sniffed: 'application/xml',
    allowed: ['text/xml'],
  },
  {
    name: 'Markdown with HTML',
    declared: 'text/markdown',
    sniffed: 'text/html',
    allowed: ['text/markdown'],
  },
  { name: 'audio in MP4', declared: 'audio/mp4', sniffed: 'video/mp4', allowed: ['audio/*'] },
  { name: 'audio in WebM', declared: 'audio/webm', sniffed: 'video/webm', allowed: ['audio/webm'] },
  {
    name: 'any bytes',
    declared: 'application/octet-stream',
    sniffed: 'text/html',
    allowed: ['application/octet-stream'],
  },
  { name: 'everything', declared: 'a/b', sniffed: 'text/html', allowed: ['*/*'] },
];

/** Declared types that name neither their container nor an image of the web. */
const special = [
  ['application/vnd.apple.keynote', 'application/zip'],
  ['application/vnd.apple.pages', 'application/zip'],
  ['application/vnd.apple.numbers', 'application/zip'],
  ['application/vnd.apple.pkpass', 'application/zip'],
  ['application/vnd.ms-excel', undefined],
  ['application/x-subrip+gzip', 'application/gzip'],
  ['application/vnd.adobe.illustrator', 'application/pdf'],
  ['application/gpx+xml', 'application/xml'],
  ['application/mathml+xml', 'text/html'],
  ['application/x-xliff', 'application/xml'],
  ['application/xml', 'image/svg+xml'],
  ['model/vnd.collada+xml', 'application/xml'],
  ['audio/aac', 'audio/mpeg'],
  ['audio/flac', 'audio/ogg'],
  ['audio/mp4', 'video/quicktime'],
  ['video/3gpp', 'video/mp4'],
  ['video/webm', 'video/x-matroska'],
  ['video/x-msvideo', undefined],
  ['image/x-olympus-orf', undefined],
  ['image/x-canon-cr3', 'video/mp4'],
  ['image/x-nikon-nef', 'image/tiff'],
  ['image/vnd.dxf', undefined],
  ['image/x-portable-pixmap', undefined],
  ['image/openraster', 'application/zip'],
  ['image/svg+xml-compressed', 'application/gzip'],
  ['image/x-photoshop', 'image/vnd.adobe.photoshop'],
  ['image/jpx', 'image/jp2'],
  ['image/mpo', 'image/jpeg'],
  ['image/heif', 'image/heic'],
] as const;
test.each(special)('%s is taken from bytes of the type %s', (declared, sniffed) => {
  expect(() => checkContent(declared, sniffed, undefined)).not.toThrow();
  expect(() => checkContent(declared, sniffed, [declared])).not.toThrow();
  expect(() => checkContent(declared, sniffed, ['image/png'])).toThrow('does not take');
});

test.each(taken)('$name is taken', ({ declared, sniffed, allowed }) => {
  expect(() => checkContent(declared, sniffed, allowed)).not.toThrow();
});

const refused: (Case & { code: string; status: number; names: string })[] = [
  ...(['text/html', 'image/svg+xml', 'application/xml'] as const).flatMap((markup) =>
    ['image/png', 'image/jpeg', 'image/x-icon', 'image/unheard-of'].map((declared) => ({
      name: `${markup} as ${declared}`,
      declared,
      sniffed: markup,
      code: 'CONTENT_MISMATCH',
      status: 400,
      names: markup,
    })),
  ),
  {
    name: 'HTML as SVG',
    declared: 'image/svg+xml',
    sniffed: 'text/html',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'text/html',
  },
  {
    name: 'XML as SVG',
    declared: 'image/svg+xml',
    sniffed: 'application/xml',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'xml',
  },
  {
    name: 'another image',
    declared: 'image/png',
    sniffed: 'image/jpeg',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'image/jpeg',
  },
  {
    name: 'a program as an image',
    declared: 'image/png',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'unknown type',
  },
  {
    name: 'ZIP as an image',
    declared: 'image/png',
    sniffed: 'application/zip',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'zip',
  },
  {
    name: 'compressed SVG as SVG',
    declared: 'image/svg+xml',
    sniffed: 'application/gzip',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'gzip',
  },
  ...(['application/pdf', 'image/png', 'image/webp'] as const).map((sniffed) => ({
    name: `${sniffed} as an image of an unknown format`,
    declared: 'image/unheard-of',
    sniffed,
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: sniffed,
  })),
  {
    name: 'a video as an image',
    declared: 'image/gif',
    sniffed: 'video/mp4',
    allowed: ['*/*'],
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'video/mp4',
  },
  {
    name: 'a type that is not listed',
    declared: 'text/html',
    allowed: ['image/*'],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: 'text/html',
  },
  {
    name: 'bytes where images are listed',
    declared: 'application/octet-stream',
    sniffed: 'image/png',
    allowed: ['image/*'],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: 'octet-stream',
  },
  {
    name: 'HTML as a listed text',
    declared: 'text/plain',
    sniffed: 'text/html',
    allowed: ['text/plain'],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: 'text/html',
  },
  {
    name: 'ZIP as a listed PDF',
    declared: 'application/pdf',
    sniffed: 'application/zip',
    allowed: ['application/pdf'],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: 'zip',
  },
  ...(
    [
      ['text/csv', 'application/zip'],
      ['application/json', 'application/xml'],
      ['application/ld+json', 'application/gzip'],
      ['application/vnd.apple.keynote', 'text/html'],
      ['application/vnd.apple.keynote', 'image/svg+xml'],
      ['application/gzip', 'application/zip'],
      ['video/mp4', 'video/webm'],
    ] as const
  ).map(([declared, sniffed]) => ({
    name: `${sniffed} as listed ${declared}`,
    declared,
    sniffed,
    allowed: [declared],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: sniffed,
  })),
  {
    name: 'everything, where nothing is listed',
    declared: 'text/plain',
    allowed: [],
    code: 'MEDIA_TYPE_NOT_ALLOWED',
    status: 415,
    names: 'text/plain',
  },
];
test.each(refused)('$name is refused', ({ declared, sniffed, allowed, code, status, names }) => {
  expect(() => checkContent(declared, sniffed, allowed)).toThrow(
    expect.objectContaining({ code, status, message: expect.stringContaining(names) }),
  );
});
