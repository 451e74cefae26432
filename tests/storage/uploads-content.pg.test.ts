// Honest files of types that no first bytes tell: they are stored as declared, and never shown.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeBucket } from './bucket-rows.js';
import { asServer, field, file, fileIn, formOf, sendBytes } from './uploads-http.js';

const keynote = 'application/vnd.apple.keynote';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await makeBucket(project, 'slides', { allowedMimeTypes: [keynote] });
  await makeBucket(project, 'images', { allowedMimeTypes: ['image/*'] });
  await makeBucket(project, 'docs');
}, 60_000);
afterAll(() => deployment.close());

test.each([
  { bucket: 'slides', type: keynote, bytes: 'PK\x03\x04\x14\0' },
  { bucket: 'images', type: 'image/x-canon-cr3', bytes: '\0\0\0\x18ftypcrx \0\0\0\x01crx isom' },
  { bucket: 'docs', type: 'image/x-portable-pixmap', bytes: 'P3 1 1 255 0 0 0' },
])('$type is taken and never shown', async ({ bucket, type, bytes }) => {
  const body = Buffer.from(bytes, 'latin1');
  const path = `/api/files/object/${bucket}/a`;
  const headers = asServer(project);
  const put = { method: 'PUT', path, headers: { ...headers, 'content-type': type }, body };
  const form = formOf(field('bucket', bucket), file(body, 'b', type));
  const post = { path: '/api/files', headers: { ...headers, ...form.headers }, body: form.body };
  for (const sending of [put, post]) {
    const reply = await sendBytes(project, sending);
    expect([reply.status, fileIn(reply)['mime']]).toEqual([201, type]);
  }
  const served = await project.asService({ path: `${path}?inline` });
  expect(served.headers).toMatchObject({
    'content-type': type,
    'content-disposition': expect.stringMatching(/^attachment;/),
    'x-content-type-options': 'nosniff',
  });
});
