import { describe, expect, test } from '@jest/globals';
import { arrayLiteral, parseValueList } from './list.js';
import { parseOrder } from './order.js';
import { parseSelect } from './select.js';
import { parseRange, parseWindow } from './window.js';

function column(name: string, alias?: string, cast?: string): unknown {
  return { kind: 'column', name, alias, cast };
}

describe('select', () => {
  test.each([
    { text: '', items: [{ kind: 'all' }] },
    { text: '*', items: [{ kind: 'all' }] },
    { text: 'id', items: [column('id')] },
    { text: ' id , name ', items: [column('id'), column('name')] },
    { text: 'key:id', items: [column('id', 'key')] },
    { text: 'id::text', items: [column('id', undefined, 'text')] },
    { text: 'key:id::text[]', items: [column('id', 'key', 'text[]')] },
    { text: '*,again:id', items: [{ kind: 'all' }, column('id', 'again')] },
    { text: '"a,b","c:d"', items: [column('a,b'), column('c:d')] },
    { text: '"x y":"a(b)"::int', items: [column('a(b)', 'x y', 'int')] },
    { text: String.raw`"a\"b"`, items: [column('a"b')] },
    { text: 'Server Today', items: [column('Server Today')] },
    { text: 'do$llar$s', items: [column('do$llar$s')] },
    { text: 'Escap3e;', items: [column('Escap3e;')] },
    { text: 'päth', items: [column('päth')] },
  ])('$text', ({ text, items }) => {
    expect(parseSelect(text)).toEqual(items);
  });

  test.each([
    { text: 'id,', reason: /empty item/ },
    { text: ',id', reason: /empty item/ },
    { text: 'id::', reason: /not a cast/ },
    { text: 'id::Text', reason: /not a cast/ },
    { text: 'id::"char"', reason: /not a cast/ },
    { text: 'id::text;drop table x', reason: /not a cast/ },
    { text: 'id::text[][]', reason: /not a cast/ },
    { text: 'id::double precision', reason: /not a cast/ },
    { text: 'id::text::int', reason: /not a cast/ },
    { text: 'a:b:c', reason: /not a cast/ },
    { text: ':id', reason: /name is missing/ },
    { text: 'a:', reason: /name is missing/ },
    { text: 'id)', reason: /not a cast/ },
    { text: 'author(name)', reason: /Embedded resources are not supported yet/ },
    { text: 'a:author!inner(name)', reason: /Embedded resources are not supported yet/ },
    { text: '...author(name)', reason: /Spread embeds are not supported yet/ },
    { text: 'count()', reason: /Aggregate functions are not supported yet/ },
    { text: 'mass.sum()', reason: /Aggregate functions are not supported yet/ },
    { text: 'data->>key', reason: /JSON paths in select are not supported yet/ },
    { text: `${'ä'.repeat(32)}:id`, reason: /longer than 63 bytes/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseSelect(text)).toThrow(reason);
  });
});

describe('order', () => {
  const term = (field: string, isDescending = false, nulls?: string): unknown => ({
    field,
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
  ])('$text', ({ text, terms }) => {
    expect(parseOrder(text)).toEqual(terms);
  });

  test.each([
    { text: 'a.up', reason: /unknown direction/ },
    { text: 'a.asc.desc', reason: /unknown direction/ },
    { text: 'a.nullslast.desc', reason: /unknown direction/ },
    { text: 'a.asc.nullslast.x', reason: /unknown direction/ },
    { text: 'a,,b', reason: /empty item/ },
    { text: '.asc', reason: /name is missing/ },
    { text: 'author(name)', reason: /not supported yet/ },
    { text: 'data->a', reason: /not supported yet/ },
  ])('refuses $text', ({ text, reason }) => {
    expect(() => parseOrder(text)).toThrow(reason);
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
    { operand: '( a, b )', values: [' a', ' b '] },
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
    { limit: undefined, offset: undefined, window: { offset: 0, limit: undefined } },
    { limit: '5', offset: '10', window: { offset: 10, limit: 5 } },
    { limit: '0', offset: undefined, window: { offset: 0, limit: 0 } },
    { limit: undefined, offset: '-3', window: { offset: 0, limit: undefined } },
  ])('limit $limit offset $offset', ({ limit, offset, window }) => {
    expect(parseWindow(limit, offset)).toEqual(window);
  });

  test.each([
    { limit: '-1', offset: undefined, code: 'PGRST103' },
    { limit: 'ten', offset: undefined, code: 'PGRST100' },
    { limit: '', offset: undefined, code: 'PGRST100' },
    { limit: '1.5', offset: undefined, code: 'PGRST100' },
    { limit: '9'.repeat(20), offset: undefined, code: 'PGRST100' },
    { limit: undefined, offset: '1;drop', code: 'PGRST100' },
  ])('limit $limit offset $offset is refused', ({ limit, offset, code }) => {
    expect(() => parseWindow(limit, offset)).toThrow(expect.objectContaining({ code }));
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
