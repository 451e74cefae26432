// How often a user's API key was used. A key with a limit is counted exactly, in a statement of its own
// before the request's work: within its transaction, one slow request would hold up all others of the key.
// Keys without a limit are looked up once in a while and cost nothing in between; their uses are not
// counted, only when they were last used.
import { fail } from '#libs/errors';
import { queryRows, type EnginePool } from '../engine-pool.js';

/**
 * `unknown`: no such key, or a key that is disabled or expired. `counted`: this use was taken off the limit.
 * `unlimited`: there was nothing to count.
 */
export type KeyUse = 'unknown' | 'counted' | 'unlimited';

export interface KeyUses {
  /**
   * Counts one use of the key with this hash; at once when the key is known to have no limit.
   * Throws API_KEY_EXHAUSTED when no use is left.
   */
  count(keyHash: string): KeyUse | Promise<KeyUse>;
}

/** How long a key may be used without being counted after it got a limit. */
const rememberedMs = 10_000;
const maxRemembered = 1_000;

/** Counts on the database of `pool`; `now` is in milliseconds. */
export function createKeyUses({
  pool,
  now,
}: {
  readonly pool: EnginePool;
  readonly now: () => number;
}): KeyUses {
  /** Until when a key counts as unlimited, the oldest first. */
  const unlimitedUntil = new Map<string, number>();

  async function ask(keyHash: string): Promise<KeyUse> {
    const use = await countUse(pool, keyHash);
    if (use !== 'unlimited') return use;
    const [oldest] = unlimitedUntil.keys();
    if (oldest !== undefined && unlimitedUntil.size >= maxRemembered) unlimitedUntil.delete(oldest);
    unlimitedUntil.set(keyHash, now() + rememberedMs);
    return use;
  }

  return {
    count(keyHash) {
      const until = unlimitedUntil.get(keyHash);
      if (until !== undefined && until > now()) return 'unlimited';
      unlimitedUntil.delete(keyHash);
      return ask(keyHash);
    },
  };
}

interface Counted {
  readonly is_known: boolean;
  /** Null when nothing was updated. */
  readonly is_limited: boolean | null;
}

const isLive = `key = $1 and enabled is not false and ("expiresAt" is null or "expiresAt" > pg_catalog.now())`;
/** The interval of a refill is in milliseconds. */
const isRefillDue = `("refillAmount" is not null
    and coalesce("lastRefillAt", "createdAt") + "refillInterval" * interval '1 millisecond' < pg_catalog.now())`;
const countStatement = `
with used as (
  update auth.apikey set
    remaining = case when remaining is null then null
      when ${isRefillDue} then "refillAmount" - 1 else remaining - 1 end,
    "lastRefillAt" = case when remaining is not null and ${isRefillDue} then pg_catalog.now()
      else "lastRefillAt" end,
    "requestCount" = coalesce("requestCount", 0) + 1,
    "lastRequest" = pg_catalog.now()
  where ${isLive} and (remaining is null or remaining > 0 or ${isRefillDue})
  returning remaining is not null as is_limited
)
select exists (select from auth.apikey where ${isLive}) as is_known,
  (select is_limited from used) as is_limited`;

async function countUse(pool: EnginePool, keyHash: string): Promise<KeyUse> {
  const [row] = await queryRows<Counted>(pool, countStatement, [keyHash]);
  if (!row?.is_known) return 'unknown';
  if (row.is_limited === null) throw fail('API_KEY_EXHAUSTED');
  return row.is_limited ? 'counted' : 'unlimited';
}
