// The move of all objects of a project to another driver, as a row: its progress survives the process.
import type { EngineQueries, Transaction } from '#libs/database';
import { now } from '#libs/sql-text';
import type { DriverKind } from '#libs/wire';

const leaseSeconds = 60;

/** The state of the move, for administrators. */
export interface RelocationState {
  readonly state: 'running' | 'stopped' | 'done' | 'failed';
  readonly from: DriverKind;
  readonly to: DriverKind;
  readonly movedFiles: number;
  readonly totalFiles: number;
  readonly movedBytes: number;
  readonly totalBytes: number;
  readonly failedFiles: number;
  /** How many files stayed, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Why the move waits, e.g. a store that cannot be reached. */
  readonly lastError: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string | null;
}

const stateJson = `pg_catalog.json_build_object(
  'state', r.state, 'from', r.from_driver, 'to', r.to_driver,
  'movedFiles', r.moved_files, 'totalFiles', r.total_files,
  'movedBytes', r.moved_bytes, 'totalBytes', r.total_bytes,
  'failedFiles', r.failed_files, 'failures', r.failures, 'lastError', r.last_error,
  'startedAt', r.started_at, 'endedAt', r.ended_at)`;

/** The last move; undefined if there was none. */
export async function findRelocation(tx: Transaction): Promise<RelocationState | undefined> {
  const { rows } = await tx.query<{ state: RelocationState }>(
    `select ${stateJson} as state from storage.relocations r`,
  );
  return rows[0]?.state;
}

/**
 * Starts the move, or continues a stopped or incomplete move to the same driver: then all files that stayed are tried
 * again. Does nothing while a move is running.
 */
export async function startRelocation(
  tx: Transaction,
  { from, to }: { readonly from: DriverKind; readonly to: DriverKind },
): Promise<void> {
  await tx.query(
    `insert into storage.relocations as r (state, from_driver, to_driver, total_files, total_bytes)
     select 'running', $1, $2, pg_catalog.count(*), coalesce(pg_catalog.sum(size), 0)
     from storage.stored_files where driver operator(pg_catalog.=) $1
     on conflict (only_row) do update set
       state = 'running', from_driver = $1, to_driver = $2, cursor = null, failed_files = 0, failures = '{}',
       last_error = null, leased_by = null, leased_until = null, ended_at = null,
       moved_files = case when ${isResumed} then r.moved_files else 0 end,
       moved_bytes = case when ${isResumed} then r.moved_bytes else 0 end,
       total_files = excluded.total_files
         operator(pg_catalog.+) case when ${isResumed} then r.moved_files else 0 end,
       total_bytes = excluded.total_bytes
         operator(pg_catalog.+) case when ${isResumed} then r.moved_bytes else 0 end,
       started_at = case when ${isResumed} then r.started_at else pg_catalog.now() end
     where r.state operator(pg_catalog.<>) 'running'`,
    [from, to],
  );
}

const isResumed = `r.state operator(pg_catalog.=) any (array['stopped', 'failed'])
  and r.to_driver operator(pg_catalog.=) $2`;

