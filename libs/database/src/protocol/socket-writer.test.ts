import { setImmediate as turn } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';

import { sliceBytes, SocketWriter } from './socket-writer.js';

/** A socket that keeps what is written, and takes each write when `take` is called, or at once. */
function socketOf({ isSlow }: { readonly isSlow: boolean }) {
  const written: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      if (isSlow) waiting.push(done);
      else done();
    },
  });
  const errors: Error[] = [];
  stream.on('error', (error) => errors.push(error));
  return { stream, written, errors, take: () => waiting.shift()?.() };
}

const small = (text: string): Buffer => Buffer.from(text);
const large = Buffer.alloc(2 * sliceBytes + 5, 'large ');

async function all(written: readonly Buffer[], bytes: number): Promise<Buffer> {
  while (Buffer.concat(written).length < bytes) await turn();
  return Buffer.concat(written);
}

test('few bytes are written at once', () => {
  const { stream, written } = socketOf({ isSlow: false });
  new SocketWriter(stream).write([small('a')]);
  expect(written).toEqual([small('a')]);
});

test('many bytes are written in slices, and later ones behind them', async () => {
  const { stream, written } = socketOf({ isSlow: false });
  const writer = new SocketWriter(stream);
  writer.write([small('a'), large, small('b')]);
  writer.write([small('c')]);
  const expected = Buffer.concat([small('a'), large, small('bc')]);
  expect((await all(written, expected.length)).equals(expected)).toBe(true);
  expect(written.map(({ length }) => length)).toEqual([1, sliceBytes, sliceBytes, 5, 1, 1]);
  writer.write([small('d')]);
  expect(await all(written, expected.length + 1)).toHaveLength(expected.length + 1);
});

test('a slice waits until the one before is taken', async () => {
  const { stream, written, take } = socketOf({ isSlow: true });
  new SocketWriter(stream).write([large]);
  for (const count of [1, 2, 3]) {
    await turn();
    await turn();
    expect(written).toHaveLength(count);
    take();
  }
});

test.each([
  { name: 'ends', end: (stream: Writable) => void stream.end(small('x')), last: ['x'] },
  { name: 'is lost', end: (stream: Writable) => void stream.destroy(), last: [] },
])('what is not written when the socket $name is dropped', async ({ end, last }) => {
  const { stream, written, errors, take } = socketOf({ isSlow: true });
  const writer = new SocketWriter(stream);
  writer.write([small('a'), large]);
  end(stream);
  take();
  await turn();
  await turn();
  writer.write([small('b'), large]);
  await turn();
  expect(written.map(String)).toEqual(['a', ...last]);
  expect(errors).toEqual([]);
});
