// How the worker plans operations, and runs those that are due.
import {
  dropOldOperations,
  newOwner,
  type Outcome,
  planAfterFailure,
  planForProjects,
  runAttempt,
  type TakenOperation,
  takeOperation,
} from '../operations/operations.js';
import { Project } from '../entities/project.entity.js';
import { namesOf } from '../provisioning/names.js';
import { continueRemoval } from './delete-project.js';
import { ensureMigrated, planMigrations, waitsForRelease } from './migrate-projects.js';
import type { ProjectsContext } from './projects-context.js';
import { noteSweep, readMark, type SweepResult } from './quiet-projects.js';
import { restoreIfChanged } from './restore-logins.js';
import { recoverUpgrade } from '../upgrades/upgrade-project.js';

/**
 * Sweeps one project. Its error is recorded, and the sweep is retried. `isUnchanged`: nothing was written to its database
 * since the last sweep.
 */
type SweepProject = (ref: string, isUnchanged: boolean) => Promise<SweepResult | void>;

/**
 * Returns what besides the database of a project decides whether anything is due there; undefined if something is due in
 * any case.
 */
type BasisOf = (ref: string) => Promise<string | undefined>;

/** Plans the removal of unfinished creations and deletions, and the migration of projects of an earlier release. */
export async function planUnfinished(context: ProjectsContext): Promise<void> {
  const { dataSource } = context;
  for (const [kind, status] of [
    ['create', 'creating'],
    ['delete', 'deleting'],
  ] as const) {
    await planForProjects(dataSource, kind, { condition: `status = $3`, values: [status] });
  }
  await planMigrations(context);
}

/** A project that was used since its last sweep, or not swept for a day: its owner may use the database directly. */
const needsSweep = `status in ('active', 'paused') and (swept_at is null or used_at >= swept_at
  or swept_at < pg_catalog.now() - '1 day'::pg_catalog.interval)`;

/** Plans the sweeps of the hourly round, and deletes operations that finished long ago. */
export async function planSweeps({ dataSource }: Pick<ProjectsContext, 'dataSource'>) {
  await planForProjects(dataSource, 'sweep', { condition: needsSweep });
  await dropOldOperations(dataSource);
}

/** Plans another repair of logins that could not be repaired. */
export async function planRepair(
  { dataSource }: Pick<ProjectsContext, 'dataSource'>,
  ref: string,
  error: unknown,
): Promise<void> {
  await planAfterFailure(dataSource, { kind: 'repair-logins', ref, error });
}

/** An attempt, for the log. */
export interface OperationAttempt {
  readonly operation: TakenOperation;
  readonly outcome: Outcome | 'failed';
  readonly error?: unknown;
}

/**
 * Runs a due operation and returns its result; undefined if none is due. A failure is recorded, and a later attempt
 * planned: it throws only while the control plane cannot be reached.
 */
export async function runOperation(
  context: ProjectsContext,
  id: string,
  sweep: SweepProject,
  basisOf?: BasisOf,
): Promise<OperationAttempt | undefined> {
  const owner = newOwner();
  const operation = await takeOperation(context.dataSource, id, owner);
  if (operation === undefined) return undefined;
  try {
    const outcome = await runAttempt(context.dataSource, owner, () =>
      attempt(context, operation, owner, { sweep, basisOf }).catch(waitForUpgrade),
    );
    return { operation, outcome };
  } catch (error) {
    return { operation, outcome: 'failed', error };
  }
}

/** How long an operation waits for the upgrade of its project, or for a process of a later release; milliseconds. */
const upgradeWaitMs = 60_000;

/** If another release serves the project, that is not a failure of this release. */
function waitForUpgrade(error: unknown): Outcome {
  if (!waitsForRelease(error)) throw error;
  return { waitUntil: new Date(Date.now() + upgradeWaitMs) };
}

interface Sweeping {
  readonly sweep: SweepProject;
  readonly basisOf: BasisOf | undefined;
}

async function attempt(
  context: ProjectsContext,
  operation: TakenOperation,
  owner: string,
  sweeping: Sweeping,
): Promise<Outcome> {
  const { kind, ref } = operation;
  switch (kind) {
    case 'create':
    case 'delete':
      return continueRemoval(context, ref, owner);
    case 'migrate':
      await ensureMigrated(context, ref);
      return 'done';
    case 'upgrade':
      return recoverUpgrade(context, ref, owner);
    case 'sweep':
      await sweepAndNote(context, ref, sweeping);
      return 'done';
    case 'repair-logins':
      await restoreIfChanged(context, ref);
      return 'done';
  }
}

/**
 * Changes during a sweep are left to the next one, and so are those of the second before, because clocks are coarse. A
 * database that is known to be quiet is not connected to.
 */
async function sweepAndNote(
  context: ProjectsContext,
  ref: string,
  { sweep, basisOf }: Sweeping,
): Promise<void> {
  const begunAt = Date.now();
  const found = await findMark(context, ref, await basisOf?.(ref));
  const result =
    found?.isQuiet === true ? undefined : await sweep(ref, found?.isUnchanged === true);
  await noteSweep(context.dataSource, ref, {
    sinceMs: Date.now() - begunAt + 1_000,
    mark: found?.isQuiet === true ? undefined : (found?.mark ?? null),
    quietDays: result?.quietDays,
  });
}

async function findMark(context: ProjectsContext, ref: string, basis: string | undefined) {
  if (basis === undefined) return undefined;
  const project = await context.dataSource.manager.findOneBy(Project, { ref });
  if (project === null || project.migratedTo !== context.release.hash) return undefined;
  return readMark(context, { ref, database: namesOf(project.databaseId).database, basis });
}
