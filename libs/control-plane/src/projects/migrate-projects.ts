// Upgrading a release upgrades every project: each at its first use, and all of them as operations.
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { planAfterFailure, planForProjects } from '../operations/operations.js';
import { withLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import { migrateProjectDatabase } from '../provisioning/migrate-project-database.js';
import { namesOf } from '../provisioning/names.js';
import { ensureRoles } from '../provisioning/project-database.js';
import { projectRights } from '../provisioning/project-rights.js';
import { renameDatabase } from '../provisioning/rename-database.js';
import { openSecrets } from './project-secrets.js';
import { forgetLogins } from './restore-logins.js';
import type { ProjectsContext } from './projects-context.js';

type MigrationContext = Pick<ProjectsContext, 'dataSource' | 'server' | 'release' | 'masterKey'>;

/**
 * Brings the database of a project to this release, if it is not there already: the usual case costs one
 * read of the control plane. Several processes may do it at once.
 */
export async function ensureMigrated(context: MigrationContext, ref: string): Promise<void> {
  if ((await findBehind(context, ref)) === undefined) return;
  // The lock is one of the maintenance database, which no project can connect to.
  await withAdmin(context.server, undefined, (client) =>
    withLock(client, `rowhouse upgrade ${ref}`, async () => {
      const project = await findBehind(context, ref);
      if (project !== undefined) await upgradeOrPlan(context, project);
    }),
  );
}

/** A request may be the first to migrate the project: its failure is an operation, too. */
async function upgradeOrPlan(context: MigrationContext, project: Project): Promise<void> {
  try {
    await upgrade(context, project);
  } catch (error) {
    const failure = { kind: 'migrate', ref: project.ref, error } as const;
    // While the control plane is away, the worker plans it with its next round.
    await planAfterFailure(context.dataSource, failure).catch(() => undefined);
    throw error;
  }
}

/** The project, if it is behind this release. */
async function findBehind(context: MigrationContext, ref: string): Promise<Project | undefined> {
  const where = { ref, status: In(['active', 'paused']) };
  const project = await context.dataSource.manager.findOneBy(Project, where);
  return project === null || project.migratedTo === context.release.hash ? undefined : project;
}

async function upgrade(context: MigrationContext, project: Project): Promise<void> {
  const { server, dataSource, masterKey, release } = context;
  const { ref, databaseId, idType } = project;
  const names = namesOf(databaseId);
  const { passwords } = openSecrets(masterKey, project);
  if (project.hasLegacyNames) await renameDatabase(server, { ref, databaseId });
  if (await ensureRoles(server, names, passwords)) await forgetLogins(dataSource, ref);
  await migrateProjectDatabase(context, {
    database: names.database,
    idType,
    platform: { user: names.platform, password: passwords.platform },
    afterwards: projectRights(names),
  });
  await dataSource.manager.update(
    Project,
    { ref },
    { migratedTo: release.hash, hasLegacyNames: false },
  );
}

/** Plans the migration of every project that is behind this release, as operations that run a few at a time. */
export async function planMigrations({ dataSource, release }: MigrationContext): Promise<void> {
  await planForProjects(dataSource, 'migrate', {
    condition: `status in ('active', 'paused') and migrated_to <> $3`,
    values: [release.hash],
  });
}
