import { AuditEntry } from '../entities/audit-entry.entity.js';
import { Organization } from '../entities/organization.entity.js';
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
