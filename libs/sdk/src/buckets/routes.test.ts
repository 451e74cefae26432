// The request of each method of a bucket, as whom it goes, and what its answer becomes.
import { describe, expect, test } from 'vitest';

import { fileOf, requestOf, storageClient } from '../../tests/storage-client.js';
import type { Reply } from '../../tests/recording-fetch.js';
import type { BucketClient } from './index.js';

const asUser = { authorization: 'Bearer tok' };
const json = { ...asUser, 'content-type': 'application/json' };
const file = fileOf('a/b.png');
const uuid = '0b0f7f5e-36a4-4f7b-9d4c-0d6a3d6c9a11';

interface Row {
  readonly name: string;
  readonly call: (files: BucketClient) => Promise<unknown>;
  readonly request: { readonly method: string; readonly target: string; readonly body?: object };
  readonly reply?: Reply;
  readonly data: unknown;
}

const rows: readonly Row[] = [
  {
    name: 'info',
    call: (files) => files.info('a/b.png'),
    request: { method: 'GET', target: '/api/files/object-info/pics/a/b.png' },
    data: file,
  },
  {
    name: 'info of an id',
    call: (files) => files.info(uuid),
    request: { method: 'GET', target: `/api/files/object-info/pics/${uuid}` },
    data: file,
  },
  {
    name: 'exists, when it is there',
    call: (files) => files.exists('a/b.png'),
    request: { method: 'HEAD', target: '/api/files/object/pics/a/b.png' },
    reply: {},
    data: true,
  },
  {
    name: 'exists, when it is not there',
    call: (files) => files.exists('a/b.png'),
    request: { method: 'HEAD', target: '/api/files/object/pics/a/b.png' },
    reply: { status: 404 },
    data: false,
  },
  {
    name: 'list without anything',
    call: (files) => files.list(),
    request: { method: 'GET', target: '/api/files/list/pics' },
    reply: { body: { data: [file], total: 7 } },
    data: [file],
  },
  {
    name: 'list with everything',
    call: (files) =>
      files.list('a b', {
        limit: 5,
        offset: 10,
        search: 'x&y',
        sortBy: { column: 'createdAt', order: 'desc' },
        recursive: true,
      }),
    request: {
      method: 'GET',
      target:
        '/api/files/list/pics?prefix=a b&limit=5&offset=10&search=x&y&recursive=true&sortBy=createdAt&order=desc',
    },
    reply: { body: { data: [], total: 0 } },
    data: [],
  },
  {
    name: 'remove',
    call: (files) => files.remove(['a', uuid]),
    request: {
      method: 'POST',
      target: '/api/files/remove',
      body: { bucket: 'pics', paths: ['a', uuid] },
    },
    reply: { body: { data: [file] } },
    data: [file],
  },
  {
    name: 'copy',
    call: (files) => files.copy('a', 'b', { upsert: true }),
    request: {
      method: 'POST',
      target: '/api/files/copy',
      body: { bucket: 'pics', from: 'a', to: 'b', upsert: true },
    },
    data: file,
  },
  {
    name: 'move',
    call: (files) => files.move('a', 'b'),
    request: {
      method: 'POST',
      target: '/api/files/move',
      body: { bucket: 'pics', from: 'a', to: 'b' },
    },
    data: file,
  },
  {
    name: 'createSignedUrl',
    call: (files) => files.createSignedUrl('a/b.png', 60, { download: 'c.png' }),
    request: {
      method: 'GET',
      target: '/api/files/object-url/pics/a/b.png?expiresIn=60&download=c.png',
    },
    reply: { body: { data: { url: '/api/files/f1/raw', expiresAt: null } } },
    data: { signedUrl: 'http://shop.test/api/files/f1/raw', expiresAt: null },
  },
  {
    name: 'createSignedUrl of a store elsewhere',
    call: (files) => files.createSignedUrl('a/b.png', undefined, { download: true }),
    request: { method: 'GET', target: '/api/files/object-url/pics/a/b.png?download=' },
    reply: { body: { data: { url: 'http://s3.test/x?sig=1', expiresAt: 'soon' } } },
    data: { signedUrl: 'http://s3.test/x?sig=1', expiresAt: 'soon' },
  },
];

