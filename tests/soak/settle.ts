// Compares the databases with the model when nobody sends anything any more.
import { sessionTokenHash } from '#libs/auth-engine';

import { asSuperuser } from '../support/deployment.js';
import { setStatus } from './admin-steps.js';
import { Chance } from './chance.js';
import { Violation } from './invariants.js';
import type { Account } from './model.js';
import { readRowsOf } from './user-steps.js';
import type { Soak, Turn, World } from './world.js';

/** What of the model and of the database differs, project by project. */
export async function settle(soak: Soak): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const world of soak.worlds) {
    try {
      await settleWorld({ soak, world, chance: new Chance(0), step: 'count' });
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      violations.push(error);
    }
  }
  return violations;
}

async function settleWorld(turn: Turn): Promise<void> {
  const { world } = turn;
  for (const account of world.accounts) {
    // A sign-in at the moment of the deactivation may have left a session, which the activation ends.
    if (account.status.latest === 'inactive') await setStatus(turn, account);
    for (const session of account.sessions) {
      // Who may have been ended is asked. Everybody else must live.
      const isAlive = await readRowsOf(turn, session);
      if (!isAlive) account.sessions.delete(session);
    }
  }
  const accounts = [...world.accounts];
  const ids = accounts.map(({ id }) => id);
  const hashes = accounts.flatMap(({ sessions }) =>
    [...sessions].map(({ token }) => sessionTokenHash(token)),
  );
  await compare(world, 'users', { query: 'select id as key from auth."user"', expected: ids });
  await compare(world, 'sessions', {
    query: 'select "tokenHash"::text as key from auth.session',
    expected: hashes,
  });
  await compare(world, 'accounts', {
    query: 'select "userId" as key from auth.account',
    expected: ids,
  });
  await compare(world, 'rows', { query: 'select owner as key from public.notes', expected: ids });
}

async function compare(
  { project, accounts }: World,
  what: string,
  { query, expected }: { readonly query: string; readonly expected: readonly string[] },
): Promise<void> {
  const rows = await asSuperuser(query, { database: project.database });
  const found = rows.map(({ key }) => String(key));
  const missing = expected.find((key) => !found.includes(key));
  const surplus = found.find((key) => !expected.includes(key));
  if (missing === undefined && surplus === undefined && found.length === expected.length) return;
  const owner = [...accounts].find((each) => owns(each, missing ?? surplus));
  const said = `${found.length} ${what} in the database, ${expected.length} in the model`;
  const one = missing === undefined ? 'one too many' : 'one is missing';
  throw new Violation('counts', `${said}; ${one}`, owner?.trace);
}

function owns({ id, sessions, dead }: Account, key: string | undefined): boolean {
  return id === key || [...sessions, ...dead].some(({ token }) => sessionTokenHash(token) === key);
}
