// Upgrading a release upgrades every project: each at its first use, and all of them as a job.
import { In, Not } from 'typeorm';
import { Project } from '../entities/project.entity.js';
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

/** How many projects the job upgrades at a time: one that waits for a lock delays no other for long. */
const projectsAtATime = 4;

/** How far the job has come. */
export interface MigrationProgress {
  readonly ref: string;
  /** Projects that are done, this one included. */
  readonly done: number;
  readonly total: number;
  /** Set when this project could not be migrated; the job goes on. */
  readonly error?: unknown;
}

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
      if (project !== undefined) await upgrade(context, project);
    }),
  );
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

/** Migrates every project that is behind, a few at a time. Returns the refs that could not be. */
export async function migrateProjects(
  context: MigrationContext,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: MigrationProgress) => void;
  } = {},
): Promise<string[]> {
  const behind = await context.dataSource.manager.find(Project, {
    select: { ref: true },
    where: { migratedTo: Not(context.release.hash), status: In(['active', 'paused']) },
    order: { ref: 'ASC' },
  });
  const waiting = behind.map(({ ref }) => ref);
  const failed: string[] = [];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let ref = waiting.shift(); ref !== undefined; ref = waiting.shift()) {
      if (options.signal?.aborted === true) return;
      const error = await migrationError(context, ref); // In turn; others do the same beside it.
      done += 1;
      const progress = { ref, done, total: behind.length };
      if (error !== undefined) failed.push(ref);
      options.onProgress?.(error === undefined ? progress : { ...progress, error });
    }
  };
  await Promise.all(Array.from({ length: projectsAtATime }, work));
  return failed;
}

/** What kept a project from being migrated; undefined when it was. */
async function migrationError(context: MigrationContext, ref: string): Promise<unknown> {
  try {
    await ensureMigrated(context, ref);
    return undefined;
  } catch (error) {
    return error ?? new Error(`The project ${ref} could not be migrated`);
  }
}
