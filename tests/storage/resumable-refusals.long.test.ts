// Uploads in parts by TUS 1.0: what is refused, and who has a part in them. The driver makes no difference.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket, makeToken, refusalOf, rowsIn } from './bucket-rows.js';
import { readStored, uploadState } from './stored-bytes.js';
import { metadataOf, resumable, TusClient } from './tus-requests.js';
import { asServer, asUser } from './uploads-http.js';

const mebibyte = 1024 ** 2;
const dayMs = 24 * 3600 * 1000;

describe('uploads in parts', () => {
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let neighbor: ProjectUnderTest;
  let ada: SignedIn;
  let bob: SignedIn;
  let client: TusClient;
  let keys = 0;

  beforeAll(async () => {
    deployment = await Deployment.shared();
    project = await deployment.createProject();
    neighbor = await deployment.createProject();
    ada = await project.signUp('ada@example.org');
    bob = await project.signUp('bob@example.org');
    client = new TusClient(project, asUser(ada));
    await makeBucket(project, 'docs');
    await makeBucket(project, 'pictures', { allowedMimeTypes: ['image/png'] });
    await makeBucket(project, 'small', { maxFileBytes: 1000 });
    await makeBucket(project, 'full', { quotaBytes: 2000 });
  }, 60_000);
  afterAll(async () => {
    await deployment.close();
  }, 60_000);

  const newFile = () => ({ bucket: 'docs', path: `file-${(keys += 1)}.bin` });
  const stored = (id: string) => readStored(project, id, { deployment });
  const reserved = async () => (await uploadState(project, 'docs')).reserved;

  test('without a path the file has the name that the client gives', async () => {
    const id = await client.begin(1, {
      filename: 'a b/c.txt',
      filetype: 'text/plain',
      name: 'x',
    });
    await client.patch(id, 0, 'x');
    const [row] = await rowsIn(project, 'select * from storage.stored_files where id = $1', [id]);
    expect(row).toMatchObject({
      bucket: '_private',
      key: `${id}/c.txt`,
      media_type: 'text/plain',
    });
  });

  describe('an upload that is refused reserves nothing', () => {
    const fields = { path: 'refused.bin' };
    test.each([
      {
        name: 'over the limit of the bucket',
        bucket: 'small',
        length: 1001,
        status: 413,
        code: 'FILE_TOO_LARGE',
      },
      { name: 'over the quota', bucket: 'full', length: 2001, status: 413, code: 'QUOTA_EXCEEDED' },
      {
        name: 'over the limit of the project',
        bucket: 'docs',
        length: 51 * mebibyte,
        status: 413,
        code: 'FILE_TOO_LARGE',
      },
      {
        name: 'into no bucket',
        bucket: 'nowhere',
        length: 1,
        status: 404,
        code: 'BUCKET_NOT_FOUND',
      },
      {
        name: 'of a type that the bucket does not take',
        bucket: 'pictures',
        length: 1,
        status: 415,
        code: 'MEDIA_TYPE_NOT_ALLOWED',
      },
      {
        name: 'with a key that is none',
        bucket: 'docs',
        length: 1,
        fields: { path: '../x' },
        status: 400,
        code: 'INVALID_OBJECT_KEY',
      },
      {
        name: 'with a file name that cannot be stored',
        bucket: 'docs',
        length: 1,
        fields: { filename: 'a\0b' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'with metadata that is no object',
        bucket: 'docs',
        length: 1,
        fields: { metadata: '[]' },
        status: 400,
        code: 'INVALID_INPUT',
      },
    ])('$name', async ({ bucket, length, status, code, ...given }) => {
      const reply = await client.create(length, { ...fields, bucket, ...given.fields });
      expect(refusalOf(reply).slice(0, 2)).toEqual([status, code]);
      expect(reply.headers['tus-resumable']).toBe('1.0.0');
      expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
    });

    const begun = { 'tus-resumable': '1.0.0', 'upload-length': '1' };
    test.each([
      {
        name: 'without the protocol',
        headers: { 'upload-length': '1' },
        status: 412,
        code: 'UNSUPPORTED_TUS_VERSION',
      },
      {
        name: 'of another version',
        headers: { ...begun, 'tus-resumable': '0.2.2' },
        status: 412,
        code: 'UNSUPPORTED_TUS_VERSION',
      },
      {
        name: 'without a length',
        headers: { 'tus-resumable': '1.0.0' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'with a length to come',
        headers: { 'tus-resumable': '1.0.0', 'upload-defer-length': '1' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'with a length that is none',
        headers: { ...begun, 'upload-length': '-1' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'with metadata that cannot be read',
        headers: { ...begun, 'upload-metadata': 'bucket !' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'as a part of another',
        headers: { ...begun, 'upload-concat': 'partial' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
    ])('$name', async ({ headers, status, code }) => {
      const reply = await project.as(ada, { method: 'POST', path: resumable, headers });
      expect(refusalOf(reply).slice(0, 2)).toEqual([status, code]);
      expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
    });

    test('with more bytes than announced', async () => {
      const reply = await client.create(10, newFile(), { body: randomBytes(11) });
      expect(refusalOf(reply)).toEqual([
        413,
        'FILE_TOO_LARGE',
        expect.stringContaining('10 bytes'),
      ]);
      expect(await rowsIn(project, 'select from storage.uploads')).toEqual([]);
    });

    test('with a key that is taken, unless it may be replaced', async () => {
      const taken = newFile();
      const first = await client.begin(1, taken);
      await client.patch(first, 0, 'a');
      expect(refusalOf(await client.create(1, taken))[1]).toBe('FILE_EXISTS');
      const second = await client.begin(1, { ...taken, upsert: 'true' });
      await client.patch(second, 0, 'b');
      expect((await stored(first)).toString()).toBe('b');
    });
  });

  describe('a part', () => {
    test.each([
      { name: 'at another byte', offset: 5, status: 409, code: 'UPLOAD_OFFSET_MISMATCH' },
      {
        name: 'without a place',
        headers: { 'upload-offset': '' },
        status: 400,
        code: 'INVALID_UPLOAD_HEADER',
      },
      {
        name: 'of another type',
        headers: { 'content-type': 'text/plain' },
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      },
      { name: 'that is too long', body: 'x'.repeat(98), status: 413, code: 'FILE_TOO_LARGE' },
    ])(
      '$name is refused, and changes nothing',
      async ({ offset = 3, body = 'x', status, code, ...given }) => {
        const id = await client.begin(100, newFile());
        await client.patch(id, 0, 'abc');
        const reply = await client.patch(id, offset, body, given.headers);
        expect(refusalOf(reply).slice(0, 2)).toEqual([status, code]);
        expect(await client.offset(id)).toBe(3);
        await client.ask('DELETE', id);
      },
    );

    test('of a sender who falls silent is kept, and the sender told', async () => {
      const content = randomBytes(mebibyte);
      const id = await client.begin(content.length, newFile());
      const { request, reply } = client.openPatch(id, 0, {
        'content-length': String(content.length),
      });
      request.write(content.subarray(0, mebibyte / 2));
      expect(refusalOf(await reply).slice(0, 2)).toEqual([408, 'UPLOAD_STALLED']);
      const offset = await client.offset(id);
      expect(offset).toBeGreaterThan(0);
      await client.patch(id, offset, content.subarray(offset));
      expect((await stored(id)).equals(content)).toBe(true);
    });

    test('does not count when somebody else has got the upload meanwhile', async () => {
      const id = await client.begin(6, newFile());
      const { request, reply } = client.openPatch(id, 0, { 'content-length': '3' });
      request.write('ab');
      const taken = `update storage.uploads
        set leased_by = gen_random_uuid(), leased_until = now() + interval '1 second'
        where id = $1 and leased_by is not null returning id`;
      await waitFor(async () => (await rowsIn(project, taken, [id])).length === 1);
      request.end('c');
      expect(refusalOf(await reply).slice(0, 2)).toEqual([423, 'UPLOAD_BUSY']);
      expect(await client.offset(id)).toBe(0);
      await client.patch(id, 0, '123456');
      expect((await stored(id)).toString()).toBe('123456');
    });

    test('waits a moment for a request that is just ending', async () => {
      const id = await client.begin(1, newFile());
      const sql = `update storage.uploads set leased_by = gen_random_uuid(),
        leased_until = now() + interval '1 second' where id = $1`;
      await rowsIn(project, sql, [id]);
      expect((await client.patch(id, 0, 'x')).status).toBe(204);
    });

    test('may come as POST', async () => {
      const id = await client.begin(1, newFile());
      const reply = await project.as(ada, {
        method: 'POST',
        path: `${resumable}/${id}`,
        headers: {
          'tus-resumable': '1.0.0',
          'x-http-method-override': 'PATCH',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': '0',
        },
        body: 'x',
      });
      expect(reply.status).toBe(204);
      expect((await stored(id)).toString()).toBe('x');
    });
  });

  test('the offset comes with what the client said, and is never cached', async () => {
    const fields = { ...newFile(), relativePath: 'ä/b' };
    const id = await client.begin(10, fields);
    await client.patch(id, 0, 'abc');
    const { headers } = await client.ask('HEAD', id);
    expect(headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '10',
      'upload-metadata': metadataOf(fields),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    await client.ask('DELETE', id);
  });

  test('an upload ends a day after its last byte', async () => {
    const before = await reserved();
    const id = await client.begin(10, newFile());
    await rowsIn(
      project,
      "update storage.uploads set expires_at = now() + interval '5 s' where id = $1",
      [id],
    );
    const reply = await client.patch(id, 0, 'abc');
    const [row] = await rowsIn(project, 'select expires_at from storage.uploads where id = $1', [
      id,
    ]);
    const endsAt = Date.parse(String(row?.['expires_at']));
    expect(Math.abs(endsAt - Date.now() - dayMs)).toBeLessThan(10_000);
    const told = Date.parse(String(reply.headers['upload-expires']));
    expect(Math.abs(told - endsAt)).toBeLessThan(2_000);

    await rowsIn(
      project,
      "update storage.uploads set expires_at = now() - interval '1 s' where id = $1",
      [id],
    );
    expect((await client.ask('HEAD', id)).status).toBe(404);
    expect((await client.patch(id, 3, 'd')).status).toBe(404);
    await rowsIn(project, 'select storage.expire_uploads()');
    expect(await reserved()).toBe(before);
  });

  describe('an upload belongs to who began it', () => {
    test.each([
      { name: 'another user', as: () => client.with(asUser(bob)), status: 404 },
      { name: 'nobody', as: () => client.with({}), status: 401 },
      {
        name: 'the server of another project',
        as: () => client.with(asServer(neighbor), neighbor),
        status: 404,
      },
      {
        name: 'a token of the bucket',
        as: async () => client.with(await tokenFor('docs', 'write')),
        status: 404,
      },
      {
        name: 'a token that lets read',
        as: async () => client.with(await tokenFor('docs', 'read')),
        status: 403,
      },
    ])('$name has no part in it', async ({ as, status }) => {
      const id = await client.begin(3, newFile());
      const other = await as();
      expect((await other.ask('HEAD', id)).status).toBe(status);
      expect((await other.patch(id, 0, 'abc')).status).toBe(status);
      expect((await other.ask('DELETE', id)).status).toBe(status);
      await client.patch(id, 0, 'abc');
      expect((await other.ask('HEAD', id)).status).toBe(status);
      expect((await stored(id)).toString()).toBe('abc');
    });

    test('and the secret key goes on with every one', async () => {
      const id = await client.begin(3, newFile());
      expect((await client.with(asServer(project)).patch(id, 0, 'abc')).status).toBe(204);
      const [row] = await rowsIn(project, 'select * from storage.stored_files where id = $1', [id]);
      expect(row?.['owner_id']).toBe(ada.id);
    });

    test('a token that lets write begins uploads of its bucket alone, and goes on with them', async () => {
      const program = client.with(await tokenFor('docs', 'write'));
      const id = await program.begin(3, newFile());
      expect((await client.with(await tokenFor('small', 'write')).ask('HEAD', id)).status).toBe(
        401,
      );
      expect((await program.patch(id, 0, 'abc')).status).toBe(204);
      const elsewhere = await program.create(3, { ...newFile(), bucket: 'small' });
      expect(refusalOf(elsewhere).slice(0, 2)).toEqual([401, 'INVALID_BUCKET_TOKEN']);
    });

    const tokenFor = async (slug: string, kind: string) => ({
      'x-bucket-token': (await makeToken(project, slug, { kind })).token,
    });
  });

  test('pages learn what they may do, and read the answers', async () => {
    const origin = 'https://app.example.org';
    const options = await project.send({
      method: 'OPTIONS',
      path: resumable,
      headers: { origin },
    });
    expect(options.status).toBe(204);
    expect(options.headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': String(50 * mebibyte),
      'access-control-allow-origin': origin,
    });
    const preflight = await project.send({
      method: 'OPTIONS',
      path: resumable,
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    const allowed = preflight.headers['access-control-allow-headers'] ?? '';
    const exposed = options.headers['access-control-expose-headers'] ?? '';
    for (const name of ['tus-resumable', 'upload-offset', 'upload-length']) {
      expect(allowed).toContain(name);
      expect(exposed).toContain(name);
    }
  });
});
