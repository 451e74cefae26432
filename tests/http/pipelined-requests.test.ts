// Requests of one connection that do not wait for the answers to earlier ones.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { limitPipelining } from '#libs/web';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Serves with `answer` and connects to it. */
async function open(answer: Answer): Promise<{ client: Socket; served: Socket }> {
  server = createServer(answer);
  limitPipelining(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // The server may end the connection by a reset.
  client.on('error', () => undefined);
  const [served] = (await connected) as [Socket];
  sockets.push(client);
  return { client, served };
}

const gets = (count: number, path = ''): string =>
  Array.from({ length: count }, (_, at) => `GET /${path}${at} HTTP/1.1\r\nhost: a\r\n\r\n`).join(
    '',
  );

/** The bodies of the answers that a client receives. */
function bodiesOf(client: Socket): () => readonly string[] {
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => [...text.matchAll(/<(.*?)>/g)].map(([, body]) => body ?? '');
}

test('of 100 requests in one read eight are answered at the same time, and all in their order', async () => {
  let [begun, now, most] = [0, 0, 0];
  const { client } = await open((request, response) => {
    const waits = (begun * 7) % 5; // Milliseconds: answers are ready out of their order.
    begun += 1;
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end(`<${request.url}>`);
    }, waits);
  });
  const bodies = bodiesOf(client);
  client.write(gets(100));
  await waitFor(() => Promise.resolve(bodies().length === 100));
  expect(bodies()).toEqual(Array.from({ length: 100 }, (_, at) => `/${at}`));
  expect(most).toBe(8);
});

test('nothing is read while requests wait, and everything afterwards', async () => {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const { client, served } = await open((_request, response) => {
    if (isHolding) held.push(response);
    else response.end('<late>');
  });
  const bodies = bodiesOf(client);
  const text = gets(800, 'x'.repeat(4_000));
  client.write(text);
  await waitFor(() => Promise.resolve(held.length === 8));
  const readBytes = served.bytesRead;
  expect(readBytes).toBeLessThan(256 * 1024);
  // Node.js resumes a connection when it has sent an answer.
  for (const response of held.splice(0, 2)) response.end('<first>');
  await waitFor(() => Promise.resolve(bodies().length === 2 && held.length === 8));
  expect(served.bytesRead).toBe(readBytes);
  isHolding = false;
  for (const response of held) response.end('<held>');
  await waitFor(() => Promise.resolve(bodies().length === 800));
  expect(served.bytesRead).toBe(text.length);
});

test('a body behind earlier requests is read', async () => {
  const { client } = await open((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => setTimeout(() => response.end(`<${bytes}>`), 5));
  });
  const bodies = bodiesOf(client);
  const body = 'x'.repeat(300_000);
  const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  client.write(`${gets(20)}${post}${gets(20)}${post}`);
  await waitFor(() => Promise.resolve(bodies().length === 42));
  const none = Array.from({ length: 20 }, () => '0');
  expect(bodies()).toEqual([...none, '300000', ...none, '300000']);
});

test('all that were begun learn that the connection has ended', async () => {
  let [begun, ended] = [0, 0];
  const { client } = await open((_request, response) => {
    begun += 1;
    response.once('close', () => (ended += 1));
  });
  client.write(gets(6));
  await waitFor(() => Promise.resolve(begun === 6));
  client.destroy();
  await waitFor(() => Promise.resolve(ended === 6));
});

test('those that wait do not begin after its end', async () => {
  const held: ServerResponse[] = [];
  let [begun, ended] = [0, 0];
  const { client, served } = await open((_request, response) => {
    begun += 1;
    held.push(response);
    response.once('close', () => (ended += 1));
  });
  client.write(gets(400));
  await waitFor(() => Promise.resolve(begun === 8));
  client.destroy();
  // The end is noticed when an answer is sent.
  await waitFor(() => {
    held.shift()?.end('<late>');
    return Promise.resolve(served.closed);
  });
  await waitFor(() => Promise.resolve(ended === begun));
  expect(begun).toBeLessThan(100);
});

test('a connection on which more than a thousand wait is closed', async () => {
  let begun = 0;
  const { client } = await open(() => (begun += 1));
  client.resume();
  client.write(gets(3_000));
  await waitFor(() => Promise.resolve(client.closed));
  expect(begun).toBe(8);
});