/** Stops the move; false if none is running. Copies in progress are abandoned. */
export async function stopRelocation(tx: Transaction): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update storage.relocations
     set state = 'stopped', leased_by = null, leased_until = null, ended_at = pg_catalog.now()
     where state operator(pg_catalog.=) 'running'`,
  );
  return rowCount > 0;
}

/** A running move that this process works on. */
export interface RelocationRun {
  /** Identifies the lease. */
  readonly runner: string;
  readonly from: DriverKind;
  readonly to: DriverKind;
  /** Id of the last file that was processed in this pass; null before the first. */
  readonly cursor: string | null;
  readonly failures: Readonly<Record<string, number>>;
}

const isFree = (at: string): string => `state operator(pg_catalog.=) 'running'
       and (leased_until is null or leased_until operator(pg_catalog.<=) ${at})`;

/** Returns SQL for whether a move waits for a process at the time `at`, which is SQL. */
export const isRelocationDue = (at: string): string =>
  `exists (select from storage.relocations where ${isFree(at)})`;

/** Takes the move unless another process works on it, or none is running. */
export async function takeRelocation(
  db: EngineQueries,
  runner: string,
): Promise<RelocationRun | undefined> {
  const [run] = await db.queryAsEngine<RelocationRun>(
    `update storage.relocations
     set leased_by = $1,
       leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $2)
     where ${isFree(now)}
     returning leased_by as runner, from_driver as "from", to_driver as "to", cursor, failures`,
    [runner, leaseSeconds],
  );
  return run;
}

/** Keeps the move for another minute; false if it was stopped or taken by another process. */
export function renewRelocation(db: EngineQueries, runner: string): Promise<boolean> {
  return changeRun(
    db,
    'leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $2)',
    [runner, leaseSeconds],
  );
}

/** Releases the move: after the pause any process may continue it. */
export function releaseRelocation(
  db: EngineQueries,
  runner: string,
  pause: { readonly seconds: number; readonly lastError: string | undefined },
): Promise<boolean> {
  return changeRun(
    db,
    `leased_by = null, last_error = $3,
     leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $2)`,
    [runner, pause.seconds, pause.lastError ?? null],
  );
}

/** Records the progress of the move. A cursor of null begins another pass. */
export function saveProgress(
  db: EngineQueries,
  runner: string,
  progress: Pick<RelocationRun, 'cursor' | 'failures'>,
): Promise<boolean> {
  return changeRun(
    db,
    `cursor = $2, failures = $3::pg_catalog.jsonb, failed_files = $4, last_error = null,
     leased_until = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $5)`,
    [
      runner,
      progress.cursor,
      JSON.stringify(progress.failures),
      countFailures(progress.failures),
      leaseSeconds,
    ],
  );
}

/** Ends the move: done, unless files have stayed. */
export function finishRelocation(db: EngineQueries, runner: string): Promise<boolean> {
  return changeRun(
    db,
    `state = case when failed_files operator(pg_catalog.=) 0 then 'done' else 'failed' end,
     ended_at = pg_catalog.now(), total_files = moved_files operator(pg_catalog.+) failed_files,
     leased_by = null, leased_until = null`,
    [runner],
  );
}

/** Stops the move for a reason that only an administrator can fix. */
export function giveUpRelocation(
  db: EngineQueries,
  runner: string,
  reason: string,
): Promise<boolean> {
  return changeRun(
    db,
    `state = 'stopped', ended_at = pg_catalog.now(), last_error = $2, leased_by = null,
     leased_until = null`,
    [runner, reason],
  );
}

/** How many files have stayed. */
export function countFailures(failures: Readonly<Record<string, number>>): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

async function changeRun(
  db: EngineQueries,
  changes: string,
  values: readonly unknown[],
): Promise<boolean> {
  const changed = await db.queryAsEngine(
    `update storage.relocations set ${changes}
     where leased_by operator(pg_catalog.=) $1 and state operator(pg_catalog.=) 'running'
     returning 1`,
    values,
  );
  return changed.length > 0;
}

/** A file whose object is to be moved. */
export interface MovableFile {
  readonly id: string;
  readonly bucket: string;
  readonly storedKey: string;
  readonly version: string;
  readonly size: number;
  readonly mediaType: string;
  /** Lower case hexadecimal, if it is known. */
  readonly sha256: string | null;
}

/** The next files in the driver. A file waits while its version is still to be removed from the other driver. */
export function listMovable(
  db: EngineQueries,
  { from, to, cursor }: Pick<RelocationRun, 'from' | 'to' | 'cursor'>,
  limit: number,
): Promise<readonly MovableFile[]> {
  return db.queryAsEngine<MovableFile>(
    `select f.id, f.bucket, f.stored_key as "storedKey", f.version, f.size::pg_catalog.float8 as size,
       f.media_type as "mediaType", pg_catalog.encode(f.sha256, 'hex') as sha256
     from storage.stored_files f
     where f.driver operator(pg_catalog.=) $1
       and ($3::pg_catalog.uuid is null or f.id operator(pg_catalog.>) $3)
       and not exists (
         select from storage.garbage g where g.driver operator(pg_catalog.=) $2
           and g.version operator(pg_catalog.=) f.version
       )
     order by f.id limit $4`,
    [from, to, cursor, limit],
  );
}

/**
 * Records that the object is now in the other driver, and counts it. `skipped` means that the file has another version
 * or is gone; `lost` that this process no longer works on the move.
 */
export async function moveFile(
  db: EngineQueries,
  { runner, to }: RelocationRun,
  { id, version, size }: MovableFile,
): Promise<'moved' | 'skipped' | 'lost'> {
  const [row] = await db.queryAsEngine<{ outcome: 'moved' | 'skipped' | 'lost' }>(
    `with mine as materialized (
       select from storage.relocations where leased_by operator(pg_catalog.=) $4
         and state operator(pg_catalog.=) 'running' for update
     ), moved as materialized (
       select storage.relocate_file($1, $2, $3) as is_moved from mine
     ), counted as (
       update storage.relocations r
       set moved_files = r.moved_files operator(pg_catalog.+) 1,
         moved_bytes = r.moved_bytes operator(pg_catalog.+) $5
       from moved where moved.is_moved and r.leased_by operator(pg_catalog.=) $4
     )
     select coalesce((select case when is_moved then 'moved' else 'skipped' end from moved), 'lost') as outcome`,
    [id, version, to, runner, size],
  );
  return row?.outcome ?? 'lost';
}

/** How many files are in the driver. */
export async function countFiles(db: EngineQueries, driver: DriverKind): Promise<number> {
  const [row] = await db.queryAsEngine<{ count: number }>(
    `select pg_catalog.count(*)::pg_catalog.float8 as count from storage.stored_files
      where driver operator(pg_catalog.=) $1`,
    [driver],
  );
  return row?.count ?? 0;
}

/** Whether the file still has this version in this driver. */
export async function isStillThere(
  db: EngineQueries,
  driver: DriverKind,
  { id, version }: Pick<MovableFile, 'id' | 'version'>,
): Promise<boolean> {
  const rows = await db.queryAsEngine(
    `select from storage.stored_files where id operator(pg_catalog.=) $1
      and version operator(pg_catalog.=) $2 and driver operator(pg_catalog.=) $3`,
    [id, version, driver],
  );
  return rows.length > 0;
}

/** Puts a copy that belongs to no file on the list of objects to remove. */
export async function discardCopy(
  db: EngineQueries,
  driver: DriverKind,
  { version, bucket, storedKey }: MovableFile,
): Promise<void> {
  await db.queryAsEngine(
    `select storage.claim_orphans(
       $1, array[$2::pg_catalog.uuid], array[$3::pg_catalog.text], array[$4::pg_catalog.text]
     )`,
    [driver, version, bucket, storedKey],
  );
}
