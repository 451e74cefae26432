// The output of `rowhouse upgrade`.
import {
  findRun,
  lastWave,
  listFailures,
  listPending,
  listSnapshots,
  type ProjectsContext,
  type UpgradeResult,
  type UpgradeRun,
  waveSizes,
} from '#libs/control-plane';

/** Returns the line about a project. */
export function describeResult(result: UpgradeResult): string {
  switch (result.outcome) {
    case 'upgraded': {
      const away = result.awayMs > 0 ? `, away for ${result.awayMs} ms; the snapshot is kept` : '';
      return `${result.ref}  upgraded${away}`;
    }
    case 'undone':
      return `${result.ref}  put back to its snapshot; what was written since is lost`;
    case 'left':
      return `${result.ref}  has all that this release needs`;
    case 'deleted':
      return `${result.ref}  was deleted meanwhile`;
    case 'failed':
      return `${result.ref}  failed: ${result.reason}`;
  }
}

/** Returns the last line of an upgrade of all projects. */
export async function describeEnd(projects: ProjectsContext, run: UpgradeRun): Promise<string> {
  const { state, wave, failed } = run;
  const left = await listPending(projects, { withFailed: true, limit: null });
  const rest = `${left.length} of ${run.total} projects are left`;
  if (state === 'stopped') {
    return `The upgrade has stopped in wave ${wave}: ${failed} projects failed, ${rest}. Put the cause right and go on with rowhouse upgrade --resume, or leave a project as it is with rowhouse upgrade --resume --skip REF.`;
  }
  if (state === 'open') return `Wave ${wave} comes next; ${rest}. Go on with rowhouse upgrade.`;
  if (left.length === 0) return 'The upgrade is done.';
  return `The upgrade is done, but ${rest}. Look at rowhouse upgrade --status and go on with rowhouse upgrade --resume.`;
}

/** Returns lines about the progress of upgrading all projects, its failures and the snapshots that are kept. */
export async function describeStatus(projects: ProjectsContext): Promise<readonly string[]> {
  const { dataSource, release } = projects;
  const run = await findRun(projects);
  const left = await listPending(projects, { withFailed: true, limit: null });
  const failures = await listFailures(dataSource);
  const snapshots = await listSnapshots(dataSource);
  return [
    `release    ${release.hash}`,
    `left       ${left.length} projects`,
    ...(run === undefined ? ['upgrade    not begun'] : linesOf(run)),
    `failures   ${failures.length}`,
    ...failures.map(({ ref, reason }) => `  ${ref}  ${reason}`),
    `snapshots  ${snapshots.length}`,
    ...snapshots.map(
      ({ ref, takenAt, database }) => `  ${ref}  ${takenAt.toISOString()}  ${database}`,
    ),
  ];
}

function linesOf({ state, wave, total, attempted, failed }: UpgradeRun): readonly string[] {
  const size = waveSizes(total)[wave - 1] ?? 0;
  return [
    `upgrade    ${state}`,
    `wave       ${wave} of ${lastWave}: ${attempted} of ${size} tried, ${failed} failed`,
  ];
}
