// The API is killed while a part of a resumable upload arrives: what it had stored by then need not be sent again.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

import { makeBucket, rowsIn } from '../storage/bucket-rows.js';
import { localPlace } from '../storage/stored-files.js';
import { TusClient } from '../storage/tus-requests.js';
import { asServer } from '../storage/uploads-http.js';
import { House } from '../support/house.js';
import { ServedProject } from './served-project.js';

jest.setTimeout(600_000);

/** Less than is synced at a time, so that only time makes it durable. */
const content = randomBytes(3_000_000);
const sentBytes = 2_000_000;

let house: House;
let served: ServedProject;

beforeAll(async () => {
  house = await House.open({ env: { ROLES: 'console' } });
  const project = await house.createProject();
  served = await ServedProject.open(house, project, { env: {}, starts: 2 });
  await served.start();
  await makeBucket(served.project, 'docs');
});
afterAll(async () => {
  await served.close();
  await house.close();
});

test('an upload goes on after kill -9 in the middle of its first part', async () => {
  const client = new TusClient(served.project, asServer(served.project));
  const id = await client.begin(content.length, { bucket: 'docs', path: 'film.bin' });
  const length = { 'content-length': String(content.length) };
  const { request } = client.openPatch(id, 0, length);
  request.on('error', () => undefined);
  request.write(content.subarray(0, sentBytes));
  const kept = await valueOf(async () => {
    const [row] = await rowsIn(served.project, 'select received_bytes from storage.uploads');
    const bytes = Number(row?.['received_bytes']);
    return bytes > 0 ? bytes : undefined;
  });

  await served.kill();
  await served.start();

  const offset = await valueOf(async () => client.offset(id).catch(() => undefined));
  expect(offset).toBe(kept);
  expect((await client.patch(id, offset, content.subarray(offset))).status).toBe(204);
  const [row] = await rowsIn(served.project, 'select id from storage.stored_files');
  const stored = await localPlace(house, served.project).bytesOf(row);
  expect(stored).toBe(content.toString('utf8'));
});

/** What the question gives once it gives anything. The lease of a killed process ends after ten seconds. */
async function valueOf(question: () => Promise<number | undefined>): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await question();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error('there was no value within a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
