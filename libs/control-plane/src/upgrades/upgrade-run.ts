// The upgrade of all projects as a row that records the current wave, so that another process can continue it.
import type { DataSource } from 'typeorm';
import { listSettled } from '../projects/releases.js';
import type { ProjectsContext } from '../projects/projects-context.js';

/** The progress of upgrading all projects to a release. */
export interface UpgradeRun {
  readonly id: string;
  readonly withSnapshots: boolean;
  /** The number of projects at its beginning. */
  readonly total: number;
  /** The current or next wave. */
  readonly wave: number;
  /** How many projects of the wave were tried, and how many of them failed. */
  readonly attempted: number;
  readonly failed: number;
  readonly state: 'open' | 'stopped' | 'done';
}

const columns = 'id, with_snapshots as "withSnapshots", total, wave, attempted, failed, state';

/** Returns the last run of this release. */
export async function findRun({
  dataSource,
  release,
}: Pick<ProjectsContext, 'dataSource' | 'release'>): Promise<UpgradeRun | undefined> {
  const [run]: UpgradeRun[] = await dataSource.query(
    `select ${columns} from upgrade_run where release = $1 order by id desc limit 1`,
    [release.hash],
  );
  return run;
}

/** Begins a run over all projects that lack something of this release. */
export async function beginRun(
  context: ProjectsContext,
  { withSnapshots }: { readonly withSnapshots: boolean },
): Promise<UpgradeRun> {
  const total = (await listPending(context, { withFailed: true, limit: null })).length;
  const [run]: UpgradeRun[] = await context.dataSource.query(
    `insert into upgrade_run (release, with_snapshots, total) values ($1, $2, $3) returning ${columns}`,
    [context.release.hash, withSnapshots, total],
  );
  if (run === undefined) throw new Error('the run was not inserted');
  return run;
}

/** Stores the progress of a run. */
export async function saveRun(dataSource: DataSource, run: UpgradeRun): Promise<void> {
  await dataSource.query(
    `update upgrade_run set wave = $2, attempted = $3, failed = $4, state = $5, with_snapshots = $6,
       ended_at = case when $5 = 'done' then pg_catalog.now() end
     where id = $1`,
    [run.id, run.wave, run.attempted, run.failed, run.state, run.withSnapshots],
  );
}

/**
 * Returns the refs of projects that lack something of this release, without the refs in `skips`, without those whose
 * upgrade an operator has taken back, and unless `withFailed` without those whose upgrade has failed.
 */
export async function listPending(
  context: Pick<ProjectsContext, 'dataSource' | 'release'>,
  {
    withFailed,
    limit,
    skips = [],
  }: {
    readonly withFailed: boolean;
    readonly limit: number | null;
    readonly skips?: readonly string[];
  },
): Promise<readonly string[]> {
  const rows: { ref: string }[] = await context.dataSource.query(
    `select project.ref from project
     left join operation
       on operation.ref = project.ref and operation.kind = 'upgrade' and operation.finished_at is null
     where project.status in ('active', 'paused') and project.migrated_to <> all ($1::pg_catalog.text[])
       and case when operation.id is null then not project.upgrade_held else $2 end
       and project.ref <> all ($4::pg_catalog.text[])
     order by project.ref limit $3`,
    [await listSettled(context), withFailed, limit, skips],
  );
  return rows.map(({ ref }) => ref);
}

/** A failed upgrade with its reason. */
export interface UpgradeFailure {
  readonly ref: string;
  readonly reason: string;
}

/** Returns the upgrades that have failed and were not retried. */
export async function listFailures(dataSource: DataSource): Promise<readonly UpgradeFailure[]> {
  const found: UpgradeFailure[] = await dataSource.query(
    `select ref, coalesce(last_error, 'It was interrupted') as reason from operation
     where kind = 'upgrade' and finished_at is null and state <> 'running' order by ref`,
  );
  return found;
}
