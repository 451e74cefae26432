import { isRefusal } from '#libs/errors';
import { now, type SweepValues } from '#libs/sql-text';

import { queryRows, type EnginePool } from './engine-pool.js';
import { endBans, isBanOver } from './ended-bans.js';
import { noteGuest } from './parts/anonymous/upgrade.sql.js';
import { deleteUser, type RunDeletion, type UserDeletion } from './user-deletion.js';

const batchRows = 1000;
const maxBatches = 100;
/** Guests are deleted one by one, since each takes along what tables of the project keep of it. */
const maxGuests = 5000;

export interface SweepOptions {
  /** After how many days without a session guests are deleted; 0 or absent keeps them. */
  readonly keepGuestsDays?: number;
  /** Deletes a guest whose deletion is requested. */
  readonly runDeletion: RunDeletion;
}

/** Rows that are gone, by kind; guests only where they are swept. */
export interface SweptRows {
  readonly sessions: number;
  readonly verifications: number;
  readonly rateLimits: number;
  /** Users who may sign in again. */
  readonly bans: number;
  readonly guests?: number;
}

interface Swept {
  readonly table: string;
  readonly key: string;
  /** The condition of the rows that are deleted. */
  readonly isOver: (sweep: AuthSweep) => string;
  readonly needsGuestDays?: true;
}

/** The values on which the conditions of a sweep depend, as SQL. */
interface AuthSweep extends Pick<SweepValues, 'at'> {
  /** After how many days without a session guests are deleted; 0 keeps them. */
  readonly guestDays: string;
}

const swept = {
  userDeletions: {
    table: 'user_deletion',
    key: 'user_id',
    isOver: ({ at }) => `requested_at < ${at} - pg_catalog.make_interval(hours => 1)`,
  },
  sessions: {
    table: 'session',
    key: 'id',
    // The last session of a guest shows when it was used; it goes together with the guest.
    isOver: ({ at, guestDays }) => `"expiresAt" < ${at}
      and ("expiresAt" < ${at} - pg_catalog.make_interval(days => ${guestDays})
        or not exists (select from auth."user" u where u.id = "userId" and u."isAnonymous"))`,
    needsGuestDays: true,
  },
  verifications: {
    table: 'verification',
    key: 'id',
    isOver: ({ at }) => `"expiresAt" < ${at}`,
  },
  rateLimits: { table: 'rate_limit', key: 'key', isOver: ({ at }) => `ends_at < ${at}` },
} satisfies Readonly<Record<string, Swept>>;

/**
 * Returns SQL conditions that say whether {@link sweepExpired} has something to do, by kind.
 */
export function expiredConditions(
  values: AuthSweep,
): Readonly<Record<keyof typeof swept | 'guests' | 'bans', string>> {
  const isDue = ({ table, isOver }: Swept) =>
    `exists (select from auth.${table} where ${isOver(values)})`;
  const { at, guestDays } = values;
  return {
    guests: `(${guestDays} > 0
      and exists (select from auth."user" u where ${isUnusedGuest(values)}))`,
    userDeletions: isDue(swept.userDeletions),
    sessions: isDue(swept.sessions),
    verifications: isDue(swept.verifications),
    rateLimits: isDue(swept.rateLimits),
    bans: `exists (select from auth."user" where ${isBanOver(at)})`,
  };
}

/**
 * Deletes sessions and verifications that have expired, which the engine itself deletes only when they are
 * presented, ended windows of the rate limiter, and unused guests. Works in batches so that no lock
 * is held for long, and on any number of processes at once. Answers how many rows are gone; at most 100,000
 * of each kind and 5,000 guests in one call.
 */
export async function sweepExpired(
  pool: EnginePool,
  { keepGuestsDays = 0, runDeletion }: SweepOptions,
): Promise<SweptRows> {
  const guests =
    keepGuestsDays > 0 ? await sweepGuests(pool, runDeletion, keepGuestsDays) : undefined;
  const sweep = (kind: Swept) => sweepTable(pool, kind, keepGuestsDays);
  await sweep(swept.userDeletions);
  return {
    sessions: await sweep(swept.sessions),
    verifications: await sweep(swept.verifications),
    rateLimits: await sweep(swept.rateLimits),
    bans: await endBans(pool),
    ...(guests !== undefined && { guests }),
  };
}

async function sweepTable(
  pool: EnginePool,
  { table, key, isOver, needsGuestDays }: Swept,
  keepGuestsDays: number,
): Promise<number> {
  const values = needsGuestDays ? [keepGuestsDays] : [];
  const statement = `
    delete from auth.${table} where ${key} in (
      select ${key} from auth.${table} where ${isOver({ at: now, guestDays: '$1' })} limit ${batchRows}
      for update skip locked
    ) returning 1`;
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await queryRows(pool, statement, values);
    deleted += rows.length;
    if (rows.length < batchRows) break;
  }
  return deleted;
}

function isUnusedGuest({ at, guestDays }: AuthSweep): string {
  const since = `${at} - pg_catalog.make_interval(days => ${guestDays})`;
  return `u."isAnonymous" and u."updatedAt" < ${since}
    and not exists (select from auth.session s where s."userId" = u.id and s."expiresAt" > ${since})`;
}

async function sweepGuests(
  pool: EnginePool,
  runDeletion: RunDeletion,
  keepDays: number,
): Promise<number> {
  const guests = await queryRows<{ id: string }>(
    pool,
    `select u.id from auth."user" u where ${isUnusedGuest({ at: now, guestDays: '$1' })} limit ${maxGuests}`,
    [keepDays],
  );
  let deleted = 0;
  for (const { id } of guests) {
    // One after the other: deleting users is never urgent, and the project is in use meanwhile.
    if (await deleteGuest(pool, runDeletion, { userId: id, unusedDays: keepDays })) deleted += 1;
  }
  return deleted;
}

/** False for a guest that has come back meanwhile, or that a table of the project does not let go. */
async function deleteGuest(
  pool: EnginePool,
  runDeletion: RunDeletion,
  deletion: UserDeletion,
): Promise<boolean> {
  try {
    return await deleteUser(pool, runDeletion, deletion);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Its time starts again, so that guests which stay do not keep the sweep from the others.
    await noteGuest(pool, deletion.userId);
    return false;
  }
}
