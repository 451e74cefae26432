import { describe, expect, test } from 'vitest';

import { checkParams } from './read-script.js';

const half = '\ud800';

describe('parameters of a script', () => {
  test('a long array is read in many steps', () => {
    let read = 0;
    const long = new Proxy(
      Array.from({ length: 99_000 }, () => 0),
      {
        get(target, name) {
          if (typeof name === 'string' && name !== 'length') read += 1;
          // The value of a property of the array, whichever it is.
          return Reflect.get(target, name) as unknown;
        },
      },
    );
    const readByStep: number[] = [];
    for (const _ of checkParams([long])) {
      readByStep.push(read);
      read = 0;
    }
    expect(Math.max(...readByStep, read)).toBeLessThan(20_000);
    expect(readByStep.length).toBeGreaterThan(5);
  });

  test.each([
    { name: 'a text', params: [1, half] },
    { name: 'an element of a nested array', params: [[[null, 'a', half]]] },
    { name: 'a value of an object', params: [{ a: { b: half } }] },
    { name: 'a name in an object', params: [{ [half]: 1 }] },
    { name: 'a text behind a nested value', params: [[1, [2]], half] },
  ])('half of a surrogate pair is refused in $name', ({ params }) => {
    expect(() => [...checkParams(params)]).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test('more values than the driver can write in a moment are refused', () => {
    const params = [Array.from({ length: 100_000 }, () => 0)];
    expect(() => [...checkParams(params)]).toThrow('at most 100000 values');
  });

  test('other values pass', () => {
    expect([...checkParams(['a', 1, null, { b: ['c', Buffer.from('d')] }])]).toEqual([]);
  });
});
