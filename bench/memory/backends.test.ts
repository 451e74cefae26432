import { expect, test } from 'vitest';
import { parseAnonymousBytes } from './backends.js';

test.each([
  {
    name: 'a process',
    status: 'VmRSS:\t  9 kB\nRssAnon:\t    2048 kB\nRssFile:\t 7 kB\n',
    is: 2 ** 21,
  },
  { name: 'a thread of the kernel', status: 'Name:\tkthreadd\n', is: undefined },
])('$name has $is bytes of its own', ({ status, is }) => {
  expect(parseAnonymousBytes(status)).toBe(is);
});
