// Policies about visibility decide about uploads into a private bucket as they decide about every other one.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, makeBucket } from './bucket-rows.js';
import { fetchBytes } from './stored-files.js';
import { asUser, sendBytes } from './uploads-http.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let number = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'closed');
}, 60_000);
afterAll(() => deployment.close());
afterEach(() => project.sql('drop policy if exists visibilities on storage.files'));

const allowOnly = (visibility: string) =>
  project.sql(`create policy visibilities on storage.files as restrictive for insert
    to authenticated with check (visibility = '${visibility}')`);
const upload = async (query: string, headers = asUser(ada)) => {
  const key = `${(number += 1)}.txt`;
  const path = `/api/files/object/closed/${key}${query}`;
  const reply = await sendBytes(project, { method: 'PUT', path, headers, body: 'x' });
  return { key, status: reply.status };
};

describe.each([
  { allowed: 'private', without: 201, asPrivate: 201, asPublic: 403 },
  { allowed: 'public', without: 403, asPrivate: 403, asPublic: 201 },
])('a policy that allows $allowed files alone', ({ allowed, without, asPrivate, asPublic }) => {
  test.each([
    { name: 'an upload without visibility is a private one', query: '', status: without },
    { name: 'a private upload', query: '?visibility=private', status: asPrivate },
    { name: 'a public upload', query: '?visibility=public', status: asPublic },
  ])('$name: $status', async ({ query, status }) => {
    await allowOnly(allowed);
    expect((await upload(query)).status).toBe(status);
  });
});

test('no policy binds the secret key', async () => {
  await allowOnly('private');
  const headers = { apikey: project.secretKey };
  expect((await upload('?visibility=public', headers)).status).toBe(201);
});

test('when the bucket is opened, a file without visibility is opened and a private one is not', async () => {
  await allowOnly('private');
  const [implicit, kept] = [await upload(''), await upload('?visibility=private')];
  const body = { public: true };
  const opened = await project.asService({ method: 'PATCH', path: bucketPath('closed'), body });
  expect(opened.status).toBe(200);
  const visit = async (key: string) =>
    (await fetchBytes(project, { path: `/api/storage/closed/files/${key}` })).status;
  expect([await visit(implicit.key), await visit(kept.key)]).toEqual([200, 404]);
});
