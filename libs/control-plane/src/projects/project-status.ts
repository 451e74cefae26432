import { fail } from '#libs/errors';
import { Project } from '../entities/project.entity.js';
import { withAdmin } from '../provisioning/database-server.js';
import { namesOf } from '../provisioning/names.js';
import type { ProjectsContext } from './projects-context.js';

/** How a project is doing, as the superuser sees it. */
export interface ProjectCondition {
  readonly ref: string;
  readonly status: string;
  readonly version: number;
  readonly databaseBytes: number;
  readonly connections: { readonly open: number; readonly active: number };
  readonly users: number;
  readonly migrations: { readonly isCurrent: boolean; readonly applied: number };
}

const conditionQuery = `
  select pg_database_size(current_database())::float8 as "databaseBytes",
    (select count(*)::int from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend') as open,
    (select count(*)::int from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend' and state <> 'idle') as active,
    (select count(*)::int from auth."user") as users,
    (select count(*)::int from platform.schema_migrations) as applied`;

interface ConditionRow {
  readonly databaseBytes: number;
  readonly open: number;
  readonly active: number;
  readonly users: number;
  readonly applied: number;
}

/** The condition of a project now. Throws PROJECT_NOT_FOUND. */
export async function projectCondition(
  context: ProjectsContext,
  ref: string,
): Promise<ProjectCondition> {
  const project = await context.dataSource.manager.findOneBy(Project, { ref });
  if (project?.status !== 'active' && project?.status !== 'paused') throw fail('PROJECT_NOT_FOUND');
  const row = await withAdmin(context.server, namesOf(ref).database, async (client) => {
    const reply = await client.query<ConditionRow>(conditionQuery);
    return reply.rows[0];
  });
  if (row === undefined) throw fail('PROJECT_UNAVAILABLE');
  return {
    ref,
    status: project.status,
    version: project.version,
    databaseBytes: row.databaseBytes,
    connections: { open: row.open, active: row.active },
    users: row.users,
    migrations: { isCurrent: project.migratedTo === context.release.hash, applied: row.applied },
  };
}
