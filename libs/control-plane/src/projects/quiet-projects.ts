// Projects that need no sweep: nothing has been written to their database since the last one, which found nothing that
// is due for days. The statistics of the server say so without a connection to the database.
import type { DataSource } from 'typeorm';
import { withoutFlush } from '../operations/operations.js';
import type { ProjectsContext } from './projects-context.js';

/** What a sweep has found out. */
export interface SweepResult {
  /** The number of days in which nothing becomes due unless the database changes; absent: it is not known. */
  readonly quietDays?: number | undefined;
}

/** The state of a database, as the server counts it. */
interface Mark {
  /** Differs after each change; null: it cannot be known. */
  readonly mark: string | null;
  /** Whether nothing has changed since the last sweep. */
  readonly isUnchanged: boolean;
  /** Whether nothing is due either. */
  readonly isQuiet: boolean;
}

/**
 * Returns the state of the database of a project. `basis` is what else decides about the work that is due there, such as
 * the release. A restart of the server, also after a crash of one of its
 * processes, or a reset of its statistics counts as a change.
 */
export async function readMark(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  {
    database,
    ref,
    basis,
  }: { readonly database: string; readonly ref: string; readonly basis: string },
): Promise<Mark> {
  const rows: Mark[] = await dataSource.query(
    `select counted.mark, quiet_mark is not distinct from counted.mark and counted.mark is not null as "isUnchanged",
       coalesce(quiet_mark = counted.mark and quiet_until > pg_catalog.now(), false) as "isQuiet"
     from project cross join lateral (
       select case when pg_catalog.current_setting('track_counts') = 'on' then
         pg_catalog.concat_ws(' ', $3::pg_catalog.text, datid, tup_inserted, tup_updated, tup_deleted,
           stats_reset,
           (select writer.stats_reset from pg_catalog.pg_stat_bgwriter writer), pg_catalog.pg_postmaster_start_time()) end as mark
       from pg_catalog.pg_stat_database where datname = $2
     ) counted
     where ref = $1`,
    [ref, database, basis],
  );
  return rows[0] ?? { mark: null, isUnchanged: false, isQuiet: false };
}

/** Records that a project was swept, of which the state before the sweep was `mark`; undefined: it stays as it was. */
export async function noteSweep(
  dataSource: DataSource,
  ref: string,
  {
    sinceMs,
    mark,
    quietDays,
  }: SweepResult & {
    /** How long ago the sweep began; later changes are left to the next one. */
    readonly sinceMs: number;
    readonly mark: string | null | undefined;
  },
): Promise<void> {
  const sweptAt = `swept_at = pg_catalog.now() - pg_catalog.make_interval(secs => $2::pg_catalog.float8 / 1000)`;
  if (mark === undefined) {
    await dataSource.query(`update project set ${sweptAt} from ${withoutFlush} where ref = $1`, [
      ref,
      sinceMs,
    ]);
    return;
  }
  await dataSource.query(
    `update project set ${sweptAt}, quiet_mark = $3,
       quiet_until = pg_catalog.now() + pg_catalog.make_interval(days => $4::pg_catalog.int4)
     from ${withoutFlush} where ref = $1`,
    [ref, sinceMs, mark, quietDays ?? null],
  );
}
