import { expect, test } from 'vitest';

import { type ChecksumHeaders, expectedSha256 } from './digest.js';

const hex = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const base64 = 'LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=';
const otherBase64 = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const md5 = 'md5=:rL0Y20zC+Fzt72VPzMSk2A==:';

test.each([
  { name: 'hexadecimal digits', headers: { 'x-checksum-sha256': hex } },
  { name: 'capital digits', headers: { 'x-checksum-sha256': ` ${hex.toUpperCase()} ` } },
  { name: 'Base64', headers: { 'x-checksum-sha256': base64 } },
  { name: 'the digest of the content', headers: { 'content-digest': `sha-256=:${base64}:` } },
  { name: 'the digest of the representation', headers: { 'repr-digest': `sha-256=:${base64}:` } },
  {
    name: 'among others',
    headers: { 'repr-digest': `${md5}, sha-256=:${base64}:,sha-512=:AA==:` },
  },
  { name: 'with a parameter', headers: { 'repr-digest': `sha-256=:${base64}:;a=b` } },
  {
    name: 'the last of two',
    headers: { 'repr-digest': `sha-256=:${otherBase64}:, sha-256=:${base64}:` },
  },
  { name: 'a header that came twice', headers: { 'repr-digest': [md5, `sha-256=:${base64}:`] } },
  {
    name: 'the same three times',
    headers: {
      'x-checksum-sha256': hex,
      'content-digest': `sha-256=:${base64}:`,
      'repr-digest': `sha-256=:${base64}:`,
    },
  },
])('is read from $name', ({ headers }) => {
  expect(expectedSha256(headers, 'raw')).toBe(hex);
});

test.each([
  { name: 'no header', headers: {} },
  { name: 'another algorithm', headers: { 'repr-digest': md5 } },
])('there is none: $name', ({ headers }) => {
  expect(expectedSha256(headers, 'raw')).toBeUndefined();
});

test('of a multipart body only the header of the file counts', () => {
  const headers = { 'x-checksum-sha256': hex, 'content-digest': `sha-256=:${otherBase64}:` };
  expect(expectedSha256(headers, 'multipart')).toBe(hex);
  expect(expectedSha256({ 'repr-digest': 'nonsense' }, 'multipart')).toBeUndefined();
});

const refused: { name: string; header: string; headers: ChecksumHeaders }[] = [
  { name: 'an empty text', header: 'x-checksum', headers: { 'x-checksum-sha256': '' } },
  { name: 'a digit too few', header: 'x-checksum', headers: { 'x-checksum-sha256': hex.slice(1) } },
  { name: 'no digit', header: 'x-checksum', headers: { 'x-checksum-sha256': `g${hex.slice(1)}` } },
  {
    name: 'Base64 of 31 bytes',
    header: 'x-checksum',
    headers: { 'x-checksum-sha256': 'A'.repeat(40) + 'AA==' },
  },
  {
    name: 'Base64 without its end',
    header: 'x-checksum',
    headers: { 'x-checksum-sha256': base64.slice(0, -1) },
  },
  {
    name: 'Base64 with spare bits',
    header: 'x-checksum',
    headers: { 'x-checksum-sha256': base64.replace('4=', '5=') },
  },
  {
    name: 'Base64 of URLs',
    header: 'x-checksum',
    headers: { 'x-checksum-sha256': base64.replace('/', '_') },
  },
  {
    name: 'hexadecimal digits as a digest',
    header: 'repr-digest',
    headers: { 'repr-digest': `sha-256=:${hex}:` },
  },
  {
    name: 'a digest without colons',
    header: 'repr-digest',
    headers: { 'repr-digest': `sha-256=${base64}` },
  },
  {
    name: 'a digest of 2 bytes',
    header: 'content-digest',
    headers: { 'content-digest': 'sha-256=:AAA=:' },
  },
  {
    name: 'an empty digest',
    header: 'content-digest',
    headers: { 'content-digest': 'sha-256=::' },
  },
  { name: 'an empty header', header: 'content-digest', headers: { 'content-digest': '' } },
  {
    name: 'a name in capital letters',
    header: 'repr-digest',
    headers: { 'repr-digest': `SHA-256=:${base64}:` },
  },
  {
    name: 'two that differ',
    header: 'content-digest',
    headers: { 'x-checksum-sha256': hex, 'content-digest': `sha-256=:${otherBase64}:` },
  },
];
test.each(refused)('is refused: $name', ({ headers, header }) => {
  expect(() => expectedSha256(headers, 'raw')).toThrow(
    expect.objectContaining({
      code: 'INVALID_CHECKSUM',
      status: 400,
      message: expect.stringContaining(header),
    }),
  );
});
