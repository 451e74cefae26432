// A name that a method does not know is an error in every method that takes options, and nothing is sent.
import { describe, expect, test } from 'vitest';

import { storageClient } from '../../tests/storage-client.js';
import { BucketClient } from './bucket.js';
import { StorageClient } from './client.js';

type Files = ReturnType<typeof storageClient>['files'];
type Storage = ReturnType<typeof storageClient>['client']['storage'];
type Call<Target> = (target: Target, options: object) => unknown;

const signed = {
  signedUrl: 'http://store.test/x',
  id: 'f1',
  path: 'a',
  headers: {},
  expiresAt: '',
};
/** What `uploadMany` and `createSignedUrls` return for their one path. */
const first = async (answers: Promise<readonly unknown[]>) => (await answers)[0];

const ofBucket: Readonly<Record<string, Call<Files>>> = {
  upload: (files, options) => files.upload('a', 'x', options),
  update: (files, options) => files.update('a', 'x', options),
  uploadResumable: (files, options) => files.uploadResumable('a', 'x', options),
  uploadMany: (files, options) => first(files.uploadMany([{ path: 'a', file: 'x' }], options)),
  download: (files, options) => files.download('a', options),
  downloadStream: (files, options) => files.downloadStream('a', options),
  list: (files, options) => files.list('', options),
  copy: (files, options) => files.copy('a', 'b', options),
  move: (files, options) => files.move('a', 'b', options),
  createSignedUrl: (files, options) => files.createSignedUrl('a', 60, options),
  createSignedUrls: async (files, options) =>
    first(files.createSignedUrls(['a'], 60, options).then(({ data }) => data ?? [])),
  getPublicUrl: async (files, options) => {
    try {
      return files.getPublicUrl('a', options);
    } catch (error) {
      return { error };
    }
  },
  createSignedUploadUrl: (files, options) =>
    files.createSignedUploadUrl('a', { size: 1, contentType: 'text/plain', ...options }),
  uploadToSignedUrl: (files, options) => files.uploadToSignedUrl(signed, 'x', options),
};
const ofStorage: Readonly<Record<string, Call<Storage>>> = {
  createBucket: (storage, options) => storage.createBucket('pics', options),
  updateBucket: (storage, options) => storage.updateBucket('pics', options),
  emptyBucket: (storage, options) => storage.emptyBucket('pics', options),
  getEmptying: (storage, options) => storage.getEmptying('pics', options),
  deleteBucket: (storage, options) => storage.deleteBucket('pics', options),
};
const without = ['constructor', 'info', 'exists', 'remove', 'from', 'listBuckets', 'getBucket'];

const refusal = (option: string) => ({
  error: {
    name: 'RowhouseError',
    status: 400,
    code: 'INVALID_INPUT',
    message: expect.stringMatching(new RegExp(`^Unknown option: ${option}\\. Use \\w+(, \\w+)*$`)),
  },
});

describe('an unknown option', () => {
  test.each(Object.entries(ofBucket))('of %s is refused', async (_, call) => {
    const { files, sent } = storageClient([{ body: { data: {} } }]);
    expect(await call(files, { transfrom: { width: 8 } })).toMatchObject(refusal('transfrom'));
    expect(sent).toEqual([]);
  });

  test.each(Object.entries(ofStorage))('of %s is refused', async (_, call) => {
    const { client, sent } = storageClient([{ body: { data: {} } }], { key: 'svc_secret_1' });
    expect(await call(client.storage, { publik: true })).toMatchObject(refusal('publik'));
    expect(sent).toEqual([]);
  });

  test('is looked for in every method', () => {
    const methods = [BucketClient, StorageClient].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype),
    );
    const covered = [...Object.keys(ofBucket), ...Object.keys(ofStorage), ...without];
    expect([...new Set(methods)].sort()).toEqual(covered.sort());
  });

  test.each<{ readonly method: string; readonly options: object; readonly name: string }>([
    { method: 'createSignedUrl', options: { transform: { widht: 8 } }, name: 'transform.widht' },
    { method: 'getPublicUrl', options: { transform: { widht: 8 } }, name: 'transform.widht' },
    { method: 'download', options: { transform: { widht: 8 } }, name: 'transform.widht' },
    { method: 'download', options: { range: { first: 0, lats: 8 } }, name: 'range.lats' },
    { method: 'list', options: { sortBy: { colum: 'name' } }, name: 'sortBy.colum' },
    { method: 'upload', options: { toString: undefined }, name: 'toString' },
    { method: 'createSignedUrl', options: { width: 8 }, name: 'width' },
  ])('$name of $method is refused', async ({ method, options, name }) => {
    const { files, sent } = storageClient([{ body: { data: {} } }]);
    expect(await ofBucket[method]?.(files, options)).toMatchObject(refusal(name));
    expect(sent).toEqual([]);
  });

  test('is refused with its place and what is known', async () => {
    const { files } = storageClient([]);
    const transform: object = { widht: 8 };
    expect(await files.createSignedUrl('a', 60, { transform })).toMatchObject({
      error: {
        message: 'Unknown option: transform.widht. Use width, height, resize, quality, format',
      },
    });
  });

  test('of one of several files is the error of this file', async () => {
    const { files, sent } = storageClient([{ body: { data: { id: 'f', key: 'b', size: 1 } } }]);
    const misspelt: object = { visiblity: 'private' };
    const results = await files.uploadMany([
      { path: 'a', file: 'x', ...misspelt },
      { path: 'b', file: 'y' },
    ]);
    expect(results).toMatchObject([{ path: 'a', ...refusal('visiblity') }, { error: null }]);
    expect(sent).toHaveLength(1);
  });
});

test('the keys of metadata are free', async () => {
  const { files } = storageClient([{ body: { data: { id: 'f', key: 'a', size: 1 } } }]);
  expect(await files.upload('a', 'x', { metadata: { any: 1 } })).toMatchObject({ error: null });
});
