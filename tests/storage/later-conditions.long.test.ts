// Conditions of uploads that end in a later request, and the routes that refuse a condition which they could not keep.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { uploadState } from './stored-bytes.js';
import { type FilePlace, localPlace, type PlacedFile } from './stored-files.js';
import { resumable, TusClient } from './tus-requests.js';
import { asUser, sendBytes } from './uploads-http.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let tus: TusClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  tus = new TusClient(project, asUser(ada));
  await makeBucket(project, 'docs');
}, 60_000);
afterAll(() => deployment.close());

type Headers = Readonly<Record<string, string>>;
const putFile = (): Promise<PlacedFile> =>
  place.put({ bucket: 'docs', key: `${randomUUID()}.txt`, ownerId: ada.id });
const stored = () =>
  rowsIn(project, 'select id, key, version from storage.stored_files order by id');
const post = (verb: string, body: unknown, headers: Headers) =>
  project.as(ada, { method: 'POST', path: `/api/files/${verb}`, body, headers });

describe('a resumable upload', () => {
  test.each([
    {
      name: 'If-None-Match: * and a file that was put there meanwhile',
      headers: () => ({ 'if-none-match': '*' }),
      isThere: false,
    },
    {
      name: 'If-Match and another version meanwhile',
      headers: ({ version }: PlacedFile) => ({ 'if-match': `"${version}"` }),
      isThere: true,
    },
  ])('with $name is 412 with its last byte, and has ended', async ({ headers, isThere }) => {
    const other = await putFile();
    const key = isThere ? other.key : `${randomUUID()}.txt`;
    const fields = { bucket: 'docs', path: key, upsert: 'true' };
    const begun = await tus.create(3, fields, { headers: headers(other) });
    expect(begun.status).toBe(201);
    const id = begun.headers.location?.split('/').at(-1) ?? '';
    expect((await tus.patch(id, 0, 'ab')).status).toBe(204);
    await place.put({ bucket: 'docs', key, ownerId: ada.id, upsert: true });
    const before = await stored();
    expect(refusalOf(await tus.patch(id, 2, 'c')).slice(0, 2)).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
    expect(await stored()).toEqual(before);
    expect((await tus.ask('HEAD', id)).status).toBe(404);
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
  });
});

test('a copy onto a file that has changed meanwhile is 412', async () => {
  const [source, target] = [await putFile(), await putFile()];
  const body = { bucket: 'docs', from: source.key, to: target.key };
  const copies = Array.from({ length: 8 }, () =>
    post('copy', body, { 'if-match': `"${target.version}"` }),
  );
  const statuses = (await Promise.all(copies)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 412)]);
});

describe.each([
  {
    name: 'POST /api/files/move',
    send: ({ key }: PlacedFile, headers: Headers) =>
      post('move', { bucket: 'docs', from: key, to: `${randomUUID()}.txt` }, headers),
  },
  {
    name: 'POST /api/files/remove',
    send: ({ key }: PlacedFile, headers: Headers) =>
      post('remove', { bucket: 'docs', paths: [key] }, headers),
  },
  {
    name: 'POST /api/files/:id/finalize',
    send: ({ id }: PlacedFile, headers: Headers) => post(`${id}/finalize`, {}, headers),
  },
  {
    name: 'PATCH of a resumable upload',
    send: async (_there: PlacedFile, headers: Headers) =>
      tus.patch(await tus.begin(3, { bucket: 'docs', path: randomUUID() }), 0, 'new', headers),
  },
  {
    name: 'DELETE of a resumable upload',
    send: async (_there: PlacedFile, headers: Headers) => {
      const id = await tus.begin(3, { bucket: 'docs', path: randomUUID() });
      const sent = { 'tus-resumable': '1.0.0', ...asUser(ada), ...headers };
      return sendBytes(project, { method: 'DELETE', path: `${resumable}/${id}`, headers: sent });
    },
  },
] satisfies { name: string; send(there: PlacedFile, headers: Headers): Promise<Reply> }[])(
  '$name',
  ({ send }) => {
    test.each([
      { header: 'if-match', value: '*' },
      { header: 'if-none-match', value: '*' },
      { header: 'if-unmodified-since', value: 'Mon, 01 Jan 2001 00:00:00 GMT' },
    ])('refuses $header and changes nothing', async ({ header, value }) => {
      const there = await putFile();
      const before = await stored();
      const [status, code, message] = refusalOf(await send(there, { [header]: value }));
      expect([status, code]).toEqual([400, 'INVALID_INPUT']);
      expect(message).toContain(`${header}: `);
      expect(await stored()).toEqual(before);
    });
  },
);
