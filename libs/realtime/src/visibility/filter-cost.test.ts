import { expect, test } from 'vitest';

import { type ChangeFilter, type ChangeTest } from '#libs/realtime-core';
import type { TableFacts } from './facts.js';
import { FilterCosts } from './filter-cost.js';

const leaf = (test: ChangeTest): ChangeFilter => ({ kind: 'leaf', leaf: test });
const like = (value: string, operator: 'like' | 'ilike' = 'like'): ChangeFilter =>
  leaf({ column: 'name', kind: 'compare', operator, value });
const mood = leaf({ column: 'mood', kind: 'compare', operator: 'eq', value: 'calm' });
const noMood = leaf({ column: 'mood', kind: 'is', keyword: 'null' });

const rows = [1_000_000, 10].map((length) => JSON.stringify({ id: 1, name: 'a'.repeat(length) }));
const column = (name: string, isBuiltIn: boolean) =>
  ({ name, type: 'x', isReadable: true, isBuiltIn }) as const;
// The facts that costs depend on.
const facts = {
  columns: [column('id', true), column('name', true), column('mood', false)],
} as unknown as TableFacts;

test.each([
  { name: 'a part between wildcards', filter: like('%abcd%'), mask: '11', high: true },
  {
    name: 'the same on a short row, where the long one is hidden',
    filter: like('%abcd%'),
    mask: '01',
  },
  { name: 'the beginning of a value', filter: like('abcd%'), mask: '11' },
  {
    name: 'the same without regard to case',
    filter: like('abcd%', 'ilike'),
    mask: '11',
    high: true,
  },
  {
    name: 'a condition within others',
    filter: { kind: 'not', node: like('%abcd') } as const,
    mask: '11',
    high: true,
  },
  { name: 'a comparison', filter: mood, mask: '11' },
])('the cost of $name', ({ filter, mask, high = false }) => {
  expect(new FilterCosts(rows, facts).isHigh({ filter, mask })).toBe(high);
});

test('filters cost much on a column of a type of the project that was slow', () => {
  const costs = new FilterCosts(rows, facts);
  costs.noteSlow({ kind: 'and', nodes: [mood, like('abc')] });
  const isHigh = (filter: ChangeFilter) => costs.isHigh({ filter, mask: '11' });
  expect([mood, noMood, like('abc')].map(isHigh)).toEqual([true, false, false]);
});
