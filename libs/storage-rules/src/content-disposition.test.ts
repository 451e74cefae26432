import { expect, test } from 'vitest';
import fc from 'fast-check';

import { contentDisposition } from './content-disposition.js';

/** What stands behind `attachment; `. */
const named = (fileName: string) =>
  contentDisposition('attachment', fileName).replace(/^attachment; /, '');
const download = 'filename="download"';

test.each([
  { name: 'a plain name', file: 'a.png', gives: 'filename="a.png"' },
  { name: 'spaces', file: 'my photo (1).png', gives: 'filename="my photo (1).png"' },
  { name: 'a semicolon', file: 'a;b=c', gives: 'filename="a;b=c"' },
  { name: 'a first dot', file: '.profile', gives: 'filename=".profile"' },
  {
    name: 'accents',
    file: 'résumé.pdf',
    gives: `filename="resume.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`,
  },
  {
    name: 'another script',
    file: '한글.txt',
    gives: `filename="__.txt"; filename*=UTF-8''%ED%95%9C%EA%B8%80.txt`,
  },
  { name: 'emoji', file: '😀', gives: `${download}; filename*=UTF-8''%F0%9F%98%80` },
  { name: 'quotes', file: 'a"b.txt', gives: `filename="a_b.txt"; filename*=UTF-8''a%22b.txt` },
  { name: 'an escape', file: 'a%22b', gives: `filename="a_22b"; filename*=UTF-8''a%2522b` },
  {
    name: 'letters that RFC 8187 lacks',
    file: "é'()*",
    gives: `filename="e'()*"; filename*=UTF-8''%C3%A9%27%28%29%2A`,
  },
  { name: 'a new line', file: 'a\r\nSet-Cookie: b', gives: 'filename="a__Set-Cookie: b"' },
  { name: 'NUL', file: 'a\0.exe', gives: 'filename="a_.exe"' },
  { name: 'slashes', file: '../../etc/a\\b', gives: 'filename=".._.._etc_a_b"' },
  { name: 'the other direction', file: 'a\u202egpj.exe', gives: 'filename="agpj.exe"' },
  { name: 'half a pair', file: 'a\ud83d', gives: 'filename="a_"' },
  { name: 'nothing', file: '', gives: download },
  { name: 'only spaces', file: '  ', gives: download },
  { name: 'dots', file: '..', gives: download },
  {
    name: 'a long name keeps its extension',
    file: `${'a'.repeat(500)}.png`,
    gives: `filename="${'a'.repeat(196)}.png"`,
  },
  {
    name: 'a very long name',
    file: `${'a'.repeat(500_000)}.png`,
    gives: `filename="${'a'.repeat(196)}.png"`,
  },
  {
    name: 'a long extension counts as name',
    file: `a.${'b'.repeat(500)}`,
    gives: `filename="a.${'b'.repeat(198)}"`,
  },
])('$name', ({ file, gives }) => {
  expect(named(file)).toBe(gives);
});

test('no name breaks out of the header, and clients read the same name', () => {
  const nasty = fc.constantFrom(
    '\r',
    '\n',
    '"',
    '\\',
    ';',
    '%',
    "'",
    '\u2028',
    '\ud83d',
    'é',
    '/',
    '.',
    '\u0301',
  );
  const fileName = fc
    .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 400 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fileName, fc.constantFrom('inline', 'attachment'), (file, kind) => {
      const header = contentDisposition(kind, file);
      const [, plain, encoded] =
        /^(?:inline|attachment); filename="([ !#-[\]-~]+)"(?:; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+))?$/.exec(
          header,
        ) ?? [];
      expect(plain).toBeDefined();
      expect(header.length).toBeLessThan(3000);
      expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(
        header,
      );
      const read = encoded === undefined ? plain : decodeURIComponent(encoded);
      expect(read).toMatch(/^[^/\\\p{Cc}\u2028\u2029\u202e]+$/u);
      expect(contentDisposition(kind, read ?? '')).toBe(header);
    }),
    { numRuns: 500 },
  );
});
