// The upgrade of one project by an operator. With a snapshot, no login of the project connects from before the copy
// until the upgrade is decided, so that a failure loses nothing that was written.
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
import { loginRights, rightsWhileClosed } from '../provisioning/project-rights.js';
import { newSnapshotName, putSnapshotBack, takeSnapshot } from '../provisioning/snapshot.js';
import { dropSnapshots, findLastSnapshot, findSnapshot } from './snapshots.js';

/** How the upgrade of a project went. */
export type UpgradeResult =
  | { readonly ref: string; readonly outcome: 'upgraded'; readonly awayMs: number }
  /** It is at this release or a later one, or is being deleted. */
  | { readonly ref: string; readonly outcome: 'left' | 'undone' }
  | {
      readonly ref: string;
      readonly outcome: 'failed';
      readonly reason: string;
      readonly error: unknown;
    };

/**
 * Brings a project to this release, as an operation. With a snapshot, a failure puts the snapshot back, and the
 * snapshot of an upgrade that went well is kept in the place of earlier ones. A failure is part of the result.
 */
export async function upgradeProject(
  context: ProjectsContext,
  ref: string,
  { withSnapshot }: { readonly withSnapshot: boolean },
): Promise<UpgradeResult> {
  let awayMs = 0;
  return asOperation(context, ref, async (project, owner) => {
    const unheld = { ...context, holdsUpgrades: false };
    const verdict = await verdictOn(unheld, { ...project, upgradeHeld: false });
    if (verdict === 'serve') return 'left';
    if (verdict !== 'upgrade') throw fail(verdict);
    if (withSnapshot) awayMs = await upgradeClosed(context, project, owner);
    else {
      await noteStep(context.dataSource.manager, owner, 'migrate');
      await upgrade(context, project);
    }
    return 'done';
  }).then((result) => (result.outcome === 'upgraded' ? { ...result, awayMs } : result));
}

type Work = (project: Project, owner: string) => Promise<'done' | 'undone' | 'left'>;

/** Runs `work` as the operation `upgrade` of a project, while nothing else makes, removes or upgrades it. */
async function asOperation(
  context: ProjectsContext,
  ref: string,
  work: Work,
): Promise<UpgradeResult> {
  const { dataSource } = context;
  const owner = newOwner();
  let result: UpgradeResult = { ref, outcome: 'left' };
  const attempt = async (): Promise<Outcome> => {
    try {
      const project = await recovered(context, ref);
      const outcome = await work(project, owner);
      result = outcome === 'done' ? { ref, outcome: 'upgraded', awayMs: 0 } : { ref, outcome };
      return outcome === 'left' ? 'done' : outcome;
    } catch (error) {
      result = { ref, outcome: 'failed', reason: plainReason(error), error };
      return { failure: error };
    }
  };
  const isRun = await withProjectLock(context, { ref, owner }, () =>
    withUpgradeLock(context, ref, async () => {
      const { organizationId } = await getUsable(dataSource, ref);
      await startOperation(dataSource.manager, { kind: 'upgrade', ref, organizationId }, owner);
      await runAttempt(dataSource, owner, attempt);
      return true;
    }),
  );
  if (isRun === true) return result;
  const error = fail('CONFLICT', { reason: 'Other work on the project is under way' });
  return { ref, outcome: 'failed', reason: error.message, error };
}

/** The project, after an upgrade that a crash has cut short was taken back. */
async function recovered(context: ProjectsContext, ref: string): Promise<Project> {
  const project = await getUsable(context.dataSource, ref);
  if (project.upgrading === null) return project;
  await takeBack(context, project, project.upgrading);
  return getUsable(context.dataSource, ref);
}

/** Upgrades a project that is closed meanwhile, and returns for how long it was; milliseconds. */
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
    await noteStep(dataSource.manager, owner, 'put the snapshot back');
    await takeBack(context, project, snapshot);
    throw error;
  }
  const awayMs = Math.round(performance.now() - closedAt);
  await noteStep(dataSource.manager, owner, 'drop earlier snapshots');
  await dropSnapshots(context, ref, snapshot);
  return awayMs;
}

async function noteSnapshot(
  manager: EntityManager,
  { ref, migratedTo }: Project,
  snapshot: string,
): Promise<void> {
  await manager.query(
    'insert into project_snapshot (database, ref, migrated_to) values ($1, $2, $3)',
    [snapshot, ref, migratedTo],
  );
  await manager.query('update project set upgrading = $2 where ref = $1', [ref, snapshot]);
}

async function keepSnapshot(manager: EntityManager, ref: string, snapshot: string): Promise<void> {
  await manager.query('update project_snapshot set is_kept = true where database = $1', [snapshot]);
  await manager.query('update project set upgrading = null where ref = $1', [ref]);
}

/** Returns a project to its snapshot. From then on `rowhouse upgrade` alone upgrades it. */
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
         migrated_to = coalesce($2, migrated_to)
       where ref = $1`,
      [ref, taken?.migratedTo ?? null],
    );
    await manager.query('delete from project_snapshot where database = $1', [snapshot]);
  });
}

/**
 * Returns a project to the last snapshot that is kept of it. What was written since is lost. Throws NO_SNAPSHOT when
 * there is none.
 */
export async function undoUpgrade(context: ProjectsContext, ref: string): Promise<UpgradeResult> {
  await getUsable(context.dataSource, ref);
  return asOperation(context, ref, async (project, owner) => {
    const snapshot = await findLastSnapshot(context.dataSource, ref);
    if (snapshot === undefined) throw fail('NO_SNAPSHOT', { ref });
    await noteStep(context.dataSource.manager, owner, 'put the snapshot back');
    await changeRecord(context, ref, async (manager) => {
      await manager.query('update project set upgrading = $2 where ref = $1', [
        ref,
        snapshot.database,
      ]);
    });
    await takeBack(context, project, snapshot.database);
    return 'undone';
  });
}

/**
 * Takes back an upgrade that a crash has cut short. Any release can do that; the operator begins the upgrade again.
 */
export async function recoverUpgrade(
  context: ProjectsContext,
  ref: string,
  owner: string,
): Promise<Outcome> {
  const outcome = await withProjectLock(context, { ref, owner }, () =>
    withUpgradeLock(context, ref, async (): Promise<Outcome> => {
      const { upgrading, migratingTo } = await getUsable(context.dataSource, ref);
      // The attempt came to its end, and lost its lease before it could say so.
      if (upgrading === null && migratingTo === null) return 'done';
      await recovered(context, ref);
      return { failure: fail('UPGRADE_INTERRUPTED') };
    }),
  );
  return outcome ?? 'busy';
}
