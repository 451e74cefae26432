// Listing a bucket, and changing what files say of themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { FilePlace, localPlace } from './stored-files.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let ben: SignedIn;

/** Of Ada, with their sizes. */
const KEYS: Readonly<Record<string, number>> = {
  'a.txt': 30,
  'B.txt': 10,
  'images/cat.png': 5,
  'images/dog.png': 6,
  'images/raw/cat.raw': 50,
  'images2/other.png': 7,
  'percent%/under_score/x.txt': 1,
  'percentage/x.txt': 1,
  'Ünder/Größe.txt': 2,
  'z.txt': 20,
};

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  ben = await project.signUp('ben@example.org');
  await makeBucket(project, 'docs', { public: true });
  await makeBucket(project, 'empty');
  // One after the other, so that their times differ.
  for (const [key, size] of Object.entries(KEYS)) {
    await place.put({ bucket: 'docs', key, ownerId: ada.id, content: Buffer.alloc(size) });
  }
  await place.put({ bucket: 'docs', key: 'images/bens.png', ownerId: ben.id });
  await place.put({ bucket: 'docs', key: 'open.txt', ownerId: ben.id, visibility: 'public' });
}, 60_000);
afterAll(() => deployment.close());

interface Listed {
  readonly data: readonly {
    readonly kind: string;
    readonly key: string;
    readonly id: string | null;
  }[];
  readonly total: number;
}

async function list(
  query: string,
  by: (call: Call) => Promise<unknown> = (call) => project.as(ada, call),
) {
  const reply = asRecord(await by({ path: `/api/files/list/docs${query}` }));
  expect(reply['status']).toBe(200);
  return reply['body'] as Listed; // Checked field by field below.
}
const keysIn = ({ data }: Listed) => data.map(({ key }) => key);

describe('GET /api/files/list/:bucket', () => {
  test('folders come first, then files, with all that is known of them', async () => {
    const page = await list('?limit=7');
    expect(keysIn(page)).toEqual([
      'images/',
      'images2/',
      'percent%/',
      'percentage/',
      'Ünder/',
      'B.txt',
      'a.txt',
    ]);
    expect(page.total).toBe(9);
    expect(page.data[0]).toEqual({ kind: 'folder', name: 'images', key: 'images/', id: null });
    const info = await project.as(ada, { path: '/api/files/object-info/docs/a.txt' });
    expect(page.data[6]).toEqual({ kind: 'file', ...asRecord(dataOf(info)) });
    expect(page.data[6]).toMatchObject({
      name: 'a.txt',
      size: 30,
      mime: 'text/plain',
      ownerId: ada.id,
    });
  });

  test.each([
    {
      name: 'a prefix is a folder',
      query: '?prefix=images',
      keys: ['images/raw/', 'images/cat.png', 'images/dog.png'],
    },
    {
      name: 'with its slash, too',
      query: '?prefix=images/',
      keys: ['images/raw/', 'images/cat.png', 'images/dog.png'],
    },
    { name: 'deeper', query: '?prefix=images/raw', keys: ['images/raw/cat.raw'] },
    { name: 'no part of a name', query: '?prefix=imag', keys: [] },
    { name: 'a percent sign is one', query: '?prefix=percent%25', keys: ['percent%/under_score/'] },
    { name: 'an underscore is one', query: '?prefix=percent__', keys: [] },
    { name: 'one in parts is the same', query: '?prefix=U%CC%88nder', keys: ['Ünder/Größe.txt'] },
    {
      name: 'search finds names',
      query: '?search=.TXT',
      keys: ['B.txt', 'a.txt', 'open.txt', 'z.txt'],
    },
    { name: 'search finds folders', query: '?search=IMAGE', keys: ['images/', 'images2/'] },
    { name: 'search takes % as it is', query: '?search=%25', keys: ['percent%/'] },
    { name: 'search takes _ as it is', query: '?search=_&recursive=true', keys: [] },
    { name: 'search knows all letters', query: '?search=ÜNDER', keys: ['Ünder/'] },
    { name: 'search looks at names, not keys', query: '?search=images&recursive=true', keys: [] },
    {
      name: 'search below a prefix',
      query: '?prefix=images&search=cat&recursive=true',
      keys: ['images/cat.png', 'images/raw/cat.raw'],
    },
    {
      name: 'recursive has no folders',
      query: '?prefix=images&recursive=true&sortBy=key',
      keys: ['images/cat.png', 'images/dog.png', 'images/raw/cat.raw'],
    },
    {
      name: 'downwards',
      query: '?order=desc&search=.txt',
      keys: ['z.txt', 'open.txt', 'a.txt', 'B.txt'],
    },
    {
      name: 'by size',
      query: '?sortBy=size&order=desc&search=.txt',
      keys: ['a.txt', 'z.txt', 'open.txt', 'B.txt'],
    },
    {
      name: 'by time',
      query: '?sortBy=createdAt&order=desc&search=.txt',
      keys: ['open.txt', 'z.txt', 'B.txt', 'a.txt'],
    },
    { name: 'folders downwards', query: '?order=desc&limit=2', keys: ['Ünder/', 'percentage/'] },
    { name: 'a page across both', query: '?limit=2&offset=4', keys: ['Ünder/', 'B.txt'] },
    { name: 'a page of files', query: '?limit=2&offset=6', keys: ['a.txt', 'open.txt'] },
    { name: 'behind the end', query: '?offset=100', keys: [] },
  ])('$name: $query', async ({ query, keys }) => {
    expect(keysIn(await list(encodeURI(decodeURI(query))))).toEqual(keys);
  });

  test('pages put together are the whole, and each says how much that is', async () => {
    const whole = await list('?limit=1000');
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => list(`?limit=3&offset=${3 * page}`)),
    );
    expect(pages.flatMap(keysIn)).toEqual(keysIn(whole));
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([whole.data.length]));
  });

  test('everybody sees what their policies show', async () => {
    const query = '?recursive=true&limit=1000';
    const all = await list(query, (call) => project.asService(call));
    expect(all.total).toBe(Object.keys(KEYS).length + 2);
    const bens = await list(query, (call) => project.as(ben, call));
    expect(keysIn(bens)).toEqual(['images/bens.png', 'open.txt']);
  });

  test.each([
    { query: 'limit=0', status: 400 },
    { query: 'limit=1001', status: 400 },
    { query: 'limit=x', status: 400 },
    { query: 'offset=-1', status: 400 },
    { query: 'sortBy=owner', status: 400 },
    { query: 'order=up', status: 400 },
    { query: 'prefix=../x', status: 400 },
    { query: 'prefix=/x', status: 400 },
    { query: 'search=%00', status: 400 },
    { query: 'recursive=1', status: 400 },
    { query: 'unknown=1', status: 400 },
  ])('$query: $status', async ({ query, status }) => {
    const reply = await project.as(ada, { path: `/api/files/list/docs?${query}` });
    expect(reply.status).toBe(status);
  });

  test('an empty bucket has nothing, a missing one is 404', async () => {
    const empty = await project.as(ada, { path: '/api/files/list/empty' });
    expect([empty.status, empty.body]).toMatchObject([200, { data: [], total: 0 }]);
    const missing = await project.as(ada, { path: '/api/files/list/missing' });
    expect(refusalOf(missing).slice(0, 2)).toEqual([404, 'BUCKET_NOT_FOUND']);
  });
});

