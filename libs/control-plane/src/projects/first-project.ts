import { AuditEntry } from '../entities/audit-entry.entity.js';
import { Organization } from '../entities/organization.entity.js';
import { withLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import type { ProjectsContext } from './projects-context.js';

type Context = Pick<ProjectsContext, 'dataSource' | 'server'>;

/**
 * Runs `make` with the organization in which the first project of the deployment is created. Does nothing if a project
 * was ever created, even if it no longer exists. Processes that start at the same time run it one after the other.
 */
export async function makeFirstProject(
  context: Context,
  make: (organizationId: string) => Promise<void>,
): Promise<void> {
  if ((await findHome(context)) === undefined) return;
  await withAdmin(context.server, undefined, (client) =>
    withLock(client, 'rowhouse first project', async () => {
      const organizationId = await findHome(context);
      if (organizationId !== undefined) await make(organizationId);
    }),
  );
}

async function findHome({ dataSource }: Context): Promise<string | undefined> {
  const { manager } = dataSource;
  if (await manager.existsBy(AuditEntry, { action: 'project.create' })) return undefined;
  const [oldest] = await manager.find(Organization, { order: { createdAt: 'ASC' }, take: 1 });
  return oldest?.id;
}
