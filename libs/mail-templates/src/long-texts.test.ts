// Parsing and reading a text takes time that grows with its length alone. The texts are far longer than a template may
// be: work that takes the square of the length would need minutes, and end the test by its time limit.
import { expect, test } from 'vitest';
import { HtmlReader } from './html-place.js';
import { parseTemplate } from './parse.js';

const length = 1_000_000;
const filled = (part: string): string => part.repeat(length / part.length);

test.each(['{{', '{{ a', '}}', '{', '{{# a }}', '{{/ a }}', '\n', '{{ a }}\n', ' {{}} '])(
  'a template of many "%s" is parsed',
  (part) => {
    expect(['template', 'broken']).toContain(parseTemplate(filled(part)).kind);
    expect(parseTemplate(`{{ a }}${filled(part)}{{ b`)).toMatchObject({ kind: 'broken' });
  },
);

test.each([
  { head: '', part: '<' },
  { head: '', part: '<a b="">' },
  { head: '', part: '<!--' },
  { head: '', part: '</' },
  { head: '<', part: 'a' },
  { head: '<a ', part: 'a' },
  { head: '<a ', part: ' =' },
  { head: '<a b="', part: 'a' },
  { head: '<a b=', part: '<' },
  { head: '<!--', part: ' -' },
  { head: '<!--[if', part: ' ]' },
  { head: '<script>', part: '</' },
  { head: '<script>', part: '<script>' },
])('an HTML text of "$head" and many "$part" is read', ({ head, part }) => {
  const reader = new HtmlReader();
  reader.read(head + filled(part));
  expect(reader.place).toBeDefined();
});
