// Senders that stall, vanish, send too much or all at once: they hold nothing, and nothing of them is left.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeBucket, refusalOf, rowsIn } from './bucket-rows.js';
import { uploadState } from './stored-bytes.js';
import {
  asServer,
  field,
  file,
  formOf,
  type OpenRequest,
  openRequest,
  sendBytes,
} from './uploads-http.js';
import { openUploadServer, type UploadServer } from './uploads-runtime.js';

/** More than what is gathered in memory. */
const large = randomBytes(900_000);
const uploadBytes = 1_000_000;
/** Longer than it takes to open so many uploads. */
const stalledMs = 8_000;

let deployment: Deployment;
let project: ProjectUnderTest;
let server: UploadServer;

beforeAll(async () => {
  deployment = await Deployment.open();
  project = await deployment.createProject();
  await makeBucket(project, 'docs');
  await makeBucket(project, 'full', { quotaBytes: 1_000_000 });
  server = await openUploadServer(deployment, project, stalledMs);
});
afterAll(async () => {
  await server.close();
  await deployment.close();
});
afterEach(async () => {
  for (const slug of ['docs', 'full']) {
    await waitFor(async () => (await uploadState(project, slug)).reserved === 0);
    expect(await uploadState(project, slug)).toMatchObject({ isExact: true });
  }
  const folder = join(deployment.ground.dataDir, 'projects', project.ref, 'files', '.tmp');
  await waitFor(async () => (await namesIn(folder)).length === 0);
});

/** An upload of which some bytes are sent and some are not. */
function beginUpload(
  to: ProjectUnderTest,
  { path = '/api/files/object/docs/stalled', sent = 10 } = {},
): OpenRequest {
  const headers = { ...asServer(project), 'content-length': String(uploadBytes) };
  const opened = openRequest(to, {
    method: 'PUT',
    path: `${path}-${randomBytes(6).toString('hex')}`,
    headers,
  });
  opened.request.flushHeaders();
  opened.request.write(Buffer.alloc(sent));
  return opened;
}

const countUploads = async (): Promise<number> =>
  (await rowsIn(project, 'select from storage.uploads')).length;

