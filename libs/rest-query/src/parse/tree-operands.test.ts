import { describe, expect, test } from 'vitest';
import { cutTree } from './tree-operands.js';

/** The tree with `$` for each operand, and the operands. */
function cut(tree: string): { readonly text: string; readonly operands: readonly string[] } {
  const operands: string[] = [];
  return { text: cutTree(tree, operands).replaceAll('\0v', '$'), operands };
}

describe('operands are taken out of logic trees', () => {
  test.each([
    { tree: '(a.eq.1,b.gt.2)', text: '(a.eq.$,b.gt.$)', operands: ['1', '2'] },
    {
      tree: '( a.eq.1 , not.and( b.not.lt.2,or(c.is.not_null) ) )',
      text: '( a.eq.$, not.and( b.not.lt.$,or(c.is.not_null) ) )',
      operands: ['1 ', '2'],
    },
    {
      tree: '(name.like."*ity,4*",b.eq."a)\\"\\\\" )',
      text: '(name.like.$,b.eq.$ )',
      operands: ['*ity,4*', 'a)"\\'],
    },
    { tree: '(a.eq."b"c,d.eq.")', text: '(a.eq.$,d.eq.$)', operands: ['"b"c', '"'] },
    {
      tree: '(a.in.(1,"b)c","d,e"),f.in.(),g.not.in.("x"))',
      text: '(a.in.$,f.in.$,g.not.in.$)',
      operands: ['(1,"b)c","d,e")', '()', '("x")'],
    },
    {
      tree: '(a.cs.{1,2},b.like(any).{x*,y},c.eq.{a,"}",{b}})',
      text: '(a.cs.$,b.like(any).$,c.eq.$)',
      operands: ['{1,2}', '{x*,y}', '{a,"}",{b}}'],
    },
    {
      tree: '(a.ov.[1,5),b.sl.(1,5],c.cs.["x",{"y":[1,2]}],d.adj.[1,2])',
      text: '(a.ov.$,b.sl.$,c.cs.$,d.adj.$)',
      operands: ['[1,5)', '(1,5]', '["x",{"y":[1,2]}]', '[1,2]'],
    },
    { tree: '(a.eq.{b}c,d.eq.{e} )', text: '(a.eq.$,d.eq.$ )', operands: ['{b}c', '{e}'] },
    { tree: '(a.eq.{b,c.eq.[1)', text: '(a.eq.$,c.eq.$)', operands: ['{b', '[1'] },
    {
      tree: '("a.b,(".eq.1,data->>"k.l".eq.2,data->0->x.is.NULL)',
      text: '("a.b,(".eq.$,data->>"k.l".eq.$,data->0->x.is.NULL)',
      operands: ['1', '2'],
    },
    { tree: '(a.eq.,b.eq.)', text: '(a.eq.$,b.eq.$)', operands: ['', ''] },
    { tree: '(a.fts(simple).x y)', text: '(a.fts(simple).$)', operands: ['x y'] },
    { tree: '(and.eq.1,or.eq.2)', text: '(and.eq.$,or.eq.$)', operands: ['1', '2'] },
  ])('$tree', ({ tree, text, operands }) => {
    expect(cut(tree)).toEqual({ text, operands });
  });

  test.each([
    { tree: '', text: '', operands: [] },
    { tree: '(', text: '(', operands: [] },
    { tree: '(a', text: '(a', operands: [] },
    { tree: '(a.b', text: '(a.b', operands: [] },
    { tree: '(a.eq', text: '(a.eq', operands: [] },
    { tree: '(a.EQ.1)', text: '(a.EQ.1)', operands: [] },
    { tree: '("a.eq.1)', text: '("a.eq.1)', operands: [] },
    { tree: '(a.eq(.1)', text: '(a.eq(.1)', operands: [] },
    { tree: 'a.eq.1', text: 'a.eq.$', operands: ['1'] },
    { tree: '(a.eq.1))', text: '(a.eq.$))', operands: ['1'] },
    { tree: '(a.eq.1)x', text: '(a.eq.$)x', operands: ['1'] },
  ])('what is no tree is left to the parser: $tree', ({ tree, text, operands }) => {
    expect(cut(tree)).toEqual({ text, operands });
  });

  test('brackets that close nothing are values, but not any number of them', () => {
    const tree = (count: number): string =>
      `(${Array.from({ length: count }, () => 'a.eq.{b').join()})`;
    expect(cut(tree(20)).operands).toEqual(Array.from({ length: 20 }, () => '{b'));
    expect(() => cut(tree(21))).toThrow(/more than 20 brackets that are not closed/);
  });

  // Far longer than a query string may be: reading that takes the square of the length would need minutes, and end the
  // test by its time limit.
  test.each(['', '(a.eq.', '(a.in.(', '(a.cs.{'])('no long text after "%s" takes long', (head) => {
    const parts = [
      '(',
      '"',
      '{',
      'a.eq.{',
      'a.cs.[,',
      'a.in.("',
      '(a.eq."x,',
      '\\"',
      ' ',
      '"a"',
      'and(',
    ];
    for (const part of parts) {
      try {
        cut(head + part.repeat(500_000 / part.length));
      } catch (error) {
        expect(error).toMatchObject({ code: 'PGRST100' });
      }
    }
  });
});
