// The memory that long bodies of requests take: a share for each project, and a refusal beyond it.
import { connect, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

const kilobyte = 1024;
/** A project has a quarter of it, and callers who are signed out have half of that. */
const env = { REPLY_MEMORY_MB: '1' };

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let ada: SignedIn;
const sockets: Socket[] = [];
beforeAll(async () => {
  deployment = await Deployment.open({ env });
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  for (const each of [project, neighbor]) {
    await each.sql(`create table notes (id serial primary key, body text);
      create policy everybody on notes for insert with check (true);
      create table stored (at timestamptz default now());
      create function note_insert() returns trigger language plpgsql security definer
        as $$ begin insert into public.stored default values; return null; end $$;
      create function measure(body text) returns int language sql as 'select length(body)';
      create trigger note_insert after insert on notes for each row execute function note_insert()`);
  }
  ada = await project.signUp('ada@example.org');
}, 120_000);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => deployment.close());

const insert = (
  to: ProjectUnderTest,
  bytes: number,
  call: Pick<Call, 'headers'> & { readonly path?: string } = {},
): Promise<Reply> =>
  to.send({ method: 'POST', path: '/rest/v1/notes', body: { body: 'x'.repeat(bytes) }, ...call });

/** Sends so many bytes of a longer body, signed out, and then nothing. */
function sendPart(to: ProjectUnderTest, bytes: number, { isChunked = false } = {}): Socket {
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${10 * bytes}`;
  const text = `{"body":"${'x'.repeat(bytes)}`;
  const socket = connect({ port: Number(new URL(to.apiOrigin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(
    `POST /rest/v1/notes HTTP/1.1\r\nhost: ${to.host}\r\ncontent-type: application/json\r\n` +
      `${length}\r\n\r\n${isChunked ? `${text.length.toString(16)}\r\n` : ''}${text}`,
  );
  sockets.push(socket);
  return socket;
}

/** Waits until a body of a project is refused, which it is as soon as the parts before it have arrived. */
async function refusalOf(to: ProjectUnderTest, bytes: number): Promise<Reply | undefined> {
  let refused: Reply | undefined;
  await waitFor(async () => {
    const reply = await insert(to, bytes);
    if (reply.status !== 201) refused = reply;
    return refused !== undefined;
  });
  return refused;
}

const stored = async (): Promise<unknown> => {
  const [row] = await project.sql('select count(*)::int as n from stored');
  return row?.['n'];
};

test('beyond the share of its project a body is refused, and that of a neighbor is not', async () => {
  const part = sendPart(project, 200 * kilobyte);
  const refused = await refusalOf(project, 200 * kilobyte);
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { code: 'SERVER_BUSY' },
  });
  const before = await stored();
  expect(await insert(project, 200 * kilobyte)).toMatchObject({ status: 503 });
  expect(await stored()).toBe(before);
  expect(await insert(project, 30 * kilobyte)).toMatchObject({ status: 201 });
  expect(await insert(neighbor, 200 * kilobyte)).toMatchObject({ status: 201 });
  part.destroy();
  await waitFor(async () => (await insert(project, 200 * kilobyte)).status === 201);
});

test.each([false, true])(
  'signed out, bodies fill half of a share and refuse nobody who is signed in (chunked: %s)',
  async (isChunked) => {
    const user = { headers: { authorization: `Bearer ${ada.token}` } };
    const service = { headers: { apikey: project.secretKey } };
    const signedOut = { headers: { authorization: 'Bearer nothing' } };
    const parts = [sendPart(project, 100 * kilobyte, { isChunked })];
    expect(await refusalOf(project, 100 * kilobyte)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { code: 'SERVER_BUSY' },
    });
    for (const path of ['/rest/v1/rpc/measure', '/rest/v1/batch', '/api/realtime/broadcast']) {
      expect(await insert(project, 100 * kilobyte, { path })).toMatchObject({ status: 503 });
    }
    expect(await insert(project, 100 * kilobyte, signedOut)).toMatchObject({ status: 503 });
    for (const known of [user, service, user]) {
      expect(await insert(project, 100 * kilobyte, known)).toMatchObject({ status: 201 });
    }
    // A single body may be larger than the share of its kind, and takes nothing from others.
    parts.push(sendPart(neighbor, 300 * kilobyte, { isChunked }));
    await refusalOf(neighbor, 100 * kilobyte);
    const ofNeighbor = { headers: { apikey: neighbor.secretKey } };
    expect(await insert(neighbor, 100 * kilobyte, ofNeighbor)).toMatchObject({ status: 201 });
    for (const part of parts) part.destroy();
    for (const each of [project, neighbor]) {
      await waitFor(async () => (await insert(each, 120 * kilobyte)).status === 201);
      expect(await insert(each, 120 * kilobyte)).toMatchObject({ status: 201 });
    }
  },
);

test('a body that is larger than the share is taken while there is no other', async () => {
  await waitFor(async () => (await insert(project, 2_000 * kilobyte)).status === 201);
  expect(await insert(project, 2_000 * kilobyte)).toMatchObject({ status: 201 });
});

test('a body is counted until its request ends, and no longer', async () => {
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => insert(neighbor, 100 * kilobyte)),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
  for (let round = 0; round < 12; round += 1) {
    expect(await insert(neighbor, 200 * kilobyte)).toMatchObject({ status: 201 });
  }
});
