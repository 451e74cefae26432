import { expect, test } from 'vitest';

import { csvOf, distinct, jsonOf } from './export.js';

const table = {
  fields: [
    { name: 'id', type: 'int8' },
    { name: 'name', type: 'text' },
    { name: 'seen', type: 'bool' },
    { name: 'more', type: 'jsonb' },
  ],
  rows: [
    ['9223372036854775807', 'a "b", c', 't', '{"n": 1.10}'],
    [null, '', 'f', null],
  ],
};

test('CSV quotes what needs it, and tells null from an empty text', () => {
  expect(csvOf(table, 'program')).toBe(
    'id,name,seen,more\r\n' +
      '9223372036854775807,"a ""b"", c",t,"{""n"": 1.10}"\r\n' +
      ',"",f,\r\n',
  );
});

test('CSV for a spreadsheet has no formulas, and the same numbers, nulls and empty texts', () => {
  const fields = [{ name: '=sum', type: 'text' }, ...table.fields.slice(1)];
  const rows = [['=1+1', '-5', '@a, b', null, '']];
  expect(csvOf({ fields, rows }, 'spreadsheet')).toBe(
    `'=sum,name,seen,more\r\n'=1+1,-5,"'@a, b",,""\r\n`,
  );
  expect(csvOf({ fields, rows }, 'program')).toContain('\r\n=1+1,-5,"@a, b",,""');
});

test('JSON keeps every digit', () => {
  expect(jsonOf(table)).toBe(
    '[\n' +
      '  { "id": 9223372036854775807, "name": "a \\"b\\", c", "seen": true, "more": {"n": 1.10} },\n' +
      '  { "id": null, "name": "", "seen": false, "more": null }\n' +
      ']\n',
  );
});

test.each([
  { type: 'numeric', text: 'NaN', json: '"NaN"' },
  { type: 'float8', text: '-Infinity', json: '"-Infinity"' },
  { type: 'float8', text: '1e-07', json: '1e-07' },
  { type: 'numeric', text: '0.10', json: '0.10' },
  { type: 'text', text: '5', json: '"5"' },
])('$type $text is $json', ({ type, text, json }) => {
  const written = jsonOf({ fields: [{ name: 'a', type }], rows: [[text]] });
  expect(written).toBe(`[\n  { "a": ${json} }\n]\n`);
  expect(() => JSON.parse(written)).not.toThrow();
});

test('no rows are an empty list, and a header', () => {
  expect(jsonOf({ ...table, rows: [] })).toBe('[]\n');
  expect(csvOf({ ...table, rows: [] }, 'program')).toBe('id,name,seen,more\r\n');
});

test('names that come twice are numbered', () => {
  expect(distinct(['a', 'a', 'a_2', 'a'])).toEqual(['a', 'a_2', 'a_2_2', 'a_3']);
});
