// Presigned uploads: what the URL takes, what becomes a file, and who may make it one.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeIf } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { readStored, uploadState } from './stored-bytes.js';
import { fileIn } from './uploads-http.js';

const text = Buffer.from('hello, world');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Presigned {
  readonly id: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

function presignedIn(reply: Reply): Presigned {
  const { file, uploadUrl, requiredHeaders } = fileIn(reply);
  const headers = Object.entries(asRecord(requiredHeaders)).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    id: String(asRecord(file)['id']),
    url: String(uploadUrl),
    headers: Object.fromEntries(headers),
  };
}

/** What the store answers to the bytes. */
async function putTo({ url, headers }: Presigned, body: Buffer, type?: string): Promise<number> {
  const sent = type === undefined ? headers : { ...headers, 'content-type': type };
  return (await fetch(url, { method: 'PUT', headers: sent, body: new Uint8Array(body) })).status;
}

const request = { filename: 'a.txt', size: text.length, mime: 'text/plain', bucket: 'docs' };

describe('with the local driver', () => {
  test('Presign with the `local` storage driver is 400 and reserves nothing', async () => {
    const deployment = await Deployment.shared();
    try {
      const project = await deployment.createProject();
      await makeBucket(project, 'docs');
      const ada = await project.signUp('ada@example.org');
      const reply = await project.as(ada, {
        method: 'POST',
        path: '/api/files/presign',
        body: request,
      });
      expect(refusalOf(reply)).toEqual([
        400,
        'PRESIGN_NOT_SUPPORTED',
        expect.stringContaining('not supported with the local storage driver'),
      ]);
      expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
    } finally {
      await deployment.close();
    }
  });
});