/** Connections to the project's database that are anything but idle. */
async function busyConnections(): Promise<unknown[]> {
  return rowsIn(
    project,
    `select state, query from pg_stat_activity where datname = current_database()
       and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
  );
}

test('200 stalled uploads hold no connection, keep nobody waiting, and end with 408', async () => {
  const uploads = Array.from({ length: 200 }, () => beginUpload(server.project));
  await waitFor(async () => (await countUploads()) === 200);
  expect(await uploadState(project, 'docs')).toMatchObject({
    isExact: true,
    reserved: 200 * uploadBytes,
  });
  await waitFor(async () => (await busyConnections()).length === 0);
  expect(server.runtime.db.stats()).toMatchObject({ busy: 0, waiting: 0 });
  const other = await sendBytes(server.project, { path: '/', body: 'quick' });
  expect(other.status).toBe(201);
  const replies = await Promise.all(uploads.map(({ reply }) => reply));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([408]));
  expect(new Set(server.failures)).toEqual(new Set(['UPLOAD_STALLED']));
});

test('a form stalls like bytes do, wherever it stops', async () => {
  const { headers, body } = formOf(field('path', 'form'), file(large), field('upsert', 'true'));
  const length = { 'content-length': String(body.length) };
  const stops = [0, 30, 150, 1000, 700_000, body.length - 10];
  const replies = stops.map((at) => {
    const { request, reply } = openRequest(server.project, {
      path: '/',
      headers: { ...headers, ...length },
    });
    request.flushHeaders();
    request.write(body.subarray(0, at));
    return reply;
  });
  for (const reply of replies) expect((await reply).status).toBe(408);
});

test('a slow sender is waited for as long as bytes come', async () => {
  const quick = await openUploadServer(deployment, project, 600);
  try {
    const { request, reply } = openRequest(quick.project, {
      path: '/',
      headers: { 'content-length': '12' },
    });
    for (let sent = 0; sent < 12; sent += 1) {
      request.write('x');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await reply).status).toBe(201);
  } finally {
    await quick.close();
  }
});

test('a server that stops answers senders with 503', async () => {
  const stopping = await openUploadServer(deployment, project, 60_000);
  try {
    const uploads = Array.from({ length: 5 }, () => beginUpload(stopping.project));
    await waitFor(async () => (await countUploads()) === 5);
    stopping.stop();
    for (const { reply } of uploads) expect((await reply).status).toBe(503);
  } finally {
    await stopping.close();
  }
});

test.each([0, 10, 1000, 70_000, 700_000])(
  'a client that vanishes after %i bytes leaves nothing',
  async (sent) => {
    const { request } = beginUpload(project, { sent });
    await waitFor(async () => (await countUploads()) === 1);
    request.destroy();
    await waitFor(async () => (await countUploads()) === 0);
  },
);

test.each([
  { name: 'with its fields first', parts: [field('bucket', 'docs'), file(large)] },
  { name: 'with the file first', parts: [file(large), field('bucket', 'docs')] },
])('a form $name whose client vanishes leaves nothing', async ({ parts }) => {
  for (const cut of [100, 700_000, 10]) {
    const { headers, body } = formOf(...parts);
    const sent = { ...headers, ...asServer(project), 'content-length': String(body.length) };
    const { request, reply } = openRequest(project, { path: '/api/files', headers: sent });
    const at = cut === 10 ? body.length - cut : cut;
    await new Promise((resolve) => request.write(body.subarray(0, at), resolve));
    request.destroy();
    await expect(reply).rejects.toThrow();
    await waitFor(async () => (await countUploads()) === 0);
  }
  const made = 'select from storage.stored_files where size = $1';
  expect(await rowsIn(project, made, [large.length])).toEqual([]);
});

test('too much is answered while it is still being sent', async () => {
  const limit = 50 * 1024 * 1024;
  for (const headers of [
    { 'content-length': String(limit * 20) },
    { 'transfer-encoding': 'chunked' },
  ]) {
    const { request, reply } = openRequest(project, {
      method: 'PUT',
      path: '/api/files/object/docs/too-much',
      headers: { ...asServer(project), ...headers },
    });
    const piece = Buffer.alloc(1024 * 1024);
    const write = (): void => {
      if (!request.destroyed) request.write(piece, () => setImmediate(write));
    };
    write();
    const answer = await reply;
    expect(refusalOf(answer).slice(0, 2)).toEqual([413, 'FILE_TOO_LARGE']);
    expect(answer.headers.connection).toBe('close');
    request.destroy();
  }
});

test('a client that asks before it sends is told to go on', async () => {
  const headers = { ...asServer(project), 'content-length': '5', expect: '100-continue' };
  const path = '/api/files/object/docs/expected';
  const { request, reply } = openRequest(project, { method: 'PUT', path, headers });
  request.flushHeaders();
  await new Promise((resolve) => request.once('continue', resolve));
  request.end('hello');
  expect((await reply).status).toBe(201);
});

test('64 uploads at once never exceed the quota, and counters are exact after all', async () => {
  const stopWatching = watchQuota();
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, index) => oneOfMany(index, 20_000 + index * 3_000)),
  );
  expect(await stopWatching()).toBeLessThanOrEqual(1_000_000);
  const stored = outcomes.filter(({ status }) => status === 201);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, 413, 499]));
  await waitFor(async () => (await uploadState(project, 'full')).reserved === 0);
  const sum = stored.reduce((bytes, { size }) => bytes + size, 0);
  expect(await uploadState(project, 'full')).toMatchObject({ isExact: true, used: sum });
  // What fits to the last byte is taken, in one piece or in chunks.
  const left = 1_000_000 - sum;
  const path = '/api/files/object/full/rest?upsert=true';
  const headers = asServer(project);
  const rest = { method: 'PUT', path, headers, isChunked: true };
  expect((await sendBytes(project, { ...rest, body: Buffer.alloc(left + 1) })).status).toBe(413);
  expect((await sendBytes(project, { ...rest, body: Buffer.alloc(left) })).status).toBe(201);
});

interface Outcome {
  readonly status: number;
  readonly size: number;
}

/** One upload into the bucket with a quota: whole, in chunks, as a form, or given up on the way. */
async function oneOfMany(index: number, size: number): Promise<Outcome> {
  const body = randomBytes(size);
  const path = `/api/files/object/full/${index}`;
  const headers = asServer(project);
  switch (index % 4) {
    case 0:
      return {
        size,
        status: (await sendBytes(project, { method: 'PUT', path, headers, body })).status,
      };
    case 1: {
      const sending = { method: 'PUT', path, headers, body, isChunked: true };
      return { size, status: (await sendBytes(project, sending)).status };
    }
    case 2: {
      const form = formOf(field('bucket', 'full'), field('path', String(index)), file(body));
      const sent = { ...headers, ...form.headers };
      const sending = { path: '/api/files', headers: sent, body: form.body };
      return { size, status: (await sendBytes(project, sending)).status };
    }
    default: {
      const opened = openRequest(project, { method: 'PUT', path, headers });
      await new Promise((resolve) => opened.request.write(body, resolve));
      opened.request.destroy();
      return { size, status: 499 };
    }
  }
}

/** Looks at the counters all the time; ends with the most that it has seen. */
function watchQuota(): () => Promise<number> {
  let isOver = false;
  let most = 0;
  const watching = (async () => {
    while (!isOver) {
      const { used, reserved } = await uploadState(project, 'full');
      most = Math.max(most, used + reserved);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return most;
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (asRecord(error)['code'] === 'ENOENT') return [];
    throw error;
  }
}
