import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';
import type { Resource } from '../types/request.js';
import { parametersOfKey, templateOf } from './query-template.js';

/** Parameters as [name, text, slot of its first operand]; `$` shows where an operand was taken out. */
function read(
  query: string,
  resource: Resource['kind'] = 'table',
): { readonly parameters: unknown; readonly operands: unknown } {
  const { key, operands } = templateOf(query, resource);
  return {
    parameters: parametersOfKey(key).map(({ name, text, firstSlot }) => {
      const shown = text.replaceAll('\0v', '$').replaceAll('\0o', '<some>');
      return [name, shown, text.includes('\0v') ? firstSlot : undefined];
    }),
    operands,
  };
}

describe('templateOf', () => {
  test.each([
    { name: 'nothing', query: '', parameters: [], operands: [] },
    {
      name: 'a filter gives its value away',
      query: 'id=eq.5',
      parameters: [['id', 'eq.$', 0]],
      operands: ['5'],
    },
    {
      name: 'reserved parameters keep their text, at every level',
      query: 'select=a,b&limit=3&order=a.desc&x.order=eq.a&x.y.limit=1.5&x.offset=3',
      parameters: [
        ['select', 'a,b', undefined],
        ['limit', '3', undefined],
        ['order', 'a.desc', undefined],
        ['x.order', 'eq.a', undefined],
        ['x.y.limit', '1.5', undefined],
        ['x.offset', '3', undefined],
      ],
      operands: [],
    },
    {
      name: 'columns of reserved names are quoted',
      query: '"order"=eq.1&x."limit"=eq.2&"or"=eq.3&"a.or"=eq.4',
      parameters: [
        ['"order"', 'eq.$', 0],
        ['x."limit"', 'eq.$', 1],
        ['"or"', 'eq.$', 2],
        ['"a.or"', 'eq.$', 3],
      ],
      operands: ['1', '2', '3', '4'],
    },
    {
      name: 'arrows and reserved words inside of quotes are names',
      query: '"a->b".limit=2&"c.order"->d=eq.1&"say \\"->".x.or=(e.eq.2)',
      parameters: [
        ['"a->b".limit', '2', undefined],
        ['"c.order"->d', 'eq.$', 0],
        ['"say \\"->".x.or', '(e.eq.$)', 1],
      ],
      operands: ['1', '2'],
    },
    {
      name: 'a key of a JSON path may look like a reserved name',
      query: 'data->>a.order=eq.1&data->x.or=eq.2',
      parameters: [
        ['data->>a.order', 'eq.$', 0],
        ['data->x.or', 'eq.$', 1],
      ],
      operands: ['1', '2'],
    },
    {
      name: 'not and a modifier belong to the key',
      query: 'a=not.like(any).{x*,y}&b=fts(pg_catalog.english).c.d',
      parameters: [
        ['a', 'not.like(any).$', 0],
        ['b', 'fts(pg_catalog.english).$', 1],
      ],
      operands: ['{x*,y}', 'c.d'],
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
      parameters: [['a', 'isdistinct.$', 0]],
      operands: ['1'],
    },
    {
      name: 'a list is one operand, and quotes are part of a value',
      query: 'id=in.(1,2,3)&a=eq."x"',
      parameters: [
        ['id', 'in.$', 0],
        ['a', 'eq.$', 1],
      ],
      operands: ['(1,2,3)', '"x"'],
    },
    {
      name: 'a value may hold = and dots and parentheses',
      query: 'a=eq.b=c.d&b=eq.(x).y',
      parameters: [
        ['a', 'eq.$', 0],
        ['b', 'eq.$', 1],
      ],
      operands: ['b=c.d', '(x).y'],
    },
    {
      name: 'a plus is a blank and %2B a plus',
      query: 'a=eq.1+2%2B3',
      parameters: [['a', 'eq.$', 0]],
      operands: ['1 2+3'],
    },
    {
      name: 'encoded separators do not separate',
      query: 'a%3Db=eq.x%26y=eq.z',
      parameters: [['a=b', 'eq.$', 0]],
      operands: ['x&y=eq.z'],
    },
    {
      name: 'an encoded operator is an operator',
      query: 'id=eq%2E5',
      parameters: [['id', 'eq.$', 0]],
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
      parameters: [['päth', 'eq.$', 0]],
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
      name: 'slots count operands only',
      query: 'a=eq.1&limit=2&or=(x.eq.1,y.is.null,z.eq.2)&b=is.null&c=gt.3',
      parameters: [
        ['a', 'eq.$', 0],
        ['limit', '2', undefined],
        ['or', '(x.eq.$,y.is.null,z.eq.$)', 1],
        ['b', 'is.null', undefined],
        ['c', 'gt.$', 3],
      ],
      operands: ['1', '1', '2', '3'],
    },
  ])('$name', ({ query, parameters, operands }) => {
    expect(read(query)).toEqual({ parameters, operands });
  });

  test.each([
    { name: 'a NUL', query: 'a=eq.%00' },
    { name: 'a NUL in a name', query: 'a%00=eq.1' },
    { name: 'a NUL in a logic tree', query: 'or=(a.eq.%00v)' },
    { name: 'a raw NUL', query: 'a=eq.\0' },
    { name: 'a broken escape', query: 'a=eq.%zz' },
    { name: 'half an escape', query: 'a=eq.%4' },
    { name: 'an encoded surrogate', query: 'a=eq.%ED%A0%80' },
    { name: 'bytes that are no UTF-8', query: 'a=eq.\xff' },
    { name: 'an offset that is no number', query: 'offset=1;drop' },
    { name: 'a string of more than 16,384 characters', query: `a=eq.${'x'.repeat(16_380)}` },
  ])('refuses $name', ({ query }) => {
    expect(() => templateOf(query, 'table')).toThrow(AppError);
    expect(() => templateOf(query, 'table')).toThrow(/could not be parsed/);
  });
});

