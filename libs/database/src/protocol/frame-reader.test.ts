import { describe, expect, test } from 'vitest';
import { FrameReader } from './frame-reader.js';

function frame(code: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(code, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const bodies: readonly [string, Buffer][] = [
  ['1', Buffer.alloc(0)],
  ['D', Buffer.from('row number one, ü')],
  ['2', Buffer.alloc(0)],
  ['D', Buffer.alloc(300, 0x61)],
  ['C', Buffer.from('SELECT 2\0')],
  ['Z', Buffer.from('I')],
];
const stream = Buffer.concat(bodies.map(([code, body]) => frame(code, body)));
const expected = bodies.map(([code, body]) => `${code}:${body.toString('latin1')}`);

function readInPieces(pieces: readonly Buffer[]): string[] {
  const seen: [number, Buffer, number, number][] = [];
  const reader = new FrameReader((...frameSeen) => seen.push(frameSeen), { maxBytes: 1_000_000 });
  for (const piece of pieces) reader.push(Buffer.from(piece));
  // Decoded only at the end: bodies must stay what they were.
  return seen.map(
    ([code, bytes, start, end]) =>
      `${String.fromCharCode(code)}:${bytes.toString('latin1', start, end)}`,
  );
}

describe('messages are the same wherever the stream is cut', () => {
  test('in one piece', () => {
    expect(readInPieces([stream])).toEqual(expected);
  });

  test('in two pieces, at every place', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      expect(readInPieces([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(expected);
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 100])('in pieces of %i bytes', (size) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) pieces.push(stream.subarray(at, at + size));
    expect(readInPieces(pieces)).toEqual(expected);
  });
});

test.each([
  { name: 'shorter than its own header', length: 3 },
  { name: 'negative', length: -1 },
  { name: 'longer than allowed', length: 2_000_000 },
])('a length that is $name is refused', ({ length }) => {
  const header = Buffer.from([0x44, 0, 0, 0, 0, 0]);
  header.writeInt32BE(length, 1);
  expect(() => readInPieces([header])).toThrow(RangeError);
  expect(() => readInPieces([header.subarray(0, 3), header.subarray(3)])).toThrow(RangeError);
});
