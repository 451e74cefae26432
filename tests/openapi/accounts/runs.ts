// Every route of accounts, tried in this order.
import { tryOrganizations } from './organizations.js';
import { tryApiKeys, tryGuests, tryOneTimeCodes, tryPasskeys, tryPhones } from './other-ways.js';
import { tryProviders, trySso } from './providers.js';
import { trySecondFactor } from './second-factor.js';
import { tryAddresses, tryLinks, tryPasswords, trySessions } from './sessions.js';
import type { AccountWorld } from './world.js';

interface AccountRun {
  readonly name: string;
  readonly run: (world: AccountWorld) => Promise<void>;
}

export const accountRuns: readonly AccountRun[] = [
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
];

/** Whether the runs try an operation, as `GET /path`. */
export const isOfAccounts = (where: string): boolean => where.includes(' /api/auth/');
