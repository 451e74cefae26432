// Uploads in parts by TUS 1.0, on both drivers.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeIf, waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { readStored, uploadState } from './stored-bytes.js';
import { idIn, TusClient } from './tus-requests.js';
import { asUser } from './uploads-http.js';

const mebibyte = 1024 ** 2;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const drivers = [
  { driver: 'local', canRun: true },
  { driver: 's3', canRun: canRunS3() },
] as const;

describe.each(drivers)('uploads in parts with the $driver driver', ({ driver, canRun }) => {
  describeIf(canRun, 'the S3 driver needs Swift')('and a store', () => {
    let store: S3Server | undefined;
    let bucketOfStore = '';
    let deployment: Deployment;
    let env: Record<string, string> = {};
    let project: ProjectUnderTest;
    let ada: SignedIn;
    let client: TusClient;
    let keys = 0;

    beforeAll(async () => {
      if (driver === 's3') {
        store = await openS3Server();
        bucketOfStore = await store.createBucket();
        env = storeEnvironment(store, bucketOfStore);
      }
      deployment = await Deployment.open({ env });
      project = await deployment.createProject();
      ada = await project.signUp('ada@example.org');
      client = new TusClient(project, asUser(ada));
      await makeBucket(project, 'docs');
      await makeBucket(project, 'pictures', { allowedMimeTypes: ['image/png'] });
    }, 120_000);
    afterAll(async () => {
      await deployment.close();
      await store?.close();
    }, 60_000);

    const newFile = () => ({ bucket: 'docs', path: `file-${(keys += 1)}.bin` });
    const stored = (id: string) => readStored(project, id, { deployment, store });
    const reserved = async (bucket = 'docs') => (await uploadState(project, bucket)).reserved;

    /** What lies in the store besides files: parts, and what is appended to. */
    async function unfinished(): Promise<readonly unknown[]> {
      if (!store) {
        const folder = join(deployment.ground.dataDir, 'projects', project.ref, 'files', '.tmp');
        return readdir(folder);
      }
      const Bucket = bucketOfStore;
      const { Uploads = [] } = await store.client.send(new ListMultipartUploadsCommand({ Bucket }));
      const { Contents = [] } = await store.client.send(new ListObjectsV2Command({ Bucket }));
      const files = await rowsIn(project, 'select version::text from storage.stored_files');
      const known = new Set(files.map(({ version }) => version));
      const strays = Contents.filter(({ Key }) => !known.has(Key?.split('/').at(-1)));
      return [...Uploads, ...strays];
    }

    test('a client goes on at half of 48 MB when the server was left in between', async () => {
      const content = randomBytes(48 * mebibyte);
      const fields = { ...newFile(), contentType: 'application/zip', metadata: '{"n":1}' };
      const beside = await Deployment.open({ env }, deployment);
      const broken = await client
        .through(project.through(beside.apiOrigin))
        .send(content, { fields, stopAt: 24 * mebibyte });
      expect(broken.isWhole).toBe(false);
      await beside.stop();

      const { id } = broken;
      const offset = await client.offsetWhenFree(id);
      expect(offset).toBeGreaterThanOrEqual(16 * mebibyte);
      expect(offset).toBeLessThan(content.length);
      const resumed = await client.send(content, { id });
      expect(resumed.isWhole).toBe(true);
      expect(resumed.firstByte).toBeGreaterThanOrEqual(offset);
      expect((await stored(id)).equals(content)).toBe(true);
      expect(await client.offset(id)).toBe(content.length);
      const [row] = await rowsIn(project, 'select * from storage.stored_files where id = $1', [id]);
      expect(row).toMatchObject({
        bucket: 'docs',
        key: fields.path,
        media_type: 'application/zip',
        owner_id: ada.id,
        user_metadata: { n: 1 },
        driver,
      });
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
      expect(await unfinished()).toEqual([]);
    }, 120_000);

    test('a file of any length comes whole, in parts of any length', async () => {
      for (const ends of [[1], [1, 2, 3], [4095, 4097, 10_000], [9 * mebibyte, 9 * mebibyte + 5]]) {
        const content = randomBytes(ends.at(-1) ?? 0);
        const id = await client.begin(content.length, newFile());
        let offset = 0;
        for (const end of ends) {
          const reply = await client.patch(id, offset, content.subarray(offset, end));
          expect([reply.status, reply.headers['upload-offset']]).toEqual([204, String(end)]);
          offset = end;
        }
        expect((await stored(id)).equals(content)).toBe(true);
      }
    });

    test('an empty file is there when it was announced', async () => {
      const id = await client.begin(0, newFile());
      expect((await stored(id)).length).toBe(0);
      expect(await client.offset(id)).toBe(0);
    });

    test.each([1000, 600])('the upload may begin with bytes: %d of 1000', async (first) => {
      const content = randomBytes(1000);
      const fields = newFile();
      const reply = await client.create(1000, fields, { body: content.subarray(0, first) });
      expect(reply.headers['upload-offset']).toBe(String(first));
      const id = idIn(reply);
      if (first < 1000) await client.patch(id, first, content.subarray(first));
      expect((await stored(id)).equals(content)).toBe(true);
    });

    describe('a part', () => {
      test('is kept when its sender goes in the middle', async () => {
        const content = randomBytes(12 * mebibyte);
        const id = await client.begin(content.length, newFile());
        const { request } = client.openPatch(id, 0, { 'content-length': String(content.length) });
        request.write(content.subarray(0, 11 * mebibyte));
        await waitFor(async () => {
          const [row] = await rowsIn(project, 'select * from storage.uploads where id = $1', [id]);
          return Number(row?.['received_bytes']) >= 8 * mebibyte;
        });
        request.destroy();
        const offset = await client.offset(id);
        expect(offset).toBeGreaterThanOrEqual(8 * mebibyte);
        await client.patch(id, offset, content.subarray(offset));
        expect((await stored(id)).equals(content)).toBe(true);
      });

      test('keeps every other request from its upload', async () => {
        const id = await client.begin(10, newFile());
        const { request, reply } = client.openPatch(id, 0, { 'content-length': '10' });
        request.write('12345');
        await waitFor(async () => {
          const sql =
            'select leased_by from storage.uploads where id = $1 and leased_by is not null';
          return (await rowsIn(project, sql, [id])).length === 1;
        });
        const [part, ...others] = await Promise.all([
          client.patch(id, 0, 'x'),
          client.ask('HEAD', id),
          client.ask('DELETE', id),
        ]);
        expect(refusalOf(part).slice(0, 2)).toEqual([423, 'UPLOAD_BUSY']);
        expect(others.map(({ status }) => status)).toEqual([423, 423]);
        request.end('67890');
        expect((await reply).status).toBe(204);
        expect((await stored(id)).toString()).toBe('1234567890');
      });
    });

    test('terminating frees the room and removes the bytes', async () => {
      const content = randomBytes(10 * mebibyte);
      const before = await reserved();
      const id = await client.begin(content.length, newFile());
      await client.patch(id, 0, content.subarray(0, 9 * mebibyte));
      expect(await reserved()).toBe(before + content.length);
      expect((await unfinished()).length).toBeGreaterThan(0);
      expect((await client.ask('DELETE', id)).status).toBe(204);
      expect((await client.ask('HEAD', id)).status).toBe(404);
      expect((await client.ask('DELETE', id)).status).toBe(404);
      expect((await client.patch(id, 9 * mebibyte, content.subarray(9 * mebibyte))).status).toBe(
        404,
      );
      expect(await reserved()).toBe(before);
      expect(await unfinished()).toEqual([]);
    });

    describe('what is announced as an image', () => {
      const fields = () => ({
        bucket: 'pictures',
        path: `${(keys += 1)}.png`,
        contentType: 'image/png',
      });

      test('and is one becomes a file', async () => {
        const id = await client.begin(png.length, fields());
        await client.patch(id, 0, png.subarray(0, 20));
        await client.patch(id, 20, png.subarray(20));
        expect((await stored(id)).equals(png)).toBe(true);
      });

      test.each([
        { name: 'with the first bytes', parts: [5000] },
        { name: 'with the last ones, when the first were too few to tell', parts: [10, 5000] },
      ])('and is none ends the upload $name', async ({ parts }) => {
        const content = Buffer.alloc(5000, '<!doctype html>');
        const id = await client.begin(content.length, fields());
        const replies = [];
        let offset = 0;
        for (const end of parts) {
          replies.push(await client.patch(id, offset, content.subarray(offset, end)));
          offset = end;
        }
        const last = replies.pop();
        expect(replies.every(({ status }) => status === 204)).toBe(true);
        expect(last && refusalOf(last).slice(0, 2)).toEqual([400, 'CONTENT_MISMATCH']);
        expect((await client.ask('HEAD', id)).status).toBe(404);
        expect(await uploadState(project, 'pictures')).toMatchObject({
          isExact: true,
          reserved: 0,
        });
      });
    });

    test('what was interrupted between the last byte and the file is finished by the next request', async () => {
      const id = await client.begin(3, newFile());
      await rowsIn(
        project,
        `create function storage.fail_once() returns trigger language plpgsql as
           $$ begin raise exception 'no file today' using errcode = 'XX000'; end $$;
         create trigger fail_once before insert on storage.stored_files
           for each row execute function storage.fail_once()`,
      );
      expect((await client.patch(id, 0, 'abc')).status).toBe(500);
      await rowsIn(project, 'drop function storage.fail_once cascade');
      expect(await client.offset(id)).toBe(3);
      expect((await stored(id)).toString()).toBe('abc');
    });
  });
});
