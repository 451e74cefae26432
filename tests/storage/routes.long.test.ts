// Every storage route of the specification does its work, whichever driver has the bytes. What each of them refuses is
// in the other tests of this folder.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bucketPath, bucketsPath, dataOf, makeBucket, makeToken } from './bucket-rows.js';
import { canvas, renderPath } from './image-samples.js';
import { fetchBytes, pathOf, storesHere, type StoreUnderTest } from './stored-files.js';
import { asUser, field, file, formOf, sendBytes } from './uploads-http.js';

const content = 'what the file says';

interface UploadedFile {
  readonly bucket?: string;
  readonly text?: string | Buffer;
  readonly type?: string;
}

describe.each(storesHere())('with the $kind driver', ({ kind, open }) => {
  let store: StoreUnderTest;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let ada: SignedIn;

  beforeAll(async () => {
    store = await open();
    deployment = await Deployment.open({ env: store.env });
    project = await deployment.createProject();
    ada = await project.signUp('ada@example.org');
    await makeBucket(project, 'docs', { public: true });
    await makeBucket(project, 'closed');
  }, 120_000);
  afterAll(async () => {
    await deployment.close();
    await store.close();
  }, 60_000);

  const ask = (path: string, call: Omit<Call, 'path'> = {}) => project.as(ada, { ...call, path });
  const administer = (path: string, call: Omit<Call, 'path'> = {}) =>
    project.asService({ ...call, path });
  const read = async (path: string, headers = {}) => {
    const { status, bytes } = await fetchBytes(project, { path, headers });
    return [status, bytes.toString()];
  };

  /** Puts a file of Ada into a bucket; gives its id. */
  async function upload(
    key: string,
    { bucket = 'docs', text = content, type = 'text/plain' }: UploadedFile = {},
  ): Promise<string> {
    const { headers, body } = formOf(
      field('bucket', bucket),
      field('path', key),
      file(text, key, type),
    );
    const reply = await sendBytes(project, {
      path: '/api/files/',
      headers: { ...headers, ...asUser(ada) },
      body,
    });
    expect(reply.status).toBe(201);
    return String(shown(reply)['id']);
  }

  const shown = (reply: Reply) => asRecord(dataOf(reply));

  test('POST /api/files/', async () => {
    const id = await upload('made.txt');
    expect(await read(`/api/files/${id}/raw`, asUser(ada))).toEqual([200, content]);
  });

  test('POST /api/files/presign, POST /api/files/:id/finalize', async () => {
    const body = { filename: 'a.txt', size: content.length, mime: 'text/plain', bucket: 'docs' };
    const reply = await ask('/api/files/presign', { method: 'POST', body });
    if (kind === 'local') {
      expect(reply.status).toBe(400);
      expect(String(asRecord(reply.body)['message'])).toContain(
        'not supported with the local storage driver',
      );
      return;
    }
    const { uploadUrl, requiredHeaders, file: reserved } = shown(reply);
    const { id } = asRecord(reserved);
    const finalize = () => ask(`/api/files/${String(id)}/finalize`, { method: 'POST' });
    expect([reply.status, (await finalize()).status]).toEqual([201, 404]);
    // The answer has texts as headers.
    const headers = requiredHeaders as Record<string, string>;
    expect((await fetch(String(uploadUrl), { method: 'PUT', headers, body: content })).status).toBe(
      200,
    );
    expect((await finalize()).status).toBe(200);
    expect(await read(`/api/files/${String(id)}/raw`, asUser(ada))).toEqual([200, content]);
  });

  test.each([
    { name: 'GET /api/files/:id/url', path: (id: string) => `/api/files/${id}/url` },
    {
      name: 'GET /api/files/object-url/:bucket/*',
      path: () => '/api/files/object-url/docs/addressed.txt',
    },
  ])('$name', async ({ path }) => {
    const id = await replaced('addressed.txt');
    const reply = await ask(`${path(id)}?expiresIn=60`);
    const url = String(shown(reply)['url']);
    expect(reply.status).toBe(200);
    if (kind === 's3') expect(await (await fetch(url)).text()).toBe(content);
    else expect(await read(pathOf(url), asUser(ada))).toEqual([200, content]);
  });

  /** Puts a private file under the key, in place of the one that is there. */
  async function replaced(key: string): Promise<string> {
    const path = `/api/files/object/docs/${key}?upsert=true&visibility=private`;
    const headers = { ...asUser(ada), 'content-type': 'text/plain' };
    const reply = await sendBytes(project, { method: 'PUT', path, headers, body: content });
    expect([200, 201]).toContain(reply.status);
    return String(shown(reply)['id']);
  }

  test.each([
    { name: 'GET /api/files/:id/raw', path: (id: string) => `/api/files/${id}/raw` },
    { name: 'GET /api/files/object/:bucket/*', path: () => '/api/files/object/docs/read.txt' },
  ])('$name', async ({ path }) => {
    expect(await read(path(await replaced('read.txt')), asUser(ada))).toEqual([200, content]);
  });

  test('GET /api/files/object-info/:bucket/*', async () => {
    const id = await replaced('told.txt');
    const reply = await ask('/api/files/object-info/docs/told.txt');
    expect(reply.status).toBe(200);
    expect(shown(reply)).toMatchObject({
      id,
      key: 'told.txt',
      size: content.length,
      ownerId: ada.id,
    });
  });

  test('GET /api/files/list/:bucket', async () => {
    await replaced('listed/a.txt');
    const reply = await ask('/api/files/list/docs?prefix=listed/');
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('"listed/a.txt"');
    expect(reply.text).not.toContain('told.txt');
  });

  test.each([
    { name: 'DELETE /api/files/:id', path: (id: string) => `/api/files/${id}` },
    { name: 'DELETE /api/files/object/:bucket/*', path: () => '/api/files/object/docs/doomed.txt' },
  ])('$name', async ({ path }) => {
    const id = await replaced('doomed.txt');
    expect((await ask(path(id), { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`/api/files/${id}/raw`)).status).toBe(404);
  });

  test.each([
    { name: 'POST /api/files/copy', verb: 'copy', status: 201, left: 200 },
    { name: 'POST /api/files/move', verb: 'move', status: 200, left: 404 },
  ])('$name', async ({ verb, status, left }) => {
    const from = `${verb}-from.txt`;
    const to = `${verb}-to.txt`;
    await replaced(from);
    const body = { bucket: 'docs', from, to };
    expect((await ask(`/api/files/${verb}`, { method: 'POST', body })).status).toBe(status);
    expect(await read(`/api/files/object/docs/${to}`, asUser(ada))).toEqual([200, content]);
    expect((await ask(`/api/files/object/docs/${from}`)).status).toBe(left);
    expect((await ask(`/api/files/${verb}`, { method: 'POST', body })).status).toBe(
      verb === 'copy' ? 409 : 404,
    );
  });

  test('POST, GET and DELETE below /api/storage/:slug, each with its token', async () => {
    const token = async (tokenKind: string) => {
      const made = await makeToken(project, 'closed', { kind: tokenKind });
      return { 'x-bucket-token': made.token };
    };
    const { headers, body } = formOf(field('path', 'by-token.txt'), file(content));
    const upload = async (by: Readonly<Record<string, string>>) =>
      sendBytes(project, {
        path: '/api/storage/closed/upload',
        headers: { ...headers, ...by },
        body,
      });
    expect((await upload(await token('read'))).status).toBe(403);
    const made = await upload(await token('write'));
    expect(made.status).toBe(201);
    const path = `/api/storage/closed/files/${String(shown(made)['id'])}`;
    expect((await project.send({ path })).status).toBe(401);
    expect(await read(path, await token('read'))).toEqual([200, content]);
    const remove = async (by: Readonly<Record<string, string>>) =>
      (await project.send({ method: 'DELETE', path, headers: by })).status;
    expect(await remove(await token('read'))).toBe(403);
    expect(await remove(await token('delete'))).toBe(200);
    expect((await project.send({ path, headers: await token('read') })).status).toBe(404);
  });

  test('GET /api/storage/:slug/files/:id of a public bucket needs no token', async () => {
    const id = await upload('open.txt');
    expect(await read(`/api/storage/docs/files/${id}`)).toEqual([200, content]);
  });

  test('GET, POST /api/admin/storage/buckets; GET, PATCH, DELETE /api/admin/storage/buckets/:slug', async () => {
    const made = await administer(bucketsPath, { method: 'POST', body: { slug: 'brief' } });
    expect(made.status).toBe(201);
    expect((await administer(bucketsPath)).text).toContain('"brief"');
    const changed = await administer(bucketPath('brief'), {
      method: 'PATCH',
      body: { public: true },
    });
    expect(changed.status).toBe(200);
    expect(shown(await administer(bucketPath('brief')))).toMatchObject({
      slug: 'brief',
      public: true,
    });
    await upload('kept.txt', { bucket: 'brief' });
    expect((await administer(bucketPath('brief'), { method: 'DELETE' })).status).toBe(409);
    expect(
      (await administer(bucketPath('brief', '?force=true'), { method: 'DELETE' })).status,
    ).toBe(200);
    expect((await administer(bucketPath('brief'))).status).toBe(404);
  });

  test('GET /api/admin/storage/buckets/:slug/files', async () => {
    await upload('administered.txt');
    const reply = await administer(bucketPath('docs', '/files?search=administered'));
    expect([reply.status, reply.text.includes('"administered.txt"')]).toEqual([200, true]);
  });

  test.each([
    {
      name: 'CORS',
      path: '/cors',
      method: 'PUT',
      body: [{ origins: ['https://a.example'], methods: ['GET'] }],
      status: 200,
    },
    {
      name: 'access tokens',
      path: '/tokens',
      method: 'POST',
      body: { name: 'n', kind: 'read' },
      status: 201,
    },
    {
      name: 'webhooks',
      path: '/webhooks',
      method: 'POST',
      body: { url: 'https://a.example/hook' },
      status: 201,
    },
  ])(
    '$name of a bucket below /api/admin/storage/buckets/:slug',
    async ({ path, method, body, status }) => {
      expect((await administer(bucketPath('docs', path), { method, body })).status).toBe(status);
      const listed = await administer(bucketPath('docs', path));
      expect([listed.status, JSON.stringify(dataOf(listed)).length > 10]).toEqual([200, true]);
    },
  );

  test('GET /storage/v1/render/image', async () => {
    await upload('picture.png', { text: await canvas(40, 20).png().toBuffer(), type: 'image/png' });
    const path = `${renderPath}?bucket=docs&path=picture.png&width=10`;
    const { status, headers } = await fetchBytes(project, {
      path,
      headers: { accept: 'image/webp' },
    });
    expect([status, headers['content-type']]).toEqual([200, 'image/webp']);
  });
});
