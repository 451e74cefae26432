// The upgrade of one project by an operator. With a snapshot, no login of the project can connect from before the copy
// until the upgrade is decided, so that a failure loses no written data.
import { fail } from '#libs/errors';
import type { EntityManager } from 'typeorm';
import type { Project } from '../entities/project.entity.js';
import {
  newOwner,
  noteStep,
  type Outcome,
  runAttempt,
  startOperation,
} from '../operations/operations.js';
import { plainReason } from '../operations/plain-reason.js';
import { changeRecord } from '../projects/change-record.js';
import { prepareNames, upgrade, verdictOn, withUpgradeLock } from '../projects/migrate-projects.js';
import { withProjectLock } from '../projects/project-lock.js';
import type { ProjectsContext } from '../projects/projects-context.js';
import { getUsable } from '../projects/restore-logins.js';
import { withAdmin } from '../provisioning/database-server.js';
import { namesOf } from '../provisioning/names.js';
import { hasDatabase } from '../provisioning/project-database.js';
import { loginRights, rightsWhileClosed } from '../provisioning/project-rights.js';
import { newSnapshotName, putSnapshotBack, takeSnapshot } from '../provisioning/snapshot.js';
import { dropSnapshots, findLastSnapshot, findSnapshot } from './snapshots.js';

/** The result of a project's upgrade. */
export type UpgradeResult =
  | { readonly ref: string; readonly outcome: 'upgraded'; readonly awayMs: number }
  /** `left`: it already has this release or a later one. */
  | { readonly ref: string; readonly outcome: 'left' | 'undone' | 'deleted' }
  | {
      readonly ref: string;
      readonly outcome: 'failed';
      readonly reason: string;
      readonly error: unknown;
    };

/**
 * Upgrades a project to this release, as an operation. With a snapshot, a failure restores the snapshot; after a
 * success the new snapshot replaces earlier ones. A failure is part of the result.
 */
export async function upgradeProject(
  context: ProjectsContext,
  ref: string,
  { withSnapshot }: { readonly withSnapshot: boolean },
): Promise<UpgradeResult> {
  const calm = withoutSignalFailures({ ...context, holdsUpgrades: false });
  let awayMs = 0;
  const result = await asOperation(calm, ref, async (project, owner) => {
    const verdict = await verdictOn(calm, { ...project, upgradeHeld: false });
    if (verdict === 'serve') return 'left';
    if (verdict !== 'upgrade') throw fail(verdict);
    if (withSnapshot) awayMs = await upgradeClosed(calm, project, owner);
    else {
      await noteStep(calm.dataSource.manager, owner, 'migrate');
      await upgrade(calm, project);
    }
    return 'done';
  });
  return result.outcome === 'upgraded' ? { ...result, awayMs } : result;
}

type Work = (project: Project, owner: string) => Promise<'done' | 'undone' | 'left'>;

/** Runs `work` as the operation `upgrade` of a project, while nothing else creates, removes or upgrades it. */
async function asOperation(
  context: ProjectsContext,
  ref: string,
  work: Work,
): Promise<UpgradeResult> {
  const { dataSource } = context;
  const owner = newOwner();
  const result = await withProjectLock(context, { ref, owner }, () =>
    withUpgradeLock(context, ref, async () => {
      const { organizationId } = await getUsable(dataSource, ref);
      await startOperation(dataSource.manager, { kind: 'upgrade', ref, organizationId }, owner);
      return attempt(context, { ref, owner, work });
    }),
  );
  return result ?? failed(ref, fail('CONFLICT', { reason: busyReason }));
}

const busyReason = 'Other work on the project is running';

async function attempt(
  context: ProjectsContext,
  { ref, owner, work }: { readonly ref: string; readonly owner: string; readonly work: Work },
): Promise<UpgradeResult> {
  let result: UpgradeResult = { ref, outcome: 'left' };
  const run = async (): Promise<Outcome> => {
    try {
      const outcome = await work(await recovered(context, ref), owner);
      result = outcome === 'done' ? { ref, outcome: 'upgraded', awayMs: 0 } : { ref, outcome };
      return outcome === 'left' ? 'done' : outcome;
    } catch (error) {
      result = failed(ref, error);
      const { upgrading } = await getUsable(context.dataSource, ref);
      // The worker opens a project that is still closed; any other waits for the operator.
      if (upgrading !== null) throw error;
      return { failure: error };
    }
  };
  try {
    await runAttempt(context.dataSource, owner, run);
  } catch (error) {
    return failed(ref, error);
  }
  return result;
}

const failed = (ref: string, error: unknown): UpgradeResult => ({
  ref,
  outcome: 'failed',
  reason: plainReason(error),
  error,
});

/** Processes that miss a signal compare versions: an upgrade does not fail because of a signal. */
const withoutSignalFailures = (context: ProjectsContext): ProjectsContext => ({
  ...context,
  publish: (topic, data) => context.publish(topic, data).catch(() => undefined),
});

/** The project, after an upgrade that was interrupted by a crash was taken back. */
async function recovered(context: ProjectsContext, ref: string): Promise<Project> {
  const project = await getUsable(context.dataSource, ref);
  if (project.upgrading === null) return project;
  await takeBack(context, project, project.upgrading);
  return getUsable(context.dataSource, ref);
}

