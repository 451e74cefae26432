// Bans with an end. A ban that is over ends when the user signs in or shows a session, and by the sweep; until then the
// account stays inactive.
import { now } from '#libs/sql-text';

import { queryRows, type EnginePool } from './engine-pool.js';

const maxBansPerSweep = 1000;

/** The SQL condition of a row of `auth."user"` whose ban is over at the time `at`, which is SQL. */
export const isBanOver = (at: string): string => `"bannedUntil" <= ${at} and status <> 'active'`;
const isOverNow = isBanOver(now);

/** The sessions of before the ban end with it, as they do when an administrator activates an account. */
const endStatement = (which: string): string => `
  with ended as (
    update auth."user" set status = 'active', "banReason" = null, "bannedUntil" = null,
      "updatedAt" = pg_catalog.now()
    where ${isOverNow} and id in (${which}) returning id
  ), sessions as (
    delete from auth.session using ended where session."userId" = ended.id
  )
  select id from ended`;

const endOne = endStatement('select id from auth."user" where id = $1 for update');
const endMany = endStatement(
  `select id from auth."user" where ${isOverNow} limit ${maxBansPerSweep} for update skip locked`,
);

/** Ends the ban of a user if it is over, and returns whether it did. */
export async function endBan(pool: EnginePool, userId: string): Promise<boolean> {
  return (await queryRows(pool, endOne, [userId])).length > 0;
}

/** Ends bans that are over, at most 1,000, and returns how many. */
export async function endBans(pool: EnginePool): Promise<number> {
  return (await queryRows(pool, endMany, [])).length;
}
