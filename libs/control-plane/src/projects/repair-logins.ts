// A function of a project that a request calls may go back to the login of its session, and PostgreSQL lets every
// login change its own password and settings. That harms nobody but the project, which would be served no more; here
// it is noticed and taken back.
import { In } from 'typeorm';
import { Project } from '../entities/project.entity.js';
import { namesOf } from '../provisioning/names.js';
import { digestLogins, restoreLogins } from '../provisioning/project-database.js';
import { openSecrets } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';

/** Projects that get their passwords again in one run; each takes some milliseconds of the processor. */
const repairsPerRun = 50;

/**
 * Gives logins that differ from how the platform left them their passwords and settings again. Returns the refs of
 * the projects whose logins were changed, without those that are noted for the first time.
 */
export async function repairChangedLogins(
  context: Pick<ProjectsContext, 'dataSource' | 'server' | 'masterKey'>,
): Promise<readonly string[]> {
  const noted: { ref: string; id: string; digest: string | null }[] =
    await context.dataSource.query(
      `select ref, database_id as id, login_digest as digest from project
       where status in ('active', 'paused') and not has_legacy_names`,
    );
  const present = await digestLogins(
    context.server,
    noted.map(({ id }) => id),
  );
  const changed = noted.filter(({ id, digest }) => (present.get(id) ?? digest) !== digest);
  for (const { ref } of changed.slice(0, repairsPerRun)) await repairLogins(context, ref);
  return changed.filter(({ digest }) => digest !== null).map(({ ref }) => ref);
}

async function repairLogins(
  { dataSource, server, masterKey }: Pick<ProjectsContext, 'dataSource' | 'server' | 'masterKey'>,
  ref: string,
): Promise<void> {
  const where = { ref, status: In(['active', 'paused']) };
  const project = await dataSource.manager.findOneBy(Project, where);
  if (project === null) return;
  const { databaseId } = project;
  await restoreLogins(server, namesOf(databaseId), openSecrets(masterKey, project).passwords);
  const digest = (await digestLogins(server, [databaseId])).get(databaseId);
  await dataSource.query('update project set login_digest = $2 where ref = $1', [ref, digest]);
}
