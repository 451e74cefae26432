// Files leave room on the disk for the database that lies beside them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bucketPath, makeBucket } from './bucket-rows.js';
import { localFolder } from './stored-files.js';
import { TusClient } from './tus-requests.js';
import { asServer, field, file, formOf, sendBytes } from './uploads-http.js';

/** More than the disk of any machine. */
const everything = '900000000';
const full = { status: 507, body: expect.objectContaining({ code: 'STORAGE_FULL' }) };

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.open({ env: { DISK_RESERVE_MB: everything } });
  project = await deployment.createProject();
  await makeBucket(project, 'docs');
}, 120_000);
afterAll(() => deployment.close(), 60_000);

const long = Buffer.alloc(2 * 1024 ** 2, 'x');
const forms = {
  short: formOf(field('bucket', 'docs'), file('a')),
  long: formOf(field('bucket', 'docs'), file(long)),
  'file first': formOf(file(long), field('bucket', 'docs')),
};

test.each(Object.entries(forms))('an upload is refused: form, %s', async (_name, form) => {
  const headers = { ...asServer(project), ...form.headers };
  const reply = await sendBytes(project, { path: '/api/files', headers, body: form.body });
  expect({ status: reply.status, body: reply.body }).toEqual(full);
});

test('a part of a resumable upload is refused', async () => {
  const client = new TusClient(project, asServer(project));
  const id = await client.begin(10, { bucket: 'docs', filename: 'a.txt' });
  const reply = await client.patch(id, 0, Buffer.alloc(10));
  expect({ status: reply.status, body: reply.body }).toEqual(full);
});

test('nothing is left of what was refused, and rows are written all the same', async () => {
  const bucket = await project.asService({ path: bucketPath('docs') });
  expect(bucket.body).toMatchObject({ data: { usedBytes: 0, fileCount: 0 } });
  expect(await filesBelow(localFolder(deployment, project))).toEqual([]);
  await project.sql('create table notes (id int); insert into notes values (1)');
  const rows = await project.asService({ path: '/rest/v1/notes' });
  expect(rows.body).toEqual([{ id: 1 }]);
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  // The part of the resumable upload is kept for another try; it is empty.
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.endsWith('.part'));
}
