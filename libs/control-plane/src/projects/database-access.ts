import { fail } from '#libs/errors';
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { namesOf } from '../provisioning/names.js';
import { ensureMigrated } from './migrate-projects.js';
import { openSecrets } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';

/** How tools reach the database of a project as the owner of its tables. */
export interface DatabaseAccess {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** A connection string with the password. */
  readonly databaseUrl: string;
}

/** The access of a project's owner now: it changes with an upgrade that renames it. Throws PROJECT_NOT_FOUND. */
export async function getDatabaseAccess(
  context: ProjectsContext,
  ref: string,
): Promise<DatabaseAccess> {
  const where = { ref, status: In(['active', 'paused']) };
  const project = await context.dataSource.manager.findOneBy(Project, where);
  if (project === null) throw fail('PROJECT_NOT_FOUND');
  // The names of this release come with its first migration.
  await ensureMigrated(context, ref);
  const { host, port } = context.server;
  const { database, owner: user } = namesOf(project.databaseId);
  const { owner: password } = openSecrets(context.masterKey, project).passwords;
  return {
    host,
    port,
    database,
    user,
    databaseUrl: ownerUrl(context, project.databaseId, password),
  };
}

/** The connection string of a project's owner. */
export function ownerUrl(
  { server }: Pick<ProjectsContext, 'server'>,
  databaseId: string,
  password: string,
): string {
  const { host, port, ssl } = server;
  const names = namesOf(databaseId);
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `postgres://${names.owner}:${password}@${address}/${names.database}${ssl ? '?sslmode=require' : ''}`;
}
