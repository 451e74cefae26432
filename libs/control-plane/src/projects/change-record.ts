import { fail } from '#libs/errors';
import type { EntityManager } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { publishRecord, type ProjectsContext } from './projects-context.js';

/**
 * Changes the record of a project and informs the data plane: `change` runs in a transaction that locks the row; then
 * the version grows, and after the commit the new version is announced. Throws PROJECT_NOT_FOUND if the project does
 * not exist or is being created or deleted.
 */
export async function changeRecord<T>(
  context: ProjectsContext,
  ref: string,
  change: (manager: EntityManager, project: Project) => Promise<T>,
): Promise<T> {
  const { result, version } = await context.dataSource.transaction(async (manager) => {
    const project = await lockProject(manager, ref);
    const changed = await change(manager, project);
    return { result: changed, version: await moveVersion(manager, ref) };
  });
  await publishRecord(context.publish, { ref, version });
  return result;
}

/** Returns the row of a usable project, locked until the end of the transaction. Throws PROJECT_NOT_FOUND. */
export async function lockProject(manager: EntityManager, ref: string): Promise<Project> {
  const project = await manager.findOne(Project, {
    where: { ref },
    lock: { mode: 'pessimistic_write' },
  });
  if (project?.status !== 'active' && project?.status !== 'paused') throw fail('PROJECT_NOT_FOUND');
  return project;
}

/** Gives the record its next version, which is larger than every earlier version. */
export async function moveVersion(manager: EntityManager, ref: string): Promise<number> {
  const moved = await manager
    .createQueryBuilder()
    .update(Project)
    .set({ version: () => `nextval('project_version')` })
    .where({ ref })
    .returning('version')
    .execute();
  // The driver returns a bigint as text; the transformer of the entity does not apply to raw rows.
  const rows = moved.raw as { version: string }[];
  return Number(rows[0]?.version);
}
