import { expect, test } from 'vitest';

import { nodesOf, readPlan } from './plan.js';

const scan = {
  'Node Type': 'Seq Scan',
  'Relation Name': 'planets',
  Alias: 'p',
  'Total Cost': 40,
  'Plan Rows': 10,
  Filter: '(id > 1)',
  'Rows Removed by Filter': 1200,
};
const plan = (root: object, rest: object = {}) => JSON.stringify([{ Plan: root, ...rest }]);

test('a plan is a tree with titles, facts and rows', () => {
  const sort = { 'Node Type': 'Sort', 'Total Cost': 50, 'Plan Rows': 10, 'Sort Key': ['a', 'b'] };
  const root = readPlan(plan({ ...sort, Plans: [scan] }))?.root;
  expect(root).toMatchObject({
    id: '1',
    title: 'Sort',
    facts: ['Sort Key: a, b'],
    children: [
      {
        id: '1.1',
        title: 'Seq Scan on planets as p',
        facts: ['Filter: (id > 1)', 'Rows Removed by Filter: 1,200'],
        expectedRows: 10,
      },
    ],
  });
});

test('without a run the share is that of the cost, without the children', () => {
  const root = readPlan(plan({ 'Node Type': 'Sort', 'Total Cost': 50, Plans: [scan] }))?.root;
  expect([root?.share, root?.isCostly]).toEqual([0.2, false]);
  expect(root?.children[0]).toMatchObject({ share: 0.8, isCostly: true, ms: undefined });
});

test('of a plan that was run it is the time, and loops count', () => {
  const inner = { ...scan, 'Actual Total Time': 2, 'Actual Loops': 4, 'Actual Rows': 3 };
  const outer = { 'Node Type': 'Nested Loop', 'Actual Total Time': 10, 'Actual Loops': 1 };
  const found = readPlan(plan({ ...outer, Plans: [inner] }, { 'Execution Time': 10.5 }));
  expect(found).toMatchObject({ executionMs: 10.5, planningMs: undefined });
  expect(found?.root).toMatchObject({ ms: 10, share: 0.2 });
  expect(found?.root.children[0]).toMatchObject({ ms: 8, rows: 12, share: 0.8, isCostly: true });
});

test('the nodes come from the root down, each with its depth', () => {
  const tree = readPlan(plan({ 'Node Type': 'Limit', Plans: [{ ...scan, Plans: [scan] }, scan] }));
  if (!tree) throw new Error('no plan');
  const listed = [...nodesOf(tree.root)].map(({ node, depth }) => [node.id, depth]);
  expect(listed).toEqual([
    ['1', 0],
    ['1.1', 1],
    ['1.1.1', 2],
    ['1.2', 1],
  ]);
});

test.each(['', 'null', '[]', '[1]', '{}', '[{"Plan": 1}]', 'Seq Scan on a'])(
  '%s is no plan',
  (text) => {
    expect(readPlan(text)).toBeUndefined();
  },
);
