import { describe, expect, test } from 'vitest';
import type { ParameterValue } from '#libs/wire';
import { MessageWriter } from './message-writer.js';

/** What the manual says a message looks like, built the slow way. */
function message(code: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const header = Buffer.alloc(5);
  header.write(code, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function bind(name: string, values: readonly ParameterValue[]): Buffer {
  const encoded = values.flatMap((value) => {
    if (value === null) return [int32(-1)];
    const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value);
    return [int32(bytes.length), bytes];
  });
  return Buffer.concat([
    message('B', '\0', `${name}\0`, int16(0), int16(values.length), ...encoded, int16(0)),
    message('E', '\0', int32(0)),
  ]);
}

function written(write: (writer: MessageWriter) => void): Buffer {
  const writer = new MessageWriter();
  write(writer);
  return Buffer.concat(writer.take());
}

test('Parse leaves the types of parameters to the server', () => {
  const text = 'select $1 as "größe"';
  expect(written((writer) => writer.parse('q1', text))).toEqual(
    message('P', 'q1\0', `${text}\0`, int16(0)),
  );
});

test('Close and Sync', () => {
  expect(written((writer) => writer.closeStatement('q1'))).toEqual(message('C', 'Sq1\0'));
  expect(written((writer) => writer.sync())).toEqual(message('S'));
});

describe('values of Bind', () => {
  const [open, close] = [Buffer.from('['), Buffer.from(']')];
  const long = Buffer.alloc(70_000, 'long ');
  test.each([
    { name: 'none', values: [] },
    { name: 'null is not the empty text', values: [null, ''] },
    { name: 'ASCII', values: ['42', 'tok_1'] },
    { name: 'not ASCII, short', values: ['ü', '日本', '👍'] },
    { name: 'not ASCII behind ASCII', values: ['abcü'] },
    { name: 'longer than the loop writes', values: ['a'.repeat(49), 'ü'.repeat(500)] },
    { name: 'a lone half of a pair becomes the replacement character', values: ['\ud800'] },
    {
      name: 'long, and not ASCII',
      values: ['ü'.repeat(50_000), '日'.repeat(5_000), '\ud800'.repeat(5_000)],
    },
    {
      name: 'many long ones',
      values: Array.from({ length: 40 }, (_, n) => 'é'.repeat(3_000 + n * 100)),
    },
    { name: 'larger than a slab', values: ['x'.repeat(200_000), 'after'] },
    { name: 'bytes', values: [[Buffer.from('ü')], [], [Buffer.from('a'), Buffer.from('b')]] },
    {
      name: 'many bytes, between texts',
      values: ['x', [open, long, close], 'y'.repeat(70_000), [long, long], null, [long]],
    },
  ])('$name', ({ values }) => {
    const found = written((writer) => writer.bindAndExecute('q', values));
    // Jest takes seconds to compare long buffers, and texts of a character for each byte at once.
    expect(found.toString('latin1')).toBe(bind('q', values).toString('latin1'));
  });
});

test('long pieces in a row have no empty piece between them', () => {
  const writer = new MessageWriter();
  const long = Buffer.alloc(20_000, 'x');
  writer.bindAndExecute('q', [[long, long], [long]]);
  expect(writer.take().map(({ length }) => length)).toEqual([16, 20_000, 20_000, 4, 20_000, 12]);
});

test('a large message does not keep its memory', () => {
  const writer = new MessageWriter();
  writer.bindAndExecute('q', ['x'.repeat(10_000_000)]);
  expect(writer.take()[0]?.buffer.byteLength).toBeLessThan(10_200_000);
  writer.bindAndExecute('q', ['x']);
  expect(writer.take()[0]?.buffer.byteLength).toBe(65_536);
});

test('what was taken is never written over', () => {
  const writer = new MessageWriter();
  const taken: Buffer[] = [];
  const wanted: Buffer[] = [];
  for (let n = 0; n < 2_000; n++) {
    const values = [`value ${n}`, 'y'.repeat(n % 300)];
    writer.bindAndExecute(`q${n}`, values);
    taken.push(...writer.take());
    wanted.push(bind(`q${n}`, values));
  }
  expect(Buffer.concat(taken).equals(Buffer.concat(wanted))).toBe(true);
});
