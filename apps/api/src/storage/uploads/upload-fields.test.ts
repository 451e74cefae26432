import { describe, expect, test } from 'vitest';

import { joinFields, parseUploadOptions, queryFields } from './upload-fields.js';

const nothing = {
  bucket: undefined,
  key: undefined,
  visibility: undefined,
  upsert: false,
  mediaType: undefined,
  cacheControl: undefined,
  userMetadata: undefined,
};

describe('fields of an upload', () => {
  test.each([
    { name: 'nothing', fields: {}, options: {} },
    { name: 'empty fields', fields: { bucket: '', path: '', metadata: '' }, options: {} },
    { name: 'a bucket', fields: { bucket: 'photos' }, options: { bucket: 'photos' } },
    { name: 'a path', fields: { path: 'a/b' }, options: { key: 'a/b' } },
    { name: 'a path by its other name', fields: { key: 'a/b' }, options: { key: 'a/b' } },
    { name: 'a visibility', fields: { visibility: 'public' }, options: { visibility: 'public' } },
    { name: 'a replacement', fields: { upsert: 'true' }, options: { upsert: true } },
    {
      name: 'a type',
      fields: { contentType: 'Image/PNG; a=b' },
      options: { mediaType: 'image/png' },
    },
    {
      name: 'caching',
      fields: { cacheControl: '60' },
      options: { cacheControl: 'public, max-age=60' },
    },
    { name: 'metadata', fields: { metadata: '{"a":[1]}' }, options: { userMetadata: { a: [1] } } },
    {
      name: 'metadata that speaks of escapes',
      fields: { metadata: String.raw`{"a":"\\u0000"}` },
      options: { userMetadata: { a: '\\u0000' } },
    },
  ])('may say $name', ({ fields, options }) => {
    expect(parseUploadOptions(new Map(Object.entries(fields)))).toEqual({ ...nothing, ...options });
  });

  test.each([
    {
      name: 'a bucket of the platform',
      fields: { bucket: '_private' },
      code: 'INVALID_BUCKET_SLUG',
    },
    { name: 'a path that climbs', fields: { path: '../a' }, code: 'INVALID_OBJECT_KEY' },
    { name: 'two paths', fields: { path: 'a', key: 'a' }, code: 'INVALID_INPUT' },
    { name: 'another visibility', fields: { visibility: 'Public' }, code: 'INVALID_INPUT' },
    { name: 'another flag', fields: { upsert: 'yes' }, code: 'INVALID_INPUT' },
    { name: 'another type', fields: { contentType: 'png' }, code: 'INVALID_MEDIA_TYPE' },
    { name: 'a header in a header', fields: { cacheControl: 'a\r\nb: c' }, code: 'INVALID_INPUT' },
    { name: 'metadata that are no JSON', fields: { metadata: '{a}' }, code: 'INVALID_INPUT' },
    { name: 'metadata that are a list', fields: { metadata: '[]' }, code: 'INVALID_INPUT' },
    { name: 'metadata that are null', fields: { metadata: 'null' }, code: 'INVALID_INPUT' },
    {
      name: 'too much metadata',
      fields: { metadata: JSON.stringify({ a: 'ä'.repeat(4096) }) },
      code: 'INVALID_INPUT',
    },
    {
      name: 'NUL in metadata',
      fields: { metadata: String.raw`{"a":"\u0000"}` },
      code: 'INVALID_INPUT',
    },
    {
      name: 'half a character',
      fields: { metadata: String.raw`{"a":"\ud800"}` },
      code: 'INVALID_INPUT',
    },
  ])('must not say $name', ({ fields, code }) => {
    const parse = () => parseUploadOptions(new Map(Object.entries(fields)));
    expect(parse).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    { name: 'an unknown parameter', query: { colour: 'red' }, code: 'UNKNOWN_FIELD' },
    { name: 'a parameter twice', query: { path: ['a', 'b'] }, code: 'INVALID_INPUT' },
    { name: 'another bucket than the address', query: { bucket: 'b' }, code: 'INVALID_INPUT' },
  ])('a query must not have $name', ({ query, code }) => {
    const named = new Map([['bucket', 'a']]);
    expect(() => queryFields(query, named)).toThrow(expect.objectContaining({ code }));
  });

  test('of query and form are one, and must not contradict', () => {
    const query = queryFields({ path: 'a' }, new Map());
    const joined = joinFields(
      query,
      new Map([
        ['upsert', '1'],
        ['path', 'a'],
      ]),
    );
    expect(Object.fromEntries(joined)).toEqual({ path: 'a', upsert: '1' });
    expect(() => joinFields(query, new Map([['path', 'b']]))).toThrow('twice');
  });
});
