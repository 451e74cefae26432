import { describe, expect, test } from 'vitest';
import { RowFramer } from './row-framer.js';

/** The message of a row as the server sends it. */
function rowOf(value: string | null): Buffer {
  const bytes = Buffer.from(value ?? '');
  const head = Buffer.alloc(11);
  head.write('D');
  head.writeInt32BE(10 + bytes.length, 1);
  head.writeInt16BE(1, 5);
  head.writeInt32BE(value === null ? -1 : bytes.length, 7);
  return Buffer.concat([head, bytes]);
}

const values = ['{"a":1}', '', null, '"ü"', '0', null, 'x'.repeat(50)];
const wire = Buffer.concat(values.map(rowOf));
const sizes = { count: values.length, nulls: 2, wireBytes: wire.length };
const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');
const joined = (separator: string): string =>
  values.map((value) => value ?? 'null').join(separator);

describe.each([
  { separator: ',', isFirst: true, wanted: joined(',') },
  { separator: ',', isFirst: false, wanted: `,${joined(',')}` },
  { separator: '', isFirst: true, wanted: joined('') },
  { separator: '\n', isFirst: true, wanted: joined('\n') },
  { separator: '\n', isFirst: false, wanted: `\n${joined('\n')}` },
])('separator "$separator", first: $isFirst', ({ separator, isFirst, wanted }) => {
  test('every way to cut the stream in two gives the same text', () => {
    for (let cut = 0; cut <= wire.length; cut++) {
      const framer = new RowFramer(separator, isFirst);
      const parts = [wire.subarray(0, cut), wire.subarray(cut)].map((part) =>
        Buffer.from(framer.frame(Buffer.from(part))),
      );
      const text = Buffer.concat(parts).toString();
      const seen = separator === ',' ? withoutSpace(text) : text;
      expect(seen).toBe(wanted);
      expect(Buffer.concat(parts)).toHaveLength(new RowFramer(separator, isFirst).lengthOf(sizes));
    }
  });

  test('one byte at a time', () => {
    const framer = new RowFramer(separator, isFirst);
    const parts = [...wire].map((byte) => Buffer.from(framer.frame(Buffer.from([byte]))));
    const text = Buffer.concat(parts).toString();
    expect(separator === ',' ? withoutSpace(text) : text).toBe(wanted);
  });
});
