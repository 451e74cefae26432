import { describe, expect, test } from 'vitest';

import { chooseFormat, ownFormat, parseImageRequest, variantText } from './transform.js';

const id = '0198f0e2-1a2b-7c3d-8e4f-0123456789ab';
const byId = { kind: 'id', id };
const byKey = { kind: 'key', bucket: 'avatars', key: 'a/b.png' };
const plain = {
  width: undefined,
  height: undefined,
  resize: 'cover',
  quality: 80,
  format: undefined,
};

describe('the query', () => {
  test.each([
    { name: 'an id', query: { id }, source: byId },
    { name: 'an id in capital letters', query: { id: id.toUpperCase() }, source: byId },
    { name: 'a key', query: { bucket: 'avatars', path: 'a/b.png' }, source: byKey },
    {
      name: 'a key that is composed',
      query: { bucket: 'b', path: 'e\u0301' },
      source: { kind: 'key', bucket: 'b', key: '\u00e9' },
    },
    {
      name: 'an escape in the key stays',
      query: { bucket: 'b', path: '%2e%2e' },
      source: { kind: 'key', bucket: 'b', key: '%2e%2e' },
    },
  ])('names a source: $name', ({ query, source }) => {
    expect(parseImageRequest(query)).toEqual({ source, transform: plain });
  });

  test.each([
    {
      name: 'both sides',
      query: { width: '400', height: '300' },
      transform: { width: 400, height: 300 },
    },
    {
      name: 'the least',
      query: { width: '1', quality: '20' },
      transform: { width: 1, quality: 20 },
    },
    {
      name: 'the most',
      query: { height: '2000', quality: '100' },
      transform: { height: 2000, quality: 100 },
    },
    { name: 'leading zeros', query: { width: '0040' }, transform: { width: 40 } },
    ...['cover', 'contain', 'fill'].map((resize) => ({
      name: resize,
      query: { resize },
      transform: { resize },
    })),
    ...['origin', 'webp', 'avif', 'jpeg', 'png'].map((format) => ({
      name: format,
      query: { format },
      transform: { format },
    })),
  ])('names a variant: $name', ({ query, transform }) => {
    expect(parseImageRequest({ id, ...query }).transform).toEqual({ ...plain, ...transform });
  });

  test.each([
    { name: 'no source', query: {}, code: 'INVALID_INPUT', field: 'bucket' },
    { name: 'a bucket alone', query: { bucket: 'b' }, code: 'INVALID_INPUT', field: 'path' },
    { name: 'a path alone', query: { path: 'a' }, code: 'INVALID_INPUT', field: 'bucket' },
    {
      name: 'an id and a bucket',
      query: { id, bucket: 'b' },
      code: 'INVALID_INPUT',
      field: 'bucket',
    },
    { name: 'an id and a path', query: { id, path: 'a' }, code: 'INVALID_INPUT', field: 'path' },
    { name: 'an id that is none', query: { id: '1' }, code: 'INVALID_INPUT', field: 'id' },
    {
      name: 'a path out of the bucket',
      query: { bucket: 'b', path: '../a' },
      code: 'INVALID_OBJECT_KEY',
      field: '..',
    },
    {
      name: 'a hidden bucket',
      query: { bucket: '_private', path: 'a' },
      code: 'INVALID_BUCKET_SLUG',
      field: 'slug',
    },
    {
      name: 'an unknown parameter',
      query: { id, blur: '3' },
      code: 'UNKNOWN_FIELD',
      field: 'blur',
    },
    {
      name: 'a parameter in capital letters',
      query: { id, Width: '3' },
      code: 'UNKNOWN_FIELD',
      field: 'Width',
    },
    { name: 'no width', query: { id, width: '' }, code: 'INVALID_INPUT', field: 'width' },
    { name: 'a width of 0', query: { id, width: '0' }, code: 'INVALID_INPUT', field: 'width' },
    {
      name: 'a width of 2001',
      query: { id, width: '2001' },
      code: 'INVALID_INPUT',
      field: 'width',
    },
    { name: 'a height of -1', query: { id, height: '-1' }, code: 'INVALID_INPUT', field: 'height' },
    { name: 'half a pixel', query: { id, height: '1.5' }, code: 'INVALID_INPUT', field: 'height' },
    { name: 'an exponent', query: { id, height: '1e3' }, code: 'INVALID_INPUT', field: 'height' },
    { name: 'a unit', query: { id, height: '10px' }, code: 'INVALID_INPUT', field: 'height' },
    {
      name: 'a quality of 19',
      query: { id, quality: '19' },
      code: 'INVALID_INPUT',
      field: 'quality',
    },
    {
      name: 'a quality of 101',
      query: { id, quality: '101' },
      code: 'INVALID_INPUT',
      field: 'quality',
    },
    {
      name: 'an unknown resize',
      query: { id, resize: 'crop' },
      code: 'INVALID_INPUT',
      field: 'resize',
    },
    {
      name: 'an unknown format',
      query: { id, format: 'gif' },
      code: 'INVALID_INPUT',
      field: 'format',
    },
    {
      name: 'a width twice',
      query: { id, width: ['1', '2'] },
      code: 'INVALID_INPUT',
      field: 'width',
    },
  ])('is refused: $name', ({ query, code, field }) => {
    expect(() => parseImageRequest(query)).toThrow(
      expect.objectContaining({ code, status: 400, message: expect.stringContaining(field) }),
    );
  });
});

