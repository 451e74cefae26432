// All projects of a deployment: their states, their upgrades, and the work on them that is overdue.
import type { ProjectsContext } from '../projects/projects-context.js';
import { listSnapshots } from '../upgrades/snapshots.js';
import {
  findRun,
  listFailures,
  listPending,
  type UpgradeFailure,
} from '../upgrades/upgrade-run.js';
import { lastWave, waveSizes } from '../upgrades/waves.js';

/** A worker takes up due work within seconds; work that is due for longer has no worker. Seconds. */
const overdueSeconds = 120;
/** The most projects whose failed upgrade is named. */
const maxNamed = 100;

/** An upgrade of all projects by `rowhouse upgrade`. */
export interface UpgradeProgress {
  readonly state: 'open' | 'stopped' | 'done';
  readonly wave: number;
  readonly waves: number;
  /** Projects of the wave, how many of them were tried, and how many failed. */
  readonly size: number;
  readonly attempted: number;
  readonly failed: number;
}

export interface FleetState {
  /** Names the set of migrations of this release. */
  readonly release: string;
  readonly projects: {
    readonly active: number;
    readonly paused: number;
    /** Deleted, and still restorable. */
    readonly deleted: number;
    /** Being created or removed. */
    readonly changing: number;
    /** Bytes of their databases and of their files, when they were last measured. */
    readonly databaseBytes: number;
    readonly storageBytes: number;
  };
  readonly upgrade: {
    /** Projects that lack something of this release. */
    readonly pending: number;
    /** The first of them whose upgrade has failed. */
    readonly failures: readonly UpgradeFailure[];
    /** The last run of `rowhouse upgrade` for this release; null without one. */
    readonly run: UpgradeProgress | null;
    /** Copies of databases from before an upgrade that are kept. */
    readonly snapshots: number;
  };
  readonly work: {
    /** Operations that are not finished. */
    readonly open: number;
    /** Those whose deadline has passed. */
    readonly failed: number;
    /** Those that a process works on now. */
    readonly running: number;
    /** Those that are due, and that no worker has taken up. */
    readonly overdue: number;
    /** Since when the first of these is due; null without one. */
    readonly overdueSince: Date | null;
  };
}

/** Reads the states of all projects and of the work on them. */
export async function readFleet(
  context: Pick<ProjectsContext, 'dataSource' | 'release'>,
): Promise<FleetState> {
  const { dataSource, release } = context;
  const [projects, pending, failures, run, snapshots, work] = await Promise.all([
    countProjects(context),
    listPending(context, { withFailed: true, limit: null }),
    listFailures(dataSource),
    findRun(context),
    listSnapshots(dataSource),
    readWork(context),
  ]);
  return {
    release: release.hash,
    projects,
    upgrade: {
      pending: pending.length,
      failures: failures.slice(0, maxNamed),
      run: run === undefined ? null : progressOf(run),
      snapshots: snapshots.length,
    },
    work,
  };
}

function progressOf({
  state,
  wave,
  total,
  attempted,
  failed,
}: NonNullable<Awaited<ReturnType<typeof findRun>>>): UpgradeProgress {
  return { state, wave, waves: lastWave, size: waveSizes(total)[wave - 1] ?? 0, attempted, failed };
}

async function countProjects({
  dataSource,
}: Pick<ProjectsContext, 'dataSource'>): Promise<FleetState['projects']> {
  const [counts]: FleetState['projects'][] = await dataSource.query(
    `select pg_catalog.count(*) filter (where status = 'active')::pg_catalog.int4 as active,
       pg_catalog.count(*) filter (where status = 'paused')::pg_catalog.int4 as paused,
       pg_catalog.count(*) filter (where status = 'deleted')::pg_catalog.int4 as deleted,
       pg_catalog.count(*) filter (where status in ('creating', 'deleting'))::pg_catalog.int4 as changing,
       coalesce(pg_catalog.sum(database_bytes), 0)::pg_catalog.float8 as "databaseBytes",
       coalesce(pg_catalog.sum(storage_bytes), 0)::pg_catalog.float8 as "storageBytes"
     from project`,
  );
  if (counts === undefined) throw new Error('the count of projects has no row');
  return counts;
}

async function readWork({
  dataSource,
}: Pick<ProjectsContext, 'dataSource'>): Promise<FleetState['work']> {
  const [work]: FleetState['work'][] = await dataSource.query(
    `select pg_catalog.count(*)::pg_catalog.int4 as open,
       pg_catalog.count(*) filter (where state = 'failed')::pg_catalog.int4 as failed,
       pg_catalog.count(*) filter (where leased_until > pg_catalog.now())::pg_catalog.int4 as running,
       pg_catalog.count(*) filter (where is_overdue)::pg_catalog.int4 as overdue,
       pg_catalog.min(next_try_at) filter (where is_overdue) as "overdueSince"
     from (
       select state, next_try_at, leased_until, coalesce(leased_until, next_try_at) <= pg_catalog.now()
           and next_try_at < pg_catalog.now() - $1 * '1 second'::pg_catalog.interval as is_overdue
       from operation where finished_at is null
     ) operations`,
    [overdueSeconds],
  );
  if (work === undefined) throw new Error('the count of operations has no row');
  return work;
}
