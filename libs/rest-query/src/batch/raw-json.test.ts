import { describe, expect, test } from 'vitest';
import fc from 'fast-check';

import { rawMembers } from './raw-json.js';

describe('members of an object', () => {
  test.each([
    { name: 'none', text: '{ }', members: [] },
    {
      name: 'values as written',
      text: '{"a" : 1.0 , "b":[ 1 ]}',
      members: [
        ['a', '1.0'],
        ['b', '[ 1 ]'],
      ],
    },
    { name: 'an escaped name', text: '{"\\u0061\\"":1}', members: [['a"', '1']] },
    { name: 'the last of equal names', text: '{"a":1,"a":2}', members: [['a', '2']] },
    { name: 'the name __proto__', text: '{"__proto__":1}', members: [['__proto__', '1']] },
  ])('$name', ({ text, members }) => {
    expect([...rawMembers(text)]).toEqual(members);
  });
});

test('the parts of any JSON text parse to the parts of its value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 2),
      (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const members = [...rawMembers(text)].map(([name, part]) => [name, JSON.parse(part)]);
        expect(members).toEqual(Object.entries(JSON.parse(text)));
      },
    ),
  );
});
