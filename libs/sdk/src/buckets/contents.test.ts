// Contents: how they are sent, counted and read, and that streams and writes go once.
import { describe, expect, test } from 'vitest';

import { fileOf, requestOf, storageClient } from '../../tests/storage-client.js';
import { openPage } from '../../tests/auth-client.js';
import type { UploadBody, UploadProgress } from './index.js';

const stored = { status: 201, body: { data: fileOf('a/b.txt') } };
const place = { path: 'a/b.txt', id: 'f1', fullPath: 'pics/a/b.txt' };

const streamOf = (...chunks: readonly string[]) =>
  new Blob(chunks.map((chunk) => new TextEncoder().encode(chunk))).stream();

describe('upload', () => {
  test.each<{ readonly name: string; readonly body: UploadBody; readonly type: string }>([
    { name: 'text', body: 'hello', type: 'text/plain;charset=UTF-8' },
    { name: 'a blob', body: new Blob(['hello'], { type: 'text/css' }), type: 'text/css' },
    { name: 'a blob without a type', body: new Blob(['hello']), type: 'application/octet-stream' },
    {
      name: 'a file',
      body: new File(['hello'], 'x.gif', { type: 'image/gif' }),
      type: 'image/gif',
    },
    {
      name: 'bytes',
      body: new TextEncoder().encode('hello'),
      type: 'application/octet-stream',
    },
    {
      name: 'a buffer',
      body: new TextEncoder().encode('hello').buffer,
      type: 'application/octet-stream',
    },
    { name: 'a stream', body: streamOf('hel', 'lo'), type: 'application/octet-stream' },
  ])('$name', async ({ body, type }) => {
    const { files, sent, bodies } = storageClient([stored]);
    expect(await files.upload('a/b.txt', body)).toEqual({ data: place, error: null });
    expect(sent.map(requestOf)).toEqual([
      {
        method: 'PUT',
        target: '/api/files/object/pics/a/b.txt',
        headers: { authorization: 'Bearer tok', 'content-type': type },
      },
    ]);
    expect(bodies).toEqual(['hello']);
  });

  test('options go into the address', async () => {
    const { files, sent } = storageClient([stored]);
    await files.upload('a/b.txt', 'hello', {
      contentType: 'text/css',
      visibility: 'public',
      upsert: true,
      cacheControl: 'max-age=60',
      metadata: { a: 1 },
    });
    expect(sent[0]?.headers['content-type']).toBe('text/css');
    expect(Object.fromEntries(sent[0]?.params ?? [])).toEqual({
      visibility: 'public',
      upsert: 'true',
      cacheControl: 'max-age=60',
      metadata: '{"a":1}',
    });
  });

  test('a form goes as it is', async () => {
    const { files, sent, bodies } = storageClient([stored]);
    const form = new FormData();
    form.set('file', new Blob(['hello']), 'x.txt');
    expect((await files.upload('a/b.txt', form, { upsert: true })).data).toEqual(place);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      target: '/api/files/?bucket=pics&path=a/b.txt&upsert=true',
    });
    expect(bodies[0]).toContain('filename="x.txt"');
  });

  test.each<{ readonly name: string; readonly body: UploadBody; readonly total?: number }>([
    { name: 'a blob', body: new Blob(['hello']), total: 5 },
    { name: 'text', body: 'hello', total: 5 },
    { name: 'a stream', body: streamOf('hello') },
  ])('$name is counted while it is sent', async ({ body, total }) => {
    const { files, sent, bodies } = storageClient([stored]);
    const seen: UploadProgress[] = [];
    await files.upload('a/b.txt', body, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { loaded: 5, total },
      { loaded: 5, total: 5 },
    ]);
    expect(bodies).toEqual(['hello']);
    expect(sent[0]?.headers['content-length']).toBe(total === undefined ? undefined : '5');
  });

  test.each([
    { name: 'a stream', body: () => streamOf('hello') },
    { name: 'a blob', body: () => new Blob(['hello']) },
  ])(
    'a browser, which cannot stream $name, sends it whole and tells at the end',
    async ({ body }) => {
      const closePage = openPage({ navigator: { userAgent: 'Mozilla/5.0' } });
      try {
        const { files, sent, bodies } = storageClient([stored]);
        const seen: UploadProgress[] = [];
        const onProgress = (progress: UploadProgress) => seen.push(progress);
        await files.upload('a/b.txt', body(), { onProgress });
        expect(bodies).toEqual(['hello']);
        expect(sent[0]?.headers['content-length']).toBeUndefined();
        expect(seen).toEqual([{ loaded: 5, total: 5 }]);
      } finally {
        closePage();
      }
    },
  );

  test('it is sent once, whatever happens', async () => {
    const { files, sent } = storageClient([new TypeError('fetch failed'), stored]);
    expect(await files.upload('a', 'hello')).toMatchObject({ data: null, error: { status: 0 } });
    expect(sent).toHaveLength(1);
  });

  test('a signal ends it', async () => {
    const { files, sent } = storageClient([stored]);
    const { error } = await files.upload('a', 'hello', { signal: AbortSignal.abort() });
    expect(error?.cause).toMatchObject({ name: 'AbortError' });
    expect(sent).toEqual([]);
  });
});

