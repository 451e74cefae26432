// The upgrade of all projects in waves: one, 5 %, 25 %, the rest. It stops if too many of a wave fail.
import { AppError, fail } from '#libs/errors';
import { tryWithLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import type { ProjectsContext } from '../projects/projects-context.js';
import { sizeOf } from './snapshots.js';
import { upgradeProject, type UpgradeResult } from './upgrade-project.js';
import { beginRun, findRun, listPending, saveRun, type UpgradeRun } from './upgrade-run.js';
import { isTooMany, lastWave, waveSizes } from './waves.js';

export interface FleetUpgrade {
  /** Whether a snapshot of each project is taken first; undefined: as the run was begun, and true for a new one. */
  readonly withSnapshots?: boolean | undefined;
  /** Called before a wave with snapshots. What it throws ends the upgrade before the wave. */
  readonly checkRoom?: (copies: WaveCopies) => Promise<void>;
  /** The last wave to carry out. */
  readonly throughWave: number;
  /** Whether a stopped run continues, with the projects that have failed. */
  readonly resumes: boolean;
  /** The refs of projects to skip. */
  readonly skips?: readonly string[];
  /** Called with the result of each project. */
  readonly onProject: (result: UpgradeResult, wave: number) => void;
  /** Ends the upgrade after the projects in progress. */
  readonly signal: AbortSignal;
}

/** The snapshots of a wave. */
export interface WaveCopies {
  readonly wave: number;
  /** The size of the databases. */
  readonly bytes: number;
}

/** How many projects are upgraded at a time. */
const atATime = 4;

/**
 * Begins or continues the upgrade of all projects to this release, and returns its progress. Throws CONFLICT while
 * another process runs it, and UPGRADE_STOPPED if it has stopped and `resumes` is not set.
 */
export async function upgradeFleet(
  context: ProjectsContext,
  options: FleetUpgrade,
): Promise<UpgradeRun> {
  // Several deployments may share the server.
  const [place]: { name: string }[] = await context.dataSource.query(
    'select pg_catalog.current_database() as name',
  );
  const ended = await withAdmin(context.server, undefined, (client) =>
    tryWithLock(client, `rowhouse upgrade of all projects of ${place?.name}`, async () => {
      const run = await openRun(context, options);
      return runWaves(context, run, options);
    }),
  );
  if (ended !== undefined) return ended;
  throw fail('CONFLICT', { reason: 'Another rowhouse upgrade is running' });
}

async function openRun(context: ProjectsContext, options: FleetUpgrade): Promise<UpgradeRun> {
  const { withSnapshots, resumes } = options;
  const found = await findRun(context);
  if (found?.state === 'stopped' && !resumes) throw fail('UPGRADE_STOPPED', { wave: found.wave });
  if (found === undefined || (found.state === 'done' && !resumes)) {
    return beginRun(context, { withSnapshots: withSnapshots ?? true });
  }
  // Failed projects are tried again as a part of the wave.
  const again = resumes ? found.failed : 0;
  return {
    ...found,
    state: 'open',
    attempted: found.attempted - again,
    failed: found.failed - again,
    withSnapshots: withSnapshots ?? found.withSnapshots,
  };
}

async function runWaves(
  context: ProjectsContext,
  begun: UpgradeRun,
  options: FleetUpgrade,
): Promise<UpgradeRun> {
  const { dataSource } = context;
  let run = begun;
  await saveRun(dataSource, run);
  // Each wave has to succeed before the next one.
  while (run.wave <= options.throughWave && run.state === 'open' && !options.signal.aborted) {
    run = await runWave(context, run, options);
    await saveRun(dataSource, run);
  }
  return run;
}

async function runWave(
  context: ProjectsContext,
  run: UpgradeRun,
  options: FleetUpgrade,
): Promise<UpgradeRun> {
  const { wave, total, withSnapshots } = run;
  const size = waveSizes(total)[wave - 1] ?? 0;
  // The last wave also contains projects that an earlier release has created since the run began.
  const limit = wave === lastWave ? null : Math.max(size - run.attempted, 0);
  const { resumes, skips = [] } = options;
  const refs = await listPending(context, { withFailed: resumes, limit, skips });
  if (withSnapshots && refs.length > 0) {
    await options.checkRoom?.({ wave, bytes: await sizeOf(context.dataSource, refs) });
  }
  let { attempted, failed } = run;
  const isStopped = (): boolean => isTooMany(failed, Math.max(size, run.attempted + refs.length));
  const upgradeOne = async (ref: string): Promise<void> => {
    const result = await upgradeListed(context, ref, withSnapshots);
    attempted += 1;
    if (result.outcome === 'failed') failed += 1;
    await saveRun(context.dataSource, { ...run, attempted, failed });
    options.onProject(result, wave);
  };
  await forEach(refs, upgradeOne, () => options.signal.aborted || isStopped());
  if (isStopped()) return { ...run, attempted, failed, state: 'stopped' };
  if (options.signal.aborted) return { ...run, attempted, failed };
  if (wave === lastWave) return { ...run, attempted, failed, state: 'done' };
  return { ...run, wave: wave + 1, attempted: 0, failed: 0 };
}

/** Runs `work` for each ref, a few at a time, until `isEnded`. An error is thrown after the running work has ended. */
async function forEach(
  refs: readonly string[],
  work: (ref: string) => Promise<void>,
  isEnded: () => boolean,
): Promise<void> {
  const waiting = [...refs];
  const errors: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let ref = waiting.shift(); ref !== undefined; ref = waiting.shift()) {
      if (isEnded() || errors.length > 0) return;
      await work(ref).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  if (errors.length > 0) throw errors[0];
}

async function upgradeListed(
  context: ProjectsContext,
  ref: string,
  withSnapshot: boolean,
): Promise<UpgradeResult> {
  try {
    return await upgradeProject(context, ref, { withSnapshot });
  } catch (error) {
    // It was deleted since the projects of the wave were listed.
    if (error instanceof AppError && error.code === 'PROJECT_NOT_FOUND') {
      return { ref, outcome: 'deleted' };
    }
    throw error;
  }
}
