// Nobody learns from an answer that a key belongs to a file that they do not see: it is the one of policies that
// forbid the upload.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket, makeToken, refusalOf, rowsIn } from './bucket-rows.js';
import { type FilePlace, localPlace, type PlacedFile } from './stored-files.js';
import { TusClient } from './tus-requests.js';
import { asUser, sendBytes } from './uploads-http.js';

const denied = [403, '42501', 'You do not have permission to perform this action.'];

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let eve: SignedIn;
let secret: PlacedFile;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  [ada, eve] = [await project.signUp('ada@example.org'), await project.signUp('eve@example.org')];
  await makeBucket(project, 'docs');
  secret = await place.put({ bucket: 'docs', key: 'secret.txt', ownerId: ada.id });
  await place.put({ bucket: 'docs', key: 'own.txt', ownerId: eve.id });
}, 60_000);
afterAll(() => deployment.close());

const put = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendBytes(project, {
    method: 'PUT',
    path: `/api/files/object/docs/${path}`,
    headers: { ...asUser(eve), ...headers },
    body: 'x',
  });
const post = (verb: string, body: object) =>
  project.as(eve, {
    method: 'POST',
    path: `/api/files/${verb}`,
    body: { bucket: 'docs', ...body },
  });

describe('the key of a hidden file', () => {
  const tries: readonly { name: string; send: () => Promise<Reply> }[] = [
    { name: 'PUT', send: () => put('secret.txt') },
    { name: 'PUT with upsert', send: () => put('secret.txt?upsert=true') },
    { name: 'PUT if there is none', send: () => put('secret.txt', { 'if-none-match': '*' }) },
    { name: 'PUT by its id', send: () => put(secret.id) },
    { name: 'PUT by its id with upsert', send: () => put(`${secret.id}?upsert=true`) },
    { name: 'copy', send: () => post('copy', { from: 'own.txt', to: 'secret.txt' }) },
    {
      name: 'copy with upsert',
      send: () => post('copy', { from: 'own.txt', to: 'secret.txt', upsert: true }),
    },
    { name: 'move', send: () => post('move', { from: 'own.txt', to: 'secret.txt' }) },
    {
      name: 'move with upsert',
      send: () => post('move', { from: 'own.txt', to: 'secret.txt', upsert: true }),
    },
    {
      name: 'an upload in parts',
      send: () =>
        new TusClient(project, asUser(eve)).create(1, { bucket: 'docs', path: 'secret.txt' }),
    },
  ];

  test.each(tries)('$name is refused as policies refuse', async ({ send }) => {
    const before = await rowsIn(project, 'select key, version from storage.stored_files');
    expect(refusalOf(await send())).toEqual(denied);
    expect(await rowsIn(project, 'select key, version from storage.stored_files')).toEqual(before);
  });

  test('with If-Match it is 412, as where no file is', async () => {
    const replies = [
      await put('secret.txt', { 'if-match': '*' }),
      await put('no', { 'if-match': '*' }),
    ];
    expect(replies.map(refusalOf)).toEqual([
      [412, 'PRECONDITION_FAILED', expect.any(String)],
      [412, 'PRECONDITION_FAILED', expect.any(String)],
    ]);
  });
});

test('who sees the file is told that it is there', async () => {
  expect(refusalOf(await put('own.txt')).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
  const { token } = await makeToken(project, 'docs', { kind: 'write' });
  const reply = await sendBytes(project, {
    path: '/api/storage/docs/upload?path=secret.txt',
    headers: { 'x-bucket-token': token },
    body: 'x',
  });
  expect(refusalOf(reply).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
});
