// The routes of a project as the description has them: the example of each is sent, and the answer is one that is
// described. Those of accounts are in account-examples.long.test.ts.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { isOfProject, projectRuns } from './projects/runs.js';
import { openProjectWorld, type ProjectWorld } from './projects/world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world.close());

test('the example of each body is there and fits its schema', () => {
  expect(world.contract.exampleProblems()).toEqual([]);
});

test.each(projectRuns)('$name', ({ run }) => run(world));

test('every route was tried', () => {
  expect(world.contract.untried(isOfProject)).toEqual([]);
});

test('routes that need a credential are refused without one', async () => {
  expect(await world.contract.refusalProblems()).toEqual([]);
});
