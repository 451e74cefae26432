// The bytes of long bodies are read in turns of the event loop, whatever the sockets have received.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { readBytes } from '#libs/web';

const megabyte = 2 ** 20;
const bodies = 8;
/** Each connection has read up to this much before its body counts as long. */
const begunBytes = 192 * 1024;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Reads `bodies` bodies from the moment on at which all of their requests are there. */
async function serve(): Promise<{ port: number; mostInTurn: () => number }> {
  let [most, turn, here] = [0, 0, 0];
  const count = (chunk: Buffer): void => {
    if (turn === 0) setImmediate(() => (turn = 0));
    turn += chunk.length;
    most = Math.max(most, turn);
  };
  let begin = (): void => undefined;
  const allAreHere = new Promise<void>((resolve) => (begin = resolve));
  server = createServer((message, response) => {
    here += 1;
    if (here === bodies) begin();
    void allAreHere.then(async () => {
      message.on('data', count);
      const bytes = await readBytes(message, { maxBytes: 4 * megabyte });
      response.end(String(bytes.length));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, mostInTurn: () => most };
}

async function send(port: number, body: Buffer): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST' });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const part of response) text += part.toString();
  return text;
}

test('bodies that arrive at the same time are read a part in each turn, and completely', async () => {
  const { port, mostInTurn } = await serve();
  const body = Buffer.alloc(4 * megabyte, 'x');
  const replies = Array.from({ length: bodies }, () => send(port, body));
  expect(await Promise.all(replies)).toEqual(replies.map(() => String(body.length)));
  expect(mostInTurn()).toBeLessThan(256 * 1024 + bodies * begunBytes);
});
