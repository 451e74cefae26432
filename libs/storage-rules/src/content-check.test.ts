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
    name: 'an image that nobody knows',
    declared: 'image/unheard-of',
    code: 'CONTENT_MISMATCH',
    status: 400,
    names: 'unknown type',
  },
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
