import { describe, expect, test } from 'vitest';
import type { FilterTree, ParsedCondition } from '../types/grammar.js';
import type { Resource } from '../types/request.js';
import { parseClauses, type Clauses } from './clauses.js';
import { parametersOfKey, templateOf } from './query-template.js';

function parse(query: string, resource: Resource['kind'] = 'table'): Clauses {
  return parseClauses(parametersOfKey(templateOf(query, resource).key), resource);
}

/** A tree as text, `and(a eq 0, not(b is null))`, with the slots of the operands. */
function show(tree: FilterTree<ParsedCondition>): string {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return `${tree.kind}(${tree.nodes.map(show).join(', ')})`;
    case 'not':
      return `not(${show(tree.node)})`;
    case 'leaf':
      return showCondition(tree.leaf);
  }
}

function showCondition({ field: { name, path }, test }: ParsedCondition): string {
  const steps = path.map(({ kind, key, isText }) => `${isText ? '->>' : '->'}${kind} ${key}`);
  const field = [name, ...steps].join(' ');
  switch (test.kind) {
    case 'compare':
      return `${field} ${test.operator} ${test.quantifier ? `${test.quantifier} ` : ''}${test.slot}`;
    case 'in':
      return `${field} in ${test.slot}`;
    case 'is':
      return `${field} is ${test.keyword}`;
    case 'search':
      return `${field} ${test.operator} ${test.config ? `${test.config} ` : ''}${test.slot}`;
    case 'equals-result':
      return `${field} of ${test.reference.operation}`;
  }
}

const where = (query: string): string => show(parse(query).root.where);

describe('filters', () => {
  test.each([
    { query: '', tree: 'and()' },
    { query: 'a=eq.1&b=not.in.(1)', tree: 'and(a eq 0, not(b in 1))' },
    { query: 'a=is.NULL&b=not.is.True', tree: 'and(a is null, not(b is true))' },
    { query: '"not"=eq.1&"or"=is.null', tree: 'and(not eq 0, or is null)' },
    { query: 'not.or=(a.eq.1,not.eq.2)', tree: 'and(not(or(a eq 0, not eq 1)))' },
    { query: '"not".or=(a.eq.1)', tree: 'and()' },
    { query: 'a=like(any).{x}&b=gt(all).{1}', tree: 'and(a like any 0, b gt all 1)' },
    { query: 'a=fts.x&b=plfts(english).y', tree: 'and(a fts 0, b plfts english 1)' },
    { query: 'a=phfts(pg_catalog.german).x', tree: 'and(a phfts pg_catalog.german 0)' },
    { query: 'a=not.wfts(my_l%C3%B6ng).x', tree: 'and(not(a wfts my_löng 0))' },
    ...['neq', 'gte', 'lt', 'lte', 'ilike', 'match', 'imatch', 'isdistinct'].map((operator) => ({
      query: `a=${operator}.x`,
      tree: `and(a ${operator} 0)`,
    })),
    ...['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'].map((operator) => ({
      query: `a=${operator}.x`,
      tree: `and(a ${operator} 0)`,
    })),
    { query: '"a.b"=eq.1&Server+Today=eq.2', tree: 'and(a.b eq 0, Server Today eq 1)' },
    { query: 'Escap3e;=eq.1&do$llar$s=eq.2', tree: 'and(Escap3e; eq 0, do$llar$s eq 1)' },
    { query: 'a"b=eq.1', tree: 'and(a"b eq 0)' },
    { query: 'data->>a=eq.1', tree: 'and(data ->>key a eq 0)' },
    {
      query: 'data->0->-1->a.b:c,(d)->>e f=eq.1',
      tree: 'and(data ->index 0 ->index -1 ->key a.b:c,(d) ->>key e f eq 0)',
    },
    { query: 'data->%22a->b%22=eq.1', tree: 'and(data ->key a->b eq 0)' },
    { query: 'data->%C3%A4=eq.1', tree: 'and(data ->key ä eq 0)' },
  ])('$query', ({ query, tree }) => {
    expect(where(query)).toBe(tree);
  });

  test.each([
    { query: 'id=5', reason: /"5" in the filter on id is not operator\.value/ },
    { query: 'id=', reason: /the filter on id is not operator\.value/ },
    { query: 'id=5.3', reason: /operator 5\. is unknown/ },
    { query: 'id=equals.1', reason: /operator equals\. is unknown/ },
    { query: 'id=IS.null', reason: /operator IS\. is unknown/ },
    { query: 'id=eq', reason: /"eq" in the filter on id is not operator/ },
    { query: 'id=not.not.eq.1', reason: /operator not\. is unknown/ },
    { query: 'id=is.5', reason: /is\.5 is unknown/ },
    { query: 'id=is.', reason: /is\. is unknown/ },
    { query: 'id=neq(any).{1}', reason: /neq\(any\) is unknown/ },
    { query: 'id=eq(some).{1}', reason: /eq\(some\) is unknown/ },
    { query: 'id=in(any).(1)', reason: /operator in\(any\)\. is unknown/ },
    { query: 'id=cs(any).{1}', reason: /cs\(any\) is unknown/ },
    { query: "id=fts(a'b).x", reason: /"a'b" is not a text search configuration/ },
    { query: 'id=fts().x', reason: /"" is not a text search configuration/ },
    { query: '=eq.1', reason: /no name/ },
    { query: 'a..b=eq.1', reason: /no name/ },
    { query: 'a.=eq.1', reason: /no name/ },
    { query: 'data->=eq.1', reason: /key is missing/ },
    { query: 'data->>a->b=eq.1', reason: /must end the path/ },
    { query: `${'a.'.repeat(11)}b=eq.1`, reason: /more than 10 nested embeds/ },
    {
      query: Array.from({ length: 501 }, () => 'a=is.null').join('&'),
      reason: /more than 500 conditions/,
    },
  ])('refuses $query', ({ query, reason }) => {
    expect(() => where(query)).toThrow(reason);
  });
});

