// Rows as the texts of other programs: spreadsheets, CSV files, SQL and exports.
import { describe, expect, test } from 'vitest';

import { column as sampleColumn, table as sampleTable } from '../project/sample-tables.js';
import type { SchemaColumn } from '../project/schema.js';
import {
  bodyOf,
  type CsvFile,
  guessMapping,
  guessOf,
  missingColumns,
  partsOf,
  problemsOf,
} from './csv.js';
import { contentOf } from './export-content.js';
import { copiedCell, placeBlock, readBlock } from './paste.js';
import { reviewSql } from './review-sql.js';
import { addRow, deleteKnown, knownRow, nothingStaged, setCell } from './staging.js';
import { corrected, windowSize, windowsFor } from './windows.js';

const column = (name: string, type: string, fields: Partial<SchemaColumn> = {}): SchemaColumn =>
  sampleColumn(name, { type, baseType: type, ...fields });
const table = sampleTable('people', {
  columns: [
    column('id', 'bigint', { isNullable: false, identity: 'always' }),
    column('full_name', 'text', { isNullable: false }),
    column('age', 'integer'),
    column('facts', 'json'),
    column('double', 'bigint', { isGenerated: true, default: 'age * 2' }),
  ],
});

describe('a pasted block', () => {
  test.each([
    {
      name: 'lines and tabs',
      text: 'a\tb\nc\td\n',
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      name: 'line ends of Windows',
      text: 'a\tb\r\nc\td',
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    { name: 'quotes around tabs and lines', text: '"a\tb\nc"\td', rows: [['a\tb\nc', 'd']] },
    { name: 'doubled quotes', text: '"say ""hi"""', rows: [['say "hi"']] },
    { name: 'a quote within a text', text: 'a "b"\tc', rows: [['a "b"', 'c']] },
    { name: 'an empty cell at the end', text: 'a\t', rows: [['a', '']] },
    { name: 'an empty line', text: 'a\n\nb', rows: [['a'], [''], ['b']] },
  ])('is read: $name', ({ text, rows }) => {
    expect(readBlock(text)).toEqual(rows);
  });

  test.each(['plain', 'a\tb', 'say "hi"', 'two\nlines', ''])(
    '%j is the same after copying',
    (text) => {
      expect(readBlock(copiedCell(text))[0]?.[0] ?? '').toBe(text);
    },
  );

  test('is placed from the chosen cell on; what has no place is counted', () => {
    const placed = placeBlock(
      [
        ['x', '1', '{}', 'no'],
        ['', '', '', 'no'],
      ],
      { row: 8, column: 1 },
      { columns: table.columns, rowCount: 9 },
    );
    expect(placed.targets.map(({ row, column: { name }, value }) => [row, name, value])).toEqual([
      [8, 'full_name', 'x'],
      [8, 'age', '1'],
      [8, 'facts', '{}'],
    ]);
    expect(placed.leftOut).toBe(5);
  });

  test('an empty cell is NULL where that is possible, and an empty text elsewhere', () => {
    const { targets } = placeBlock(
      [['', '']],
      { row: 0, column: 1 },
      { columns: table.columns, rowCount: 1 },
    );
    expect(targets.map(({ value }) => value)).toEqual(['', null]);
  });
});

describe('a CSV file', () => {
  const file: CsvFile = {
    names: ['Full Name', 'age', 'born'],
    rows: [
      ['Ada', '36', '1815-12-10'],
      ['', '', '1906-12-09'],
    ],
  };

  test('fills columns of similar names; the database fills those that it computes', () => {
    expect([...guessMapping({ ...file, names: ['ID', 'Full Name', 'double'] }, table)]).toEqual([
      ['full_name', 1],
    ]);
  });

  test.each([
    { position: 0, words: 'text' },
    { position: 1, words: 'whole numbers' },
    { position: 2, words: 'dates' },
    { position: 3, words: 'empty' },
  ])('column $position looks like $words', ({ position, words }) => {
    expect(guessOf(file, position)).toBe(words);
  });

  test('has problems by line before anything is written', () => {
    const rows = [['Ada', 'old'], ['Bob'], ['Carl', '3000000000']];
    const wrong = { names: ['full_name', 'age'], rows };
    expect(problemsOf(wrong, guessMapping(wrong, table), table)).toEqual([
      { line: 2, column: 'age', reason: 'Not a whole number' },
      { line: 3, column: undefined, reason: 'Has 1 field; the first line has 2' },
      { line: 4, column: 'age', reason: 'Out of the range of integer' },
    ]);
  });

  test('lacks columns that need a value', () => {
    expect(missingColumns(new Map([['age', 1]]), table)).toEqual(['full_name']);
  });

  test('is sent as texts, and JSON as it is', () => {
    const rows = [['Ada "A"', '', '{"b": 1.0, "a": 12345678901234567890}']];
    const mapping = new Map([
      ['full_name', 0],
      ['age', 1],
      ['facts', 2],
    ]);
    expect(bodyOf(rows, mapping, table)).toBe(
      '[{"full_name":"Ada \\"A\\"","age":null,"facts":{"b": 1.0, "a": 12345678901234567890}}]',
    );
  });

  test('is cut into parts that a request takes, in the order of the file', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [String(index).repeat(100)]);
    const parts = partsOf(rows, 500);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.flat()).toEqual(rows);
  });
});

