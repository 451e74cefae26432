// How long sessions last. The lookup of a request knows nothing but `expiresAt`, so every rule ends there: it
// is the earliest of the end of the lifetime or of inactivity since the last use, the end of the timebox, and
// a fixed end. Using a session moves it, at most once in a while: writing on every request would cost more
// than the request.
import type { SettingsOf } from '#libs/settings';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { sessionTokenHash } from '../../session-token-hashes.js';

export type SessionSettings = SettingsOf<'auth.sessions'>;

/** The rules in seconds. */
export interface SessionLifetime {
  /** A session ends when it was not renewed for this long. */
  readonly idle: number;
  /** A session is renewed when its last renewal is older than this. */
  readonly renewAfter: number;
  /** A session ends this long after the sign-in; undefined: never. */
  readonly timebox: number | undefined;
}

/** What the settings `auth.sessions` mean for a session. */
export function sessionLifetime(settings: SessionSettings): SessionLifetime {
  const { expiresIn, updateAge, timebox, inactivityTimeout } = settings;
  const isTimed = inactivityTimeout > 0;
  return {
    idle: isTimed ? Math.min(expiresIn, inactivityTimeout) : expiresIn,
    renewAfter: isTimed ? Math.min(updateAge, inactivityTimeout / 10) : updateAge,
    timebox: timebox > 0 ? timebox : undefined,
  };
}

/** Returns when a new session ends. `endsAt` is its own fixed end. */
export function firstEnd(
  { idle, timebox = Infinity }: SessionLifetime,
  session: { readonly createdAt: Date; readonly endsAt?: Date | undefined },
): Date {
  const begin = session.createdAt.getTime();
  const fixed = session.endsAt?.getTime() ?? Infinity;
  return new Date(Math.min(begin + idle * 1000, begin + timebox * 1000, fixed));
}

/** Whether it is worth asking {@link touchSession} about a session that ends then. */
export function mayBeDue({ idle, renewAfter }: SessionLifetime, expiresAt: Date): boolean {
  const leftSeconds = (expiresAt.getTime() - Date.now()) / 1000;
  return leftSeconds <= idle - renewAfter || leftSeconds > idle;
}

export interface TouchedSession {
  readonly expiresAt: Date;
  readonly isRenewed: boolean;
  /** In how many seconds the next use changes something. */
  readonly dueInSeconds: number;
}

// `least` passes over null: no timebox, no fixed end.
const hardEnd = `least(s."createdAt" + pg_catalog.make_interval(secs => $4), s."endsAt")`;
const newEnd = `least(pg_catalog.now() + pg_catalog.make_interval(secs => $2), ${hardEnd})`;
const touchStatement = `
with found as (
  select s.id, s."expiresAt" as old_end, ${newEnd} as new_end, ${hardEnd} as hard_end
  from auth.session s join auth."user" u on u.id = s."userId" and u.status = 'active'
  where s."tokenHash" = $1 and s."expiresAt" > pg_catalog.now()
), touched as (
  update auth.session s set "expiresAt" = found.new_end, "updatedAt" = pg_catalog.now()
  from found
  where s.id = found.id and (found.new_end < found.old_end or (found.new_end > found.old_end
    and pg_catalog.now() + pg_catalog.make_interval(secs => $2) >= found.old_end + pg_catalog.make_interval(secs => $3)))
  returning s."expiresAt"
), result as (
  select coalesce(touched."expiresAt", found.old_end) as ends,
    touched."expiresAt" is not null as is_renewed, found.hard_end
  from found left join touched on true
)
select ends as "expiresAt", is_renewed as "isRenewed",
  extract(epoch from ends - pg_catalog.now())::pg_catalog.float8
    - case when ends >= hard_end then 0 else $2::pg_catalog.float8 - $3::pg_catalog.float8 end as "dueInSeconds"
from result where ends > pg_catalog.now()`;

/**
 * Notes that a session is used: moves its end when that is due, and brings it forward when the rules have
 * become stricter. Undefined for a session that has ended or whose user is not active.
 */
export async function touchSession(
  pool: EnginePool,
  { idle, renewAfter, timebox }: SessionLifetime,
  token: string,
): Promise<TouchedSession | undefined> {
  const values = [sessionTokenHash(token), idle, renewAfter, timebox ?? null];
  const [touched] = await queryRows<TouchedSession>(pool, touchStatement, values);
  return touched;
}

/**
 * Brings the sessions that there are under stricter rules; answers how many end earlier now. Rules that have
 * become milder take effect when a session is used. Call it when `auth.sessions` was saved.
 */
export async function applySessionPolicy(
  pool: EnginePool,
  settings: SessionSettings,
): Promise<number> {
  const { idle, timebox } = sessionLifetime(settings);
  // The last use of a session under the earlier rules is not known: each gets its full time.
  const end = `least(pg_catalog.now() + pg_catalog.make_interval(secs => $1), "createdAt" + pg_catalog.make_interval(secs => $2))`;
  const rows = await queryRows(
    pool,
    `update auth.session set "expiresAt" = ${end} where "expiresAt" > ${end} returning 1`,
    [idle, timebox ?? null],
  );
  return rows.length;
}
