// All files of a project together stay below its limit, also when many upload at once.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bucketPath, makeBucket } from './bucket-rows.js';
import { TusClient } from './tus-requests.js';
import { asServer, sendBytes } from './uploads-http.js';

const kilobyte = 1024;
const full = { status: 507, code: 'PROJECT_STORAGE_FULL' };

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.open({ env: { PROJECT_STORAGE_MB: '1' } });
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
  for (const each of [project, neighbor]) {
    await makeBucket(each, 'docs');
    await makeBucket(each, 'more');
  }
}, 120_000);
afterAll(() => deployment.close(), 60_000);

const limitsPath = ({ ref }: ProjectUnderTest) => `/platform/projects/${ref}/limits`;
const setLimit = (storageBytes: unknown) =>
  deployment.console({ method: 'PUT', path: limitsPath(project), body: { storageBytes } });

let count = 0;
async function upload(bytes: number, of = project, bucket = 'docs') {
  count += 1;
  const reply = await sendBytes(of, {
    method: 'PUT',
    path: `/api/files/object/${bucket}/file-${count}.bin`,
    headers: { ...asServer(of), 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(bytes),
  });
  return { status: reply.status, code: Object(reply.body).code };
}

async function usedBytes(): Promise<number> {
  const used = await Promise.all(
    ['docs', 'more'].map(async (slug) => {
      const { body } = await project.asService({ path: bucketPath(slug) });
      const { usedBytes: size, reservedBytes } = Object(body).data;
      return Number(size) + Number(reservedBytes);
    }),
  );
  return used.reduce((sum, bytes) => sum + bytes, 0);
}

test('the deployment gives every project a limit, and a project may have its own', async () => {
  expect((await upload(1025 * kilobyte)).code).toBe('PROJECT_STORAGE_FULL');
  expect((await setLimit(kilobyte)).body).toMatchObject({ storageBytes: kilobyte });
  expect(await upload(2 * kilobyte)).toEqual(full);
  expect((await upload(101 * kilobyte, neighbor)).status).toBeLessThan(300);
});

test('uploads to several buckets at once do not pass the limit together', async () => {
  const before = await usedBytes();
  await setLimit(before + 100 * kilobyte);
  expect(await upload(101 * kilobyte)).toEqual(full);
  const uploads = Array.from({ length: 20 }, (_, index) =>
    upload(10 * kilobyte, project, index % 2 === 0 ? 'docs' : 'more'),
  );
  const replies = await Promise.all(uploads);
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 507)).toHaveLength(10);
  expect(await usedBytes()).toBe(before + 100 * kilobyte);
});

test('an upload in parts is refused when it begins', async () => {
  const client = new TusClient(project, asServer(project));
  const reply = await client.create(kilobyte, { bucket: 'docs', filename: 'a.txt' });
  expect({ status: reply.status, code: Object(reply.body).code }).toEqual(full);
});

test('a higher limit lets uploads in again', async () => {
  await setLimit(null);
  expect((await upload(kilobyte)).status).toBeLessThan(300);
});

test.each([-1, 1.5, '10'])('the limit %j is refused', async (storageBytes) => {
  const reply = await setLimit(storageBytes);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('storageBytes');
});

test('a limit that is not named stays', async () => {
  await setLimit(kilobyte);
  const reply = await setLimit(undefined);
  expect(reply.body).toMatchObject({ storageBytes: kilobyte });
  await setLimit(null);
});

test('limits are read, of a project that is there', async () => {
  const reply = await deployment.console({ path: limitsPath(project) });
  expect(reply.body).toEqual({ storageBytes: null, databaseBytes: null, sharedMailServer: null });
  const missing = await deployment.console({ path: '/platform/projects/nothing/limits' });
  expect(missing.status).toBe(404);
});
