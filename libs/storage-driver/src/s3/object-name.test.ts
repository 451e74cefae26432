import { describe, expect, test } from 'vitest';
import { addressOf, objectName } from './object-name.js';

const version = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('the name of an object', () => {
  const prefixBytes = 'docs/abc/'.length;
  const room = 1024 - prefixBytes - version.length - 1;
  test.each([
    { name: 'a key that just fits stays whole', key: 'k'.repeat(room), kept: room },
    { name: 'a longer key is cut to what fits', key: 'k'.repeat(room + 1), kept: room },
    { name: 'no half character stays', key: `${'k'.repeat(room - 1)}üü`, kept: room - 1 },
    { name: 'no half of four bytes stays', key: `${'k'.repeat(room - 3)}😀`, kept: room - 3 },
    { name: 'no slash stays at the end', key: `${'k'.repeat(room - 1)}/end`, kept: room - 1 },
  ])('$name', ({ key, kept }) => {
    const name = objectName('abc', { bucket: 'docs', key, version });
    expect(name).toBe(`docs/abc/${key.slice(0, kept)}/${version}`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(1024);
  });

  test('leads to the same object when its key was cut before', () => {
    const name = objectName('abc', { bucket: 'docs', key: `${'ü/'.repeat(500)}end`, version });
    const address = addressOf('abc', name);
    expect(address && objectName('abc', address)).toBe(name);
  });

  test.each([
    { name: 'a bucket that is a path', bucket: '../other', key: 'a' },
    { name: 'an empty bucket', bucket: '', key: 'a' },
    { name: 'an empty key', bucket: 'docs', key: '' },
    { name: 'a way up', bucket: 'docs', key: 'a/../../b' },
    { name: 'a dot', bucket: 'docs', key: './a' },
    { name: 'an empty segment', bucket: 'docs', key: 'a//b' },
    { name: 'a leading slash', bucket: 'docs', key: '/a' },
    { name: 'a control character', bucket: 'docs', key: 'a\nb' },
    { name: 'a backslash', bucket: 'docs', key: 'a\\..\\b' },
  ])('is not made from $name', ({ bucket, key }) => {
    expect(() => objectName('abc', { bucket, key, version })).toThrow(TypeError);
  });
});

test.each([
  { name: 'another project', object: `docs/abcd/key/${version}` },
  { name: 'no version', object: 'docs/abc/key/notes' },
  { name: 'no key', object: `docs/abc/${version}` },
  { name: 'no project', object: `docs/${version}` },
])('an object with $name in its name is not of the project', ({ object }) => {
  expect(addressOf('abc', object)).toBeUndefined();
});