/** Upgrades a project that is closed meanwhile, and returns for how long, in milliseconds. */
async function upgradeClosed(
  context: ProjectsContext,
  project: Project,
  owner: string,
): Promise<number> {
  const { server, dataSource } = context;
  const { ref } = project;
  const names = namesOf(project.databaseId);
  const snapshot = newSnapshotName();
  await prepareNames(context, project);
  const closedAt = performance.now();
  await changeRecord(context, ref, (manager) => noteSnapshot(manager, project, snapshot));
  try {
    await noteStep(dataSource.manager, owner, 'take a snapshot');
    await takeSnapshot(server, names, snapshot);
    await noteStep(dataSource.manager, owner, 'migrate');
    await upgrade(context, { ...project, hasLegacyNames: false }, rightsWhileClosed);
    await withAdmin(server, undefined, (client) => client.query(loginRights(names)));
    await changeRecord(context, ref, (manager) => keepSnapshot(manager, ref, snapshot));
  } catch (error) {
    await noteStep(dataSource.manager, owner, 'restore the snapshot');
    await takeBack(context, project, snapshot);
    throw error;
  }
  const awayMs = Math.round(performance.now() - closedAt);
  await noteStep(dataSource.manager, owner, 'drop earlier snapshots');
  // The upgrade has succeeded without this; `rowhouse upgrade --confirm` drops what is left.
  await dropSnapshots(context, ref, snapshot).catch(() => undefined);
  return awayMs;
}

async function noteSnapshot(
  manager: EntityManager,
  { ref, migratedTo, hasFoundation }: Project,
  snapshot: string,
): Promise<void> {
  await manager.query(
    `insert into project_snapshot (database, ref, migrated_to, has_foundation)
     values ($1, $2, $3, $4)`,
    [snapshot, ref, migratedTo, hasFoundation],
  );
  await manager.query('update project set upgrading = $2 where ref = $1', [ref, snapshot]);
}

async function keepSnapshot(manager: EntityManager, ref: string, snapshot: string): Promise<void> {
  await manager.query('update project_snapshot set is_kept = true where database = $1', [snapshot]);
  await manager.query('update project set upgrading = null where ref = $1', [ref]);
}

/** Restores the snapshot of a project. From then on only `rowhouse upgrade` upgrades it. */
async function takeBack(
  context: ProjectsContext,
  { ref, databaseId }: Project,
  snapshot: string,
): Promise<void> {
  await putSnapshotBack(context.server, namesOf(databaseId), snapshot);
  await changeRecord(context, ref, async (manager) => {
    const taken = await findSnapshot(manager, snapshot);
    await manager.query(
      `update project set upgrading = null, migrating_to = null, upgrade_held = true,
         migrated_to = coalesce($2, migrated_to), has_foundation = coalesce($3, has_foundation)
       where ref = $1`,
      [ref, taken?.migratedTo ?? null, taken?.hasFoundation ?? null],
    );
    await manager.query('delete from project_snapshot where database = $1', [snapshot]);
  });
}

/** Restores the latest snapshot of a project. Data written since is lost. Throws NO_SNAPSHOT if there is none. */
export async function undoUpgrade(context: ProjectsContext, ref: string): Promise<UpgradeResult> {
  const calm = withoutSignalFailures(context);
  await getUsable(calm.dataSource, ref);
  // Without a snapshot nothing begins, so no operation with a failure is listed.
  await usableSnapshot(calm, ref);
  return asOperation(calm, ref, async (project, owner) => {
    const snapshot = await usableSnapshot(calm, ref);
    await noteStep(calm.dataSource.manager, owner, 'restore the snapshot');
    await changeRecord(calm, ref, async (manager) => {
      await manager.query('update project set upgrading = $2 where ref = $1', [
        ref,
        snapshot.database,
      ]);
    });
    await takeBack(calm, project, snapshot.database);
    return 'undone';
  });
}

/** The latest snapshot of a project. Throws NO_SNAPSHOT. */
async function usableSnapshot({ dataSource, server }: ProjectsContext, ref: string) {
  const snapshot = await findLastSnapshot(dataSource, ref);
  // Its database may be gone: dropped by hand, or by a confirmation that was interrupted by a crash.
  if (snapshot === undefined || !(await hasDatabase(server, snapshot.database))) {
    throw fail('NO_SNAPSHOT', { ref });
  }
  return snapshot;
}

/**
 * Takes back an upgrade that was interrupted by a crash. Any release can do that; the operator begins the upgrade
 * again.
 */
export async function recoverUpgrade(
  context: ProjectsContext,
  ref: string,
  owner: string,
): Promise<Outcome> {
  const outcome = await withProjectLock(context, { ref, owner }, () =>
    withUpgradeLock(context, ref, async (): Promise<Outcome> => {
      const { upgrading, migratingTo } = await getUsable(context.dataSource, ref);
      // The attempt has ended, but lost its lease before it could record that.
      if (upgrading === null && migratingTo === null) return 'done';
      await recovered(withoutSignalFailures(context), ref);
      return { failure: fail('UPGRADE_INTERRUPTED') };
    }),
  );
  return outcome ?? 'busy';
}
