// The bytes of files, from both drivers: whole, in parts, under conditions, and gone.
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { saveSettings } from '../isolation/neighbors.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { conditionalRequests } from './conditional-requests.js';
import {
  fetchBytes,
  type FilePlace,
  pathOf,
  type PlacedFile,
  storesHere,
  type StoreUnderTest,
} from './stored-files.js';

const content = 'The quick brown fox jumps over the lazy dog';
const size = content.length;

describe.each(storesHere({ mayDie: true }))('files in a $kind store', ({ kind, open }) => {
  let store: StoreUnderTest;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let place: FilePlace;
  let ada: SignedIn;
  let file: PlacedFile;

  const bearer = () => ({ authorization: `Bearer ${ada.token}` });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetchBytes(project, { path, method, headers: { ...bearer(), ...headers } });
  const put = (key: string, given: object = {}) =>
    place.put({ bucket: 'docs', key, ownerId: ada.id, content, ...given });
  /** The answer when its first bytes have come; the rest waits until somebody reads on. */
  async function beginReading(id: string): Promise<IncomingMessage> {
    const { hostname, port } = new URL(project.apiOrigin);
    const headers = { host: project.host, ...bearer() };
    const sent = httpRequest({ hostname, port, path: `/api/files/${id}/raw`, headers });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage]; // What the event brings.
    await once(answer, 'readable');
    return answer;
  }
  const post = (path: string, body: object) => project.as(ada, { method: 'POST', path, body });

  beforeAll(async () => {
    store = await open();
    deployment = await Deployment.open({ env: store.env });
    project = await deployment.createProject();
    place = await store.placeOf(deployment, project);
    ada = await project.signUp('ada@example.org');
    await makeBucket(project, 'docs', { public: true });
    file = await put('fox/quick.txt');
  }, 120_000);
  afterAll(async () => {
    await deployment.close();
    await store.close();
  }, 60_000);

  describe('the whole file', () => {
    test.each([
      { name: 'GET /api/files/:id/raw', path: () => `/api/files/${file.id}/raw` },
      {
        name: 'GET /api/files/object/:bucket/*',
        path: () => '/api/files/object/docs/fox/quick.txt',
      },
      { name: 'the same by the id', path: () => `/api/files/object/docs/${file.id}` },
    ])('$name streams it, and HEAD says the same of it', async ({ path }) => {
      const reply = await get(path());
      expect(reply.status).toBe(200);
      expect(reply.bytes.toString()).toBe(content);
      expect(reply.headers).toMatchObject({
        'content-type': 'text/plain',
        'content-length': String(size),
        'accept-ranges': 'bytes',
        etag: `"${file.version}"`,
        'cache-control': 'private, max-age=0, must-revalidate',
        'content-disposition': 'inline; filename="quick.txt"',
        'x-content-type-options': 'nosniff',
        vary: 'Origin, Authorization',
      });
      const head = await get(path(), {}, 'HEAD');
      const { date: _sent, connection: _c, 'x-request-id': _id, ...told } = reply.headers;
      expect(head.status).toBe(200);
      expect(head.headers).toMatchObject(told);
      expect(head.bytes).toHaveLength(0);
    });

    test('an empty file is empty', async () => {
      const { id } = await put('empty.txt', { content: '' });
      const reply = await get(`/api/files/${id}/raw`, { range: 'bytes=0-' });
      expect([reply.status, reply.headers['content-length']]).toEqual([200, '0']);
    });

    test('many megabytes come as they are', async () => {
      const bytes = Buffer.alloc(5 * 1024 ** 2 + 3, 'a part that repeats');
      const { id } = await put('large.bin', { content: bytes });
      expect((await get(`/api/files/${id}/raw`)).bytes.equals(bytes)).toBe(true);
      const part = await get(`/api/files/${id}/raw`, { range: 'bytes=-7' });
      expect(part.bytes.equals(bytes.subarray(-7))).toBe(true);
    });

    test('storage object missing: 404, also for HEAD', async () => {
      const lost = await put('lost.txt');
      await place.loseBytes(lost);
      const path = `/api/files/${lost.id}/raw`;
      const reply = await project.as(ada, { path });
      expect(refusalOf(reply).slice(0, 2)).toEqual([404, 'STORAGE_OBJECT_MISSING']);
      expect((await get(path, {}, 'HEAD')).status).toBe(404);
      // What is known of the file needs no bytes.
      expect((await get(path, { 'if-none-match': `"${lost.version}"` })).status).toBe(304);
    });

    test('bytes that are not as long as the row says are missing', async () => {
      const cut = await put('cut.txt');
      await rowsIn(project, 'update storage.stored_files set size = size + 1 where id = $1', [
        cut.id,
      ]);
      expect((await get(`/api/files/${cut.id}/raw`)).status).toBe(404);
      expect((await get(`/api/files/${cut.id}/raw`, {}, 'HEAD')).status).toBe(404);
      await rowsIn(project, 'update storage.stored_files set size = size - 1 where id = $1', [
        cut.id,
      ]);
    });
  });

  describe('parts and conditions', () => {
    const tag = () => `"${file.version}"`;
    test.each(conditionalRequests)('$name: $status', async ({ headers, status, range }) => {
      const sent = Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('{tag}', tag()),
      ]);
      for (const method of ['GET', 'HEAD']) {
        const reply = await get(`/api/files/${file.id}/raw`, Object.fromEntries(sent), method);
        expect(reply.status).toBe(status);
        expect(reply.headers['content-range']).toBe(range && `bytes ${range}/${size}`);
        if (status < 400) expect(reply.headers.etag).toBe(tag());
        if (method === 'HEAD' || status > 206) continue;
        const [start = 0, end = size - 1] =
          status === 206 ? (range ?? '').split('-').map(Number) : [];
        expect(reply.bytes.toString()).toBe(content.slice(start, end + 1));
      }
    });

    test('a replaced file has another tag, and its date names no bytes', async () => {
      const first = await put('replaced.txt');
      const second = await put('replaced.txt', { content: 'new', upsert: true });
      expect(second.id).toBe(first.id);
      const path = `/api/files/${first.id}/raw`;
      const whole = await get(path, { 'if-none-match': `"${first.version}"` });
      expect([whole.status, whole.bytes.toString()]).toEqual([200, 'new']);
      const modified = whole.headers['last-modified'] ?? '';
      const part = await get(path, { 'if-range': modified, range: 'bytes=0-0' });
      expect(part.status).toBe(200);
    });
  });

  test.each([
    { query: 'download', disposition: 'attachment; filename="quick.txt"' },
    { query: 'download=', disposition: 'attachment; filename="quick.txt"' },
    {
      query: 'download=f%C3%BCchse.txt',
      disposition: /^attachment; filename="fuchse\.txt"; filename\*=/,
    },
    { query: 'download=a%0d%0aX-Evil:1', disposition: 'attachment; filename="a__X-Evil:1"' },
    { query: 'downloads=1', disposition: 'inline; filename="quick.txt"' },
  ])('?$query', async ({ query, disposition }) => {
    const reply = await get(`/api/files/${file.id}/raw?${query}`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-disposition']).toEqual(
      disposition instanceof RegExp ? expect.stringMatching(disposition) : disposition,
    );
    expect(reply.headers['x-evil']).toBeUndefined();
  });

  describe('copy and move', () => {
    test('POST /api/files/copy makes a file of the caller with the same bytes', async () => {
      const reply = await post('/api/files/copy', {
        bucket: 'docs',
        from: file.id,
        to: 'copied.txt',
      });
      expect(reply.status).toBe(201);
      expect(dataOf(reply)).toMatchObject({ key: 'copied.txt', size, ownerId: ada.id });
      expect(await place.bytesOf(dataOf(reply))).toBe(content);
      expect(asRecord(dataOf(reply))['id']).not.toBe(file.id);
    });

    test('a copy whose bytes are gone is 404 and leaves nothing', async () => {
      const lost = await put('lost-source.txt');
      await place.loseBytes(lost);
      const reply = await post('/api/files/copy', { bucket: 'docs', from: lost.key, to: 'x.txt' });
      expect(refusalOf(reply).slice(0, 2)).toEqual([404, 'STORAGE_OBJECT_MISSING']);
      expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
      const [drift] = await rowsIn(project, `select * from storage.recount_bucket('docs')`);
      expect(Object.values(asRecord(drift)).map(Number)).toEqual([0, 0, 0]);
    });

    test('POST /api/files/move gives the file another key, where its bytes are found', async () => {
      const moving = await put('before.txt');
      const body = { bucket: 'docs', from: 'before.txt', to: 'behind/after.txt' };
      const reply = await post('/api/files/move', body);
      expect(reply.status).toBe(200);
      expect(dataOf(reply)).toMatchObject({
        id: moving.id,
        key: 'behind/after.txt',
        name: 'after.txt',
      });
      const moved = await get('/api/files/object/docs/behind/after.txt');
      expect(moved.bytes.toString()).toBe(content);
      expect((await get('/api/files/object/docs/before.txt')).status).toBe(404);
    });

    if (kind === 's3') {
      test('a copy made after the project went back to local files is a local file', async () => {
        await saveSettings(project, 'storage', { driver: 'local' });
        const body = { bucket: 'docs', from: file.id, to: 'at-home.txt' };
        const copied = asRecord(dataOf(await post('/api/files/copy', body)));
        await saveSettings(project, 'storage', { driver: 's3' });
        const text = 'select driver from storage.stored_files where id = $1';
        expect(await rowsIn(project, text, [copied['id']])).toEqual([{ driver: 'local' }]);
        // Both are read, wherever new files go.
        for (const id of [file.id, copied['id']]) {
          expect((await get(`/api/files/${String(id)}/raw`)).bytes.toString()).toBe(content);
        }
      });
    }

    test.each(['copy', 'move'])(
      '%s onto a key that is taken: 409, and with upsert it replaces',
      async (verb) => {
        await put(`${verb}-from.txt`);
        await put(`${verb}-to.txt`, { content: 'old' });
        const body = { bucket: 'docs', from: `${verb}-from.txt`, to: `${verb}-to.txt` };
        const refused = await post(`/api/files/${verb}`, body);
        expect(refusalOf(refused).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
        expect((await get(`/api/files/object/docs/${verb}-to.txt`)).bytes.toString()).toBe('old');
        const reply = await post(`/api/files/${verb}`, { ...body, upsert: true });
        expect(reply.status).toBe(verb === 'copy' ? 201 : 200);
        expect((await get(`/api/files/object/docs/${verb}-to.txt`)).bytes.toString()).toBe(content);
      },
    );
  });

  describe('GET /api/files/:id/url', () => {
    const urlOf = async (id: string, query = '') =>
      asRecord(dataOf(await project.as(ada, { path: `/api/files/${id}/url${query}` })));

    test('a public file has its public address, which does not expire', async () => {
      const { id } = await put('open file.txt', { visibility: 'public' });
      const found = await urlOf(id, '?expiresIn=60');
      expect(found).toEqual({
        url: expect.stringMatching(/\/api\/storage\/docs\/files\/open%20file\.txt$/),
        expiresAt: null,
      });
      const reply = await fetchBytes(project, { path: pathOf(found['url']) });
      expect([reply.status, reply.bytes.toString()]).toEqual([200, content]);
      expect(reply.headers['cache-control']).toBe('public, max-age=3600');
    });

    test(`a private file: ${kind === 's3' ? 'an address of the store' : 'the raw route'}`, async () => {
      const { id } = await put('page.html', { mediaType: 'text/html' });
      const found = await urlOf(id, '?expiresIn=60');
      if (kind === 'local') {
        expect(found).toEqual({
          url: expect.stringMatching(`/api/files/${id}/raw$`),
          expiresAt: null,
        });
        return;
      }
      const left = Date.parse(String(found['expiresAt'])) - Date.now();
      expect(left).toBeGreaterThan(50_000);
      expect(left).toBeLessThanOrEqual(60_000);
      const reply = await fetch(String(found['url']));
      expect([reply.status, await reply.text()]).toEqual([200, content]);
      // Nothing runs there either.
      expect(reply.headers.get('content-disposition')).toBe('attachment; filename="page.html"');
      const spoiled = String(found['url']).replace('page.html', 'other.html');
      expect((await fetch(spoiled)).status).toBe(403);
    });
  });

  test('DELETE /api/files/:id: the file is gone, and its bytes wait for their removal', async () => {
    const doomed = await put('doomed.txt');
    const reply = await project.as(ada, { method: 'DELETE', path: `/api/files/${doomed.id}` });
    expect(reply.status).toBe(200);
    expect(dataOf(reply)).toMatchObject({ id: doomed.id, key: 'doomed.txt' });
    expect((await get(`/api/files/${doomed.id}/raw`)).status).toBe(404);
    const waiting = await rowsIn(project, 'select from storage.garbage where version = $1', [
      doomed.version,
    ]);
    expect(waiting).toHaveLength(1);
  });

  if (kind === 's3') {
    test('a store that dies in the middle breaks the answer off', async () => {
      const { id } = await put('broken.bin', { content: Buffer.alloc(32 * 1024 ** 2) });
      const answer = await beginReading(id);
      await store.close();
      await expect(buffer(answer)).rejects.toThrow('aborted');
      expect((await get(`/api/files/${id}/raw`)).status).toBe(503);
    });
  }

  // The descriptors of this process show it; a connection to a store may be kept for the next request.
  if (kind === 'local') {
    test('a client that goes away ends the reading', async () => {
      const { id, version } = await put('long.bin', { content: Buffer.alloc(48 * 1024 ** 2) });
      const answer = await beginReading(id);
      expect(await openDescriptors(version)).toBe(1);
      answer.destroy();
      await waitFor(async () => (await openDescriptors(version)) === 0);
    });
  }
});

/** How many descriptors of this process lead to the bytes of a version. */
async function openDescriptors(version: string): Promise<number> {
  const folder = '/proc/self/fd';
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return links.filter((link) => link.endsWith(version)).length;
}
