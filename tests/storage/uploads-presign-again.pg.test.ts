// A presigned URL works until its time is over. Bytes that it brings after the upload was finalized are never those
// of the file, whether the store refuses them or not.
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { describeIf } from '#libs/testing';

import { asRecord, eventually, House } from '../support/house.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { makeBucket, rowsIn } from './bucket-rows.js';
import { type ConditionalStore, openConditionalStore } from './conditional-store.js';
import { fetchBytes } from './stored-files.js';
import { uploadState } from './stored-bytes.js';
import { asUser, fileIn } from './uploads-http.js';

const checked = Buffer.from('what was checked');
const swapped = Buffer.from('what was swapped');

describeIf(canRunS3(), 'presigned uploads need Swift')('after an upload was finalized', () => {
  let server: S3Server;
  let conditional: ConditionalStore;
  beforeAll(async () => {
    server = await openS3Server();
    conditional = await openConditionalStore(server);
  }, 120_000);
  afterAll(async () => {
    await conditional.close();
    await server.close();
  });

  describe.each([
    { name: 'a store without conditional writes', knows: false },
    { name: 'a store with conditional writes', knows: true },
  ])('in $name', ({ knows }) => {
    let house: House;
    let project: ProjectUnderTest;
    let ada: SignedIn;
    beforeAll(async () => {
      const bucket = await server.createBucket();
      const env = storeEnvironment(server, bucket);
      house = await House.open({
        env: knows ? { ...env, S3_ENDPOINT: conditional.endpoint } : env,
      });
      project = await house.createProject();
      ada = await project.signUp('ada@example.org');
      await makeBucket(project, 'docs');
    }, 60_000);
    afterAll(() => house.close(), 60_000);

    const presign = async (path: string) => {
      const body = { filename: 'a.txt', path, size: checked.length, mime: 'text/plain' };
      const reply = await project.as(ada, {
        method: 'POST',
        path: '/api/files/presign',
        body: { ...body, bucket: 'docs' },
      });
      const { file, uploadUrl, requiredHeaders } = fileIn(reply);
      const headers = Object.entries(asRecord(requiredHeaders)).map(
        ([name, value]): [string, string] => [name, String(value)],
      );
      const put = async (content: Buffer): Promise<number> =>
        (await fetch(String(uploadUrl), { method: 'PUT', headers, body: new Uint8Array(content) }))
          .status;
      return { id: String(asRecord(file)['id']), put };
    };
    const finalize = (id: string) =>
      project.as(ada, { method: 'POST', path: `/api/files/${id}/finalize` });
    const contentOf = async (id: string) => {
      const path = `/api/files/${id}/raw`;
      return (await fetchBytes(project, { path, headers: asUser(ada) })).bytes.toString();
    };

    test('the same URL does not change the file', async () => {
      const { id, put } = await presign('a.txt');
      const copiedBefore = conditional.copies.length;
      expect(await put(checked)).toBe(200);
      expect(fileIn(await finalize(id))).toMatchObject({ id, size: checked.length });
      expect(await put(swapped)).toBe(knows ? 412 : 200);
      expect(await contentOf(id)).toBe(checked.toString());
      expect(fileIn(await finalize(id))).toMatchObject({ id });
      expect(await contentOf(id)).toBe(checked.toString());
      // The fast path keeps its price.
      expect(conditional.copies.length).toBe(copiedBefore);
    });

    test('many requests at once make one file and leave nothing else', async () => {
      const { id, put } = await presign('many.txt');
      expect(await put(checked)).toBe(200);
      const replies = await Promise.all([1, 2, 3, 4, 5].map(() => finalize(id)));
      const [first] = replies.map(fileIn);
      for (const reply of replies) expect(fileIn(reply)).toEqual(first);
      expect(await contentOf(id)).toBe(checked.toString());
      expect(await uploadState(project, 'docs')).toMatchObject({ isExact: true, reserved: 0 });
      const stored = await rowsIn(project, 'select version from storage.stored_files');
      const waiting = await rowsIn(project, 'select version from storage.garbage');
      const known = [...stored, ...waiting].map((row) => String(row['version']));
      const names = await objectNames(server);
      expect(names.filter((name) => !known.some((version) => name.endsWith(version)))).toEqual([]);
    });

    test('what the URL brings later is removed', async () => {
      if (knows) return;
      const { id, put } = await presign('late.txt');
      expect(await put(checked)).toBe(200);
      expect((await finalize(id)).status).toBe(200);
      const left = async () =>
        rowsIn(project, `select g.removals from storage.garbage g where g.stored_key = 'late.txt'`);
      // Removed at once, then after an hour and after a day.
      await eventually(async () => (await left())[0]?.['removals'] === 2);
    });
  });
});

/** The names of all objects in the bucket that was made last. */
async function objectNames({ client, buckets }: S3Server): Promise<readonly string[]> {
  const listed = await client.send(new ListObjectsV2Command({ Bucket: buckets.at(-1) }));
  return (listed.Contents ?? []).map(({ Key = '' }) => Key);
}