describe('methods of a bucket', () => {
  test.each(rows)('$name', async ({ call, request, reply, data }) => {
    const { files, sent } = storageClient([reply ?? { body: { data: file } }]);
    expect(await call(files)).toMatchObject({ data, error: null });
    const headers = request.body ? json : asUser;
    expect(sent.map(requestOf)).toEqual([{ ...request, headers }]);
  });

  test('list gives the number of all entries too', async () => {
    const { files } = storageClient([{ body: { data: [file], total: 7 } }]);
    expect(await files.list('a')).toEqual({ data: [file], error: null, count: 7 });
  });

  test.each([
    { name: 'exists', call: (files: BucketClient) => files.exists('a'), status: 403 },
    { name: 'info', call: (files: BucketClient) => files.info('a'), status: 404 },
    { name: 'list', call: (files: BucketClient) => files.list('a'), status: 400 },
    { name: 'download', call: (files: BucketClient) => files.download('a'), status: 404 },
  ])('$name: what the server refuses is an error', async ({ call, status }) => {
    const { files } = storageClient([{ status, body: { message: 'No', code: 'WHY' } }]);
    expect(await call(files)).toMatchObject({
      data: null,
      error: { message: 'No', status, code: 'WHY' },
    });
  });

  test('a session that is gone is asked about once, and the 401 is the error', async () => {
    const { files, client, sent } = storageClient([
      { status: 401, body: { message: 'Who?', code: 'UNAUTHORIZED' } },
      { status: 200, body: null },
    ]);
    expect((await files.info('a')).error?.status).toBe(401);
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/files/object-info/pics/a',
      '/api/auth/get-session',
    ]);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test('createSignedUrls gives each path its address or its error', async () => {
    const { files } = storageClient([
      ({ path }) =>
        path.endsWith('/b')
          ? { status: 404, body: { message: 'No', code: 'FILE_NOT_FOUND' } }
          : { body: { data: { url: `/raw${path.slice(-2)}`, expiresAt: null } } },
    ]);
    const { data, error } = await files.createSignedUrls(['a', 'b', 'c'], 60);
    expect(error).toBeNull();
    expect(data).toMatchObject([
      { path: 'a', signedUrl: 'http://shop.test/raw/a', expiresAt: null, error: null },
      { path: 'b', signedUrl: null, error: { status: 404, code: 'FILE_NOT_FOUND' } },
      { path: 'c', signedUrl: 'http://shop.test/raw/c', error: null },
    ]);
  });
});

describe('paths', () => {
  test('each part is encoded, and slashes stay', async () => {
    const { files, sent } = storageClient([{ body: { data: file } }]);
    await files.info('ä b/50%/c?d#e+f&g');
    expect(sent[0]?.path).toBe('/api/files/object-info/pics/%C3%A4%20b/50%25/c%3Fd%23e%2Bf%26g');
  });

  test.each([
    { path: '' },
    { path: '/a' },
    { path: 'a/' },
    { path: 'a//b' },
    { path: '../b' },
    { path: 'a/./b' },
    { path: 'a/..' },
    { path: 'a\ud800' },
  ])('$path, which would address something else, is refused and not sent', async ({ path }) => {
    const { files, sent } = storageClient([{}]);
    const refused = { error: { status: 400, code: 'INVALID_INPUT' } };
    for (const answer of [files.info(path), files.download(path), files.upload(path, 'x')]) {
      expect(await answer).toMatchObject(refused);
    }
    expect(() => files.getPublicUrl(path)).toThrow();
    expect(sent).toEqual([]);
  });

  test('dots that are part of a name are none', async () => {
    const { files, sent } = storageClient([{ body: { data: file } }]);
    await files.info('..a/.b/c...');
    expect(sent[0]?.path).toBe('/api/files/object-info/pics/..a/.b/c...');
  });

  test.each([{ slug: 'a/b' }, { slug: '..' }])(
    'the slug $slug leads nowhere else',
    async ({ slug }) => {
      const { client, sent } = storageClient([{ body: { data: file } }]);
      await client.storage.from(slug).info('x');
      await client.storage.getBucket(slug);
      expect(sent.map(({ path }) => path)).toEqual(
        slug === '..' ? [] : ['/api/files/object-info/a%2Fb/x', '/api/admin/storage/buckets/a%2Fb'],
      );
    },
  );
});

