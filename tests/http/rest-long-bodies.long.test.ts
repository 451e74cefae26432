// The memory that long bodies of requests take: a share for each project, and a refusal beyond it.
import { connect, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

const kilobyte = 1024;
/** A project has a quarter of it. */
const env = { REPLY_MEMORY_MB: '1' };

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
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
      create trigger note_insert after insert on notes for each row execute function note_insert()`);
  }
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => deployment.close());

const insert = (to: ProjectUnderTest, bytes: number): Promise<Reply> =>
  to.send({ method: 'POST', path: '/rest/v1/notes', body: { body: 'x'.repeat(bytes) } });

/** Sends so many bytes of a longer body, signed out, and then nothing. */
function sendPart(to: ProjectUnderTest, bytes: number): Socket {
  const socket = connect({ port: Number(new URL(to.apiOrigin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(
    `POST /rest/v1/notes HTTP/1.1\r\nhost: ${to.host}\r\ncontent-type: application/json\r\n` +
      `content-length: ${10 * bytes}\r\n\r\n{"body":"${'x'.repeat(bytes)}`,
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
