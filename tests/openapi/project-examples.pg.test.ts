// The routes of a project as the description has them: the example of each is sent, and the answer is one that is
// described. Those of accounts are in account-examples.pg.test.ts.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import {
  tryHooks,
  tryMessages,
  tryOrganizations,
  tryRest,
  tryServer,
  trySettings,
  trySsoProviders,
  tryUsers,
} from './projects/administration.js';
import {
  tryBuckets,
  tryEmptying,
  tryFiles,
  tryImages,
  tryResumable,
  tryTokens,
  tryWebhooks,
} from './projects/files.js';
import { tryOwnAccount, tryStudio } from './projects/own-account.js';
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

test.each([
  { name: 'tables and functions', run: tryRest },
  { name: 'the server', run: tryServer },
  { name: 'the own account', run: tryOwnAccount },
  { name: 'the studio', run: tryStudio },
  { name: 'users', run: tryUsers },
  { name: 'organizations', run: tryOrganizations },
  { name: 'settings', run: trySettings },
  { name: 'messages', run: tryMessages },
  { name: 'hooks', run: tryHooks },
  { name: 'SSO providers', run: trySsoProviders },
  { name: 'buckets', run: tryBuckets },
  { name: 'files', run: tryFiles },
  { name: 'uploads in parts', run: tryResumable },
  { name: 'tokens of buckets', run: tryTokens },
  { name: 'webhooks', run: tryWebhooks },
  { name: 'images', run: tryImages },
  { name: 'the emptying of a bucket', run: tryEmptying },
])('$name', ({ run }) => run(world));

/** Files that the deployment hands out only when it was built. */
const ofClient = new Set(['GET /client.tgz', 'GET /client.js']);

test('every route was tried', () => {
  const isMine = (where: string) => !where.includes(' /api/auth/') && !ofClient.has(where);
  expect(world.contract.untried(isMine)).toEqual([]);
});

test('routes that need a credential are refused without one', async () => {
  expect(await world.contract.refusalProblems()).toEqual([]);
});
