import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bindingId, CHANGE_COMPARISONS, parseFrame, type Binding } from './index.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

function bindingOf(value: object): Binding {
  const frame = parseFrame('rt:join', { topic: 'a', config: { postgres_changes: [value] } });
  const [binding] = frame.kind === 'join' ? frame.config.bindings : [];
  if (!binding) throw new Error('there is no binding');
  return binding;
}

const filterOf = (filter: string) => bindingOf({ table: 'a', filter }).filter;
const leaf = (column: string, test: object) => ({ kind: 'leaf', leaf: { column, ...test } });
const compare = (column: string, operator: string, value: string) =>
  leaf(column, { kind: 'compare', operator, value });

describe('a filter', () => {
  test.each(Object.keys(CHANGE_COMPARISONS))('takes the operator %s', (operator) => {
    expect(filterOf(`id=${operator}.5`)).toEqual(compare('id', operator, '5'));
  });

  test.each([
    {
      name: 'of a value with any characters',
      text: 'a=eq.1&b=%20+',
      tree: compare('a', 'eq', '1&b=%20+'),
    },
    { name: 'of an empty value', text: 'a=eq.', tree: compare('a', 'eq', '') },
    { name: 'with the wildcard of REST', text: 'a=like.x*', tree: compare('a', 'like', 'x%') },
    { name: 'of a quoted column', text: '"a.b"=eq.1', tree: compare('a.b', 'eq', '1') },
    {
      name: 'of a column with a reserved name',
      text: '"order"=eq.1',
      tree: compare('order', 'eq', '1'),
    },
    {
      name: 'of a list with quotes',
      text: 'a=in.(1,"b,c",d)',
      tree: leaf('a', { kind: 'in', values: ['1', 'b,c', 'd'] }),
    },
    { name: 'of an empty list', text: 'a=in.()', tree: leaf('a', { kind: 'in', values: [] }) },
    { name: 'of NULL', text: 'a=is.null', tree: leaf('a', { kind: 'is', keyword: 'null' }) },
    {
      name: 'that is negated',
      text: 'a=not.eq.1',
      tree: { kind: 'not', node: compare('a', 'eq', '1') },
    },
    {
      name: 'that is a logic tree',
      text: 'or=(a.eq.1,and(b.gt.2,c.in.(x,y)))',
      tree: {
        kind: 'or',
        nodes: [
          compare('a', 'eq', '1'),
          {
            kind: 'and',
            nodes: [compare('b', 'gt', '2'), leaf('c', { kind: 'in', values: ['x', 'y'] })],
          },
        ],
      },
    },
    {
      name: 'that is a negated logic tree',
      text: 'not.and=(a.eq.1)',
      tree: { kind: 'not', node: { kind: 'and', nodes: [compare('a', 'eq', '1')] } },
    },
  ])('$name', ({ text, tree }) => {
    expect(filterOf(text)).toEqual(tree);
  });

  test.each([
    {
      name: 'an operator that REST alone has',
      text: 'a=cs.{1}',
      reason: 'the operator on a is not for channels',
    },
    {
      name: 'patterns that are long together',
      text: `or=(a.like.${'x'.repeat(60)},b.not.ilike.${'y'.repeat(41)})`,
      reason: 'the patterns of like and ilike must have at most 100 characters together',
    },
    {
      name: 'many patterns',
      text: `or=(${Array.from({ length: 11 }, () => 'a.like.*').join(',')})`,
      reason: 'must have at most 10 patterns of like and ilike',
    },
    { name: 'a text search', text: 'a=fts.x', reason: 'the operator on a is not for channels' },
    {
      name: 'a quantifier',
      text: 'a=eq(any).{1}',
      reason: 'the operator on a is not for channels',
    },
    { name: 'an unknown operator', text: 'a=equals.1', reason: 'the operator equals. is unknown' },
    { name: 'a JSON path', text: 'a->>b=eq.1', reason: 'a is followed by a JSON path' },
    { name: 'a related table', text: 'b.a=eq.1', reason: 'b.a is not a column' },
    { name: 'a parameter of a read', text: 'select=a', reason: 'select is not a filter' },
    { name: 'the limit of a related table', text: 'b.limit=1', reason: 'b.limit is not a filter' },
    { name: 'no column', text: '=eq.1', reason: '"=eq.1" is not column=operator.value' },
    { name: 'NUL', text: 'a=eq.\0', reason: 'NUL is not allowed' },
    { name: 'half of a surrogate pair', text: 'a=eq.\ud800', reason: 'must not contain half' },
    {
      name: 'a list without parentheses',
      text: 'a=in.1',
      reason: 'in needs a list in parentheses',
    },
    {
      name: 'a pattern whose last backslash escapes nothing',
      text: 'a=like.x\\\\\\',
      reason: 'the pattern of a ends in a backslash',
    },
    {
      name: 'too much text',
      text: `a=eq.${'x'.repeat(4096)}`,
      reason: 'must have at most 4096 characters',
    },
  ])('is refused with $name', ({ text, reason }) => {
    expect(() => filterOf(text)).toThrow(`config.postgres_changes[0].filter: ${reason}`);
  });

  test('is refused if it is not a text', () => {
    expect(() => bindingOf({ table: 'a', filter: 1 })).toThrow('[0].filter: must be a text');
  });
});

describe('the id of a binding', () => {
  const idOf = (value: object) => bindingId(bindingOf(value), sha256);

  test('has 16 characters and is the same for the same content, defaults included', () => {
    expect(idOf({ table: 'a' })).toMatch(/^[\w-]{16}$/);
    expect(idOf({ table: 'a' })).toBe(idOf({ table: 'a', schema: 'public', event: '*' }));
    expect(idOf({ table: 'a', filter: 'or=(a.eq.1,b.eq.2)' })).toBe(
      idOf({ filter: 'or=( a.eq.1, b.eq."2")', table: 'a' }),
    );
  });

  test.each([
    { name: 'events', other: { table: 'a', event: 'INSERT' } },
    { name: 'schemas', other: { table: 'a', schema: 'b' } },
    { name: 'tables', other: { table: 'b' } },
    { name: 'filters', other: { table: 'a', filter: 'a=eq.1' } },
  ])('differs between $name', ({ other }) => {
    expect(idOf(other)).not.toBe(idOf({ table: 'a' }));
  });
});
