// The emptying of a bucket as a row: its progress survives the process.
import type { EngineQueries, Transaction } from '#libs/database';
import { now } from '#libs/sql-text';

const leaseSeconds = 60;
/** Files per round. A round locks the bucket, so uploads wait for at most one round. */
const filesPerRound = 2000;
const retrySeconds = 30;

/** The progress of emptying a bucket. */
export interface EmptyingState {
  readonly bucket: string;
  readonly state: 'running' | 'done';
  /** Files in the bucket when it began. */
  readonly totalFiles: number;
  readonly deletedFiles: number;
  /** Why it waits. */
  readonly lastError: string | null;
  /** In PostgreSQL's format. */
  readonly startedAt: string;
  readonly endedAt: string | null;
}

const stateJson = `pg_catalog.json_build_object(
  'bucket', e.bucket, 'state', e.state, 'totalFiles', e.total_files, 'deletedFiles', e.deleted_files,
  'lastError', e.last_error, 'startedAt', e.started_at, 'endedAt', e.ended_at)`;

/** Returns the last emptying of the bucket; undefined if there was none. */
export async function findEmptying(
  tx: Transaction,
  bucket: string,
): Promise<EmptyingState | undefined> {
  const { rows } = await tx.query<{ readonly state: EmptyingState }>(
    `select ${stateJson} as state from storage.emptyings e where e.bucket operator(pg_catalog.=) $1`,
    [bucket],
  );
  return rows[0]?.state;
}

/** Begins to delete the current files of the bucket; a running emptying also takes in files that came meanwhile. */
export async function startEmptying(tx: Transaction, bucket: string): Promise<void> {
  await lockEmptying(tx, bucket);
  await tx.query(
    `update storage.emptyings e
     set state = 'running', until = pg_catalog.clock_timestamp(), last_error = null, ended_at = null,
       started_at = case when ${isRunning} then e.started_at else pg_catalog.now() end,
       deleted_files = case when ${isRunning} then e.deleted_files else 0 end,
       total_files = b.object_count
         operator(pg_catalog.+) case when ${isRunning} then e.deleted_files else 0 end
     from storage.buckets b
     where e.bucket operator(pg_catalog.=) $1 and b.slug operator(pg_catalog.=) e.bucket`,
    [bucket],
  );
}

const isRunning = `e.state operator(pg_catalog.=) 'running'`;

/**
 * Waits for a round that is under way, in statements of their own: a statement that waited would add the files that the
 * round has deleted to the count from before it.
 */
async function lockEmptying(tx: Transaction, bucket: string): Promise<void> {
  await tx.query(
    `insert into storage.emptyings (bucket, state, until, total_files)
     values ($1, 'done', pg_catalog.clock_timestamp(), 0)
     on conflict (bucket) do nothing`,
    [bucket],
  );
  await tx.query(
    'select from storage.emptyings e where e.bucket operator(pg_catalog.=) $1 for update',
    [bucket],
  );
}

const isFree = (at: string): string => `d.state operator(pg_catalog.=) 'running'
         and (d.leased_until is null or d.leased_until operator(pg_catalog.<=) ${at})`;

/** Returns SQL for whether an emptying waits for a process at the time `at`, which is SQL. */
export const isEmptyingDue = (at: string): string =>
  `exists (select from storage.emptyings d where ${isFree(at)})`;

/** Takes an emptying that no process works on; undefined if there is none. */
export async function takeEmptying(db: EngineQueries, runner: string): Promise<string | undefined> {
  const [taken] = await db.queryAsEngine<{ readonly bucket: string }>(
    `update storage.emptyings e
     set leased_by = $1,
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $2)
     where e.bucket operator(pg_catalog.=) (
       select d.bucket from storage.emptyings d
       where ${isFree(now)}
       order by d.started_at limit 1
       for update skip locked
     )
     returning e.bucket`,
    [runner, leaseSeconds],
  );
  return taken?.bucket;
}

/**
 * Deletes some of the files, counts them, and keeps the emptying for another minute, all in one transaction. `lost`
 * means that another process works on it, or that the bucket is gone.
 */
export async function emptyRound(
  db: EngineQueries,
  { bucket, runner }: { readonly bucket: string; readonly runner: string },
): Promise<'running' | 'done' | 'lost'> {
  const [row] = await db.queryAsEngine<{ readonly state: 'running' | 'done' }>(
    `with mine as materialized (
       select e.bucket, e.until from storage.emptyings e
       where e.bucket operator(pg_catalog.=) $1 and e.leased_by operator(pg_catalog.=) $2
         and e.state operator(pg_catalog.=) 'running'
       for update
     ), round as materialized (
       select storage.delete_some_files(mine.bucket, mine.until, $3) as deleted from mine
     )
     update storage.emptyings e
     set deleted_files = e.deleted_files operator(pg_catalog.+) round.deleted::pg_catalog.int8,
       last_error = null,
       state = case when round.deleted operator(pg_catalog.<) $3 then 'done' else 'running' end,
       ended_at = case when round.deleted operator(pg_catalog.<) $3 then pg_catalog.now() end,
       leased_by = case when round.deleted operator(pg_catalog.<) $3 then null else e.leased_by end,
       leased_until = case when round.deleted operator(pg_catalog.<) $3 then null
         else pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $4) end
     from round
     where e.bucket operator(pg_catalog.=) $1
     returning e.state`,
    [bucket, runner, filesPerRound, leaseSeconds],
  );
  return row?.state ?? 'lost';
}

/** Leaves the emptying to the next process: at once, or after a pause if it has failed. */
export async function releaseEmptying(
  db: EngineQueries,
  { bucket, runner }: { readonly bucket: string; readonly runner: string },
  error: string | undefined,
): Promise<void> {
  await db.queryAsEngine(
    `update storage.emptyings
     set leased_by = null, last_error = $3,
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $4)
     where bucket operator(pg_catalog.=) $1 and leased_by operator(pg_catalog.=) $2
       and state operator(pg_catalog.=) 'running'`,
    [bucket, runner, error ?? null, error === undefined ? 0 : retrySeconds],
  );
}
