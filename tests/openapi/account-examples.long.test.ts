// The routes of accounts as the description has them: the example of each is sent to a project, and the answer is one
// that is described.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { accountRuns, isOfAccounts } from './accounts/runs.js';
import { type AccountWorld, openAccountWorld } from './accounts/world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: AccountWorld;
beforeAll(async () => {
  world = await openAccountWorld();
});
afterAll(() => world.close());

test.each(accountRuns)('$name', ({ run }) => run(world));

test('every route of accounts was tried', () => {
  expect(world.contract.untried(isOfAccounts)).toEqual([]);
});

test('routes that need a session are refused without one', async () => {
  expect(await world.contract.refusalProblems()).toEqual([]);
});
