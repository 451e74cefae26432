// Upgrading a release migrates every project: each at its first use, and all of them as a job.
import { In, Not } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { migrateProjectDatabase } from '../provisioning/migrate-project-database.js';
import { namesOf } from '../provisioning/names.js';
import { projectRights } from '../provisioning/project-rights.js';
import type { ProjectsContext } from './projects-context.js';

type MigrationContext = Pick<ProjectsContext, 'dataSource' | 'server' | 'release'>;

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
  const { manager } = context.dataSource;
  const project = await manager.findOneBy(Project, { ref, status: In(['active', 'paused']) });
  if (project === null || project.migratedTo === context.release.hash) return;
  await migrateProjectDatabase(context, {
    database: namesOf(ref).database,
    idType: project.idType,
    afterwards: projectRights(ref),
  });
  await manager.update(Project, { ref }, { migratedTo: context.release.hash });
}

/** Migrates every project that is behind, one after the other. Returns the refs that could not be. */
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
  const failed: string[] = [];
  for (const [index, { ref }] of behind.entries()) {
    if (options.signal?.aborted === true) break;
    const progress = { ref, done: index + 1, total: behind.length };
    try {
      await ensureMigrated(context, ref); // One at a time: the job must not slow the projects that work.
      options.onProgress?.(progress);
    } catch (error) {
      failed.push(ref);
      options.onProgress?.({ ...progress, error });
    }
  }
  return failed;
}
