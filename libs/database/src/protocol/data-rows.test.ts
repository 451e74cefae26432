import { describe, expect, test } from 'vitest';
import { DataRows } from './data-rows.js';
import { FrameReader } from './frame-reader.js';

/** The text of a short body. */
const textOf = (body: ReturnType<DataRows['takeBody']>): string =>
  Buffer.isBuffer(body) ? body.toString() : '';

/** A chunk with bytes around the row, as rows lie in what a socket gives. */
function addRow(rows: DataRows, columns: readonly (string | null)[]): void {
  const parts = columns.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return [length, Buffer.from(text ?? '')];
  });
  const count = Buffer.from([0, columns.length]);
  const chunk = Buffer.concat([Buffer.from('before'), count, ...parts, Buffer.from('behind')]);
  rows.add(chunk, 6, chunk.length - 6);
}

function rowsOf(...rows: readonly (readonly (string | null)[])[]): DataRows {
  const all = new DataRows();
  for (const row of rows) addRow(all, row);
  return all;
}

test.each([
  { name: 'no rows', rows: [], json: '[]' },
  { name: 'one row', rows: [['{"a":1}']], json: '[{"a":1}]' },
  { name: 'several rows', rows: [['1'], ['"ü"'], ['3']], json: '[1,"ü",3]' },
  { name: 'null is null', rows: [[null], ['1'], [null]], json: '[null,1,null]' },
  { name: 'an empty text is empty', rows: [[''], ['1']], json: '[,1]' },
])('joined: $name', ({ rows, json }) => {
  const all = rowsOf(...rows);
  expect(all.count).toBe(rows.length);
  expect(textOf(all.takeBody({ open: '[', separator: ',', close: ']' }))).toBe(json);
});

test('joined with other separators', () => {
  expect(
    textOf(
      rowsOf(['a,b'], ['c,d']).takeBody({ open: 'x,y\r\n', separator: '\r\n', close: '\r\n' }),
    ),
  ).toBe('x,y\r\na,b\r\nc,d\r\n');
});

test('rows in front may be left out', () => {
  const rows = rowsOf(['57'], ['1'], ['2']);
  expect(textOf(rows.takeBody({ open: '[', separator: ',', close: ']' }, 1))).toBe('[1,2]');
  expect(textOf(rowsOf(['57']).takeBody({ open: '[', separator: ',', close: ']' }, 1))).toBe('[]');
});

test('columns of a row are texts or null; a row that is not there has none', () => {
  const rows = rowsOf(['1', null, '', 'ü'], ['2', 'x', 'y', 'z']);
  expect(rows.texts(0)).toEqual(['1', null, '', 'ü']);
  expect(rows.texts(1)).toEqual(['2', 'x', 'y', 'z']);
  expect(rows.texts(2)).toEqual([]);
  expect(rows.first(1).toString()).toBe('2');
  expect(rows.first(2)).toHaveLength(0);
});

describe('many rows', () => {
  const JSON_LIST = { open: '[', separator: ',', close: ']' };

  /** Rows as they come out of a stream that is cut into chunks of `chunkBytes`. */
  function streamed(texts: readonly (string | null)[], chunkBytes: number): DataRows {
    const rows = new DataRows();
    const reader = new FrameReader((_code, bytes, start, end) => rows.add(bytes, start, end), {
      maxBytes: 1e6,
    });
    const stream = Buffer.concat(texts.map(message));
    for (let at = 0; at < stream.length; at += chunkBytes) {
      reader.push(Buffer.from(stream.subarray(at, at + chunkBytes)));
    }
    return rows;
  }

  function message(text: string | null): Buffer {
    const value = Buffer.from(text ?? '');
    const head = Buffer.alloc(11);
    head.write('D');
    head.writeInt32BE(10 + value.length, 1);
    head.writeInt16BE(1, 5);
    head.writeInt32BE(text === null ? -1 : value.length, 7);
    return Buffer.concat([head, value]);
  }

  const values = Array.from({ length: 500 }, (_unused, i) =>
    i % 97 === 5 ? null : { id: i, name: 'ü'.repeat(i % 50) },
  );
  const texts = values.map((value) => (value === null ? null : JSON.stringify(value)));

  test.each([20, 64, 1000, 4096, 1_000_000])('are a list in chunks of %i bytes', (chunkBytes) => {
    const body = streamed(texts, chunkBytes).takeBody(JSON_LIST);
    expect(JSON.parse(textOf(body))).toEqual(values);
  });

  test('without those in front', () => {
    const body = streamed(['500', ...texts], 4096).takeBody(JSON_LIST, 1);
    expect(JSON.parse(textOf(body))).toEqual(values);
  });

  test('with other separators are copied as they are', () => {
    const lines = { open: 'id', separator: '', close: '\r\n' };
    const body = streamed(
      Array.from({ length: 200 }, () => '\r\n1'),
      64,
    ).takeBody(lines);
    expect(textOf(body)).toBe(`id${'\r\n1'.repeat(200)}\r\n`);
  });

  test('of two columns each give the first one', () => {
    const rows = rowsOf(...Array.from({ length: 150 }, (_unused, i) => [String(i), 'x']));
    expect(JSON.parse(textOf(rows.takeBody(JSON_LIST)))).toHaveLength(150);
  });
});