describe('POST /api/files/remove', () => {
  const remove = (body: object) =>
    project.as(ada, { method: 'POST', path: '/api/files/remove', body });

  test('deletes by key and by id, once, and says which', async () => {
    const { id } = await place.put({ bucket: 'empty', key: 'one.txt', ownerId: ada.id });
    await place.put({ bucket: 'empty', key: 'two/2.txt', ownerId: ada.id });
    const reply = await remove({ bucket: 'empty', paths: [id, 'one.txt', 'two/2.txt', 'no.txt'] });
    expect(reply.status).toBe(200);
    const gone = dataOf(reply) as { key: string }[]; // The views of files.
    expect(gone.map(({ key }) => key).sort()).toEqual(['one.txt', 'two/2.txt']);
    const [bucket] = await rowsIn(project, `select * from storage.buckets where slug = 'empty'`);
    expect([bucket?.['used_bytes'], bucket?.['object_count']].map(Number)).toEqual([0, 0]);
  });

  test.each([
    { name: 'no paths', body: { bucket: 'docs', paths: [] } },
    { name: 'too many', body: { bucket: 'docs', paths: Array(1001).fill('x') } },
    { name: 'a path that is no key', body: { bucket: 'docs', paths: ['a.txt', '../x'] } },
    { name: 'paths that are no text', body: { bucket: 'docs', paths: [1] } },
    { name: 'no bucket', body: { paths: ['a.txt'] } },
  ])('$name: 400, and nothing is deleted', async ({ body }) => {
    expect((await remove(body)).status).toBe(400);
    const left = await rowsIn(project, `select from storage.stored_files where key = 'a.txt'`);
    expect(left).toHaveLength(1);
  });
});

describe('PATCH /api/files/:id', () => {
  const change = async (bucket: string, body: object) => {
    const { id } = await place.put({ bucket, key: 'changing.txt', ownerId: ada.id, upsert: true });
    return project.as(ada, { method: 'PATCH', path: `/api/files/${id}`, body });
  };

  test.each([
    {
      name: 'visibility',
      bucket: 'docs',
      body: { visibility: 'public' },
      told: { visibility: 'public' },
    },
    {
      name: 'only as public as the bucket',
      bucket: 'empty',
      body: { visibility: 'public' },
      told: { visibility: 'private' },
    },
    {
      name: 'caching in seconds',
      bucket: 'docs',
      body: { cacheControl: '60' },
      told: { cacheControl: 'public, max-age=60' },
    },
    {
      name: 'caching as by default',
      bucket: 'docs',
      body: { cacheControl: null },
      told: { cacheControl: null },
    },
    {
      name: 'metadata',
      bucket: 'docs',
      body: { metadata: { a: [1] } },
      told: { metadata: { a: [1] } },
    },
    { name: 'nothing', bucket: 'docs', body: {}, told: { metadata: {}, cacheControl: null } },
  ])('$name', async ({ bucket, body, told }) => {
    const reply = await change(bucket, body);
    expect([reply.status, dataOf(reply)]).toMatchObject([200, told]);
    const path = `/api/files/${String(asRecord(dataOf(reply))['id'])}`;
    expect(dataOf(await project.as(ada, { path }))).toEqual(dataOf(reply));
  });

  test.each([
    { name: 'a visibility that is none', body: { visibility: 'secret' } },
    { name: 'a header in a header', body: { cacheControl: 'public\r\nx-evil: 1' } },
    { name: 'metadata that is no object', body: { metadata: [1] } },
    { name: 'what cannot be changed', body: { mime: 'text/html' } },
  ])('$name: 400', async ({ body }) => {
    expect((await change('docs', body)).status).toBe(400);
  });
});
