// The routes of accounts as the description has them: the example of each is sent to a project, and the answer is one
// that is described.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { tryOrganizations } from './accounts/organizations.js';
import {
  tryApiKeys,
  tryGuests,
  tryOneTimeCodes,
  tryPasskeys,
  tryPhones,
} from './accounts/other-ways.js';
import { tryProviders, trySso } from './accounts/providers.js';
import { trySecondFactor } from './accounts/second-factor.js';
import { tryAddresses, tryLinks, tryPasswords, trySessions } from './accounts/sessions.js';
import { type AccountWorld, openAccountWorld } from './accounts/world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: AccountWorld;
beforeAll(async () => {
  world = await openAccountWorld();
});
afterAll(() => world.close());

test.each([
  { name: 'sessions and the own account', run: trySessions },
  { name: 'passwords', run: tryPasswords },
  { name: 'addresses', run: tryAddresses },
  { name: 'links', run: tryLinks },
  { name: 'phones', run: tryPhones },
  { name: 'one-time codes', run: tryOneTimeCodes },
  { name: 'guests', run: tryGuests },
  { name: 'API keys', run: tryApiKeys },
  { name: 'passkeys', run: tryPasskeys },
  { name: 'second factors', run: trySecondFactor },
  { name: 'organizations', run: tryOrganizations },
  { name: 'providers', run: tryProviders },
  { name: 'single sign-on', run: trySso },
])('$name', ({ run }) => run(world));

test('every route of accounts was tried', () => {
  expect(world.contract.untried((where) => where.includes(' /api/auth/'))).toEqual([]);
});

test('routes that need a session are refused without one', async () => {
  expect(await world.contract.refusalProblems()).toEqual([]);
});
