// Connections whose client does not take its answer are closed, whatever the answer is.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, expect, test } from 'vitest';
import { fastify, type FastifyInstance } from 'fastify';

import { type ReaderLimits, type ReaderWatch, sendSlices, watchReaders } from '#libs/web';
import { waitFor } from '#libs/testing';

/** More than the kernel keeps for a socket. */
const megabytes = 32;
const large = Buffer.alloc(megabytes * 2 ** 20, 'x');

let server: FastifyInstance;
let watch: ReaderWatch;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  watch.close();
  await server.close();
});

async function serve(limits: Partial<ReaderLimits>): Promise<number> {
  watch = watchReaders(limits);
  server = fastify({ forceCloseConnections: true });
  watch.observe(server);
  server.get('/buffer', (_request, reply) => reply.send(large));
  server.get('/text', (_request, reply) => reply.send(large.toString()));
  server.get('/file', (_request, reply) => reply.send(Readable.from(slices())));
  const arrived = new Promise<void>((resolve) => {
    server.get('/next', (_request, reply) => {
      sendSlices(reply, { length: large.length, slices });
      resolve();
      return reply;
    });
  });
  server.get('/before', () => arrived.then(() => 'first'));
  server.get('/slices', (_request, reply) => {
    sendSlices(reply, { length: large.length, slices });
    return reply;
  });
  server.get('/never', () => new Promise(() => undefined));
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
}

async function* slices(): AsyncGenerator<Buffer> {
  for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536);
}

function ask(port: number, path: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  return socket;
}

/** Reads a few bytes at a time until the server closes. */
function sip(socket: Socket): void {
  const timer = setInterval(() => socket.read(65_536), 20);
  socket.once('close', () => clearInterval(timer));
}

test.each(['/buffer', '/text', '/file', '/slices'])(
  '%s, of which nothing is read',
  async (path) => {
    const port = await serve({ stalledMs: 200 });
    ask(port, path);
    await waitFor(() => watch.closed === 1);
  },
);

test('slices that are asked for before the answer in front of them has gone', async () => {
  const port = await serve({ stalledMs: 1_000, averageMs: 500, minBytesPerSecond: 2 ** 30 });
  const socket = ask(port, '/before');
  socket.write('GET /next HTTP/1.1\r\nhost: localhost\r\n\r\n');
  sip(socket);
  await waitFor(() => watch.closed === 1);
});

test.each(['/buffer', '/slices'])('%s, which is read too slowly', async (path) => {
  const port = await serve({ stalledMs: 1_000, averageMs: 500, minBytesPerSecond: 2 ** 30 });
  sip(ask(port, path));
  await waitFor(() => watch.closed === 1);
});

test('a reader that is fast enough gets everything', async () => {
  const port = await serve({ stalledMs: 1_000, averageMs: 1_000, minBytesPerSecond: 1_000 });
  const { headers, body } = await fetch(`http://127.0.0.1:${port}/slices`);
  expect(headers.get('content-length')).toBe(String(large.length));
  let received = 0;
  for await (const chunk of body ?? []) {
    received += chunk.length;
    // For longer than the limits, however long the parts are.
    await delay((2_500 * chunk.length) / large.length);
  }
  expect(received).toBe(large.length);
  expect(watch.closed).toBe(0);
});

test('a client that waits for its answer is left alone', async () => {
  const port = await serve({ stalledMs: 60 });
  const waiting = ask(port, '/never');
  await once(waiting, 'connect');
  // Another client shows that the watch has looked meanwhile.
  ask(port, '/buffer');
  await waitFor(() => watch.closed === 1);
  expect(waiting.destroyed).toBe(false);
  expect(watch.closed).toBe(1);
});
