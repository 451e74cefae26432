import { expect, test } from 'vitest';

import { jsonLine, linesText } from './terminal-lines.js';

test('lines end where they are said to, and nowhere else', () => {
  expect(linesText('ok      Ada’s notes 😀', 'b')).toBe('ok      Ada’s notes 😀\nb\n');
  expect(linesText()).toBe('');
});

test.each([
  { name: 'an escape sequence', text: '\u001b[2Jcleared', printed: '\ufffd[2Jcleared' },
  { name: 'one of a single character', text: '\u009b31m', printed: '\ufffd31m' },
  { name: 'a line of its own', text: 'a\r\nok', printed: 'a\ufffd\ufffdok' },
  { name: 'a separator of lines', text: 'a\u2028ok', printed: 'a\ufffdok' },
  { name: 'a delete', text: 'ab\u007f', printed: 'ab\ufffd' },
  { name: 'a change of direction', text: 'a\u202eb', printed: 'a\ufffdb' },
])('$name in a line is not printed', ({ text, printed }) => {
  expect(linesText(text)).toBe(`${printed}\n`);
});

test('JSON keeps what a terminal would not print, escaped', () => {
  const value = { name: 'a\u001b[2J\u009b1A\u202eb', list: ['Ada’s 😀'] };
  const line = jsonLine(value);
  expect(line).toBe('{"name":"a\\u001b[2J\\u009b1A\\u202eb","list":["Ada’s 😀"]}\n');
  expect(JSON.parse(line)).toEqual(value);
});