describe('public addresses', () => {
  const at = 'http://shop.test';

  test.each([
    { name: 'a path', path: 'a b/ü.png', url: '/api/storage/pics/files/a%20b/%C3%BC.png' },
    { name: 'an id', path: uuid, url: `/api/storage/pics/files/${uuid}` },
    {
      name: 'to be saved',
      path: 'a.png',
      options: { download: true },
      url: '/api/storage/pics/files/a.png?download=',
    },
    {
      name: 'to be saved under a name',
      path: 'a.png',
      options: { download: 'ü.png' },
      url: '/api/storage/pics/files/a.png?download=%C3%BC.png',
    },
    {
      name: 'not to be saved',
      path: 'a.png',
      options: { download: false },
      url: '/api/storage/pics/files/a.png',
    },
    {
      name: 'another image',
      path: 'a/b.png',
      options: { transform: { width: 100, format: 'webp' as const } },
      url: '/storage/v1/render/image?bucket=pics&path=a/b.png&width=100&format=webp',
    },
  ])('$name', ({ path, options, url }) => {
    const { files, sent } = storageClient([]);
    expect(files.getPublicUrl(path, options)).toEqual({ data: { publicUrl: `${at}${url}` } });
    expect(sent).toEqual([]);
  });
});

describe('administration of buckets', () => {
  const bucket = { slug: 'pics', public: true };
  const at = '/api/admin/storage/buckets';
  type Storage = ReturnType<typeof storageClient>['client']['storage'];

  test.each<{
    readonly name: string;
    readonly call: (storage: Storage) => Promise<unknown>;
    readonly request: object;
  }>([
    {
      name: 'listBuckets',
      call: (storage) => storage.listBuckets(),
      request: { method: 'GET', target: at },
    },
    {
      name: 'getBucket',
      call: (storage) => storage.getBucket('pics'),
      request: { method: 'GET', target: `${at}/pics` },
    },
    {
      name: 'createBucket',
      call: (storage) => storage.createBucket('pics', { public: true, quotaBytes: 5 }),
      request: {
        method: 'POST',
        target: at,
        body: { slug: 'pics', public: true, quotaBytes: 5 },
      },
    },
    {
      name: 'updateBucket',
      call: (storage) => storage.updateBucket('pics', { allowedMimeTypes: null }),
      request: { method: 'PATCH', target: `${at}/pics`, body: { allowedMimeTypes: null } },
    },
    {
      name: 'getEmptying',
      call: (storage) => storage.getEmptying('pics'),
      request: { method: 'GET', target: `${at}/pics/empty` },
    },
    {
      name: 'deleteBucket',
      call: (storage) => storage.deleteBucket('pics'),
      request: { method: 'DELETE', target: `${at}/pics` },
    },
    {
      name: 'deleteBucket with its files',
      call: (storage) => storage.deleteBucket('pics', { force: true }),
      request: { method: 'DELETE', target: `${at}/pics?force=true` },
    },
  ])('$name goes with the key alone', async ({ call, request }) => {
    const { client, sent } = storageClient([{ body: { data: bucket } }], { key: 'svc_secret_1' });
    expect(await call(client.storage)).toEqual({ data: bucket, error: null });
    const headers = {
      apikey: 'svc_secret_1',
      ...('body' in request && { 'content-type': 'application/json' }),
    };
    expect(sent.map(requestOf)).toEqual([{ ...request, headers }]);
  });

  test('with a publishable key no session goes along, and the 401 is an error', async () => {
    const { client, sent } = storageClient([{ status: 401, body: { message: 'No', code: 'U' } }], {
      key: 'svc_publishable_1',
    });
    expect(await client.storage.listBuckets()).toMatchObject({
      data: null,
      error: { status: 401 },
    });
    expect(sent.map(({ headers }) => headers)).toEqual([{ apikey: 'svc_publishable_1' }]);
  });
});
