import { describe, expect, test } from 'vitest';
import { parseObjectKey } from '#libs/storage-rules';

import { plainFileName, planUpload } from './plan-upload.js';
import { parseUploadOptions } from './upload-fields.js';

const content = {
  id: '00000000-0000-4000-8000-000000000000',
  fileName: 'a.txt',
  declaredType: 'text/plain',
  size: 1,
  kind: 'stream',
  sha256: undefined,
  expiresInSeconds: 60,
} as const;

function planOf(fields: Readonly<Record<string, string>>) {
  return planUpload(parseUploadOptions(new Map(Object.entries(fields))), content);
}

describe('the plan of an upload', () => {
  test.each([
    { name: 'a path of its own without one', fields: {}, plan: { key: `${content.id}/a.txt` } },
    {
      name: 'the private place by default',
      fields: {},
      plan: { bucket: '_private', visibility: undefined },
    },
    {
      name: 'the public place when it shall be public',
      fields: { visibility: 'public' },
      plan: { bucket: '_public' },
    },
    {
      name: 'the bucket, whatever its visibility',
      fields: { bucket: 'b', visibility: 'public' },
      plan: { bucket: 'b' },
    },
    { name: 'the declared type', fields: {}, plan: { mediaType: 'text/plain' } },
    {
      name: 'the requested type before it',
      fields: { contentType: 'text/css' },
      plan: { mediaType: 'text/css' },
    },
  ])('has $name', ({ fields, plan }) => {
    expect(planOf(fields)).toMatchObject(plan);
  });

  test.each([
    { name: 'stays', text: 'größe.png', expected: 'größe.png' },
    { name: 'loses folders', text: '/etc/../passwd', expected: 'passwd' },
    { name: 'loses folders of Windows', text: 'C:\\a\\b.txt', expected: 'b.txt' },
    { name: 'loses line ends', text: 'a\r\nSet-Cookie: b', expected: 'a__Set-Cookie: b' },
    { name: 'is never empty', text: '', expected: 'file' },
    { name: 'is never a folder', text: '..', expected: 'file' },
    {
      name: 'keeps its extension',
      text: `${'x'.repeat(500)}.tar`,
      expected: `${'x'.repeat(146)}.tar`,
    },
    { name: 'has no half characters', text: 'a\ud800b', expected: 'a_b' },
  ])('a file name $name', ({ text, expected }) => {
    expect(plainFileName(text)).toBe(expected);
    expect(parseObjectKey(`${content.id}/${plainFileName(text)}`)).toContain(expected);
  });

  test('the longest file name fits into a key', () => {
    expect(parseObjectKey(`${content.id}/${plainFileName('猫'.repeat(5000))}`)).toBeDefined();
    expect(parseObjectKey(`${content.id}/${plainFileName('👪'.repeat(5000))}`)).toBeDefined();
  });
});
