// Links to images of private files: who has one sees this image, and no other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, refusalOf } from './bucket-rows.js';
import { canvas } from './image-samples.js';
import { fetchBytes, type FilePlace, localPlace, pathOf } from './stored-files.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let content: Buffer;

const save = (signedLinks: boolean) =>
  project.asService({
    method: 'PUT',
    path: '/api/admin/settings/storage',
    body: { signedLinks },
  });
const locate = (key: string, query: string) =>
  project.as(ada, { path: `/api/files/object-url/${key}?${query}` });
const linkTo = async (key: string, query: string) =>
  asRecord(dataOf(await locate(key, query))) as { url: string; expiresAt: string | null };
const visit = (url: string) => fetchBytes(project, { path: pathOf(url) });

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'closed');
  await makeBucket(project, 'open', { public: true });
  content = await canvas(40, 20).png().toBuffer();
  const image = { content, mediaType: 'image/png', ownerId: ada.id };
  await place.put({ ...image, bucket: 'closed', key: 'a.png' });
  await place.put({ ...image, bucket: 'open', key: 'a.png', visibility: 'public' });
  await save(true);
}, 60_000);
afterAll(() => deployment.close());

test('a link to an image of a private file shows that image to everybody', async () => {
  const { url, expiresAt } = await linkTo('closed/a.png', 'expiresIn=60&width=10&format=jpeg');
  const reply = await visit(url);
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(expiresAt).not.toBeNull();
});

describe('the signature covers the image', () => {
  const changes = [
    { name: 'another width', change: (url: string) => url.replace('width=10', 'width=11') },
    { name: 'no width', change: (url: string) => url.replace('&width=10', '') },
    { name: 'another parameter', change: (url: string) => `${url}&quality=90` },
    { name: 'a later end', change: (url: string) => url.replace(/exp=\d/, 'exp=9') },
    {
      name: 'the bytes of the file',
      change: (url: string) => {
        const { searchParams, origin } = new URL(url);
        const id = searchParams.get('id') ?? '';
        searchParams.delete('id');
        return `${origin}/api/files/${id}/raw?${searchParams.toString()}`;
      },
    },
    {
      name: 'no signature',
      change: (url: string) => url.replace(/&sig=[^&]*/, '&sig='),
    },
  ];

  test.each(changes)('$name is refused', async ({ change }) => {
    const { url } = await linkTo('closed/a.png', 'expiresIn=60&width=10');
    const changed = change(url);
    expect(changed).not.toBe(url);
    expect((await visit(changed)).status).toBe(403);
  });

  test('a link to the bytes is none to an image', async () => {
    const { url } = await linkTo('closed/a.png', 'expiresIn=60');
    const { pathname, search } = new URL(url);
    const id = pathname.split('/').at(-2) ?? '';
    const path = `/storage/v1/render/image?id=${id}&${search.slice(1)}`;
    expect((await fetchBytes(project, { path })).status).toBe(403);
  });
});

test('a replaced file ends its links', async () => {
  const image = { content, mediaType: 'image/png', ownerId: ada.id };
  await place.put({ ...image, bucket: 'closed', key: 'b.png' });
  const { url } = await linkTo('closed/b.png', 'width=10');
  await place.put({ ...image, bucket: 'closed', key: 'b.png', upsert: true });
  expect((await visit(url)).status).toBe(403);
});

test('the address of an image of a public file does not end', async () => {
  const { url, expiresAt } = await linkTo('open/a.png', 'width=10&format=webp');
  const reply = await visit(url);
  expect([reply.status, reply.headers['content-type'], expiresAt]).toEqual([
    200,
    'image/webp',
    null,
  ]);
});

test.each([
  { query: 'width=0', says: /^width: / },
  { query: 'format=tiff', says: /^format: / },
  { query: 'width=10&download=a.png', says: /^download: / },
])('$query is refused', async ({ query, says }) => {
  const refusal = refusalOf(await locate('closed/a.png', query));
  expect(refusal).toEqual([400, 'INVALID_INPUT', expect.stringMatching(says)]);
});

test('without links the address asks who calls, and keeps the image', async () => {
  await save(false);
  const { url, expiresAt } = await linkTo('closed/a.png', 'expiresIn=60&width=10&format=jpeg');
  const headers = { authorization: `Bearer ${ada.token}` };
  const own = await fetchBytes(project, { path: pathOf(url), headers });
  expect([(await visit(url)).status, own.headers['content-type']]).toEqual([401, 'image/jpeg']);
  expect(expiresAt).toBeNull();
  await save(true);
});
