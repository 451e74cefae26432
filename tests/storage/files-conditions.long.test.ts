// Conditions on changes of files (RFC 9110 §13): checked, and still true at the moment of the change.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { dataOf, makeBucket, makeToken, refusalOf, rowsIn } from './bucket-rows.js';
import { localPlace, type FilePlace, type PlacedFile } from './stored-files.js';
import { uploadState } from './stored-bytes.js';
import { TusClient } from './tus-requests.js';
import { asUser, field, file, formOf, openRequest, sendBytes } from './uploads-http.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let place: FilePlace;
let ada: SignedIn;
let token: string;
let there: PlacedFile;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  place = localPlace(deployment, project);
  ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'docs');
  ({ token } = await makeToken(project, 'docs', { kind: 'write' }));
}, 60_000);
beforeEach(async () => {
  there = await place.put({ bucket: 'docs', key: `${randomUUID()}.txt`, ownerId: ada.id });
});
afterAll(() => deployment.close());

type Headers = Readonly<Record<string, string>>;
const tagOf = ({ version }: PlacedFile) => `"${version}"`;
const put = (key: string, headers: Headers, body = 'new', query = '') =>
  sendBytes(project, {
    method: 'PUT',
    path: `/api/files/object/docs/${key}${query}`,
    headers: { ...asUser(ada), ...headers },
    body,
  });
const stored = (key: string) =>
  rowsIn(project, 'select id, version, user_metadata from storage.stored_files where key = $1', [
    key,
  ]);

interface Change {
  readonly name: string;
  readonly send: (there: PlacedFile, headers: Headers) => Promise<Reply>;
}

const changes: readonly Change[] = [
  { name: 'PUT', send: ({ key }, headers) => put(key, headers) },
  { name: 'PUT with upsert', send: ({ key }, headers) => put(key, headers, 'new', '?upsert=true') },
  {
    name: 'POST with a token',
    send: ({ key }, headers) =>
      sendBytes(project, {
        path: `/api/storage/docs/upload?path=${key}`,
        headers: { 'x-bucket-token': token, ...headers },
        body: 'new',
      }),
  },
  {
    name: 'a form',
    send: ({ key }, headers) => {
      const form = formOf(field('bucket', 'docs'), field('path', key), file('new'));
      return sendBytes(project, {
        path: '/api/files/',
        headers: { ...form.headers, ...asUser(ada), ...headers },
        body: form.body,
      });
    },
  },
  {
    name: 'a resumable upload',
    send: ({ key }, headers) =>
      new TusClient(project, asUser(ada)).create(
        3,
        { bucket: 'docs', path: key },
        { headers, body: Buffer.from('new') },
      ),
  },
  {
    name: 'a copy',
    send: async ({ key }, headers) => {
      const from = await place.put({ bucket: 'docs', key: randomUUID(), ownerId: ada.id });
      const body = { bucket: 'docs', from: from.key, to: key };
      return project.as(ada, { method: 'POST', path: '/api/files/copy', body, headers });
    },
  },
  {
    name: 'PATCH',
    send: ({ id }, headers) =>
      project.as(ada, {
        method: 'PATCH',
        path: `/api/files/${id}`,
        body: { metadata: { a: 1 } },
        headers,
      }),
  },
  {
    name: 'DELETE by id',
    send: ({ id }, headers) =>
      project.as(ada, { method: 'DELETE', path: `/api/files/${id}`, headers }),
  },
  {
    name: 'DELETE by key',
    send: ({ key }, headers) =>
      project.as(ada, { method: 'DELETE', path: `/api/files/object/docs/${key}`, headers }),
  },
];
const other = `"${randomUUID()}"`;
const past = 'Mon, 01 Jan 2001 00:00:00 GMT';

describe.each(changes)('$name', ({ send }) => {
  test.each([
    {
      name: 'If-Match with another tag',
      headers: () => ({ 'if-match': other }),
      reason: 'If-Match names another version of the file',
    },
    {
      name: 'If-Match with a weak tag',
      headers: (f: PlacedFile) => ({ 'if-match': `W/${tagOf(f)}` }),
      reason: 'If-Match names another version of the file',
    },
    {
      name: 'If-None-Match: *',
      headers: () => ({ 'if-none-match': '*' }),
      reason: 'If-None-Match: * needs that there is no file; there is one',
    },
    {
      name: 'If-None-Match with its tag',
      headers: (f: PlacedFile) => ({ 'if-none-match': tagOf(f) }),
      reason: 'If-None-Match names the version that the file has',
    },
    {
      name: 'If-Match with its tag, and If-None-Match with it',
      headers: (f: PlacedFile) => ({
        'if-match': tagOf(f),
        'if-none-match': tagOf(f),
        'if-unmodified-since': past,
      }),
      reason: 'If-None-Match names the version that the file has',
    },
    {
      name: 'If-Unmodified-Since before',
      headers: () => ({ 'if-unmodified-since': past }),
      reason: 'the file was changed after the time in If-Unmodified-Since',
    },
  ])('$name is 412, says so, and nothing changes', async ({ headers, reason }) => {
    const before = await stored(there.key);
    const reply = await send(there, headers(there));
    expect(refusalOf(reply)).toEqual([
      412,
      'PRECONDITION_FAILED',
      `A condition of the request does not hold: ${reason}`,
    ]);
    expect(await stored(there.key)).toEqual(before);
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
  });

  test.each([
    { name: 'If-Match with its tag', headers: (f: PlacedFile) => ({ 'if-match': tagOf(f) }) },
    {
      name: 'If-Match with its tag in a list',
      headers: (f: PlacedFile) => ({ 'if-match': `${other}, ${tagOf(f)}` }),
    },
    { name: 'If-Match: *', headers: () => ({ 'if-match': '*' }) },
  ])('$name changes the file', async ({ headers }) => {
    const before = await stored(there.key);
    expect([200, 201]).toContain((await send(there, headers(there))).status);
    expect(await stored(there.key)).not.toEqual(before);
  });
});

