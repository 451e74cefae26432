import { describe, expect, test } from 'vitest';

import {
  arrayLiteral,
  type Condition,
  conditionList,
  encodeQuery,
  operand,
  valueList,
  valueText,
  withoutBlanks,
} from './encode.js';

test.each<{ name: string; value: unknown; text: string }>([
  { name: 'text is taken as it is, quotes included', value: '"a",b', text: '"a",b' },
  { name: 'a date is ISO 8601', value: new Date(0), text: '1970-01-01T00:00:00.000Z' },
  { name: 'a bigint keeps every digit', value: 2n ** 63n, text: '9223372036854775808' },
  { name: 'a list is an array literal', value: [1, 2], text: '{1,2}' },
  { name: 'an object is JSON', value: { a: [1] }, text: '{"a":[1]}' },
  { name: 'an object that is written as text is that text', value: new URL('a:b'), text: 'a:b' },
  {
    name: 'an object that is written as an object is JSON',
    value: { toJSON: () => [1] },
    text: '[1]',
  },
])('valueText: $name', ({ value, text }) => {
  expect(valueText(value)).toBe(text);
});

test.each<{ name: string; values: unknown[]; text: string }>([
  { name: 'plain values are bare', values: ['a', 1, true], text: '{a,1,true}' },
  { name: 'syntax is quoted', values: ['a,b', '{c}', 'd e'], text: '{"a,b","{c}","d e"}' },
  { name: 'quotes and backslashes are escaped', values: ['"', '\\'], text: '{"\\"","\\\\"}' },
  { name: 'the empty text is quoted', values: [''], text: '{""}' },
  {
    name: 'NULL is a word, the text null is quoted',
    values: [null, 'null', 'Null'],
    text: '{NULL,"null","Null"}',
  },
  {
    name: 'lists nest',
    values: [
      [1, 2],
      [3, null],
    ],
    text: '{{1,2},{3,NULL}}',
  },
  { name: 'objects are quoted JSON', values: [{ a: 'x' }], text: '{"{\\"a\\":\\"x\\"}"}' },
  { name: 'patterns stay readable', values: ['a*', 'b%'], text: '{a*,b%}' },
  { name: 'no value is the empty array', values: [], text: '{}' },
])('arrayLiteral: $name', ({ values, text }) => {
  expect(arrayLiteral(values)).toBe(text);
});

test.each<{ name: string; values: unknown[]; text: string }>([
  { name: 'plain values are bare', values: ['a', 1, null], text: '(a,1,null)' },
  { name: 'commas and parentheses are quoted', values: ['a,b', 'c(d)'], text: '("a,b","c(d)")' },
  { name: 'inner quotes are escaped', values: ['say "hi"', '"'], text: '("say \\"hi\\"","\\"")' },
  { name: 'backslashes are escaped', values: ['a\\b'], text: '("a\\\\b")' },
  { name: 'the empty text is quoted', values: ['', 'a'], text: '("",a)' },
  { name: 'no value is no row', values: [], text: '()' },
  { name: 'equal values are sent once', values: [1, 2, 1], text: '(1,2)' },
])('valueList: $name', ({ values, text }) => {
  expect(valueList(values)).toBe(text);
});

test.each<{ name: string; operator: string; value: unknown; text: string }>([
  { name: 'a list for in', operator: 'in', value: [1, 'a,b'], text: '(1,"a,b")' },
  { name: 'a list for not.in', operator: 'not.in', value: [1], text: '(1)' },
  { name: 'text for in is taken as it is', operator: 'in', value: '(1,2)', text: '(1,2)' },
  { name: 'an array for other operators', operator: 'like(any)', value: ['a*'], text: '{a*}' },
  { name: 'an operator that ends on in is not in', operator: 'begin', value: [1], text: '{1}' },
])('operand: $name', ({ operator, value, text }) => {
  expect(operand(operator, value)).toBe(text);
});

describe('conditions of a logic tree', () => {
  test.each<{ name: string; conditions: Condition[]; text: string }>([
    {
      name: 'text is taken as it is',
      conditions: ['a.eq.1', 'and(b.gt.2,c.is.null)'],
      text: '(a.eq.1,and(b.gt.2,c.is.null))',
    },
    {
      name: 'plain values are bare',
      conditions: [
        ['a', 'gt', 1],
        ['b', 'is', null],
      ],
      text: '(a.gt.1,b.is.null)',
    },
    {
      name: 'syntax in values is quoted',
      conditions: [
        ['a', 'eq', 'x,y'],
        ['b', 'eq', '(z)'],
      ],
      text: '(a.eq."x,y",b.eq."(z)")',
    },
    { name: 'quotes in values are escaped', conditions: [['a', 'eq', '"']], text: '(a.eq."\\"")' },
    { name: 'the empty text is quoted', conditions: [['a', 'eq', '']], text: '(a.eq."")' },
    {
      name: 'a list keeps its parentheses',
      conditions: [['a', 'not.in', ['x,y', 2]]],
      text: '(a.not.in.("x,y",2))',
    },
    {
      name: 'an array literal is one quoted value',
      conditions: [['a', 'cs', ['x y']]],
      text: '(a.cs."{\\"x y\\"}")',
    },
    {
      name: 'trees nest',
      conditions: [{ and: [['a', 'eq', 1], { or: [['b', 'eq', 2], 'c.eq.3'] }] }],
      text: '(and(a.eq.1,or(b.eq.2,c.eq.3)))',
    },
  ])('$name', ({ conditions, text }) => {
    expect(conditionList(conditions)).toBe(text);
  });
});

test('a query string keeps commas, colons and parentheses and escapes what has a meaning', () => {
  const query = encodeQuery([
    ['select', 'a,b:c(*)'],
    ['x y', 'eq.1+2&3=4#5%'],
  ]);
  expect(query).toBe('select=a,b:c(*)&x%20y=eq.1%2B2%263%3D4%235%25');
  expect([...new URLSearchParams(query)]).toEqual([
    ['select', 'a,b:c(*)'],
    ['x y', 'eq.1+2&3=4#5%'],
  ]);
});

test('blanks of a select text go, but not those of quoted names', () => {
  expect(withoutBlanks('id,\n  "my \\" col" , author ( name )')).toBe(
    'id,"my \\" col",author(name)',
  );
});
