import { In } from 'typeorm';
import { AuditEntry } from '../entities/audit-entry.entity.js';
import { Organization } from '../entities/organization.entity.js';
import { Project } from '../entities/project.entity.js';
import type { ProjectsContext } from './projects-context.js';

type Context = Pick<ProjectsContext, 'dataSource'>;

/**
 * The organization in which the first project of the deployment is to be made; undefined when a project
 * was made before, even if it is gone by now.
 */
export async function findHomeOfFirstProject({ dataSource }: Context): Promise<string | undefined> {
  const { manager } = dataSource;
  if (await manager.existsBy(AuditEntry, { action: 'project.create' })) return undefined;
  const [oldest] = await manager.find(Organization, { order: { createdAt: 'ASC' }, take: 1 });
  return oldest?.id;
}

/** The refs of all projects that can answer or are paused, in order. */
export async function listRefs({ dataSource }: Context): Promise<string[]> {
  const projects = await dataSource.manager.find(Project, {
    select: { ref: true },
    where: { status: In(['active', 'paused']) },
    order: { ref: 'ASC' },
  });
  return projects.map(({ ref }) => ref);
}
