import { describe, expect, test } from 'vitest';

import { readPartHeader } from './part-header.js';

/** A header as the parser gives it: one letter for a byte. */
function linesOf(disposition: string, type?: string) {
  return {
    'content-disposition': [Buffer.from(disposition).toString('latin1')],
    ...(type !== undefined && { 'content-type': [type] }),
  };
}

describe('the header of a part', () => {
  test.each([
    { name: 'a quoted name', text: 'form-data; name="file"; filename="a.txt"', fileName: 'a.txt' },
    { name: 'a plain name', text: 'form-data; name=file; filename=a.txt', fileName: 'a.txt' },
    {
      name: 'letters of any script',
      text: 'form-data; name="file"; filename="größe 猫.txt"',
      fileName: 'größe 猫.txt',
    },
    {
      name: 'quotes behind backslashes',
      text: 'form-data; name="file"; filename="a\\"b\\\\.txt"',
      fileName: 'a"b\\.txt',
    },
    {
      name: 'quotes and line ends as browsers write them',
      text: 'form-data; name="file"; filename="a%22%0D%0Ab"',
      fileName: 'a"\r\nb',
    },
    {
      name: 'a path of Windows',
      text: 'form-data; name="file"; filename="C:\\dir\\a.txt"',
      fileName: 'C:\\dir\\a.txt',
    },
    {
      name: 'an encoded name',
      text: "form-data; name=file; filename=a; filename*=UTF-8''%e2%82%ac.txt",
      fileName: '€.txt',
    },
    {
      name: 'a semicolon in quotes',
      text: 'form-data; name="file"; filename="a;b.txt"',
      fileName: 'a;b.txt',
    },
    { name: 'an empty file name', text: 'form-data; name="file"; filename=""', fileName: '' },
    { name: 'no file name', text: 'Form-Data; name="file"', fileName: undefined },
  ])('may have $name', ({ text, fileName }) => {
    const header = readPartHeader(linesOf(text, 'text/plain'));
    expect(header).toEqual({ name: 'file', fileName, mediaType: 'text/plain' });
  });

  test.each([
    { name: 'another kind', text: 'attachment; name="file"' },
    { name: 'no name', text: 'form-data; filename="a"' },
    { name: 'two names', text: 'form-data; name="a"; name="b"' },
    { name: 'an open quote', text: 'form-data; name="a' },
    { name: 'text behind a quote', text: 'form-data; name="a"b' },
    { name: 'no value', text: 'form-data; name' },
    { name: 'broken percent signs', text: "form-data; name=a; filename*=UTF-8''%ff%fe" },
  ])('must not have $name', ({ text }) => {
    expect(() => readPartHeader(linesOf(text))).toThrow('The form cannot be read');
  });

  test('must be UTF-8', () => {
    const lines = { 'content-disposition': ['form-data; name="\xff"'] };
    expect(() => readPartHeader(lines)).toThrow('not UTF-8');
  });

  test('must have one Content-Disposition', () => {
    expect(() => readPartHeader({})).toThrow('Content-Disposition');
    const twice = { 'content-disposition': ['form-data; name=a', 'form-data; name=b'] };
    expect(() => readPartHeader(twice)).toThrow('Content-Disposition');
  });
});
