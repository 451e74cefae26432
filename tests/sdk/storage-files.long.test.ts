// Our client and the files of a real project, with both drivers: everything that goes in comes out, each call
// does what it says, and what goes wrong is an error.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import type { RowhouseClient, StorageAnswer, UploadBody, UploadProgress } from '#libs/sdk';
import { describeIf } from '#libs/testing';

import { canRunS3 } from '../support/s3-server.js';
import { type FilesUnderTest, openFiles } from './support/files.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Bucket = ReturnType<RowhouseClient['storage']['from']>;

const MEGABYTE = 1024 * 1024;
/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('on the local disk', () => storageRules('local'));
describeIf(canRunS3(), 'the S3 driver needs Swift')('in S3', () => storageRules('s3'));

function storageRules(driver: 'local' | 's3'): void {
  let files: FilesUnderTest;
  let shown: Bucket;
  let hidden: Bucket;

  beforeAll(async () => {
    files = await openFiles(driver);
    const { storage } = files.asUser();
    [shown, hidden] = [storage.from('shown'), storage.from('hidden')];
  }, 120_000);
  afterAll(() => files?.close(), 60_000);

  test.each<{ readonly name: string; readonly body: () => UploadBody; readonly mime: string }>([
    { name: 'text', body: () => 'hello', mime: 'text/plain' },
    { name: 'a blob', body: () => new Blob(['hello'], { type: 'text/css' }), mime: 'text/css' },
    {
      name: 'a file',
      body: () => new File(['hello'], 'x.txt', { type: 'text/markdown' }),
      mime: 'text/markdown',
    },
    {
      name: 'bytes',
      body: () => new TextEncoder().encode('hello'),
      mime: 'application/octet-stream',
    },
    {
      name: 'a stream',
      body: () => new Blob(['hel', 'lo']).stream(),
      mime: 'application/octet-stream',
    },
    { name: 'a form', body: () => formOf('hello'), mime: 'text/plain' },
  ])('$name comes out as it went in', async ({ name, body, mime }) => {
    const path = `kinds/${name} ü%.txt`;
    const options = { metadata: { from: 'test', ü: [1] }, cacheControl: 'max-age=60' };
    const { id, ...place } = await dataOf(hidden.upload(path, body(), options));
    expect(place).toEqual({ path, fullPath: `hidden/${path}` });
    for (const name of [path, id]) {
      const content = await dataOf(hidden.download(name));
      expect(await content.text()).toBe('hello');
      expect(await dataOf(hidden.info(name))).toMatchObject({
        id,
        key: path,
        size: 5,
        mime: expect.stringContaining(mime),
        visibility: 'private',
        ownerId: files.user.id,
        ...options,
      });
      expect(await dataOf(hidden.exists(name))).toBe(true);
    }
  });

  test('megabytes are counted while they go, and can be read in parts and as a stream', async () => {
    const bytes = someBytes(5 * MEGABYTE);
    const seen: UploadProgress[] = [];
    const onProgress = (progress: UploadProgress) => seen.push(progress);
    await dataOf(hidden.upload('large', new Blob([bytes]), { onProgress }));
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.at(-1)).toEqual({ loaded: bytes.length, total: bytes.length });
    const range = { first: 1_000_000, last: 1_000_009 };
    const part = await dataOf(hidden.download('large', { range }));
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1_000_000, 1_000_010));
    const stream = await dataOf(hidden.downloadStream('large'));
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(bytes)).toBe(true);
    const wide = await hidden.download('large', { range: { first: bytes.length } });
    expect(wide.error?.status).toBe(416);
  });

  test('a stream whose length nobody knows arrives whole', async () => {
    const bytes = someBytes(3 * MEGABYTE);
    await dataOf(hidden.upload('streamed', new Blob([bytes]).stream()));
    const content = await dataOf(hidden.download('streamed'));
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('a path is taken once, unless upsert or update replaces its file', async () => {
    const first = await dataOf(hidden.upload('once', 'one'));
    expect((await hidden.upload('once', 'two')).error).toMatchObject({
      status: 409,
      code: 'FILE_EXISTS',
    });
    expect(await (await dataOf(hidden.download('once'))).text()).toBe('one');
    expect((await dataOf(hidden.upload('once', 'two', { upsert: true }))).id).toBe(first.id);
    expect((await dataOf(hidden.update('once', 'three'))).id).toBe(first.id);
    expect(await dataOf(hidden.update(first.id, 'four'))).toEqual(first);
    expect(await (await dataOf(hidden.download('once'))).text()).toBe('four');
    expect((await hidden.update('never', 'x')).error).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await dataOf(hidden.exists('never'))).toBe(false);
  });

  test('list shows folders and files, sorted, cut and searched', async () => {
    const paths = ['shelf/b.txt', 'shelf/a.txt', 'shelf/deep/c.txt', 'shelves/d.txt'];
    for (const path of paths) await dataOf(hidden.upload(path, path));
    const names = async (...call: Parameters<Bucket['list']>) => {
      const { data, error, count } = await hidden.list(...call);
      if (error) throw error;
      return [data.map(({ kind, name }) => `${kind} ${name}`), count];
    };
    const all = ['folder deep', 'file a.txt', 'file b.txt'];
    expect(await names('shelf')).toEqual([all, 3]);
    expect(await names('shelf', { limit: 1, offset: 1 })).toEqual([['file a.txt'], 3]);
    expect(await names('shelf', { search: 'B.' })).toEqual([['file b.txt'], 1]);
    const sortBy = { column: 'name', order: 'desc' } as const;
    expect(await names('shelf', { sortBy, recursive: true })).toEqual([
      ['file c.txt', 'file b.txt', 'file a.txt'],
      3,
    ]);
    expect((await hidden.list('shelf', { limit: 0 })).error?.status).toBe(400);
  });

  test('copy, move and remove take paths and ids', async () => {
    const { id } = await dataOf(hidden.upload('desk/one', 'one'));
    const copied = await dataOf(hidden.copy('desk/one', 'desk/two'));
    expect(copied).toMatchObject({ key: 'desk/two', size: 3 });
    expect((await hidden.copy(id, 'desk/two')).error).toMatchObject({ status: 409 });
    expect(await dataOf(hidden.copy(id, 'desk/two', { upsert: true }))).toMatchObject({
      key: 'desk/two',
    });
    expect(await dataOf(hidden.move(id, 'desk/three'))).toMatchObject({ id, key: 'desk/three' });
    expect(await dataOf(hidden.exists('desk/one'))).toBe(false);
    const removed = await dataOf(hidden.remove([id, 'desk/two', 'desk/nothing']));
    expect(removed.map(({ key }) => key).sort()).toEqual(['desk/three', 'desk/two']);
    expect(await hidden.list('desk')).toEqual({ data: [], error: null, count: 0 });
  });

  test('public files are for everybody, private ones are not', async () => {
    const visitor = files.visitor.storage.from('shown');
    const { id } = await dataOf(shown.upload('open/ü b.txt', 'open', { visibility: 'public' }));
    await dataOf(shown.upload('closed.txt', 'closed', { visibility: 'private' }));
    for (const name of ['open/ü b.txt', id]) {
      const { publicUrl } = visitor.getPublicUrl(name, { download: 'x.txt' }).data;
      const reply = await fetch(publicUrl);
      expect([reply.status, await reply.text()]).toEqual([200, 'open']);
      expect(reply.headers.get('content-disposition')).toContain('attachment');
      expect(await (await dataOf(visitor.download(name))).text()).toBe('open');
      expect(await dataOf(visitor.exists(name))).toBe(true);
    }
    expect((await fetch(visitor.getPublicUrl('closed.txt').data.publicUrl)).status).toBe(404);
    expect(await dataOf(visitor.exists('closed.txt'))).toBe(false);
    expect((await visitor.download('closed.txt')).error).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const stranger = files.visitor.storage.from('hidden');
    for (const call of [
      stranger.download('closed.txt'),
      stranger.exists('closed.txt'),
      visitor.info('open/ü b.txt'),
      visitor.list(),
      visitor.upload('mine', 'x'),
      visitor.remove(['closed.txt']),
      visitor.uploadResumable('mine', 'x'),
      visitor.createSignedUrl('closed.txt', 60),
    ]) {
      expect(await call).toMatchObject({ data: null, error: { status: 401 } });
    }
  });

  test('an image can be had as another one', async () => {
    await dataOf(shown.upload('pixel.png', new Blob([pixel], { type: 'image/png' })));
    const transform = { width: 1, format: 'jpeg' } as const;
    const image = await dataOf(shown.download('pixel.png', { transform }));
    expect(image.type).toBe('image/jpeg');
    const { publicUrl } = files.visitor.storage.from('shown').getPublicUrl('pixel.png', {
      transform,
    }).data;
    expect((await fetch(publicUrl)).headers.get('content-type')).toBe('image/jpeg');
  });

  test('signed addresses', async () => {
    await dataOf(hidden.upload('letter.txt', 'secret'));
    const options = { download: 'brief.txt' };
    const { signedUrl, expiresAt } = await dataOf(
      hidden.createSignedUrl('letter.txt', 60, options),
    );
    if (driver === 's3') {
      const reply = await fetch(signedUrl);
      expect([reply.status, await reply.text()]).toEqual([200, 'secret']);
      expect(reply.headers.get('content-disposition')).toContain('brief.txt');
      expect(Date.parse(expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(60_000);
    } else {
      // The disk signs nothing: the address wants to know who asks.
      expect([expiresAt, new URL(signedUrl).pathname]).toEqual([
        null,
        expect.stringMatching(/^\/api\/files\/[\da-f-]{36}\/raw$/),
      ]);
    }
    expect((await hidden.createSignedUrl('letter.txt', 0)).error).toMatchObject({
      code: 'INVALID_EXPIRES_IN',
    });
    const many = await dataOf(hidden.createSignedUrls(['letter.txt', 'gone'], 60));
    expect(many).toMatchObject([
      { path: 'letter.txt', error: null },
      { path: 'gone', signedUrl: null, error: { code: 'FILE_NOT_FOUND' } },
    ]);
  });

  test('a signed address of an image made from a file opens that image and no other', async () => {
    const settings = '/api/admin/settings/storage';
    const links = { method: 'PUT', path: settings, body: { signedLinks: true } };
    expect((await files.project.asService(links)).status).toBe(200);
    await dataOf(hidden.upload('private.png', new Blob([pixel], { type: 'image/png' })));
    const transform = { width: 1, format: 'jpeg' } as const;
    const { signedUrl, expiresAt } = await dataOf(
      hidden.createSignedUrl('private.png', 60, { transform }),
    );
    const remainingMs = Date.parse(expiresAt ?? '') - Date.now();
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(60_000);
    const { pathname, search } = new URL(signedUrl);
    const image = await files.project.send({ path: `${pathname}${search}` });
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const other = search.replace('jpeg', 'webp');
    expect(other).not.toBe(search);
    expect((await files.project.send({ path: `${pathname}${other}` })).status).toBe(403);
    const restored = { ...links, body: { signedLinks: false } };
    expect((await files.project.asService(restored)).status).toBe(200);
  });

  test('an upload directly into the store', async () => {
    const asked = { size: 5, contentType: 'text/css', metadata: { a: 1 } };
    const signed = await hidden.createSignedUploadUrl('direct.css', asked);
    if (driver === 'local') {
      expect(signed.error).toMatchObject({ status: 400, code: 'PRESIGN_NOT_SUPPORTED' });
      return;
    }
    const upload = await dataOf(Promise.resolve(signed));
    const { error } = await hidden.uploadToSignedUrl(upload, 'too long');
    expect(error?.status).toBe(403);
    const place = { path: 'direct.css', id: upload.id, fullPath: 'hidden/direct.css' };
    expect(await dataOf(hidden.uploadToSignedUrl(upload, 'hello'))).toEqual(place);
    expect(await dataOf(hidden.info('direct.css'))).toMatchObject({
      mime: 'text/css',
      ...fieldsOf(asked),
    });
  });

  test('a connection that breaks in the middle of a part costs nothing but time', async () => {
    const bytes = someBytes(4 * MEGABYTE);
    let breaks = 2;
    const client = files.asUser({
      fetch: (input, init) => {
        const isPart = init?.method === 'PATCH' && (breaks -= 1) >= 0;
        return fetch(input, isPart ? breakingAfter(MEGABYTE / 2, init) : init);
      },
    });
    const seen: number[] = [];
    const bucket = client.storage.from('hidden');
    const { id } = await dataOf(
      bucket.uploadResumable('resumed.bin', bytes, {
        chunkSize: 2 * MEGABYTE,
        metadata: { ü: 1 },
        onProgress: ({ loaded }) => seen.push(loaded),
      }),
    );
    const content = await dataOf(hidden.download(id));
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    expect([seen.at(0), seen.at(-1)]).toEqual([0, bytes.length]);
    expect(await dataOf(hidden.info(id))).toMatchObject({
      key: 'resumed.bin',
      metadata: { ü: 1 },
    });
  });

  test('a paused upload goes on where it stopped, and an empty one ends at once', async () => {
    const file = new File([someBytes(3 * MEGABYTE)], 'x.bin', { lastModified: 7 });
    const pause = new AbortController();
    const options = { chunkSize: MEGABYTE };
    const paused = await hidden.uploadResumable('paused.bin', file, {
      ...options,
      signal: pause.signal,
      onProgress: ({ loaded }) => loaded === MEGABYTE && pause.abort(),
    });
    expect(paused.error?.status).toBe(0);
    const seen: number[] = [];
    const onProgress = ({ loaded }: UploadProgress) => seen.push(loaded);
    await dataOf(hidden.uploadResumable('paused.bin', file, { ...options, onProgress }));
    expect(seen).toEqual([1, 2, 3].map((count) => count * MEGABYTE));
    const content = await dataOf(hidden.download('paused.bin'));
    expect(await content.arrayBuffer()).toEqual(await file.arrayBuffer());
    await dataOf(hidden.uploadResumable('empty.bin', ''));
    expect((await dataOf(hidden.info('empty.bin'))).size).toBe(0);
    expect((await hidden.uploadResumable('empty.bin', 'x')).error).toMatchObject({
      status: 409,
      code: 'FILE_EXISTS',
    });
  });

  test('many files, of which some are refused', async () => {
    const many = [
      { path: 'many/a', file: 'a' },
      { path: 'many/b', file: new Blob(['b']) },
      { path: 'many/a', file: 'c' },
    ];
    const results = await hidden.uploadMany(many, { concurrency: 1 });
    expect(results).toMatchObject([
      { path: 'many/a', data: { fullPath: 'hidden/many/a' }, error: null },
      { path: 'many/b', error: null },
      { path: 'many/a', data: null, error: { code: 'FILE_EXISTS' } },
    ]);
  });

  test('buckets are administrated with the secret key alone', async () => {
    const { storage } = files.server;
    const slug = 'crates';
    expect(await dataOf(storage.createBucket(slug, { maxFileBytes: 4 }))).toMatchObject({
      slug,
      public: false,
      maxFileBytes: 4,
    });
    expect((await storage.createBucket(slug)).error).toMatchObject({ code: 'BUCKET_EXISTS' });
    const crates = storage.from(slug);
    expect((await crates.upload('a', '12345')).error?.status).toBe(413);
    const changes = { maxFileBytes: null, quotaBytes: 100, allowedMimeTypes: ['text/*'] };
    expect(await dataOf(storage.updateBucket(slug, changes))).toMatchObject(changes);
    await dataOf(crates.upload('a', '12345'));
    expect((await crates.upload('b', 'x'.repeat(100))).error).toMatchObject({
      status: 413,
      code: 'QUOTA_EXCEEDED',
    });
    expect((await crates.upload('c', new Blob(['x']))).error?.status).toBe(415);
    expect(await dataOf(storage.getBucket(slug))).toMatchObject({ usedBytes: 5, fileCount: 1 });
    expect((await storage.deleteBucket(slug)).error).toMatchObject({ code: 'BUCKET_NOT_EMPTY' });
    expect(await dataOf(storage.emptyBucket(slug))).toEqual({ deleted: 1 });
    await dataOf(crates.upload('a', '12345'));
    expect(await dataOf(storage.deleteBucket(slug, { force: true }))).toEqual({ slug });
    expect((await dataOf(storage.listBuckets())).map((bucket) => bucket.slug).sort()).toEqual([
      'hidden',
      'shown',
    ]);
    for (const client of [files.visitor, files.asUser()]) {
      const { error } = await client.storage.listBuckets();
      expect(error?.status).toBe(client === files.visitor ? 401 : 403);
    }
  });
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/plain' }), 'whatever.txt');
  return form;
}

/** Bytes that do not repeat soon. */
function someBytes(count: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  return bytes;
}

/** The same request, whose body ends the connection after so many bytes. */
function breakingAfter(bytes: number, init: RequestInit): RequestInit {
  const start = new Response(init.body ?? null).body?.getReader();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done = true } = (await start?.read()) ?? {};
      if (value) controller.enqueue(value);
      sent += value?.byteLength ?? 0;
      if (done || sent >= bytes) controller.error(new Error('the connection breaks'));
    },
  });
  return { ...init, body, duplex: 'half' };
}

const fieldsOf = ({ size, metadata }: { readonly size: number; readonly metadata: object }) => ({
  size,
  metadata,
});

async function dataOf<Data>(answer: Promise<StorageAnswer<Data>>): Promise<Data> {
  const { data, error } = await answer;
  if (error) throw error;
  return data;
}
