// SIGTERM while everything is under way: the order of the end, what finishes, what is kept and what is not waited for.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import {
  askEmbedded,
  freePorts,
  makeFolder,
  type RowhouseProcess,
  startRowhouse,
} from '../start/rowhouse-process.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { TusClient } from '../storage/tus-requests.js';
import { asServer, openRequest } from '../storage/uploads-http.js';
import { exchange } from '../storage-proof/exchange.js';
import { asRecord } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import { ProjectUnderTest } from '../support/project.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const preStopMs = 2_000;
const drainMs = 20_000;
/** Of a request to a function that sleeps, and of an upload that trickles: both outlive the listener. */
const replySeconds = 4;
const trickles = 20;
const trickleMs = 200;
const operator = { email: 'operator@rowhouse.test', password: 'a long enough password' };
const film = randomBytes(3_000_000);
const sentBytes = 2_000_000;

let folder: string;
let env: Record<string, string>;
let rowhouse: RowhouseProcess;
let project: ProjectUnderTest;
let tus: TusClient;

beforeAll(async () => {
  folder = await makeFolder();
  env = {
    ...(await freePorts()),
    DATA_DIR: join(folder, 'data'),
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
    DEFAULT_PROJECT: 'none',
    PRE_STOP_SECONDS: String(preStopMs / 1000),
    DRAIN_SECONDS: String(drainMs / 1000),
    LOG_LEVEL: 'error',
  };
  rowhouse = startRowhouse(env);
  await rowhouse.ready();
  project = await makeProject();
  await makeBucket(project, 'docs');
  await project.sql(`create function slow(seconds float8) returns text language sql volatile
    as $$ select pg_catalog.pg_sleep(seconds); select 'done' $$`);
  tus = new TusClient(project, asServer(project));
});
afterAll(async () => {
  rowhouse.child.kill('SIGKILL');
  await rowhouse.ended();
  // The next start takes the database over, and stops it.
  rowhouse = startRowhouse({ ...env, PRE_STOP_SECONDS: '0' });
  await rowhouse.ready();
  rowhouse.child.kill('SIGTERM');
  await rowhouse.ended();
  await rm(folder, { recursive: true, force: true });
});

const apiOrigin = () => `http://127.0.0.1:${env['PORT']}`;
const consoleOrigin = () => `http://127.0.0.1:${env['CONSOLE_PORT']}`;

async function makeProject(): Promise<ProjectUnderTest> {
  const login = await send(consoleOrigin(), {
    method: 'POST',
    path: '/platform/login',
    body: operator,
  });
  const made = await send(consoleOrigin(), {
    method: 'POST',
    path: '/platform/projects',
    headers: { authorization: `Bearer ${String(asRecord(login.body)['token'])}` },
    body: { name: 'Deploys', ref: 'deploys' },
  });
  const { publishableKey, secretKey, databaseUrl } = asRecord(made.body);
  return new ProjectUnderTest({
    ref: 'deploys',
    apiOrigin: apiOrigin(),
    publishableKey: String(publishableKey),
    secretKey: String(secretKey),
    databaseUrl: String(databaseUrl),
  });
}

