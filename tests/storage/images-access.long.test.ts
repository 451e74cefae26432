// Who gets an image, and what the answer says to browsers and caches.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { operatorHeaders } from '../http/administration.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket, makeToken } from './bucket-rows.js';
import { canvas, renderPath } from './image-samples.js';
import {
  type ByteReply,
  fetchBytes,
  type FilePlace,
  type PlacedFile,
  localPlace,
} from './stored-files.js';
import { bearer } from '../support/replies.js';

type Headers = Readonly<Record<string, string>>;

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let bob: SignedIn;
let stranger: SignedIn;
let files: { readonly open: PlacedFile; readonly hidden: PlacedFile; readonly own: PlacedFile };
let tokens: Readonly<Record<'read' | 'write' | 'other', string>>;

const render = (query: string, headers: Headers = {}, method = 'GET') =>
  fetchBytes(project, { path: `${renderPath}?${query}`, headers, method });
const codeOf = ({ bytes }: ByteReply) => /"code":"(\w+)"/.exec(bytes.toString())?.[1];
const change = async (images: Readonly<Record<string, unknown>>) => {
  const path = '/api/admin/settings/storage';
  const reply = await project.asService({ method: 'PUT', path, body: { images } });
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
};

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
  place = localPlace(deployment, project);
  [ada, bob] = [await project.signUp('ada@example.org'), await project.signUp('bob@example.org')];
  stranger = await neighbor.signUp('ada@example.org');
  await makeBucket(project, 'open', { public: true });
  await makeBucket(project, 'closed');
  const image = { content: await canvas(40, 20).png().toBuffer(), mediaType: 'image/png' };
  const owned = { ...image, ownerId: ada.id };
  files = {
    open: await place.put({ ...owned, bucket: 'open', key: 'a/b.png', visibility: 'public' }),
    hidden: await place.put({ ...owned, bucket: 'open', key: 'hidden.png' }),
    own: await place.put({ ...owned, bucket: 'closed', key: 'own.png' }),
  };
  const kinds = { read: 'closed', write: 'closed', other: 'open' };
  const made = Object.entries(kinds).map(async ([name, bucket]) => {
    const kind = name === 'write' ? 'write' : 'read';
    return [name, (await makeToken(project, bucket, { kind })).token] as const;
  });
  tokens = Object.fromEntries(await Promise.all(made)) as typeof tokens;
}, 60_000);
afterAll(() => deployment.close(), 60_000);

