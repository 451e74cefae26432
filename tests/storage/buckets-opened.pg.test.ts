// A bucket that becomes public opens its files at once, but for those that were uploaded as private ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, dataOf, makeBucket, rowsIn } from './bucket-rows.js';
import { fetchBytes } from './stored-files.js';
import { TusClient } from './tus-requests.js';
import { asUser, fileIn, sendBytes } from './uploads-http.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let ben: SignedIn;

const uploads = [
  { key: 'without.txt', query: '', isOpened: true },
  { key: 'public.txt', query: '?visibility=public', isOpened: true },
  { key: 'private.txt', query: '?visibility=private', isOpened: false },
];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  [ada, ben] = [await project.signUp('ada@example.org'), await project.signUp('ben@example.org')];
  await makeBucket(project, 'shop');
  for (const { key, query } of uploads) {
    const path = `/api/files/object/shop/${key}${query}`;
    const headers = asUser(ada);
    const reply = await sendBytes(project, { method: 'PUT', path, headers, body: 'x' });
    expect(fileIn(reply)).toMatchObject({ visibility: 'private' });
  }
  const copy = { bucket: 'shop', from: 'without.txt', to: 'copied.txt' };
  await project.as(ada, { method: 'POST', path: '/api/files/copy', body: copy });
  const client = new TusClient(project, asUser(ada));
  const id = await client.begin(1, { bucket: 'shop', path: 'parts.txt' });
  await client.patch(id, 0, 'x');
}, 60_000);
afterAll(() => deployment.close());

const setPublic = (isPublic: boolean) =>
  project.asService({ method: 'PATCH', path: bucketPath('shop'), body: { public: isPublic } });
const visit = async (key: string) =>
  (await fetchBytes(project, { path: `/api/storage/shop/files/${key}` })).status;
const info = (user: SignedIn, key: string) =>
  project.as(user, { path: `/api/files/object-info/shop/${key}` });
const cases = [
  ...uploads,
  { key: 'copied.txt', isOpened: true },
  { key: 'parts.txt', isOpened: true },
];

test.each(cases)('$key is closed while the bucket is', async ({ key }) => {
  expect([await visit(key), (await info(ben, key)).status]).toEqual([401, 404]);
});

test('whether a file follows its bucket is not asked where the bucket is closed', async () => {
  const [before] = await rowsIn(
    project,
    `select pg_get_functiondef('storage.follows_bucket(uuid)'::regprocedure) as text`,
  );
  await rowsIn(
    project,
    `create or replace function storage.follows_bucket(file_id uuid) returns boolean
      language plpgsql stable security definer as $$begin raise exception 'it was asked'; end$$`,
  );
  try {
    expect((await info(ada, 'without.txt')).status).toBe(200);
    const listed = await project.as(ada, { path: '/api/files/list/shop' });
    expect(asRecord(listed.body)['data']).toHaveLength(cases.length);
  } finally {
    await rowsIn(project, String(before?.['text']));
  }
});

describe('when the bucket is public', () => {
  beforeAll(() => setPublic(true));

  test.each(cases)('everybody reads $key: $isOpened', async ({ key, isOpened }) => {
    expect(await visit(key)).toBe(isOpened ? 200 : 404);
    const seen = await info(ben, key);
    expect(seen.status).toBe(isOpened ? 200 : 404);
    const visibility = isOpened ? 'public' : 'private';
    expect(dataOf(await info(ada, key))).toMatchObject({ visibility });
  });

  test('users see the open ones in lists', async () => {
    const reply = await project.as(ben, { path: '/api/files/list/shop' });
    const listed = asRecord(reply.body)['data'];
    expect(listed).toHaveLength(cases.filter(({ isOpened }) => isOpened).length);
    expect(listed).not.toContainEqual(expect.objectContaining({ visibility: 'private' }));
  });

  test('no row was written for that', async () => {
    const rows = await rowsIn(project, 'select distinct visibility from storage.stored_files');
    expect(rows).toEqual([{ visibility: 'private' }]);
  });
});

test('a file that is made private stays so when its bucket is opened', async () => {
  await setPublic(false);
  const { id } = asRecord(dataOf(await info(ada, 'without.txt')));
  const path = `/api/files/${String(id)}`;
  await project.as(ada, { method: 'PATCH', path, body: { visibility: 'private' } });
  await setPublic(true);
  expect(await visit('without.txt')).toBe(404);
});

test('a file that is made public in a private bucket opens with it', async () => {
  await setPublic(false);
  const { id } = asRecord(dataOf(await info(ada, 'private.txt')));
  const path = `/api/files/${String(id)}`;
  const body = { visibility: 'public' };
  const reply = await project.as(ada, { method: 'PATCH', path, body });
  expect(dataOf(reply)).toMatchObject({ visibility: 'private' });
  expect(await visit('private.txt')).toBe(401);
  await setPublic(true);
  expect(await visit('private.txt')).toBe(200);
});

test('policies decide about a file that would become public with its bucket', async () => {
  expect((await setPublic(false)).status).toBe(200);
  const sql = `create policy stay_private on storage.files as restrictive for update to authenticated
    with check (visibility = 'private')`;
  const made = await project.asService({
    method: 'POST',
    path: '/api/admin/sql',
    body: { query: sql },
  });
  expect(made.status).toBe(200);
  const id = String(asRecord(dataOf(await info(ada, 'private.txt')))['id']);
  const change = (visibility: string) =>
    project.as(ada, { method: 'PATCH', path: `/api/files/${id}`, body: { visibility } });
  expect((await change('public')).status).toBe(403);
  expect((await change('private')).status).toBe(200);
  expect((await setPublic(true)).status).toBe(200);
  expect(await visit('private.txt')).toBe(404);
});