describe('logic trees', () => {
  test.each([
    { query: 'or=(a.eq.1,b.eq.2)', tree: 'and(or(a eq 0, b eq 1))' },
    { query: 'not.and=(a.eq.1)&x=eq.2', tree: 'and(not(and(a eq 0)), x eq 1)' },
    { query: 'or=(a.eq.1)&or=(b.eq.2)', tree: 'and(or(a eq 0), or(b eq 1))' },
    {
      query: 'and=( a.gte.1 , not.or(b.not.is.null, and(c.in.(1,2),d.like(any).{x,y}) ) )',
      tree: 'and(and(a gte 0, not(or(not(b is null), and(c in 1, d like any 2)))))',
    },
    { query: 'or=("a.b,(".eq.1,data->>k.eq.2)', tree: 'and(or(a.b,( eq 0, data ->>key k eq 1))' },
    {
      query: 'or=(a.fts(english).x,b.not.plfts.y)',
      tree: 'and(or(a fts english 0, not(b plfts 1)))',
    },
    { query: 'or=(not.eq.1,and.eq.2)', tree: 'and(or(not eq 0, and eq 1))' },
    { query: 'or=(data->0->>"a.b".eq.1)', tree: 'and(or(data ->index 0 ->>key a.b eq 0))' },
    { query: 'or=(author.is.null,a.eq.1)', tree: 'and(or(author is null, a eq 0))' },
  ])('$query', ({ query, tree }) => {
    expect(where(query)).toBe(tree);
  });

  const nested = (depth: number): string =>
    `or=${'(and'.repeat(depth - 1)}(a.eq.1${')'.repeat(depth)}`;
  test('as deep as the limit says', () => {
    expect(where(nested(50))).toContain('a eq 0');
  });

  test.each([
    { query: 'or=', reason: /parenthesis is not closed/ },
    { query: 'or=a.eq.1', reason: /"a\.eq\.…" is not expected/ },
    { query: 'or=()', reason: /empty item/ },
    { query: 'or=(a.eq.1,)', reason: /empty item/ },
    { query: 'or=(a.eq.1,,b.eq.2)', reason: /empty item/ },
    { query: 'or=(a.eq.1', reason: /parenthesis is not closed/ },
    { query: 'or=(a.eq.1)x', reason: /"x" is not expected/ },
    { query: 'or=((a.eq.1))', reason: /name is missing/ },
    { query: 'or=(a)', reason: /a in a logic tree is not followed by operator\.value/ },
    { query: 'or=(a.eq)', reason: /a in a logic tree is not followed/ },
    { query: 'or=(a.b.eq.1)', reason: /operator b\. is unknown/ },
    { query: 'or=(a.EQ.1)', reason: /not followed by operator/ },
    { query: 'or=(a.is.5)', reason: /is\.5 is unknown/ },
    { query: 'or=(a.neq(any).{1})', reason: /neq\(any\) is unknown/ },
    { query: 'or=(a.in.1,2)', reason: /2 in a logic tree is not followed by operator/ },
    { query: 'or=(nor(a.eq.1))', reason: /nor in a logic tree is not followed/ },
    { query: 'or=(data->.eq.1)', reason: /key is missing/ },
    { query: nested(51), reason: /more than 50 nested logic trees/ },
    {
      query: `or=(${Array.from({ length: 501 }, () => 'a.is.null').join()})`,
      reason: /more than 500 conditions/,
    },
    {
      query: `or=(${Array.from({ length: 501 }, () => 'a.eq.1').join()})`,
      reason: /more than 500 conditions/,
    },
  ])('refuses $query', ({ query, reason }) => {
    expect(() => where(query)).toThrow(reason);
  });

  test('marks of operands are not shown in messages', () => {
    const query = `or=(${'a'.repeat(59)}.eq.1)x`;
    const text = (): string => {
      try {
        return where(query);
      } catch (error) {
        return String(error);
      }
    };
    expect(text()).not.toContain('\0');
  });
});