describe('update', () => {
  test('replaces the file that is there, under its path', async () => {
    const { files, sent } = storageClient([stored]);
    const id = '0b0f7f5e-36a4-4f7b-9d4c-0d6a3d6c9a11';
    expect(await files.update(id, 'hello')).toEqual({ data: place, error: null });
    expect(
      sent.map(({ method, target, headers }) => [method, target, headers['if-match']]),
    ).toEqual([['PUT', `/api/files/object/pics/${id}?upsert=true`, '*']]);
  });

  const refused = { status: 412, body: { message: 'No', code: 'PRECONDITION_FAILED' } };

  test('where no file is, it is an error', async () => {
    const { files } = storageClient([refused]);
    const { error } = await files.update('a', 'x');
    expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', status: 404 });
  });

  test('of another version than the named one is an error of its own', async () => {
    const { files, sent } = storageClient([refused]);
    const { error } = await files.update('a', 'x', { ifMatch: '"1"' });
    expect([error?.code, sent[0]?.headers['if-match']]).toEqual(['PRECONDITION_FAILED', '"1"']);
  });
});

describe('download', () => {
  const content = { body: 'hello', headers: { 'content-type': 'text/css' } };

  test('as a blob', async () => {
    const { files, sent } = storageClient([content]);
    const { data } = await files.download('a b');
    expect([await data?.text(), data?.type]).toEqual(['hello', 'text/css']);
    expect(sent[0]?.path).toBe('/api/files/object/pics/a%20b');
  });

  test('as a stream', async () => {
    const { files } = storageClient([content]);
    const { data } = await files.downloadStream('a');
    expect(await new Response(data).text()).toBe('hello');
  });

  test.each([
    { name: 'an empty file as a blob', read: 'download' as const },
    { name: 'an empty file as a stream', read: 'downloadStream' as const },
  ])('$name', async ({ read }) => {
    const { files } = storageClient([{ status: 200 }]);
    const { data } = await files[read]('a');
    expect(await new Response(data).text()).toBe('');
  });

  test.each([
    { range: { first: 0, last: 9 }, header: 'bytes=0-9' },
    { range: { first: 5 }, header: 'bytes=5-' },
  ])('a range: $header', async ({ range, header }) => {
    const { files, sent } = storageClient([{ ...content, status: 206 }]);
    expect((await files.download('a', { range })).error).toBeNull();
    expect(sent[0]?.headers['range']).toBe(header);
  });

  test.each([{ first: -5 }, { first: 1.5 }, { first: 0, last: -1 }])(
    'the range %p is refused, because servers would give the whole file',
    async (range) => {
      const { files, sent } = storageClient([content]);
      expect((await files.download('a', { range })).error).toMatchObject({ status: 400 });
      expect(sent).toEqual([]);
    },
  );

  test('another image', async () => {
    const { files, sent } = storageClient([content]);
    await files.download('a.png', { transform: { width: 10, resize: 'fill' } });
    expect(sent[0]?.target).toBe(
      '/storage/v1/render/image?bucket=pics&path=a.png&width=10&resize=fill',
    );
  });

  test('it is repeated after a fault of the network', async () => {
    const { files, sent } = storageClient([new TypeError('fetch failed'), content]);
    expect(await (await files.download('a')).data?.text()).toBe('hello');
    expect(sent).toHaveLength(2);
  });

  test.each([
    { name: 'a visitor reads where no credential is needed', token: null, isPublic: true },
    { name: 'a session reads as the user', token: 'tok' },
    { name: 'a secret key reads as itself', token: null, key: 'svc_secret_1' },
    {
      name: 'a header that names the caller reads as it',
      token: null,
      headers: { Authorization: 'Bearer uak_1' },
    },
  ])('$name', async ({ isPublic, ...options }) => {
    const { files, sent } = storageClient([content], options);
    await files.download('a');
    await files.exists('a');
    const path = isPublic ? '/api/storage/pics/files/a' : '/api/files/object/pics/a';
    expect(sent.map((request) => request.path)).toEqual([path, path]);
  });
});