test.each([
  { type: 'image/jpeg', own: 'jpeg' },
  { type: 'image/jpg', own: 'jpeg' },
  { type: 'image/png', own: 'png' },
  { type: 'image/webp', own: 'webp' },
  { type: 'image/avif', own: 'avif' },
  { type: 'image/gif', own: 'png' },
  { type: 'image/svg+xml', own: undefined },
  { type: 'image/heic', own: undefined },
  { type: 'text/html', own: undefined },
  { type: 'constructor', own: undefined },
])('$type becomes $own', ({ type, own }) => {
  expect(ownFormat(type)).toBe(own);
});

describe('the format', () => {
  test.each([
    { name: 'WebP by name', accept: 'image/webp', gives: 'webp' },
    {
      name: 'a browser',
      accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
      gives: 'webp',
    },
    { name: 'any image', accept: 'image/*', gives: 'webp' },
    { name: 'anything', accept: '*/*', gives: 'webp' },
    { name: 'capital letters and spaces', accept: ' Image/WebP ; Q=0.5 ', gives: 'webp' },
    { name: 'WebP above all images', accept: 'image/*;q=0.5, image/webp', gives: 'webp' },
    {
      name: 'WebP and the own format alike',
      accept: 'image/jpeg;q=0.5, image/webp;q=0.5',
      gives: 'webp',
    },
    {
      name: 'the own format rather than others',
      accept: 'image/jpeg, image/*;q=0.8, */*;q=0.5',
      gives: 'jpeg',
    },
    { name: 'the own format only', accept: 'image/jpeg', gives: 'jpeg' },
    { name: 'anything but WebP', accept: '*/*, image/webp;q=0', gives: 'jpeg' },
    { name: 'no image but any other thing', accept: 'image/*;q=0, */*', gives: 'jpeg' },
    { name: 'WebP with no weight', accept: 'image/webp;q=0.000', gives: 'jpeg' },
    { name: 'WebP with a weight that is none', accept: 'image/webp;q=2', gives: 'jpeg' },
    { name: 'other things', accept: 'text/html', gives: 'jpeg' },
    { name: 'nothing', accept: undefined, gives: 'jpeg' },
    { name: 'an empty header', accept: '', gives: 'jpeg' },
    { name: 'nonsense', accept: ';;,,q=1', gives: 'jpeg' },
  ])('follows Accept: $name', ({ accept, gives }) => {
    expect(chooseFormat(undefined, 'jpeg', accept)).toBe(gives);
  });

  test.each([
    { asked: 'origin', gives: 'jpeg' },
    { asked: 'png', gives: 'png' },
    { asked: 'avif', gives: 'avif' },
  ] as const)('$asked, when asked for, does not depend on Accept', ({ asked, gives }) => {
    expect(chooseFormat(asked, 'jpeg', 'image/webp')).toBe(gives);
    expect(chooseFormat(asked, 'jpeg', undefined)).toBe(gives);
  });
});

describe('the text of a variant', () => {
  const text = (query: Record<string, string>, accept?: string) => {
    const { transform } = parseImageRequest({ id, ...query });
    return variantText(transform, chooseFormat(transform.format, 'jpeg', accept));
  };

  test('says all that the image depends on', () => {
    expect(
      text({ width: '400', height: '300', resize: 'fill', quality: '50', format: 'png' }),
    ).toBe('width=400&height=300&resize=fill&quality=50&format=png');
    const all = [
      {},
      { width: '10' },
      { height: '10' },
      { width: '10', height: '10' },
      { width: '10', height: '10', resize: 'fill' },
      { quality: '50' },
      { format: 'png' },
    ].map((query) => text(query));
    expect(new Set(all).size).toBe(all.length);
  });

  test.each([
    {
      name: 'order',
      one: text({ width: '1', height: '2' }),
      other: text({ height: '2', width: '1' }),
    },
    { name: 'leading zeros', one: text({ width: '010' }), other: text({ width: '10' }) },
    { name: 'what is the default', one: text({ quality: '80', resize: 'cover' }), other: text({}) },
    { name: 'how WebP came about', one: text({ format: 'webp' }), other: text({}, 'image/webp') },
    { name: 'how the own format came about', one: text({ format: 'origin' }), other: text({}) },
    {
      name: 'resizing without a second side',
      one: text({ width: '9', resize: 'fill' }),
      other: text({ width: '9' }),
    },
  ])('does not depend on $name', ({ one, other }) => {
    expect(one).toBe(other);
  });
});
