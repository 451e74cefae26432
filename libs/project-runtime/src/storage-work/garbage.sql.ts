// The list of objects to remove. A process takes a row by moving its time into the future and counting the try; the row
// is deleted only after its object is gone.
import type { EngineQueries } from '#libs/database';
import { now } from '#libs/sql-text';
import type { StorageDriver } from '#libs/storage-driver';

/** Longer than removing one batch of objects may take. */
export const garbageLeaseSeconds = 600;
const maxPauseSeconds = 3600;

export interface Garbage {
  readonly driver: StorageDriver['kind'];
  readonly version: string;
  readonly bucket: string;
  readonly storedKey: string;
  /** The number of tries, including this one. */
  readonly attempts: number;
}

const isDue = (at: string): string => `not_before operator(pg_catalog.<=) ${at}`;

/**
 * Returns SQL conditions for whether objects are to be removed, and whether reservations have expired, at the time `at`,
 * which is SQL.
 */
export const garbageConditions = (at: string): Readonly<Record<'garbage' | 'uploads', string>> => ({
  garbage: `exists (select from storage.garbage where ${isDue(at)})`,
  // The condition of storage.expire_uploads.
  uploads: `exists (
    select from storage.uploads where expires_at operator(pg_catalog.<=) ${at}
      and (leased_until is null or leased_until operator(pg_catalog.<=) ${at}))`,
});

/** Takes objects that are due. Each is taken by one process. */
export function takeGarbage(db: EngineQueries, limit: number): Promise<readonly Garbage[]> {
  return db.queryAsEngine<Garbage>(
    `with due as materialized (
       select driver, version from storage.garbage
       where ${isDue(now)}
       order by not_before limit $1
       for update skip locked
     )
     update storage.garbage taken
     set attempts = taken.attempts operator(pg_catalog.+) 1,
       not_before = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $2)
     from due where taken.driver operator(pg_catalog.=) due.driver
       and taken.version operator(pg_catalog.=) due.version
     returning taken.driver, taken.version, taken.bucket, taken.stored_key as "storedKey", taken.attempts`,
    [limit, garbageLeaseSeconds],
  );
}

/**
 * Deletes the rows of removed objects. An object that may come back, because a presigned URL still works, is removed
 * again an hour later and a day after that. Rows that another process has taken meanwhile stay.
 */
export async function finishGarbage(db: EngineQueries, removed: readonly Garbage[]): Promise<void> {
  if (removed.length === 0) return;
  await db.queryAsEngine(
    `with removed as materialized (
       select * from rows from (
         pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.uuid[]),
         pg_catalog.unnest($3::pg_catalog.int4[])
       ) as r (driver, version, attempts)
     ), lowered as (
       update storage.garbage g
       set removals = g.removals operator(pg_catalog.-) 1, attempts = 0, last_error = null,
         not_before = pg_catalog.now() operator(pg_catalog.+)
           case when g.removals operator(pg_catalog.>) 2
             then interval '1 hour' else interval '24 hours' end
       from removed r
       where g.driver operator(pg_catalog.=) r.driver
         and g.version operator(pg_catalog.=) r.version
         and g.attempts operator(pg_catalog.=) r.attempts and g.removals operator(pg_catalog.>) 1
     )
     delete from storage.garbage g using removed r
     where g.driver operator(pg_catalog.=) r.driver
       and g.version operator(pg_catalog.=) r.version
       and g.attempts operator(pg_catalog.=) r.attempts and g.removals operator(pg_catalog.=) 1`,
    [
      removed.map(({ driver }) => driver),
      removed.map(({ version }) => version),
      removed.map(({ attempts }) => attempts),
    ],
  );
}

/** An object that could not be removed is tried again after a minute, then after two, at most after an hour. */
export async function postponeGarbage(
  db: EngineQueries,
  { driver, version, attempts }: Garbage,
  error: string,
): Promise<void> {
  const pauseSeconds = Math.min(60 * 2 ** (attempts - 1), maxPauseSeconds);
  await db.queryAsEngine(
    `update storage.garbage
     set last_error = $4, not_before = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(
       secs => $5::pg_catalog.float8 operator(pg_catalog.*)
         (0.9 operator(pg_catalog.+) (0.1 operator(pg_catalog.*) pg_catalog.random()))
     )
     where driver operator(pg_catalog.=) $1 and version operator(pg_catalog.=) $2
       and attempts operator(pg_catalog.=) $3`,
    [driver, version, attempts, error, pauseSeconds],
  );
}

/** Ends expired reservations and returns their number. Their objects are on the list afterwards. */
export async function expireUploads(db: EngineQueries, signal: AbortSignal): Promise<number> {
  for (let expired = 0; ;) {
    // In batches, as the function does it.
    const [row] = await db.queryAsEngine<{ count: number }>(
      'select storage.expire_uploads() as count',
    );
    expired += row?.count ?? 0;
    if (!row?.count || signal.aborted) return expired;
  }
}