describe('who gets an image', () => {
  const callers: Record<string, () => Headers> = {
    'a guest': () => ({}),
    'the owner': () => bearer(ada.token),
    'another user': () => bearer(bob.token),
    'a user of another project': () => bearer(stranger.token),
    'the secret key': () => ({ apikey: project.secretKey }),
    'the secret key of another project': () => ({ apikey: neighbor.secretKey }),
    'a read token': () => ({ 'x-bucket-token': tokens.read }),
    'a read token as bearer': () => bearer(tokens.read),
    'a write token': () => ({ 'x-bucket-token': tokens.write }),
    'a read token of another bucket': () => ({ 'x-bucket-token': tokens.other }),
    'an operator who may read': () => operatorHeaders(deployment, project, ['content.read']),
    'an operator who may not': () => operatorHeaders(deployment, project, ['audit.read']),
  };

  test.each([
    { who: 'a guest', open: 200, hidden: 404, own: 401, absent: 404 },
    { who: 'the owner', open: 200, hidden: 200, own: 200, absent: 404 },
    { who: 'another user', open: 200, hidden: 404, own: 404, absent: 404 },
    { who: 'a user of another project', open: 200, hidden: 404, own: 401, absent: 404 },
    { who: 'the secret key of another project', open: 401, hidden: 401, own: 401, absent: 401 },
    { who: 'the secret key', open: 200, hidden: 200, own: 200, absent: 404 },
    { who: 'a read token', open: 200, hidden: 401, own: 200, absent: 401 },
    { who: 'a read token as bearer', open: 200, hidden: 401, own: 200, absent: 401 },
    { who: 'a write token', open: 200, hidden: 401, own: 403, absent: 401 },
    { who: 'a read token of another bucket', open: 200, hidden: 200, own: 401, absent: 404 },
    { who: 'an operator who may read', open: 200, hidden: 200, own: 200, absent: 404 },
    { who: 'an operator who may not', open: 403, hidden: 403, own: 403, absent: 403 },
  ])('$who', async ({ who, ...expected }) => {
    const headers = callers[who]?.() ?? {};
    const queries = {
      open: 'bucket=open&path=a/b.png',
      hidden: 'bucket=open&path=hidden.png',
      own: 'bucket=closed&path=own.png',
      absent: 'bucket=open&path=absent.png',
    };
    const statuses = Object.entries(queries).map(async ([name, query]) => {
      const { status } = await render(`${query}&width=10`, headers);
      return [name, status] as const;
    });
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual(expected);
  });

  test('a file is found by its id as by its key', async () => {
    const statusOf = async (id: string, headers: Headers = {}) =>
      (await render(`id=${id}&width=10`, headers)).status;
    expect(await statusOf(files.open.id)).toBe(200);
    expect(await statusOf(files.own.id)).toBe(401);
    expect(await statusOf(files.own.id, bearer(ada.token))).toBe(200);
    expect(await statusOf(files.own.id, bearer(bob.token))).toBe(404);
    expect(await statusOf(files.own.id, { 'x-bucket-token': tokens.read })).toBe(200);
  });

  test('below /api it is found by its id, by those who get the file', async () => {
    const statusOf = async (id: string, headers: Headers = {}, query = '', at = project) =>
      (await fetchBytes(at, { path: `/api/files/${id}/image?width=10${query}`, headers })).status;
    const operator = (capability: 'content.read' | 'audit.read') =>
      operatorHeaders(deployment, project, [capability]);
    expect(await statusOf(files.open.id)).toBe(200);
    expect(await statusOf(files.own.id)).toBe(401);
    expect(await statusOf(files.own.id, bearer(ada.token))).toBe(200);
    expect(await statusOf(files.own.id, bearer(bob.token))).toBe(404);
    expect(await statusOf(files.own.id, operator('content.read'))).toBe(200);
    expect(await statusOf(files.own.id, operator('audit.read'))).toBe(403);
    const server = { apikey: neighbor.secretKey };
    expect(await statusOf(files.open.id, server, '', neighbor)).toBe(404);
    // The query names no other file, and no other way to name it.
    expect(await statusOf(files.own.id, {}, `&id=${files.open.id}`)).toBe(401);
    expect(await statusOf(files.own.id, {}, '&bucket=open&path=a/b.png')).toBe(400);
    expect(await statusOf('no-id', bearer(ada.token))).toBe(400);
  });

  test.each(['another bucket', 'nothing at all'])(
    'a token of %s does not tell which ids are in use',
    async (of) => {
      const token = of === 'nothing at all' ? 'nonsense' : tokens.other;
      const statusOf = async (id: string) =>
        (await render(`id=${id}&width=10`, { 'x-bucket-token': token })).status;
      expect(await statusOf(files.own.id)).toBe(404);
      expect(await statusOf(randomUUID())).toBe(404);
    },
  );

  test('an image that was made for its owner is not given to others', async () => {
    const query = 'bucket=closed&path=own.png&width=11';
    expect((await render(query, bearer(ada.token))).status).toBe(200);
    expect((await render(query)).status).toBe(401);
    expect((await render(query, bearer(bob.token))).status).toBe(404);
  });

  test('a project has no images of another', async () => {
    const path = `${renderPath}?id=${files.open.id}&width=10`;
    expect((await fetchBytes(neighbor, { path })).status).toBe(401);
    const headers = { apikey: neighbor.secretKey };
    expect((await fetchBytes(neighbor, { path, headers })).status).toBe(404);
  });
});

describe('the format', () => {
  const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

  test.each([
    { name: 'no Accept', accept: undefined, type: 'image/png' },
    { name: 'a browser', accept: chrome, type: 'image/webp' },
    { name: 'any image', accept: 'image/*', type: 'image/webp' },
    { name: 'WebP less gladly', accept: 'image/png,image/webp;q=0.5', type: 'image/png' },
    { name: 'WebP never', accept: 'image/*,image/webp;q=0', type: 'image/png' },
    { name: 'other things', accept: 'text/html', type: 'image/png' },
  ])('of the answer for $name', async ({ accept, type }) => {
    const headers: Headers = accept === undefined ? {} : { accept };
    const reply = await render('bucket=open&path=a/b.png&width=10', headers);
    expect(reply.headers).toMatchObject({ 'content-type': type, vary: 'Origin, Accept' });
  });

  test('does not depend on Accept where it was asked for', async () => {
    const reply = await render('bucket=open&path=a/b.png&format=jpeg', { accept: 'image/webp' });
    expect(reply.headers).toMatchObject({ 'content-type': 'image/jpeg', vary: 'Origin' });
  });
});

