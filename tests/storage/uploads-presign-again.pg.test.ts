// A presigned URL works until its time is over. Bytes that it brings after the upload was finalized are never those
// of the file, whether the store refuses them or not.
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeIf, waitFor } from '#libs/testing';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
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

  const inBoth = (uploads: () => Uploads, secondPut: number) => {
    test('the same URL does not change the file', async () => {
      const { presign, finalize, contentOf } = uploads();
      const { id, put } = await presign('a.txt');
      expect(await put(checked)).toBe(200);
      expect(fileIn(await finalize(id))).toMatchObject({ id, size: checked.length });
      expect(await put(swapped)).toBe(secondPut);
      expect(await contentOf(id)).toBe(checked.toString());
      expect(fileIn(await finalize(id))).toMatchObject({ id });
      expect(await contentOf(id)).toBe(checked.toString());
    });

    test('many requests at once make one file and leave nothing else', async () => {
      const { project, presign, finalize, contentOf } = uploads();
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
  };

  describe('in a store without conditional writes', () => {
    let uploads: Uploads;
    beforeAll(async () => {
      const bucket = await server.createBucket();
      uploads = await openUploads(storeEnvironment(server, bucket));
    }, 60_000);
    afterAll(() => uploads.deployment.close(), 60_000);
    inBoth(() => uploads, 200);

    test('the file is a copy under a version that no URL names', async () => {
      const { reserved, stored } = await versionsOf(uploads, 'copied.txt');
      expect(stored).not.toBe(reserved);
    });

    test('what the URL brings later is removed', async () => {
      const { project, presign, finalize } = uploads;
      const { id, put } = await presign('late.txt');
      expect(await put(checked)).toBe(200);
      expect((await finalize(id)).status).toBe(200);
      const left = async () =>
        rowsIn(project, `select g.removals from storage.garbage g where g.stored_key = 'late.txt'`);
      // Removed at once, then after an hour and after a day.
      await waitFor(async () => (await left())[0]?.['removals'] === 2);
    });
  });

  describe('in a store with conditional writes', () => {
    let uploads: Uploads;
    beforeAll(async () => {
      const env = storeEnvironment(server, await server.createBucket());
      uploads = await openUploads({ ...env, S3_ENDPOINT: conditional.endpoint });
    }, 60_000);
    afterAll(() => uploads.deployment.close(), 60_000);
    inBoth(() => uploads, 412);

    test('the file is no copy', async () => {
      const copiesBefore = conditional.copies.length;
      const { reserved, stored } = await versionsOf(uploads, 'kept.txt');
      expect(stored).toBe(reserved);
      expect(conditional.copies).toHaveLength(copiesBefore);
    });
  });
});

/** Finalizes an upload to `path`. Returns the version that its URL names, and that of the file. */
async function versionsOf({ project, presign, finalize }: Uploads, path: string) {
  const { id, put } = await presign(path);
  expect(await put(checked)).toBe(200);
  const reserved = await rowsIn(project, 'select version from storage.uploads where id = $1', [id]);
  expect((await finalize(id)).status).toBe(200);
  const made = 'select version from storage.stored_files where upload_id = $1';
  const stored = await rowsIn(project, made, [id]);
  return { reserved: String(reserved[0]?.['version']), stored: String(stored[0]?.['version']) };
}

interface Presigned {
  readonly id: string;
  /** Uploads to the URL. Returns the status of the store. */
  readonly put: (content: Buffer) => Promise<number>;
}

interface Uploads {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly presign: (path: string) => Promise<Presigned>;
  readonly finalize: (id: string) => Promise<Reply>;
  readonly contentOf: (id: string) => Promise<string>;
}

/** A project with a bucket `docs`, in a deployment with this store, and uploads of one of its users. */
async function openUploads(env: Readonly<Record<string, string>>): Promise<Uploads> {
  const deployment = await Deployment.open({ env });
  const project = await deployment.createProject();
  const ada = await project.signUp('ada@example.org');
  await makeBucket(project, 'docs');
  return {
    deployment,
    project,
    async presign(path) {
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
    },
    finalize: (id) => project.as(ada, { method: 'POST', path: `/api/files/${id}/finalize` }),
    async contentOf(id) {
      const path = `/api/files/${id}/raw`;
      return (await fetchBytes(project, { path, headers: asUser(ada) })).bytes.toString();
    },
  };
}

/** The names of all objects in the bucket that was made last. */
async function objectNames({ client, buckets }: S3Server): Promise<readonly string[]> {
  const listed = await client.send(new ListObjectsV2Command({ Bucket: buckets.at(-1) }));
  return (listed.Contents ?? []).map(({ Key = '' }) => Key);
}