describeIf(canRunS3(), 'the S3 driver needs Swift')('with the S3 driver', () => {
  let store: S3Server;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let neighbor: ProjectUnderTest;
  let ada: SignedIn;
  let bob: SignedIn;

  beforeAll(async () => {
    store = await openS3Server();
    deployment = await Deployment.open({
      env: storeEnvironment(store, await store.createBucket()),
    });
    project = await deployment.createProject();
    neighbor = await deployment.createProject();
    [ada, bob] = [await project.signUp('ada@example.org'), await project.signUp('bob@example.org')];
    for (const each of [project, neighbor]) await makeBucket(each, 'docs');
    await makeBucket(project, 'images', { allowedMimeTypes: ['image/*'] });
    await makeBucket(project, 'full', { quotaBytes: 100 });
  }, 120_000);
  afterAll(async () => {
    await deployment.close();
    await store.close();
  }, 60_000);

  const ask = (body: object, user = ada, headers: Record<string, string> = {}) =>
    project.as(user, { method: 'POST', path: '/api/files/presign', body, headers });
  const presign = async (fields: object = {}) => presignedIn(await ask({ ...request, ...fields }));
  const finalize = (id: string, user = ada) =>
    project.as(user, { method: 'POST', path: `/api/files/${id}/finalize` });

  test('presign, PUT and finalize make a file', async () => {
    const reply = await ask({
      ...request,
      path: 'pre/a.txt',
      metadata: { by: 'ada' },
      cacheControl: '60',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ status: 1, message: 'OK' });
    const view = fileIn(reply);
    expect(view).toMatchObject({
      method: 'PUT',
      requiredHeaders: { 'content-type': 'text/plain' },
      file: {
        bucket: 'docs',
        key: 'pre/a.txt',
        size: 12,
        mime: 'text/plain',
        visibility: 'private',
        status: 'reserved',
      },
    });
    const presigned = presignedIn(reply);
    expect(await uploadState(project, 'docs')).toMatchObject({ reserved: 12, files: 0 });
    expect((await project.as(ada, { path: `/api/files/${presigned.id}` })).status).toBe(404);
    expect(await putTo(presigned, text)).toBe(200);
    const made = await finalize(presigned.id);
    expect(made.status).toBe(200);
    expect(fileIn(made)).toMatchObject({
      id: presigned.id,
      key: 'pre/a.txt',
      size: 12,
      ownerId: ada.id,
      metadata: { by: 'ada' },
    });
    expect(await readStored(project, presigned.id, { deployment, store })).toEqual(text);
    expect(await uploadState(project, 'docs')).toMatchObject({
      isExact: true,
      used: 12,
      reserved: 0,
    });
  });

  describe('a condition of the announcement', () => {
    const stored = (path: string) =>
      rowsIn(project, 'select id, version from storage.stored_files where key = $1', [path]);
    const put = async (path: string, fields: object = {}) => {
      const presigned = await presign({ path, ...fields });
      expect(await putTo(presigned, text)).toBe(200);
      expect((await finalize(presigned.id)).status).toBe(200);
    };

    test('that does not hold is 412 and reserves nothing', async () => {
      const path = 'conditions/there.txt';
      await put(path);
      for (const headers of [{ 'if-none-match': '*' }, { 'if-match': '"another"' }]) {
        const reply = await ask({ ...request, path, upsert: true }, ada, headers);
        expect(refusalOf(reply).slice(0, 2)).toEqual([412, 'PRECONDITION_FAILED']);
      }
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true });
      expect(await rowsIn(project, 'select from storage.uploads where key = $1', [path])).toEqual(
        [],
      );
    });

    test('that holds no more when the upload is finalized ends the upload', async () => {
      const path = 'conditions/raced.txt';
      const headers = { 'if-none-match': '*' };
      const presigned = presignedIn(await ask({ ...request, path, upsert: true }, ada, headers));
      expect(await putTo(presigned, text)).toBe(200);
      await put(path);
      const there = await stored(path);
      const reply = await finalize(presigned.id);
      expect(refusalOf(reply).slice(0, 2)).toEqual([412, 'PRECONDITION_FAILED']);
      expect(await stored(path)).toEqual(there);
      expect((await finalize(presigned.id)).status).toBe(404);
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true });
    });

    test('that names the version of the file lets it be replaced', async () => {
      const path = 'conditions/replaced.txt';
      await put(path);
      const [there] = await stored(path);
      const headers = { 'if-match': `"${String(there?.['version'])}"` };
      const presigned = presignedIn(await ask({ ...request, path }, ada, headers));
      expect(await putTo(presigned, text)).toBe(200);
      expect((await finalize(presigned.id)).status).toBe(200);
      const [after] = await stored(path);
      expect(after?.['id']).toBe(there?.['id']);
      expect(after?.['version']).not.toBe(there?.['version']);
    });
  });

  test('without a bucket and a path it gets both', async () => {
    const { filename, size, mime } = request;
    const { file } = fileIn(await ask({ filename: '../b.txt', size, mime }));
    const { id, key, bucket } = asRecord(file);
    expect([bucket, key, filename]).toEqual([null, `${String(id)}/b.txt`, 'a.txt']);
  });

  test.each([
    { name: 'one byte less', body: text.subarray(1), type: undefined },
    { name: 'one byte more', body: Buffer.concat([text, text.subarray(0, 1)]), type: undefined },
    { name: 'another type', body: text, type: 'text/html' },
  ])('the URL takes no $name', async ({ body, type }) => {
    const presigned = await presign();
    expect(await putTo(presigned, body, type)).toBe(403);
    expect(refusalOf(await finalize(presigned.id)).slice(0, 2)).toEqual([
      404,
      'STORAGE_OBJECT_MISSING',
    ]);
  });

  test('finalize before the PUT is 404 and changes nothing; again is the same file', async () => {
    const presigned = await presign();
    expect(refusalOf(await finalize(presigned.id)).slice(0, 2)).toEqual([
      404,
      'STORAGE_OBJECT_MISSING',
    ]);
    expect(await putTo(presigned, text)).toBe(200);
    const replies = await Promise.all([1, 2, 3, 4].map(() => finalize(presigned.id)));
    replies.push(await finalize(presigned.id));
    for (const reply of replies) expect(fileIn(reply)).toEqual(fileIn(replies[0] ?? reply));
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true });
  });

  test.each([
    {
      name: 'another length',
      change: 'size = size + 1',
      fields: {},
      status: 409,
      code: 'UPLOAD_INCOMPLETE',
    },
    {
      name: 'another type',
      change: "media_type = 'text/css'",
      fields: {},
      status: 409,
      code: 'UPLOAD_INCOMPLETE',
    },
    {
      name: 'another checksum',
      change: 'size = size',
      fields: { sha256: sha256(Buffer.from('other')) },
      status: 400,
      code: 'CHECKSUM_MISMATCH',
    },
    {
      name: 'what is no image',
      change: 'size = size',
      fields: { mime: 'image/png', bucket: 'images' },
      status: 400,
      code: 'CONTENT_MISMATCH',
    },
  ])('finalize refuses $name and ends the upload', async ({ change, fields, status, code }) => {
    const presigned = await presign(fields);
    expect(await putTo(presigned, text)).toBe(200);
    const counted = change.startsWith('size = size + 1')
      ? 'update storage.buckets set reserved_bytes = reserved_bytes + 1 where slug = (select bucket from storage.uploads where id = $1)'
      : undefined;
    if (counted !== undefined) await rowsIn(project, counted, [presigned.id]);
    await rowsIn(project, `update storage.uploads set ${change} where id = $1`, [presigned.id]);
    expect(refusalOf(await finalize(presigned.id)).slice(0, 2)).toEqual([status, code]);
    expect(refusalOf(await finalize(presigned.id)).slice(0, 2)).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect(
      await rowsIn(project, 'select from storage.uploads where id = $1', [presigned.id]),
    ).toEqual([]);
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true });
  });

  test('a checksum that is right is kept', async () => {
    const presigned = await presign({ sha256: sha256(text) });
    await putTo(presigned, text);
    expect(fileIn(await finalize(presigned.id))).toMatchObject({ sha256: sha256(text) });
  });

  test('only who has reserved may finalize, in its project', async () => {
    const presigned = await presign();
    await putTo(presigned, text);
    const refused = [404, 'UPLOAD_NOT_FOUND'];
    expect(refusalOf(await finalize(presigned.id, bob)).slice(0, 2)).toEqual(refused);
    const call = { method: 'POST', path: `/api/files/${presigned.id}/finalize` };
    expect(refusalOf(await neighbor.asService(call)).slice(0, 2)).toEqual(refused);
    expect((await project.send(call)).status).toBe(401);
    expect(
      refusalOf(await project.as(ada, { ...call, path: '/api/files/nothing/finalize' })).slice(
        0,
        2,
      ),
    ).toEqual(refused);
    expect((await project.asService(call)).status).toBe(200);
    expect(refusalOf(await finalize(presigned.id, bob)).slice(0, 2)).toEqual(refused);
  });

  test('the key may be taken meanwhile', async () => {
    const presigned = [await presign({ path: 'race' }), await presign({ path: 'race' })];
    for (const each of presigned) await putTo(each, text);
    const [first, second] = presigned.map(({ id }) => id);
    expect((await finalize(first ?? '')).status).toBe(200);
    expect(refusalOf(await finalize(second ?? '')).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
    expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true });
  });

  test.each([
    { name: 'no size', body: { filename: 'a', mime: 'a/b' }, status: 400, code: 'INVALID_INPUT' },
    { name: 'no type', body: { filename: 'a', size: 1 }, status: 400, code: 'INVALID_INPUT' },
    { name: 'no name', body: { size: 1, mime: 'a/b' }, status: 400, code: 'INVALID_INPUT' },
    { name: 'a negative size', body: { ...request, size: -1 }, status: 400, code: 'INVALID_INPUT' },
    { name: 'half a byte', body: { ...request, size: 0.5 }, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'too large a size',
      body: { ...request, size: 1e12 },
      status: 413,
      code: 'FILE_TOO_LARGE',
    },
    {
      name: 'more than the quota',
      body: { ...request, bucket: 'full', size: 101 },
      status: 413,
      code: 'QUOTA_EXCEEDED',
    },
    {
      name: 'a type that is not listed',
      body: { ...request, bucket: 'images' },
      status: 415,
      code: 'MEDIA_TYPE_NOT_ALLOWED',
    },
    {
      name: 'an unknown field',
      body: { ...request, color: 'red' },
      status: 400,
      code: 'UNKNOWN_FIELD',
    },
    {
      name: 'a bucket that is not there',
      body: { ...request, bucket: 'nowhere' },
      status: 404,
      code: 'BUCKET_NOT_FOUND',
    },
  ])('presign refuses $name', async ({ body, status, code }) => {
    expect(refusalOf(await ask(body)).slice(0, 2)).toEqual([status, code]);
  });

  test('64 presigns at once reserve no more than the quota', async () => {
    const asked = Array.from({ length: 64 }, (_, index) =>
      ask({ ...request, bucket: 'full', size: 7, path: `q/${index}` }),
    );
    const replies = await Promise.all(asked);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(14);
    expect(replies.filter(({ status }) => status === 413)).toHaveLength(50);
    expect(await uploadState(project, 'full')).toMatchObject({ isExact: true, reserved: 98 });
  });
});