describe('what an answer says', () => {
  const query = 'bucket=open&path=a/b.png&width=20&format=webp';

  test('of a public image', async () => {
    expect((await render(query)).headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'accept-ranges': 'bytes',
    });
  });

  test('of a private image', async () => {
    const reply = await render('bucket=closed&path=own.png&width=20', bearer(ada.token));
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, max-age=0, must-revalidate',
      'cross-origin-resource-policy': 'same-site',
      vary: 'Origin, Authorization, Accept',
    });
  });

  test('of how long caches may keep it is what the source says', async () => {
    const kept = { bucket: 'open', key: 'kept.png', cacheControl: 'public, max-age=60' };
    const content = await canvas(9, 9).png().toBuffer();
    await place.put({ ...kept, content, mediaType: 'image/png', visibility: 'public' });
    const reply = await render('bucket=open&path=kept.png');
    expect(reply.headers['cache-control']).toBe('public, max-age=60');
  });

  test('to whoever has it: nothing new', async () => {
    const { headers } = await render(query);
    const { etag = '', 'last-modified': since = '' } = headers;
    const again = await render(query, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=3600' });
    expect((await render(query, { 'if-modified-since': since })).status).toBe(304);
    expect((await render(query, { 'if-none-match': '"other"' })).status).toBe(200);
    const refused = await render(query, { 'if-match': '"other"' });
    expect([refused.status, codeOf(refused)]).toEqual([412, 'PRECONDITION_FAILED']);
  });

  test('to a range', async () => {
    const { bytes } = await render(query);
    const part = await render(query, { range: 'bytes=2-5' });
    expect([part.status, part.headers['content-range']]).toEqual([
      206,
      `bytes 2-5/${bytes.length}`,
    ]);
    expect(part.bytes).toEqual(bytes.subarray(2, 6));
    const past = await render(query, { range: 'bytes=100000-' });
    expect([past.status, past.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
  });

  test.each([
    { query: 'bucket=open&path=a/b.png&blur=5', code: 'UNKNOWN_FIELD', names: 'blur' },
    { query: 'bucket=open&path=a/b.png&width=2001', code: 'INVALID_INPUT', names: 'width' },
    { query: 'bucket=open&path=a/b.png&width=10&width=20', code: 'INVALID_INPUT', names: 'width' },
    { query: 'bucket=open&path=a/b.png&quality=19', code: 'INVALID_INPUT', names: 'quality' },
    { query: 'bucket=open&path=a/b.png&format=svg', code: 'INVALID_INPUT', names: 'format' },
    { query: 'bucket=open', code: 'INVALID_INPUT', names: 'path' },
    { query: 'bucket=open&path=../a.png', code: 'INVALID_OBJECT_KEY', names: '' },
    { query: 'width=10', code: 'INVALID_INPUT', names: 'bucket' },
  ])('to $query: 400, and what is wrong', async ({ query: asked, code, names }) => {
    const reply = await render(asked);
    expect([reply.status, codeOf(reply)]).toEqual([400, code]);
    expect(reply.bytes.toString()).toContain(names);
  });
});

describe('the settings', () => {
  const query = 'bucket=open&path=a/b.png&width=12';

  test('turn images off and on', async () => {
    await change({ enabled: false });
    const off = await render(query);
    expect([off.status, codeOf(off)]).toEqual([404, 'NOT_FOUND']);
    await change({ enabled: true });
    expect((await render(query)).status).toBe(200);
  });

  test('bound the source', async () => {
    await change({ maxSourceBytes: 1024 });
    const content = Buffer.concat([await canvas(9, 9).png().toBuffer(), Buffer.alloc(1024)]);
    const large = { bucket: 'open', key: 'large.png', content, mediaType: 'image/png' };
    await place.put({ ...large, visibility: 'public' });
    const reply = await render('bucket=open&path=large.png');
    expect([reply.status, codeOf(reply)]).toEqual([413, 'IMAGE_TOO_LARGE']);
    await change({ maxSourceBytes: 25 * 1024 * 1024 });
    expect((await render('bucket=open&path=large.png')).status).toBe(200);
  });
});

test('whoever asks for too many images at once is told to wait, and the neighbor is served', async () => {
  const content = await canvas(3000, 3000).png().toBuffer();
  const image = { content, mediaType: 'image/png', visibility: 'public' } as const;
  await place.put({ ...image, bucket: 'open', key: 'big.png' });
  await makeBucket(neighbor, 'open', { public: true });
  await localPlace(deployment, neighbor).put({ ...image, bucket: 'open', key: 'big.png' });
  const asked = Array.from({ length: 120 }, (_none, at) =>
    render(`bucket=open&path=big.png&width=${at + 1}`),
  );
  const path = `${renderPath}?bucket=open&path=big.png&width=5`;
  expect((await fetchBytes(neighbor, { path })).status).toBe(200);
  const replies = await Promise.all(asked);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const refused = replies.find(({ status }) => status === 429);
  expect(refused && codeOf(refused)).toBe('IMAGE_BUSY');
  expect(refused?.headers['retry-after']).toBe('2');
});