describe('where no file is', () => {
  const key = () => `${randomUUID()}.txt`;

  test.each([
    { name: 'If-Match: *', headers: { 'if-match': '*' } },
    { name: 'If-Match with a tag', headers: { 'if-match': other } },
  ])('PUT with $name is 412', async ({ headers }) => {
    const path = key();
    expect((await put(path, headers, 'new', '?upsert=true')).status).toBe(412);
    expect(await stored(path)).toEqual([]);
  });

  test('PUT with If-None-Match: * makes one', async () => {
    expect((await put(key(), { 'if-none-match': '*' }, 'new', '?upsert=true')).status).toBe(201);
  });
});

describe('changes at the same moment', () => {
  const many = 12;
  const together = (send: (index: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: many }, (_, index) => send(index)));
  const countOf = (replies: readonly Reply[], ...statuses: readonly number[]) =>
    replies.filter(({ status }) => statuses.includes(status)).length;

  test('one of many with If-None-Match: * makes the file', async () => {
    const key = `${randomUUID()}.txt`;
    const replies = await together((n) =>
      put(key, { 'if-none-match': '*' }, `${n}`, '?upsert=true'),
    );
    expect([countOf(replies, 201), countOf(replies, 412)]).toEqual([1, many - 1]);
  });

  test('one of many with the tag of the file replaces it', async () => {
    const replies = await together((n) => put(there.key, { 'if-match': tagOf(there) }, `${n}`));
    expect([countOf(replies, 200), countOf(replies, 412)]).toEqual([1, many - 1]);
  });

  test('all with If-Match: * replace it', async () => {
    const replies = await together((n) => put(there.key, { 'if-match': '*' }, `${n}`));
    expect(countOf(replies, 200)).toBe(many);
  });

  test.each([
    {
      name: 'a file that is replaced while the upload arrives',
      replace: () => put(there.key, {}, 'x', '?upsert=true'),
    },
    {
      name: 'a file that is deleted while the upload arrives',
      replace: () => project.as(ada, { method: 'DELETE', path: `/api/files/${there.id}` }),
    },
  ])('$name is not the one that was named', async ({ replace }) => {
    const content = 'x'.repeat(200_000);
    const { request, reply } = openRequest(project, {
      method: 'PUT',
      path: `/api/files/object/docs/${there.key}`,
      headers: {
        ...asUser(ada),
        'if-match': tagOf(there),
        'content-length': String(content.length),
      },
    });
    request.write(content.slice(1));
    await reserved();
    expect((await replace()).status).toBe(200);
    const after = await stored(there.key);
    request.end(content.slice(0, 1));
    expect((await reply).status).toBe(412);
    expect(await stored(there.key)).toEqual(after);
  });

  async function reserved(): Promise<void> {
    for (let found = 0; found === 0;) {
      found = (await rowsIn(project, 'select from storage.uploads where key = $1', [there.key]))
        .length;
    }
  }
});

describe('an id in place of a path', () => {
  test('PUT with upsert replaces the file with this id', async () => {
    const reply = await put(there.id, {}, 'replaced by its id', '?upsert=true');
    expect([reply.status, dataOf(reply)]).toMatchObject([200, { id: there.id, key: there.key }]);
    expect(await stored(there.id)).toEqual([]);
    expect(await place.bytesOf(dataOf(reply))).toBe('replaced by its id');
  });

  test('PUT without upsert finds the path taken', async () => {
    expect(refusalOf(await put(there.id, {})).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
  });

  test.each(['copy', 'move'])('%s to the id of another file finds the path taken', async (verb) => {
    const source = await place.put({ bucket: 'docs', key: randomUUID(), ownerId: ada.id });
    const body = { bucket: 'docs', from: source.key, to: there.id };
    const reply = await project.as(ada, { method: 'POST', path: `/api/files/${verb}`, body });
    expect(refusalOf(reply).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
    expect(await stored(there.id)).toEqual([]);
  });

  test('a UUID that is no id is a path like any other', async () => {
    const key = randomUUID();
    const reply = await put(key, {});
    expect([reply.status, asRecord(dataOf(reply))['key']]).toEqual([201, key]);
  });
});
