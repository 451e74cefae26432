import { expect, test } from '@jest/globals';
import { DataRows } from './data-rows.js';

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
  expect(all.join('[', ',', ']').toString()).toBe(json);
  expect(all.count).toBe(rows.length);
});

test('joined with other separators', () => {
  expect(rowsOf(['a,b'], ['c,d']).join('x,y\r\n', '\r\n', '\r\n').toString()).toBe(
    'x,y\r\na,b\r\nc,d\r\n',
  );
});

test('columns of a row are texts or null; a row that is not there has none', () => {
  const rows = rowsOf(['1', null, '', 'ü'], ['2', 'x', 'y', 'z']);
  expect(rows.texts(0)).toEqual(['1', null, '', 'ü']);
  expect(rows.texts(1)).toEqual(['2', 'x', 'y', 'z']);
  expect(rows.texts(2)).toEqual([]);
  expect(rows.first(1).toString()).toBe('2');
  expect(rows.first(2)).toHaveLength(0);
});
