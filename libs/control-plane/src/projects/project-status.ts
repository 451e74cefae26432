import { fail } from '#libs/errors';
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { withAdmin, withPlatform } from '../provisioning/database-server.js';
import { namesOf } from '../provisioning/names.js';
import type { Fit } from '../provisioning/release.js';
import { openSecrets } from './project-secrets.js';
import { fitOfProject } from './releases.js';
import type { ProjectsContext } from './projects-context.js';

/** The condition of a project. */
export interface ProjectCondition {
  readonly ref: string;
  readonly status: string;
  readonly version: number;
  readonly databaseBytes: number;
  /** Since when the database is above its limit and takes no writes; null: it is not. */
  readonly databaseFullSince: Date | null;
  readonly connections: { readonly open: number; readonly active: number };
  /** Null until the project is upgraded to this release. */
  readonly users: number | null;
  readonly migrations: { readonly isCurrent: boolean; readonly applied: number | null };
}

const serverQuery = `
  select pg_catalog.pg_database_size($1::pg_catalog.text)::pg_catalog.float8 as "databaseBytes",
    pg_catalog.count(pid)::pg_catalog.int4 as open, pg_catalog.count(pid) filter (where state <> 'idle')::pg_catalog.int4 as active
  from pg_stat_activity
  where datname = $1 and backend_type = 'client backend' and usename <> $2`;

const projectQuery = `
  select
    (select pg_catalog.count(*)::pg_catalog.int4 from auth."user") as users,
    (select pg_catalog.count(*)::pg_catalog.int4 from platform.schema_migrations) as applied`;

interface ServerRow {
  readonly databaseBytes: number;
  readonly open: number;
  readonly active: number;
}

interface ProjectRow {
  readonly users: number;
  readonly applied: number;
}

/** Returns the current condition of a project. Throws PROJECT_NOT_FOUND. */
export async function projectCondition(
  context: ProjectsContext,
  ref: string,
): Promise<ProjectCondition> {
  const where = { ref, status: In(['active', 'paused']) };
  const project = await context.dataSource.manager.findOneBy(Project, where);
  if (project === null) throw fail('PROJECT_NOT_FOUND');
  const isCurrent = isUpgraded(await fitOfProject(context, project));
  const [fromServer, fromProject] = await Promise.all([
    askServer(context, project),
    isCurrent ? askProject(context, project) : undefined,
  ]);
  const { databaseBytes, open, active } = fromServer;
  return {
    ref,
    status: project.status,
    version: project.version,
    databaseBytes,
    databaseFullSince: project.databaseFullSince,
    connections: { open, active },
    users: fromProject?.users ?? null,
    migrations: { isCurrent, applied: fromProject?.applied ?? null },
  };
}

/** Whether a project has everything that this release needs. */
const isUpgraded = (fit: Fit): boolean => fit === 'current' || fit === 'newer';

function askServer({ server }: ProjectsContext, project: Project): Promise<ServerRow> {
  return withAdmin(server, undefined, async (client) => {
    const { database, platform } = namesOf(
      project.hasLegacyNames ? project.ref : project.databaseId,
    );
    return oneRow(await client.query<ServerRow>(serverQuery, [database, platform]));
  });
}

/** Async, so that secrets that cannot be opened reject it and leave no other promise without a reader. */
async function askProject(
  { server, masterKey }: ProjectsContext,
  project: Project,
): Promise<ProjectRow> {
  const { database, platform: user } = namesOf(project.databaseId);
  const { platform: password } = openSecrets(masterKey, project).passwords;
  return withPlatform(server, { database, user, password }, async (client) =>
    oneRow(await client.query<ProjectRow>(projectQuery)),
  );
}

function oneRow<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
  const [row] = rows;
  if (row === undefined) throw fail('PROJECT_UNAVAILABLE');
  return row;
}
