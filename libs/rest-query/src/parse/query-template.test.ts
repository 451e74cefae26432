import { describe, expect, test } from '@jest/globals';
import { AppError } from '#libs/errors';
import { parametersOfKey, templateOf } from './query-template.js';

function read(query: string): { readonly parameters: unknown; readonly operands: unknown } {
  const { key, operands } = templateOf(query);
  return {
    parameters: parametersOfKey(key).map(({ name, text, slot }) => [name, text, slot]),
    operands,
  };
}

describe('templateOf', () => {
  test.each([
    { name: 'nothing', query: '', parameters: [], operands: [] },
    {
      name: 'a filter gives its value away',
      query: 'id=eq.5',
      parameters: [['id', 'eq.', 0]],
      operands: ['5'],
    },
    {
      name: 'reserved parameters keep their text',
      query: 'select=a,b&limit=3&order=a.desc',
      parameters: [
        ['select', 'a,b', undefined],
        ['limit', '3', undefined],
        ['order', 'a.desc', undefined],
      ],
      operands: [],
    },
    {
      name: 'not and a modifier belong to the key',
      query: 'a=not.like(any).{x*,y}',
      parameters: [['a', 'not.like(any).', 0]],
      operands: ['{x*,y}'],
    },
    {
      name: 'the keyword of is belongs to the key, also negated',
      query: 'a=is.null&b=not.is.true',
      parameters: [
        ['a', 'is.null', undefined],
        ['b', 'not.is.true', undefined],
      ],
      operands: [],
    },
    {
      name: 'isdistinct is no is',
      query: 'a=isdistinct.1',
      parameters: [['a', 'isdistinct.', 0]],
      operands: ['1'],
    },
    {
      name: 'a list is one operand',
      query: 'id=in.(1,2,3)',
      parameters: [['id', 'in.', 0]],
      operands: ['(1,2,3)'],
    },
    {
      name: 'a value may hold = and dots',
      query: 'a=eq.b=c.d',
      parameters: [['a', 'eq.', 0]],
      operands: ['b=c.d'],
    },
    {
      name: 'a plus is a blank and %2B a plus',
      query: 'a=eq.1+2%2B3',
      parameters: [['a', 'eq.', 0]],
      operands: ['1 2+3'],
    },
    {
      name: 'encoded separators do not separate',
      query: 'a%3Db=eq.x%26y=eq.z',
      parameters: [['a=b', 'eq.', 0]],
      operands: ['x&y=eq.z'],
    },
    {
      name: 'an encoded operator is an operator',
      query: 'id=eq%2E5',
      parameters: [['id', 'eq.', 0]],
      operands: ['5'],
    },
    {
      name: 'an encoded reserved name is reserved',
      query: '%73elect=a.b',
      parameters: [['select', 'a.b', undefined]],
      operands: [],
    },
    {
      name: 'raw UTF-8 bytes are UTF-8',
      query: Buffer.from('päth=eq.日').toString('latin1'),
      parameters: [['päth', 'eq.', 0]],
      operands: ['日'],
    },
    {
      name: 'empty pairs and names without a value',
      query: '&&a&b=&',
      parameters: [
        ['a', '', undefined],
        ['b', '', undefined],
      ],
      operands: [],
    },
    {
      name: 'slots count filters only',
      query: 'a=eq.1&limit=2&b=is.null&c=gt.3',
      parameters: [
        ['a', 'eq.', 0],
        ['limit', '2', undefined],
        ['b', 'is.null', undefined],
        ['c', 'gt.', 1],
      ],
      operands: ['1', '3'],
    },
  ])('$name', ({ query, parameters, operands }) => {
    expect(read(query)).toEqual({ parameters, operands });
  });

  test.each([
    { name: 'a NUL', query: 'a=eq.%00' },
    { name: 'a NUL in a name', query: 'a%00=eq.1' },
    { name: 'a raw NUL', query: 'a=eq.\0' },
    { name: 'a broken escape', query: 'a=eq.%zz' },
    { name: 'half an escape', query: 'a=eq.%4' },
    { name: 'an encoded surrogate', query: 'a=eq.%ED%A0%80' },
    { name: 'bytes that are no UTF-8', query: 'a=eq.\xff' },
  ])('refuses $name', ({ query }) => {
    expect(() => templateOf(query)).toThrow(AppError);
    expect(() => templateOf(query)).toThrow(/could not be parsed/);
  });

  test('values change the operands alone, everything else changes the key', () => {
    const key = (query: string) => templateOf(query).key;
    expect(key('a=eq.1')).toBe(key('a=eq.2'));
    expect(key('a=in.(1)')).toBe(key('a=in.(1,2)'));
    expect(key('a=eq.1')).not.toBe(key('a=neq.1'));
    expect(key('a=eq.1')).not.toBe(key('a=not.eq.1'));
    expect(key('a=is.null')).not.toBe(key('a=is.true'));
    expect(key('limit=1')).not.toBe(key('limit=2'));
    expect(key('a=eq.1&b=eq.1')).not.toBe(key('b=eq.1&a=eq.1'));
  });
});