describe('clauses of levels', () => {
  test('each belongs to the embed that its path names', () => {
    const query =
      'id=eq.1&a.id=eq.2&a.b.or=(x.eq.3,y.eq.4)&a.not.or=(z.eq.5)&a.order=x.desc&a.limit=2&a.b.offset=3&limit=4&"c.d".e->k=is.null';
    const { root, embedded } = parse(query);
    expect(show(root.where)).toBe('and(id eq 0)');
    expect(root.window).toEqual({ offset: 0, limit: 4 });
    expect(
      embedded.map(({ path, where: tree, window, order }) => [
        path,
        show(tree),
        window,
        order.map(({ value }) => value.field.name),
      ]),
    ).toEqual([
      [['a'], 'and(id eq 1, not(or(z eq 4)))', { offset: 0, limit: 2 }, ['x']],
      [['a', 'b'], 'and(or(x eq 2, y eq 3))', { offset: 3, limit: undefined }, []],
      [['c.d'], 'and(e ->key k is null)', { offset: 0, limit: undefined }, []],
    ]);
  });

  test('of the outermost offset it is only said whether there is one', () => {
    expect(parse('offset=70').root.window.offset).toBe(1);
    expect(parse('offset=0').root.window.offset).toBe(0);
    expect(parse('a.offset=70').embedded[0]?.window.offset).toBe(70);
  });

  test.each([
    { query: 'order=a&order=b', code: 'PGRST100' },
    { query: 'limit=1&limit=1', code: 'PGRST100' },
    { query: 'offset=1&offset=1', code: 'PGRST100' },
    { query: 'a.limit=1&%61.limit=2', code: 'PGRST100' },
    { query: 'a.limit=-1', code: 'PGRST103' },
    { query: 'a.limit=x', code: 'PGRST100' },
    { query: 'a.offset=x', code: 'PGRST100' },
    { query: '.limit=1', code: 'PGRST100' },
  ])('refuses $query', ({ query, code }) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code }));
  });
});
