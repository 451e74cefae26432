import { describe, expect, test } from 'vitest';

import { readCode, routesOf } from './function-names.js';

describe('the routes that may answer at a path', () => {
  test.each([
    { path: 'hello', routes: ['hello'] },
    { path: 'pay/webhook/x', routes: ['pay', 'pay/webhook', 'pay/webhook/x'] },
    { path: 'hello/', routes: ['hello'] },
    { path: 'hello/Caps/x', routes: ['hello'] },
    { path: 'hello//x', routes: ['hello'] },
    { path: '', routes: [] },
    { path: 'a%2Fb', routes: [] },
    { path: 'a/b/c/d/e/f', routes: ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/e'] },
  ])('$path', ({ path, routes }) => expect(routesOf(path)).toEqual(routes));
});

describe('the code of a deploy', () => {
  test('has an entrypoint of its own by default', () => {
    expect(readCode({ files: { 'index.js': '', '../deno.json': '{}' } }).entrypoint).toBe(
      'index.js',
    );
  });

  test.each(['a//b', './a', '../a/../b', '../../a', '..', 'a b', 'a\\b', '/a', '', 'index.ts/a'])(
    'the path %j is refused',
    (path) => {
      const read = () => readCode({ files: { 'index.ts': '', [path]: '' } });
      expect(read).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    },
  );
});