describe('the key', () => {
  const key = (query: string) => templateOf(query, 'table').key;
  test.each([
    ['a=eq.1', 'a=eq.2'],
    ['a=in.(1)', 'a=in.(1,2)'],
    ['or=(a.eq.1,b.eq.2)', 'or=(a.eq."x,y",b.eq.{3,4})'],
    ['offset=1', 'offset=1000000'],
    ['offset=0', 'offset=-5'],
  ])('is the same for %s and %s', (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  test.each([
    ['a=eq.1', 'a=neq.1'],
    ['a=eq.1', 'a=not.eq.1'],
    ['a=is.null', 'a=is.true'],
    ['limit=1', 'limit=2'],
    ['a=eq.1&b=eq.1', 'b=eq.1&a=eq.1'],
    ['or=(a.eq.1,b.eq.2)', 'or=(a.eq.1,b.gt.2)'],
    ['or=(a.eq.1)', 'and=(a.eq.1)'],
    ['offset=0', 'offset=1'],
    ['x.offset=1', 'x.offset=2'],
  ])('differs for %s and %s', (one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  test.each([
    { query: '', offset: 0, hasWindow: false },
    { query: 'offset=7', offset: 7, hasWindow: true },
    { query: 'offset=-7', offset: 0, hasWindow: true },
    { query: 'limit=1', offset: 0, hasWindow: true },
    { query: 'x.offset=7&x.limit=1', offset: 0, hasWindow: false },
  ])('the offset of "$query" stands beside it', ({ query, offset, hasWindow }) => {
    expect(templateOf(query, 'table')).toMatchObject({ offset, hasWindow });
  });
});

test('names of logic trees', () => {
  for (const name of ['and', 'or', 'not.and', 'not.or', 'child.or', 'a.b.not.and', '"x y".or']) {
    expect(read(`${name}=(a.eq.1)`)).toEqual({
      parameters: [[name, '(a.eq.$)', 0]],
      operands: ['1'],
    });
  }
});

describe('parameters of functions', () => {
  test.each([
    { query: 'a=5', parameters: [['a', '$', 0]], operands: ['5'] },
    { query: 'a=1.5', parameters: [['a', '$', 0]], operands: ['1.5'] },
    { query: 'a=', parameters: [['a', '$', 0]], operands: [''] },
    { query: 'a=x.y', parameters: [['a', '$', 0]], operands: ['x.y'] },
    { query: 'a=eq.5', parameters: [['a', 'eq.$', 0]], operands: ['5'] },
    { query: 'a=not.in.(1)', parameters: [['a', 'not.in.$', 0]], operands: ['(1)'] },
    { query: 'a=fts(x).y', parameters: [['a', 'fts(x).$', 0]], operands: ['y'] },
    { query: 'a=not.x.y', parameters: [['a', '$', 0]], operands: ['not.x.y'] },
    { query: 'a=is.null', parameters: [['a', 'is.null', undefined]], operands: [] },
    { query: 'a=is.bad', parameters: [['a', '$', 0]], operands: ['is.bad'] },
    { query: 'columns=a.b', parameters: [['columns', '$', 0]], operands: ['a.b'] },
    { query: 'or=(a.eq.1)', parameters: [['or', '(a.eq.$)', 0]], operands: ['1'] },
    {
      query: 'select=a&order=b',
      parameters: [
        ['select', 'a', undefined],
        ['order', 'b', undefined],
      ],
      operands: [],
    },
  ])('$query', ({ query, parameters, operands }) => {
    expect(read(query, 'function')).toEqual({ parameters, operands });
  });
});
