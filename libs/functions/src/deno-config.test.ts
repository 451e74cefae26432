import { expect, test } from 'vitest';

import { configOf, withoutComments } from './deno-config.js';

test.each([
  ['of the function before that of all', { 'deno.json': '{}', '../deno.json': '{}' }, 'deno.json'],
  ['of all functions', { '../deno.jsonc': '{}' }, '../deno.json'],
  ['with an import map beside it', { '../import_map.json': '{}' }, 'deno.json'],
  ['that nothing names', {}, 'deno.json'],
])('the configuration is that %s', (_name, files, path) => {
  expect(configOf(files).path).toBe(path);
});

test('fields that are not known are left out', () => {
  const text = JSON.stringify({
    imports: { a: './a.ts' },
    compilerOptions: { jsx: 'react-jsx', types: ['/etc/passwd'] },
    unstable: ['ffi'],
    workspace: ['../../..'],
    lock: '/etc/passwd',
  });
  expect(JSON.parse(configOf({ 'deno.json': text }).text)).toEqual({
    imports: { a: './a.ts' },
    compilerOptions: { jsx: 'react-jsx' },
  });
});

test.each(['/etc/passwd', '../../x.json', 'https://example.com/map.json', 7])(
  'an import map that is none of the files is refused: %s',
  (importMap) => {
    const files = { 'deno.json': JSON.stringify({ importMap }) };
    expect(() => configOf(files)).toThrow(expect.objectContaining({ code: 'FUNCTION_REFUSED' }));
  },
);

test('comments and last commas are no part of the values', () => {
  const text = `{ /* a */ "url": "https://x/*y*/", // b\n "list": [1, 2,], "quote": "\\"//,]" , }`;
  expect(JSON.parse(withoutComments(text))).toEqual({
    url: 'https://x/*y*/',
    list: [1, 2],
    quote: '"//,]',
  });
});
