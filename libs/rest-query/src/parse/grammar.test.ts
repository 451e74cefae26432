import { describe, expect, test } from 'vitest';
import { arrayLiteral, parseValueList } from './list.js';
import { parseNames } from './names.js';
import { parseOrder } from './order.js';
import { parseLimit, parseOffset, parseRange } from './window.js';

describe('order', () => {
  const field = (name: string, ...path: unknown[]): unknown => ({ name, path });
  const term = (value: unknown, isDescending = false, nulls?: string): unknown => ({
    value: typeof value === 'string' ? { relation: undefined, field: field(value) } : value,
    isDescending,
    nulls,
  });
  test.each([
    { text: '', terms: [] },
    { text: 'a', terms: [term('a')] },
    { text: 'a.asc,b.desc', terms: [term('a'), term('b', true)] },
    { text: 'a.nullsfirst', terms: [term('a', false, 'first')] },
    { text: 'a.desc.nullslast', terms: [term('a', true, 'last')] },
    { text: '"a.desc".asc', terms: [term('a.desc')] },
    { text: '"x,y" , z', terms: [term('x,y'), term('z')] },
    {
      text: 'data->a->>0.desc',
      terms: [
        term(
          {
            relation: undefined,
            field: field(
              'data',
              { kind: 'key', key: 'a', isText: false },
              { kind: 'index', key: '0', isText: true },
            ),
          },
          true,
        ),
      ],
    },
    {
      text: 'author(name).desc.nullsfirst,"x y"("a,b"->c)',
      terms: [
        term({ relation: 'author', field: field('name') }, true, 'first'),
        term({
          relation: 'x y',
          field: field('a,b', { kind: 'key', key: 'c', isText: false }),
        }),
      ],
    },
  ])('$text', ({ text, terms }) => {
    expect(parseOrder(text)).toEqual(terms);
  });

  test.each([
    { text: 'a.up', reason: /unknown direction/ },
    { text: 'a.asc.desc', reason: /unknown direction/ },
    { text: 'a.nullslast.desc', reason: /unknown direction/ },
    { text: 'a.asc.nullslast.x', reason: /unknown direction/ },
    { text: 'a)', reason: /unknown direction/ },
    { text: 'author(name)x', reason: /unknown direction/ },
    { text: 'a,,b', reason: /empty item/ },
    { text: 'a,', reason: /empty item/ },
    { text: '.asc', reason: /name is missing/ },
    { text: 'author()', reason: /name is missing/ },
    { text: 'author(name', reason: /instead of \)/ },
    { text: 'author(name.desc)', reason: /instead of \)/ },
    { text: 'a(b(c))', reason: /instead of \)/ },
    { text: 'data->', reason: /key is missing/ },
    { text: Array.from({ length: 51 }, () => 'a').join(), reason: /more than 50 terms in order/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseOrder(text)).toThrow(reason);
  });
});

describe('lists of names', () => {
  test.each([
    { text: '', names: [] },
    { text: 'a', names: ['a'] },
    { text: ' a , b ', names: ['a', 'b'] },
    { text: '"a","b,c"', names: ['a', 'b,c'] },
    { text: '"say "hi"",b', names: ['say "hi"', 'b'] },
    { text: String.raw`"a\"b"`, names: ['a"b'] },
    { text: 'Server Today,do$llar$s', names: ['Server Today', 'do$llar$s'] },
  ])('$text', ({ text, names }) => {
    expect(parseNames('columns', text)).toEqual(names);
  });

  test.each([
    { text: 'a,', reason: /columns has an empty item/ },
    { text: ',a', reason: /columns has an empty item/ },
    { text: 'a,""', reason: /columns has an empty item/ },
    { text: '"a" b', reason: /columns is not a list of names/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseNames('columns', text)).toThrow(reason);
  });
});

describe('the list of in', () => {
  test.each([
    { operand: '()', values: [] },
    { operand: '("")', values: [''] },
    { operand: '(")', values: ['"'] },
    { operand: '(1,2,3)', values: ['1', '2', '3'] },
    { operand: '("a,b",c)', values: ['a,b', 'c'] },
    { operand: '("(x)",")")', values: ['(x)', ')'] },
    { operand: String.raw`("a\"b","c\\d")`, values: ['a"b', String.raw`c\d`] },
    { operand: '("a"b",c)', values: ['a"b', 'c'] },
    { operand: '(a"b,c)', values: ['a"b', 'c'] },
    { operand: '( a, b )', values: ['a', ' b '] },
    { operand: '(   )', values: [] },
    { operand: '(,)', values: ['', ''] },
    { operand: '(null)', values: ['null'] },
  ])('$operand', ({ operand, values }) => {
    expect(parseValueList(operand)).toEqual(values);
  });

  test.each(['', '1,2', '(1,2', '1,2)', '(', '(1)x'])('refuses %s', (operand) => {
    expect(() => parseValueList(operand)).toThrow(/in needs a list in parentheses/);
  });

  test('every element of an array literal is quoted and escaped', () => {
    expect(arrayLiteral([])).toBe('{}');
    expect(arrayLiteral(['a', 'NULL', '', '},{', 'q"q', String.raw`b\b`])).toBe(
      String.raw`{"a","NULL","","},{","q\"q","b\\b"}`,
    );
  });
});

describe('windows', () => {
  test.each([
    { text: '5', limit: 5, offset: 5 },
    { text: '0', limit: 0, offset: 0 },
  ])('limit and offset $text', ({ text, limit, offset }) => {
    expect(parseLimit(text)).toBe(limit);
    expect(parseOffset(text)).toBe(offset);
  });

  test('a negative offset is none, a negative limit is refused', () => {
    expect(parseOffset('-3')).toBe(0);
    expect(() => parseLimit('-1')).toThrow(
      expect.objectContaining({ code: 'PGRST103', status: 416 }),
    );
  });

  test.each(['ten', '', '1.5', '9'.repeat(20), '1;drop'])('%s is no number of rows', (text) => {
    expect(() => parseLimit(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }));
    expect(() => parseOffset(text)).toThrow(expect.objectContaining({ code: 'PGRST100' }));
  });

  test.each([
    { header: '0-9', window: { offset: 0, limit: 10 } },
    { header: '5-5', window: { offset: 5, limit: 1 } },
    { header: '10-', window: { offset: 10, limit: undefined } },
    { header: 'items=0-1', window: { offset: 0, limit: 2 } },
    { header: 'bytes=0-1', window: { offset: 0, limit: undefined } },
    { header: '-5', window: { offset: 0, limit: undefined } },
    { header: 'x', window: { offset: 0, limit: undefined } },
  ])('Range: $header', ({ header, window }) => {
    expect(parseRange(header)).toEqual(window);
  });

  test('an inverted range is refused', () => {
    expect(() => parseRange('9-0')).toThrow(
      expect.objectContaining({ code: 'PGRST103', status: 416 }),
    );
  });
});