test('the SQL of staged changes has its values as literals, in the order of the save', () => {
  const row = knownRow(['id'], { id: '1', full_name: 'Ada', age: null });
  const other = knownRow(['id'], { id: '2' });
  if (!row || !other) throw new Error('the rows have no keys');
  let { staged } = addRow(nothingStaged, { full_name: "O'Hara", age: null });
  staged = setCell(staged, row, 'full_name', 'a\\b');
  staged = deleteKnown(staged, other);
  expect(reviewSql({ schema: 'public', name: 'My table' }, staged)).toBe(
    [
      'begin;',
      `delete from public."My table"\n  where id = '2';`,
      `update public."My table"\n  set full_name = E'a\\\\b'\n  where id = '1';`,
      `insert into public."My table" (full_name, age)\n  values ('O''Hara', null);`,
      'commit;',
    ].join('\n'),
  );
});

test('a review quotes names that are key words', () => {
  const { staged } = addRow(nothingStaged, { right: '1' });
  expect(reviewSql({ schema: 'public', name: 'left' }, staged)).toContain(
    'insert into public."left" ("right")',
  );
});

describe('an export', () => {
  test('has the names of a CSV file once', () => {
    const first = contentOf('csv', '"a\nb",c\n1,2', true);
    const second = contentOf('csv', '"a\nb",c\n3,4\n', false);
    expect(first + second).toBe('"a\nb",c\n1,2\n3,4\n');
  });

  test('for a spreadsheet has no formulas', () => {
    const first = contentOf('spreadsheet', 'id,name\n-1,=1+1', true);
    const second = contentOf('spreadsheet', 'id,name\n2,"@a, b"\n', false);
    expect(first + second).toBe(`id,name\n-1,'=1+1\n2,"'@a, b"\n`);
  });

  test('has the rows of JSON without the brackets of each answer', () => {
    expect(contentOf('json', '[{"a":12345678901234567890}]', true)).toBe(
      '{"a":12345678901234567890}',
    );
    expect(contentOf('json', '[]', true)).toBe('');
  });
});

describe('windows of rows', () => {
  test('cover the rows in sight and some around them', () => {
    expect(windowsFor(0, 20)).toEqual({ first: 0, last: 0 });
    expect(windowsFor(190, 215)).toEqual({ first: 1, last: 2 });
  });

  const part = (length: number) => Array.from({ length }, () => ({}));
  test.each([
    {
      name: 'an exact total stays',
      count: 'exact',
      total: 50,
      parts: [part(windowSize)],
      first: 0,
      is: 50,
    },
    {
      name: 'a short window is the end',
      count: 'estimated',
      total: 900,
      parts: [part(7)],
      first: 3,
      is: 307,
    },
    {
      name: 'a full window behind the end has a next one',
      count: 'estimated',
      total: 90,
      parts: [part(windowSize)],
      first: 0,
      is: 101,
    },
    {
      name: 'an empty window is behind the end',
      count: 'estimated',
      total: 900,
      parts: [part(0)],
      first: 3,
      is: 300,
    },
    {
      name: 'an empty table has no rows',
      count: 'estimated',
      total: 900,
      parts: [part(0)],
      first: 0,
      is: 0,
    },
  ] as const)('$name', ({ count, total, parts, first, is }) => {
    expect(corrected(total, count, { parts, first })).toBe(is);
  });
});
