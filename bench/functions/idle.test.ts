import { expect, test } from 'vitest';
import { isDenoOf, parsePss } from './idle.js';

test('the share of a process, in bytes', () => {
  expect(parsePss('00400000-7fff ---p 00 00:00 0 [rollup]\nRss: 900 kB\nPss:   300 kB\n')).toBe(
    307_200,
  );
  expect(() => parsePss('Rss: 900 kB\n')).toThrow(/no Pss/);
});

test.each([
  { name: 'a child', stat: '12 (deno) S 7 12 12 0', is: true },
  { name: 'the child of another', stat: '12 (deno) S 8 12 12 0', is: false },
  { name: 'another program', stat: '12 (node) S 7 12 12 0', is: false },
  { name: 'a name with a parenthesis', stat: '12 (deno) S 7) S 8 12', is: false },
])('$name is a process of Deno: $is', ({ stat, is }) => {
  expect(isDenoOf(7, stat)).toBe(is);
});