describe('uploadMany', () => {
  test('gives what became of each file, in their order', async () => {
    const { files, sent } = storageClient([
      ({ path }) =>
        path.endsWith('/b')
          ? { status: 409, body: { message: 'Taken', code: 'FILE_EXISTS' } }
          : { body: { data: fileOf(path.slice(-1), `id-${path.slice(-1)}`) } },
    ]);
    const seen: unknown[] = [];
    const results = await files.uploadMany(
      [
        { path: 'a', file: 'x' },
        { path: 'b', file: 'y', upsert: false },
        { path: '../c', file: 'z' },
        { path: 'd', file: 'z' },
      ],
      { upsert: true, onProgress: (progress) => seen.push(progress) },
    );
    expect(results).toMatchObject([
      { path: 'a', data: { id: 'id-a', fullPath: 'pics/a' }, error: null },
      { path: 'b', data: null, error: { code: 'FILE_EXISTS' } },
      { path: '../c', data: null, error: { code: 'INVALID_INPUT' } },
      { path: 'd', data: { id: 'id-d' }, error: null },
    ]);
    expect(sent.map(({ target }) => target).sort()).toEqual([
      '/api/files/object/pics/a?upsert=true',
      '/api/files/object/pics/b?upsert=false',
      '/api/files/object/pics/d?upsert=true',
    ]);
    expect(seen).toHaveLength(4);
    expect(seen.at(-1)).toMatchObject({ completed: 4, total: 4 });
  });

  test.each([
    { name: 'four', options: {}, most: 4 },
    { name: 'as many as are wanted', options: { concurrency: 2 }, most: 2 },
  ])('sends $name at the same time', async ({ options, most }) => {
    let [open, peak] = [0, 0];
    const { files } = storageClient([
      async () => {
        peak = Math.max(peak, (open += 1));
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return stored;
      },
    ]);
    const many = Array.from({ length: 10 }, (_, index) => ({ path: `f${index}`, file: 'x' }));
    expect(await files.uploadMany(many, options)).toHaveLength(10);
    expect(peak).toBe(most);
  });

  test('never rejects, not even for a listener that throws or a signal', async () => {
    const { files } = storageClient([stored]);
    const onProgress = () => {
      throw new Error('mine');
    };
    const many = [{ path: 'a', file: 'x' }];
    expect(await files.uploadMany(many, { onProgress })).toMatchObject([{ error: null }]);
    const signal = AbortSignal.abort();
    expect(await files.uploadMany(many, { signal })).toMatchObject([{ error: { status: 0 } }]);
    expect(await files.uploadMany([])).toEqual([]);
  });
});
