// The answers of a route take the same time whether the account exists or not; auth-enumeration.long.test.ts
// compares the answers themselves.
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  half,
  hashing,
  KnownAccounts,
  maxRatio,
  padded,
  patienceMs,
  sending,
} from './known-accounts.js';

let accounts: KnownAccounts;
beforeAll(async () => {
  accounts = await KnownAccounts.open();
});
afterAll(() => accounts.close());

test.each([...sending, ...padded])(
  '$name',
  async (row) => expect(await accounts.waitingOf(row)).toBeLessThan(half),
  patienceMs,
);

test.each(hashing)(
  '$name',
  async (row) => expect(await accounts.computingOf(row)).toBeLessThan(maxRatio),
  patienceMs,
);