/** A connection to the API on which these bytes were sent. */
async function openSocket(text: string): Promise<Socket> {
  const socket = connect(Number(env['PORT']), '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).write(text);
  return socket;
}

const callSlow = (seconds: number): Promise<Reply> =>
  project.asService({ method: 'POST', path: '/rest/v1/rpc/slow', body: { seconds } });

/** An upload of which a byte comes now and then. */
function trickle(): Promise<Reply> {
  const { request, reply } = openRequest(project, {
    method: 'PUT',
    path: '/api/files/object/docs/slow.bin',
    headers: { ...asServer(project), 'content-length': String(trickles) },
  });
  const sendAll = async (): Promise<void> => {
    for (let sent = 0; sent < trickles; sent += 1) {
      request.write('x');
      await delay(trickleMs);
    }
    request.end();
  };
  return Promise.all([reply, sendAll()]).then(([answer]) => answer);
}

async function beginFilm(path: string): Promise<{ id: string; reply: Promise<Reply> }> {
  const id = await tus.begin(film.length, { bucket: 'docs', path });
  const { request, reply } = tus.openPatch(id, 0, { 'content-length': String(film.length) });
  request.on('error', () => undefined);
  request.write(film.subarray(0, sentBytes));
  return { id, reply };
}

/** Goes on with an upload where the server is, and compares what is stored with what was sent. */
async function finishFilm(id: string, path: string, offset: number): Promise<void> {
  expect((await tus.patch(id, offset, film.subarray(offset))).status).toBe(204);
  const { bytes } = await exchange(project, {
    path: `/api/files/object/docs/${path}`,
    headers: asServer(project),
  });
  expect(bytes.equals(film)).toBe(true);
}

const statusOf = async (origin: string, path: string): Promise<number> =>
  (await send(origin, { path })).status;

test('SIGTERM: not ready, then no listener, then the end of what runs; nothing still is waited for', async () => {
  const idle = await openSocket('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(idle, 'data');
  const halfHeaders = await openSocket('GET /livez HTTP/1.1\r\nhost: x\r\n');
  const halfBody = await openSocket(
    `POST /rest/v1/rpc/slow HTTP/1.1\r\nhost: ${project.host}\r\napikey: ${project.secretKey}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"seconds"',
  );
  const { id, reply: filmReply } = await beginFilm('film.bin');
  // The first checkpoint of the upload shows that the server is at it.
  await waitFor(async () => (await keptBytes(id)) > 0);
  const slow = callSlow(replySeconds);
  const upload = trickle();
  await delay(trickleMs);

  const startedAt = performance.now();
  rowhouse.child.kill('SIGTERM');
  await waitFor(async () => (await statusOf(apiOrigin(), '/readyz')) === 503);
  expect(await statusOf(consoleOrigin(), '/readyz')).toBe(503);
  expect(await statusOf(apiOrigin(), '/livez')).toBe(200);
  expect((await callSlow(0)).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(preStopMs);

  expect(await filmReply).toMatchObject({ status: 503, body: { code: 'SHUTTING_DOWN' } });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(preStopMs - 50);
  await expect(statusOf(apiOrigin(), '/livez')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const late = [await slow, await upload];
  expect(late.map(({ status, headers }) => [status, headers.connection])).toEqual([
    [200, 'close'],
    [201, 'close'],
  ]);
  expect(await rowhouse.ended()).toBe(0);
  // Far less than the time that running requests have.
  expect(performance.now() - startedAt).toBeLessThan(drainMs / 2 + preStopMs);
  for (const socket of [idle, halfHeaders, halfBody]) {
    if (!socket.closed) await once(socket.resume(), 'close');
  }

  rowhouse = startRowhouse(env);
  await rowhouse.ready();
  const offset = await tus.offset(id);
  expect(offset).toBe(sentBytes);
  await finishFilm(id, 'film.bin', offset);
});

test('an upload in parts goes on after kill -9 in the middle of a part', async () => {
  const { id } = await beginFilm('killed.bin');
  await waitFor(async () => (await keptBytes(id)) > 0);
  const kept = await keptBytes(id);
  rowhouse.child.kill('SIGKILL');
  await rowhouse.ended();
  rowhouse = startRowhouse(env);
  await rowhouse.ready();
  // The lease of a process that was killed ends after ten seconds.
  let offset = -1;
  const patience = Date.now() + 30_000;
  while (offset < 0 && Date.now() < patience) offset = await tus.offset(id).catch(() => -1);
  expect(offset).toBeGreaterThanOrEqual(kept);
  await finishFilm(id, 'killed.bin', offset);
});

async function keptBytes(id: string): Promise<number> {
  const [row] = await askEmbedded(
    env['DATA_DIR'] ?? '',
    `select received_bytes::pg_catalog.float8 as bytes from storage.uploads where id = '${id}'`,
    project.database,
  );
  return Number(asRecord(row ?? {})['bytes'] ?? 0);
}
