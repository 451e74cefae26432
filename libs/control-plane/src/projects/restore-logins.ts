// The passwords and settings that the platform gives to the logins of a project: restored, and recorded as a digest
// that the worker compares.
import { AppError, fail } from '#libs/errors';
import { type DataSource, In } from 'typeorm';
import type { Client } from 'pg';
import { Project } from '../entities/project.entity.js';
import {
  digestOn,
  endConnectionsOf,
  prepareLogins,
  withLoginLock,
} from '../provisioning/login-state.js';
import { loginKinds, namesOf } from '../provisioning/names.js';
import { openSecrets } from './project-secrets.js';
import type { ProjectsContext } from './projects-context.js';

/** Dependencies of changing logins. */
export type LoginsContext = Pick<ProjectsContext, 'dataSource' | 'server' | 'masterKey'>;

/**
 * Restores the passwords and settings of the logins of a project and records their digest. Throws PROJECT_NOT_FOUND,
 * and CONFLICT while a session holds a lock on a login.
 */
export async function restoreAndNote(context: LoginsContext, ref: string): Promise<void> {
  await withLoginLock(context.server, ref, async (client) => {
    const project = await getUsable(context.dataSource, ref);
    await restoreOn(context, client, project);
  });
}

/** Attempts to restore logins whose sessions reconnect between being ended and the restore. */
const restoreAttempts = 3;

/**
 * Does the same as {@link restoreAndNote} if the logins differ from the recorded digest. Ends their sessions first,
 * because a session may hold a lock on its own login, and once more afterwards. Returns false for logins that do not
 * differ, and for those that are recorded for the first time. Throws CONFLICT while another session holds a lock on a
 * login.
 */
export async function restoreIfChanged(context: LoginsContext, ref: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToRestore(context, ref);
    } catch (error) {
      if (attempt === restoreAttempts || !isConflict(error)) throw error;
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CONFLICT';

async function tryToRestore(context: LoginsContext, ref: string): Promise<boolean> {
  return withLoginLock(context.server, ref, async (client) => {
    // Read again under the lock: another process may have restored them meanwhile.
    const project = await getUsable(context.dataSource, ref);
    const [noted]: { digest: string | null }[] = await context.dataSource.query(
      'select login_digest as digest from project where ref = $1',
      [ref],
    );
    const { databaseId } = project;
    const present = (await digestOn(client, [databaseId])).get(databaseId);
    if (noted === undefined || present === undefined || present === noted.digest) return false;
    const isChanged = noted.digest !== null;
    if (isChanged) await endAllSessions(client, databaseId);
    await restoreOn(context, client, project);
    // Sessions that have meanwhile signed in with another password.
    if (isChanged) await endAllSessions(client, databaseId);
    return isChanged;
  });
}

async function endAllSessions(client: Client, databaseId: string): Promise<void> {
  const names = namesOf(databaseId);
  for (const kind of loginKinds) await endConnectionsOf(client, names[kind]);
}

/** Makes the next comparison restore and record the logins of a project without a warning. */
export async function forgetLogins(dataSource: DataSource, ref: string): Promise<void> {
  await dataSource.query('update project set login_digest = null where ref = $1', [ref]);
}

/** Returns the project, active or paused. Throws PROJECT_NOT_FOUND. */
export async function getUsable({ manager }: DataSource, ref: string): Promise<Project> {
  const project = await manager.findOneBy(Project, { ref, status: In(['active', 'paused']) });
  if (project === null) throw fail('PROJECT_NOT_FOUND');
  return project;
}

async function restoreOn(
  { dataSource, masterKey }: LoginsContext,
  client: Client,
  project: Project,
): Promise<void> {
  const { passwords } = openSecrets(masterKey, project);
  const restore = await prepareLogins(project.databaseId, passwords);
  const digest = await restore(client);
  await dataSource.query('update project set login_digest = $2 where ref = $1', [
    project.ref,
    digest,
  ]);
}
