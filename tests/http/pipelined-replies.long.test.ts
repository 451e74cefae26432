// One signed-out connection that sends many requests at once: how many are answered at the same time, and what they
// hold.
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { repliesReleased, replyFigures } from '../support/reply-figures.js';

const kilobyte = 1024;
const requests = 100;
/** Below the size from which on replies wait in files. */
const rowBytes = 250 * kilobyte;
/** The row, its frame on the wire, and the step in which memory is taken. */
const replyBytes = rowBytes + 20 * kilobyte;
const atOnce = 8;

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`create table notes (id int primary key, body text);
    insert into notes select i, repeat('x', ${rowBytes}) from generate_series(0, 9) i;
    create policy everybody on notes for select using (true);
    create sequence calls;
    grant usage on sequence calls to anon;
    create function large() returns text language sql volatile
      as $$ select repeat('x', ${rowBytes}) from (select nextval('public.calls')) as called $$;
    grant execute on function large() to anon`);
});
afterAll(() => deployment.close());

function open(): Socket {
  const socket = connect({ port: Number(new URL(project.apiOrigin).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  return socket;
}

const call = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: ${project.host}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test('a client that reads gets all answers in their order', async () => {
  const socket = open();
  const chunks: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  const paths = Array.from({ length: 40 }, (_, at) => `/rest/v1/notes?id=eq.${at % 10}`);
  socket.write(paths.map((path) => call('GET', path)).join(''));
  await waitFor(() => bytes > paths.length * rowBytes, { until: 'all rows have come', ms: 30_000 });
  await waitFor(() => chunks.at(-1)?.toString().endsWith('"}]'), {
    until: 'the last one is whole',
  });
  const text = Buffer.concat(chunks).toString();
  const ids = [...text.matchAll(/"id":(\d+),"body":"x+"/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(paths.map((_, at) => at % 10));
  socket.destroy();
  await repliesReleased(deployment);
});

test('a client that does not read has few answers in memory, and its end frees them', async () => {
  const socket = open();
  socket.pause();
  const sent = call('POST', '/rest/v1/rpc/large', '{}');
  socket.write(sent.repeat(requests));
  // The system takes the first ones, until its buffers are full.
  const full = (atOnce - 1) * rowBytes;
  await waitFor(async () => (await replyFigures(deployment)).memory > full);
  for (let look = 0; look < 20; look += 1) {
    const { memory } = await replyFigures(deployment);
    expect(memory).toBeLessThanOrEqual(atOnce * replyBytes);
  }
  const [row] = await project.sql('select last_value::int as n from calls');
  expect(row?.['n']).toBeLessThan(requests);
  socket.destroy();
  await repliesReleased(deployment);
});
