// Upgrading a release upgrades every project: each at its first use, and all of them as operations.
import { AppError, fail } from '#libs/errors';
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { planAfterFailure, planForProjects } from '../operations/operations.js';
import { withLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import { migrateProjectDatabase } from '../provisioning/migrate-project-database.js';
import { type DatabaseNames, namesOf } from '../provisioning/names.js';
import { ensureRoles } from '../provisioning/project-database.js';
import { projectRights } from '../provisioning/project-rights.js';
import { renameDatabase } from '../provisioning/rename-database.js';
import { moveVersion } from './change-record.js';
import { openSecrets } from './project-secrets.js';
import { publishRecord, type ProjectsContext } from './projects-context.js';
import { fitOfProject, listSettled, noteRelease } from './releases.js';
import { forgetLogins } from './restore-logins.js';

type MigrationContext = Pick<
  ProjectsContext,
  'dataSource' | 'server' | 'release' | 'masterKey' | 'holdsUpgrades' | 'publish'
>;

/**
 * Makes sure that this release can serve a project, and migrates its database if needed; usually this costs one read of
 * the control plane. Several processes may do it at once. Throws PROJECT_NEEDS_NEWER_RELEASE for a project that only
 * later releases can serve, and PROJECT_NOT_UPGRADED if it waits for `rowhouse upgrade`.
 */
export async function ensureMigrated(context: MigrationContext, ref: string): Promise<void> {
  if ((await findBehind(context, ref)) === undefined) return;
  await withUpgradeLock(context, ref, async () => {
    const project = await findBehind(context, ref);
    if (project !== undefined) await upgradeOrPlan(context, project);
  });
}

const refusals = ['PROJECT_NOT_UPGRADED', 'PROJECT_NEEDS_NEWER_RELEASE', 'PROJECT_UPGRADING'];

/**
 * Returns whether an error of {@link ensureMigrated} means that the project waits for an upgrade or another release.
 */
export function waitsForRelease(error: unknown): boolean {
  return error instanceof AppError && refusals.includes(error.code);
}

/** Runs `work` while no other process upgrades the project. */
export async function withUpgradeLock<T>(
  { server }: Pick<ProjectsContext, 'server'>,
  ref: string,
  work: () => Promise<T>,
): Promise<T> {
  // The lock is taken in the maintenance database, to which no project can connect.
  return withAdmin(server, undefined, (client) =>
    withLock(client, `rowhouse upgrade ${ref}`, work),
  );
}

/** A request may be the first to migrate the project; therefore its failure is an operation, too. */
async function upgradeOrPlan(context: MigrationContext, project: Project): Promise<void> {
  try {
    await upgrade(context, project);
  } catch (error) {
    const failure = { kind: 'migrate', ref: project.ref, error } as const;
    // While the control plane is unavailable, the worker plans it in its next round.
    await planAfterFailure(context.dataSource, failure).catch(() => undefined);
    throw error;
  }
}

/** The project, if its database has to be migrated to this release. */
async function findBehind(context: MigrationContext, ref: string): Promise<Project | undefined> {
  const where = { ref, status: In(['active', 'paused']) };
  const project = await context.dataSource.manager.findOneBy(Project, where);
  if (project === null) return undefined;
  if (project.upgrading !== null) throw fail('PROJECT_UPGRADING', {}, { retryAfterSeconds });
  const verdict = await verdictOn(context, project);
  if (verdict === 'serve') return undefined;
  if (verdict === 'upgrade') return project;
  throw fail(verdict, {}, { retryAfterSeconds });
}

/** After this time a request may find the project upgraded; seconds. */
const retryAfterSeconds = 5;

/** How this release treats a project: serves it, upgrades it first, or refuses it. */
type Verdict = 'serve' | 'upgrade' | 'PROJECT_NEEDS_NEWER_RELEASE' | 'PROJECT_NOT_UPGRADED';

/** Returns how this release treats a project. */
export async function verdictOn(
  context: Pick<ProjectsContext, 'dataSource' | 'release' | 'holdsUpgrades'>,
  project: Pick<Project, 'migratedTo' | 'migratingTo' | 'upgradeHeld'>,
): Promise<Verdict> {
  const fit = await fitOfProject(context, project);
  const isHeld = context.holdsUpgrades === true || project.upgradeHeld;
  switch (fit) {
    case 'current':
    case 'newer':
      return 'serve';
    case 'older':
      return isHeld ? 'serve' : 'upgrade';
    case 'behind':
      return isHeld ? 'PROJECT_NOT_UPGRADED' : 'upgrade';
    case 'ahead':
      return 'PROJECT_NEEDS_NEWER_RELEASE';
  }
}

/** Migrates the database of a project to this release. The caller holds its upgrade lock. */
export async function upgrade(
  context: MigrationContext,
  project: Project,
  afterwards: (names: DatabaseNames) => string = projectRights,
): Promise<void> {
  const { dataSource, masterKey, release } = context;
  const { ref, databaseId, idType } = project;
  const names = namesOf(databaseId);
  const { platform: password } = openSecrets(masterKey, project).passwords;
  await noteRelease(context);
  await announceUpgrade(context, ref);
  await prepareNames(context, project);
  await migrateProjectDatabase(context, {
    database: names.database,
    idType,
    platform: { user: names.platform, password },
    foundation: {
      isLaid: project.hasFoundation,
      async record() {
        await dataSource.manager.update(Project, { ref }, { hasFoundation: true });
      },
    },
    afterwards: afterwards(names),
  });
  await dataSource.manager.update(
    Project,
    { ref },
    { migratedTo: release.hash, migratingTo: null, upgradeHeld: false },
  );
}

/** Renames the database and the logins of a project to the names of this release, and creates missing logins. */
export async function prepareNames(context: MigrationContext, project: Project): Promise<void> {
  const { server, dataSource, masterKey } = context;
  const { ref, databaseId, hasLegacyNames } = project;
  const { passwords } = openSecrets(masterKey, project);
  if (hasLegacyNames) await renameDatabase(server, { ref, databaseId });
  if (await ensureRoles(server, namesOf(databaseId), passwords)) {
    await forgetLogins(dataSource, ref);
  }
  if (hasLegacyNames) await dataSource.manager.update(Project, { ref }, { hasLegacyNames: false });
}

/**
 * Records the target release of the project before its database changes: processes of releases that cannot serve it
 * then stop doing so. If the upgrade fails the record stays, because some of its migrations may have run.
 */
async function announceUpgrade(context: MigrationContext, ref: string): Promise<void> {
  const { dataSource, release, publish } = context;
  const version = await dataSource.transaction(async (manager) => {
    await manager.update(Project, { ref }, { migratingTo: release.hash });
    return release.requires.length > 0 ? moveVersion(manager, ref) : undefined;
  });
  // Processes that miss the signal compare versions.
  if (version !== undefined) await publishRecord(publish, { ref, version }).catch(() => undefined);
}

/**
 * Plans the migration of every project that lacks something of this release, as operations that run a few at a time.
 * Plans nothing if projects wait for `rowhouse upgrade`.
 */
export async function planMigrations(context: MigrationContext): Promise<void> {
  if (context.holdsUpgrades === true) return;
  await planForProjects(context.dataSource, 'migrate', {
    condition: `status in ('active', 'paused') and not upgrade_held
      and migrated_to <> all ($3::pg_catalog.text[])`,
    values: [await listSettled(context)],
  });
}
