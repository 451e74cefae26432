import { hashKey } from './hash-key.js';
import type { RateLimiter } from '#libs/wire';

import { distinctUses, verdictOf } from './rate-limiter.js';

/** Connections to the project's database, as `pg` provides them. The caller owns and closes them. */
export interface LimiterPool {
  connect(): Promise<LimiterConnection>;
}

export interface LimiterConnection {
  query<R>(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly R[] }>;
  release(): void;
}

interface CountRow {
  readonly key: string;
  readonly uses: number;
  readonly ms_left: number;
}

// Every statement locks its rows in the order of their keys, so that two of them never wait for each other.
// now() is the same in the whole statement: a window is either renewed in both columns or in none.
const CONSUME = `
  insert into auth.rate_limit as kept (key, uses, ends_at)
  select key, 1, pg_catalog.now() + pg_catalog.make_interval(secs => seconds)
  from rows from (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.float8[])) as asked (key, seconds)
  order by key
  on conflict (key) do update set
    uses = case when kept.ends_at <= pg_catalog.now() then 1 else least(kept.uses, 2147483646) + 1 end,
    ends_at = case when kept.ends_at <= pg_catalog.now() then excluded.ends_at else kept.ends_at end
  returning key, uses, extract(epoch from ends_at - pg_catalog.now())::pg_catalog.float8 * 1000 as ms_left`;

const RESET = `
  with locked as materialized (
    select key from auth.rate_limit where key = any($1::pg_catalog.text[]) order by key for update
  )
  delete from auth.rate_limit where key in (select key from locked)`;

const GIVE_BACK = `
  with locked as materialized (
    select key from auth.rate_limit where key = any($1::pg_catalog.text[]) order by key for update
  )
  update auth.rate_limit set uses = greatest(uses - 1, 0) where key in (select key from locked)`;

/**
 * A limiter in the project's own database (table `auth.rate_limit`), shared by all processes that serve the project and
 * exact across them. Each call is one statement. Ended windows stay until they are swept.
 */
export function createPostgresLimiter(pool: LimiterPool): RateLimiter {
  return {
    async consume(given) {
      const uses = distinctUses(given);
      if (uses.length === 0) return verdictOf([]);
      const hashes = uses.map(({ key }) => hashKey(key));
      const seconds = uses.map(({ rule }) => rule.windowSeconds);
      const rows = await queryRows<CountRow>(pool, CONSUME, [hashes, seconds]);
      const rowByHash = new Map(rows.map((row) => [row.key, row]));
      const counts = uses.map((use, index) => {
        const row = rowByHash.get(hashes[index] ?? '');
        if (!row) throw new Error('the database counted a key but did not return its count');
        return { use, uses: row.uses, msLeft: row.ms_left };
      });
      return verdictOf(counts);
    },
    async reset(keys) {
      if (keys.length > 0) await queryRows(pool, RESET, [keys.map(hashKey)]);
    },
    async giveBack(keys) {
      if (keys.length > 0) await queryRows(pool, GIVE_BACK, [keys.map(hashKey)]);
    },
  };
}

async function queryRows<R>(
  pool: LimiterPool,
  text: string,
  values: readonly unknown[],
): Promise<readonly R[]> {
  const connection = await pool.connect();
  try {
    const { rows } = await connection.query<R>(text, values);
    return rows;
  } finally {
    connection.release();
  }
}
