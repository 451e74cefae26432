import { describe, expect, test } from 'vitest';

import { csvField, spreadsheetCsv, spreadsheetText } from './csv.js';

describe('a value for a spreadsheet', () => {
  test.each([
    '=1+1',
    '=HYPERLINK("http://evil")',
    '@sum(A1)',
    '+1+1',
    '-1+1',
    '-A1',
    '-',
    '-Infinity',
    '\t=1',
    '\r=1',
    '\n=1',
  ])('%j gets an apostrophe', (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
  });

  test.each([
    ['Ada;=1+1', "Ada;'=1+1"],
    ['a\t@b;;-c;d', "a\t'@b;;'-c;d"],
    ['=a;+b', "'=a;'+b"],
  ])('%j is %j, also where a semicolon begins another cell', (text, safe) => {
    expect(spreadsheetText(text)).toBe(safe);
  });

  test.each(['', 'Ada', '-1', '-1.50', '+15551234567', '1e-07', '-.5', 'a=b', "'=1", '2026-01-01'])(
    '%j stays',
    (text) => {
      expect(spreadsheetText(text)).toBe(text);
    },
  );
});

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('the field of %j is %j', (text, field) => {
  expect(csvField(text)).toBe(field);
});

describe('a CSV text for a spreadsheet', () => {
  test.each([
    { name: 'nothing to guard', csv: 'a,b\r\n1,\r\n,"x, ""y"""\r\n' },
    { name: 'empty texts', csv: 'a\n""\n\n' },
    { name: 'a text without an end', csv: 'a\n"b' },
    { name: 'no text', csv: '' },
  ])('$name stays', ({ csv }) => {
    expect(spreadsheetCsv(csv)).toBe(csv);
  });

  test('each field is guarded: names, the first and the last, and those in quotation marks', () => {
    expect(spreadsheetCsv('=n,b\n=1,"@a ""b"", c"\n-5,"two\n=lines"\n"=1\n2",+x')).toBe(
      `'=n,b\n'=1,"'@a ""b"", c"\n-5,"two\n=lines"\n"'=1\n2",'+x`,
    );
  });

  test('a long value costs no stack', () => {
    const long = '""'.repeat(200_000);
    expect(spreadsheetCsv(`"=${long}"`)).toBe(`"'=${long}"`);
  });
});
