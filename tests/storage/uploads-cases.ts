// What uploads are tried with, on each driver.
import { randomBytes } from 'node:crypto';

import { field, file } from './uploads-http.js';

/** More than is kept in memory. */
export const large = randomBytes(300_000);

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const html = '<!doctype html><script>alert(1)</script>';

export const refusedContents = [
  {
    name: 'HTML as an image of an unknown format',
    path: 'images/b.cr3',
    type: 'image/x-canon-cr3',
    body: html,
    status: 400,
    code: 'CONTENT_MISMATCH',
  },
  {
    name: 'HTML as an image',
    path: 'images/a.png',
    type: 'image/png',
    body: html,
    status: 400,
    code: 'CONTENT_MISMATCH',
  },
  {
    name: 'an image of another kind',
    path: 'images/a.jpg',
    type: 'image/jpeg',
    body: png,
    status: 400,
    code: 'CONTENT_MISMATCH',
  },
  {
    name: 'a type that is not listed',
    path: 'images/a.txt',
    type: 'text/plain',
    body: 'a',
    status: 415,
    code: 'MEDIA_TYPE_NOT_ALLOWED',
  },
  {
    name: 'a file above the limit of the bucket',
    path: 'small/a',
    type: 'a/b',
    body: 'x'.repeat(1001),
    status: 413,
    code: 'FILE_TOO_LARGE',
  },
  {
    name: 'a file above the quota',
    path: 'full/a',
    type: 'a/b',
    body: 'x'.repeat(100_001),
    status: 413,
    code: 'QUOTA_EXCEEDED',
  },
  {
    name: 'a bucket that is not there',
    path: 'nowhere/a',
    type: 'a/b',
    body: 'a',
    status: 404,
    code: 'BUCKET_NOT_FOUND',
  },
  {
    name: 'a bucket of the platform',
    path: '_private/a',
    type: 'a/b',
    body: 'a',
    status: 400,
    code: 'INVALID_BUCKET_SLUG',
  },
  {
    name: 'a path that climbs',
    path: 'docs/a/%2e%2e/b',
    type: 'a/b',
    body: 'a',
    status: 400,
    code: 'AMBIGUOUS_TARGET',
  },
];

export const brokenForms = [
  { name: 'no file', parts: [field('bucket', 'docs')], says: 'file is required' },
  {
    name: 'an unknown field',
    parts: [field('color', 'red'), file('x')],
    says: 'Unknown field: color',
  },
  {
    name: 'metadata that are no JSON',
    parts: [field('metadata', '{'), file('x')],
    says: 'metadata: it is not JSON',
  },
  {
    name: 'a second file behind a large one',
    parts: [file(large), file('x')],
    says: 'file: send one file at a time',
  },
  {
    name: 'an unknown field behind a large file',
    parts: [field('bucket', 'docs'), file(large), field('color', 'red')],
    says: 'Unknown field: color',
  },
];

export const visibilities = [
  {
    name: 'a bucket decides',
    fields: { bucket: 'open' },
    visibility: 'public',
    bucket: 'open',
  },
  {
    name: 'an upload may be stricter',
    fields: { bucket: 'open', visibility: 'private' },
    visibility: 'private',
    bucket: 'open',
  },
  {
    name: 'an upload may not be laxer',
    fields: { bucket: 'docs', visibility: 'public' },
    visibility: 'private',
    bucket: 'docs',
  },
  {
    name: 'without a bucket the upload decides',
    fields: { visibility: 'public' },
    visibility: 'public',
    bucket: null,
  },
];
