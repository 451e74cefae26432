// Uploads through the server and past it, on both drivers: what is stored, what is refused, what is left.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeIf } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { dataOf, makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { readStored, uploadState } from './stored-bytes.js';
import { brokenForms, large, refusedContents, visibilities } from './uploads-cases.js';
import {
  asServer,
  asUser,
  field,
  file,
  fileIn,
  formOf,
  type FormPart,
  sendBytes,
  type Sending,
} from './uploads-http.js';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

const drivers = [
  { driver: 'local', canRun: true },
  { driver: 's3', canRun: canRunS3() },
] as const;

describe.each(drivers)('uploads with the $driver driver', ({ driver, canRun }) => {
  describeIf(canRun, 'the S3 driver needs Swift')('and a store', () => {
    let store: S3Server | undefined;
    let deployment: Deployment;
    let project: ProjectUnderTest;
    let neighbor: ProjectUnderTest;
    let ada: SignedIn;
    let bob: SignedIn;
    let writeToken: string;

    beforeAll(async () => {
      if (driver === 's3') store = await openS3Server();
      deployment = await Deployment.open({
        env: store ? storeEnvironment(store, await store.createBucket()) : {},
      });
      project = await deployment.createProject();
      neighbor = await deployment.createProject();
      [ada, bob] = [
        await project.signUp('ada@example.org'),
        await project.signUp('bob@example.org'),
      ];
      await makeBucket(project, 'docs');
      await makeBucket(project, 'open', { public: true });
      await makeBucket(project, 'images', { allowedMimeTypes: ['image/*'] });
      await makeBucket(project, 'small', { maxFileBytes: 1000 });
      await makeBucket(project, 'full', { quotaBytes: 100_000 });
      await makeBucket(neighbor, 'docs');
      writeToken = await makeToken(project, 'docs', 'write');
    }, 120_000);
    afterAll(async () => {
      await deployment.close();
      await store?.close();
    }, 60_000);

    const post = (user: SignedIn, ...parts: readonly FormPart[]): Promise<Reply> => {
      const { headers, body } = formOf(...parts);
      return sendBytes(project, {
        path: '/api/files/',
        headers: { ...headers, ...asUser(user) },
        body,
      });
    };
    const put = (user: SignedIn, path: string, given: Omit<Sending, 'path'> = {}) =>
      sendBytes(project, {
        ...given,
        method: 'PUT',
        path: `/api/files/object/${path}`,
        headers: { ...asUser(user), ...given.headers },
      });
    const stored = async (reply: Reply) => {
      const { id } = fileIn(reply);
      return readStored(project, String(id), { deployment, store });
    };

    test('POST /api/files/ takes a form with the file alone', async () => {
      const reply = await post(ada, file('hello', 'größe.txt', 'text/plain'));
      expect(reply.status).toBe(201);
      const view = fileIn(reply);
      expect(view).toMatchObject({
        bucket: null,
        key: `${String(view['id'])}/größe.txt`,
        name: 'größe.txt',
        size: 5,
        mime: 'text/plain',
        visibility: 'private',
        ownerId: ada.id,
      });
      expect((await stored(reply)).toString()).toBe('hello');
    });

    test.each([
      { name: 'before the file', order: [0, 1, 2] },
      { name: 'behind the file', order: [2, 0, 1] },
      { name: 'on both sides of the file', order: [0, 2, 1] },
    ])('fields may stand $name, whatever its length', async ({ name, order }) => {
      for (const [index, content] of [Buffer.from('x'), large].entries()) {
        const path = `${name}/${index}.bin`;
        const parts = [field('bucket', 'docs'), field('path', path), file(content)];
        const reply = await post(ada, ...order.flatMap((at) => parts[at] ?? []));
        expect(fileIn(reply)).toMatchObject({ bucket: 'docs', key: path, size: content.length });
        expect((await stored(reply)).equals(content)).toBe(true);
      }
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
    });

    test('parameters of the query count like fields', async () => {
      const { headers, body } = formOf(file(large, 'a.bin'));
      const reply = await sendBytes(project, {
        path: '/api/files?bucket=open&path=q.bin&cacheControl=60',
        headers: { ...headers, ...asUser(ada) },
        body,
      });
      expect(fileIn(reply)).toMatchObject({
        bucket: 'open',
        key: 'q.bin',
        visibility: 'public',
        cacheControl: 'public, max-age=60',
      });
    });

    test.each(visibilities)('visibility: $name', async ({ fields, visibility, bucket }) => {
      const texts = Object.entries(fields).map(([name, text]) => field(name, text));
      expect(fileIn(await post(ada, file('x'), ...texts))).toMatchObject({ visibility, bucket });
    });

    test('contentType overrides the declared type, and metadata are kept', async () => {
      const reply = await post(
        ada,
        field('contentType', 'text/markdown; charset=UTF-8'),
        field('metadata', '{"by":"ada"}'),
        file('# a', 'a.md', 'application/octet-stream'),
      );
      const expected = { mime: 'text/markdown; charset=utf-8', metadata: { by: 'ada' } };
      expect(fileIn(reply)).toMatchObject(expected);
    });

    test('a file name is data: it makes neither folders nor headers', async () => {
      const reply = await post(ada, file('x', '../../etc/a%0D%0ASet-Cookie: b'));
      const { id, key } = fileIn(reply);
      expect(key).toBe(`${String(id)}/a__Set-Cookie: b`);
      expect(reply.headers['set-cookie']).toBeUndefined();
    });

    test('zero bytes are a file', async () => {
      for (const reply of [
        await post(ada, file('', 'none')),
        await put(ada, 'docs/none', { body: '' }),
        await put(ada, 'docs/none-chunked', { body: '', isChunked: true }),
      ]) {
        expect(fileIn(reply)).toMatchObject({ size: 0 });
        expect(await stored(reply)).toHaveLength(0);
      }
    });

    test('PUT /api/files/object/:bucket/* takes the body, and replaces with upsert', async () => {
      const headers = { 'content-type': 'application/x-object' };
      const first = await put(ada, 'docs/put/a%20b.bin', { headers, body: large });
      expect(first.status).toBe(201);
      expect(fileIn(first)).toMatchObject({ key: 'put/a b.bin', mime: 'application/x-object' });
      expect((await put(ada, 'docs/put/a%20b.bin', { body: 'no' })).status).toBe(409);
      const second = await put(ada, 'docs/put/a%20b.bin?upsert=true', {
        body: 'new',
        isChunked: true,
      });
      expect(second.status).toBe(200);
      expect(fileIn(second)).toMatchObject({ id: fileIn(first)['id'], size: 3 });
      expect(fileIn(second)['version']).not.toBe(fileIn(first)['version']);
      expect((await stored(second)).toString()).toBe('new');
    });

    test('a body in chunks of unknown length is stored', async () => {
      const reply = await put(ada, 'docs/chunked.bin', { body: large, isChunked: true });
      expect(fileIn(reply)).toMatchObject({ size: large.length });
      expect((await stored(reply)).equals(large)).toBe(true);
    });

    test('a checksum is compared and kept', async () => {
      const headers = { 'x-checksum-sha256': sha256(large) };
      const reply = await put(ada, 'docs/sum.bin', { headers, body: large });
      expect(fileIn(reply)).toMatchObject({ sha256: sha256(large) });
      const wrong = await put(ada, 'docs/wrong.bin', { headers, body: 'other' });
      expect(refusalOf(wrong).slice(0, 2)).toEqual([400, 'CHECKSUM_MISMATCH']);
    });

    test('Upload to an existing key without upsert is 409', async () => {
      const parts = [field('bucket', 'docs'), field('path', 'taken.txt'), file('one')];
      const first = await post(ada, ...parts);
      expect(refusalOf(await post(ada, ...parts)).slice(0, 2)).toEqual([409, 'FILE_EXISTS']);
      const again = await post(ada, field('upsert', 'true'), ...parts.slice(0, 2), file('two'));
      expect(fileIn(again)['id']).toBe(fileIn(first)['id']);
      expect((await stored(again)).toString()).toBe('two');
    });

    test('nobody replaces the file of another user', async () => {
      const path = 'docs/of-ada.txt';
      const first = await put(ada, path, { body: 'ada' });
      const refused = await put(bob, `${path}?upsert=true`, { body: 'bob' });
      expect(refusalOf(refused).slice(0, 2)).toEqual([403, '42501']);
      expect((await stored(first)).toString()).toBe('ada');
      const headers = asServer(project);
      const sending = { method: 'PUT', path: `/api/files/object/${path}?upsert=true`, headers };
      const service = await sendBytes(project, { ...sending, body: 'service' });
      expect(fileIn(service)).toMatchObject({ id: fileIn(first)['id'], ownerId: ada.id });
    });

    test('policies are asked about the length that came, not about the one that was reserved', async () => {
      await project.sql(
        `create policy short on storage.files as restrictive for insert to authenticated
         with check (bucket <> 'docs' or size < 250000 or key not like 'policy/%')`,
      );
      const reply = await put(ada, 'docs/policy/long.bin', { body: large, isChunked: true });
      expect(refusalOf(reply).slice(0, 2)).toEqual([403, '42501']);
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
    });

    test.each(refusedContents)(
      'refuses $name and leaves nothing',
      async ({ path, type, body, status, code }) => {
        for (const isChunked of [false, true]) {
          const reply = await put(ada, path, {
            headers: { 'content-type': type },
            body,
            isChunked,
          });
          expect(refusalOf(reply).slice(0, 2)).toEqual([status, code]);
        }
        const slug = path.split('/')[0] ?? '';
        const held = await rowsIn(project, 'select from storage.uploads where bucket = $1', [slug]);
        expect(held).toEqual([]);
        expect(
          await rowsIn(project, 'select from storage.stored_files where bucket = $1 and key = $2', [
            slug,
            'a.png',
          ]),
        ).toEqual([]);
      },
    );

    test.each([
      { name: 'who shows nothing', headers: {}, status: 401 },
      { name: 'a session that is none', headers: { authorization: 'Bearer nothing' }, status: 401 },
    ])('refuses $name', async ({ headers, status }) => {
      for (const content of ['x', large]) {
        const form = formOf(file(content));
        const sent = { ...form.headers, ...headers };
        const reply = await sendBytes(project, {
          path: '/api/files',
          headers: sent,
          body: form.body,
        });
        expect(reply.status).toBe(status);
      }
    });

    test.each(brokenForms)(
      'a form with $name is 400 and leaves nothing',
      async ({ parts, says }) => {
        const reply = await post(ada, ...parts);
        expect([reply.status, asRecord(reply.body)['message']]).toEqual([400, says]);
        expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
      },
    );

    test('what is no form is 415 at POST /api/files', async () => {
      const reply = await sendBytes(project, {
        path: '/api/files',
        headers: { ...asUser(ada), 'content-type': 'text/plain' },
        body: 'x',
      });
      expect(refusalOf(reply).slice(0, 2)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    describe('POST /api/storage/:slug/upload', () => {
      const path = '/api/storage/docs/upload';

      test('takes a form or bytes with a write token', async () => {
        const form = formOf(file('one'), field('path', 'token/a.txt'));
        const asForm = await sendBytes(project, {
          path,
          headers: { ...form.headers, 'x-bucket-token': writeToken },
          body: form.body,
        });
        expect(fileIn(asForm)).toMatchObject({ bucket: 'docs', key: 'token/a.txt', ownerId: null });
        const headers = { authorization: `Bearer ${writeToken}`, 'content-type': 'text/plain' };
        const asBytes = await sendBytes(project, {
          path: `${path}?path=token/b.txt`,
          headers,
          body: 'two',
        });
        expect(asBytes.status).toBe(201);
        expect((await stored(asBytes)).toString()).toBe('two');
      });

      test('takes the secret key too', async () => {
        const reply = await sendBytes(project, {
          path: `${path}?path=token/c.txt`,
          headers: asServer(project),
          body: 'x',
        });
        expect(fileIn(reply)).toMatchObject({ key: 'token/c.txt', ownerId: null });
      });

      test.each([
        {
          name: 'no token',
          token: async () => undefined,
          status: 401,
          code: 'BUCKET_TOKEN_REQUIRED',
        },
        {
          name: 'text',
          token: async () => 'svc_bkt_nothing',
          status: 401,
          code: 'INVALID_BUCKET_TOKEN',
        },
        {
          name: 'a token of another kind',
          token: () => makeToken(project, 'docs', 'read'),
          status: 403,
          code: 'BUCKET_TOKEN_KIND',
        },
        {
          name: 'a token of another bucket',
          token: () => makeToken(project, 'open', 'write'),
          status: 401,
          code: 'INVALID_BUCKET_TOKEN',
        },
        {
          name: 'a token of another project',
          token: () => makeToken(neighbor, 'docs', 'write'),
          status: 401,
          code: 'INVALID_BUCKET_TOKEN',
        },
        {
          name: 'an expired token',
          token: () => expiredToken(project),
          status: 401,
          code: 'INVALID_BUCKET_TOKEN',
        },
      ])('refuses $name', async ({ token, status, code }) => {
        const shown = await token();
        const headers = shown === undefined ? {} : { 'x-bucket-token': shown };
        const reply = await sendBytes(project, { path: `${path}?path=no.txt`, headers, body: 'x' });
        expect(refusalOf(reply).slice(0, 2)).toEqual([status, code]);
      });

      test('stays in the bucket of its address', async () => {
        const headers = { 'x-bucket-token': writeToken };
        const reply = await sendBytes(project, {
          path: `${path}?path=a&bucket=open`,
          headers,
          body: 'x',
        });
        expect(reply.status).toBe(400);
      });
    });

    test('all counters are exact in the end', async () => {
      for (const slug of ['docs', 'open', 'images', 'small', 'full', '_private', '_public']) {
        expect({ slug, ...(await uploadState(project, slug)) }).toMatchObject({
          slug,
          isExact: true,
          reserved: 0,
        });
      }
    });
  });
});

async function makeToken(project: ProjectUnderTest, slug: string, kind: string): Promise<string> {
  const path = `/api/admin/storage/buckets/${slug}/tokens`;
  const reply = await project.asService({ method: 'POST', path, body: { name: kind, kind } });
  return String(asRecord(dataOf(reply))['token']);
}

async function expiredToken(project: ProjectUnderTest): Promise<string> {
  const token = await makeToken(project, 'docs', 'write');
  const text = `update storage.access_tokens set expires_at = now() - interval '1 s'
    where created_at = (select max(created_at) from storage.access_tokens)`;
  await rowsIn(project, text);
  return token;
}
