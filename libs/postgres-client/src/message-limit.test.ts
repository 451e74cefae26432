import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { limitMessages } from './message-limit.js';

const megabyte = 1024 * 1024;

/** A message of the server: a code, a length that counts itself, a body. */
function header(code: string, bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.write(code);
  bytes.writeInt32BE(bodyBytes + 4, 1);
  return bytes;
}

async function readAll(chunks: readonly Buffer[]): Promise<string | undefined> {
  const stream = new PassThrough();
  let message: string | undefined;
  stream.on('error', (error) => (message = error.message));
  limitMessages(stream);
  for (const chunk of chunks) stream.emit('data', chunk);
  await turn();
  return message;
}

test.each([
  { name: 'rows and an error', chunks: [header('D', 3), Buffer.alloc(3), header('E', 0)] },
  { name: 'an empty message', chunks: [header('Z', 0)] },
  { name: 'a row of 100 MB', chunks: [header('D', 100 * megabyte), Buffer.alloc(megabyte)] },
])('lets $name pass', async ({ chunks }) => {
  expect(await readAll(chunks)).toBeUndefined();
});

test.each([
  { name: 'an error', code: 'E', bytes: 17 * megabyte },
  { name: 'a notice', code: 'N', bytes: 520 * megabyte },
  { name: 'a setting', code: 'S', bytes: 60 * megabyte },
  { name: 'a row', code: 'D', bytes: 129 * megabyte },
])('destroys the stream when $name of $bytes bytes begins', async ({ code, bytes }) => {
  const first = [header('D', 10), Buffer.alloc(10)];
  const cut = header(code, bytes);
  const chunks = [...first, cut.subarray(0, 2), cut.subarray(2)];
  expect(await readAll(chunks)).toBe(
    `The server sent a message of ${bytes + 4} bytes; the limit is ${(code === 'D' ? 128 : 16) * megabyte}`,
  );
});
