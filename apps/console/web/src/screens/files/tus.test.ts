import { describe, expect, test } from 'vitest';

import { mayPass, metadataText } from './tus.js';

test('metadata are names with their values in base64; empty ones are left out', () => {
  const text = metadataText({ bucket: 'a', path: 'Grüße 👩‍👩‍👧/"b",c.txt', filetype: '' });
  const [bucket, path, ...rest] = text.split(',').map((part) => part.split(' '));
  expect(bucket).toEqual(['bucket', 'YQ==']);
  expect(path?.[0]).toBe('path');
  expect(Buffer.from(path?.[1] ?? '', 'base64').toString()).toBe('Grüße 👩‍👩‍👧/"b",c.txt');
  expect(rest).toEqual([]);
});

describe('another try', () => {
  test.each([
    { name: 'no connection', status: 0, code: 'UNREACHABLE', may: true },
    { name: 'a server that is busy', status: 503, code: 'SHUTTING_DOWN', may: true },
    { name: 'an upload that another request has', status: 423, code: 'UPLOAD_BUSY', may: true },
    { name: 'a wrong offset', status: 409, code: 'UPLOAD_OFFSET_MISMATCH', may: true },
    { name: 'a file that is there', status: 409, code: 'FILE_EXISTS', may: false },
    { name: 'a file that is too large', status: 413, code: 'FILE_TOO_LARGE', may: false },
    { name: 'a session that has ended', status: 401, code: 'UNAUTHORIZED', may: false },
    { name: 'a full disk', status: 507, code: 'STORAGE_FULL', may: false },
  ])('after $name: $may', ({ may, ...problem }) => {
    expect(mayPass(problem)).toBe(may);
  });
});
