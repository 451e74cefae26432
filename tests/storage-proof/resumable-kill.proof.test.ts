// The API is killed while a part of a resumable upload arrives: what it had stored by then need not be sent again.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, vi } from 'vitest';

import { testIf, waitFor } from '#libs/testing';

import { makeBucket, rowsIn } from '../storage/bucket-rows.js';
import { TusClient } from '../storage/tus-requests.js';
import { asServer } from '../storage/uploads-http.js';
import { Deployment } from '../support/deployment.js';
import { canRunS3, openS3Server, type S3Server, storeEnvironment } from '../support/s3-server.js';
import { exchange } from './exchange.js';
import { ServedProject } from './served-project.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Less than is synced at a time, so that only time makes it durable. */
const content = randomBytes(3_000_000);
const sentBytes = 2_000_000;

const hasS3 = canRunS3();
let deployment: Deployment;
let s3: S3Server | undefined;

beforeAll(async () => {
  deployment = await Deployment.open({ env: { ROLES: 'console' } });
  if (hasS3) s3 = await openS3Server();
});
afterAll(async () => {
  await deployment.close();
  await s3?.close();
});

const stores = [
  { name: 'a folder', isHere: true, env: async () => ({}) },
  {
    name: 'an S3 store',
    isHere: hasS3,
    env: async () => (s3 ? storeEnvironment(s3, await s3.createBucket()) : {}),
  },
];

describe.each(stores)('in $name', ({ isHere, env }) => {
  testIf(isHere, 'no Swift on this machine')(
    'an upload goes on after kill -9 in the middle of its first part',
    async () => {
      const project = await deployment.createProject();
      const served = await ServedProject.open(deployment, project, { env: await env(), starts: 2 });
      try {
        await served.start();
        await makeBucket(served.project, 'docs');
        await killInTheMiddle(served);
      } finally {
        await served.close();
      }
    },
  );
});

async function killInTheMiddle(served: ServedProject): Promise<void> {
  const { project } = served;
  const client = new TusClient(project, asServer(project));
  const id = await client.begin(content.length, { bucket: 'docs', path: 'film.bin' });
  const length = { 'content-length': String(content.length) };
  const { request } = client.openPatch(id, 0, length);
  request.on('error', () => undefined);
  request.write(content.subarray(0, sentBytes));
  const kept = await valueOf(async () => {
    const [row] = await rowsIn(project, 'select received_bytes from storage.uploads');
    const bytes = Number(row?.['received_bytes']);
    return bytes > 0 ? bytes : undefined;
  });

  await served.kill();
  await served.start();

  const offset = await valueOf(async () => client.offset(id).catch(() => undefined));
  expect(offset).toBe(kept);
  expect((await client.patch(id, offset, content.subarray(offset))).status).toBe(204);
  const { status, bytes } = await exchange(project, {
    path: '/api/files/object/docs/film.bin',
    headers: asServer(project),
  });
  expect(status).toBe(200);
  expect(bytes.equals(content)).toBe(true);
}

/** What the question gives once it gives anything. The lease of a killed process ends after ten seconds. */
async function valueOf(question: () => Promise<number | undefined>): Promise<number> {
  const find = async () => {
    const value = await question();
    return value === undefined ? undefined : { value };
  };
  const { value } = await waitFor(find, { until: 'there is a value', ms: 60_000, everyMs: 50 });
  return value;
}
