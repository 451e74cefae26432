import { fail } from '#libs/errors';
import { In } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { AuditEntry } from '../entities/audit-entry.entity.js';
import { Project } from '../entities/project.entity.js';
import { tryWithLock } from '../provisioning/advisory-lock.js';
import { withAdmin } from '../provisioning/database-server.js';
import { namesOf } from '../provisioning/names.js';
import { dropDatabase, hasDatabase } from '../provisioning/project-database.js';
import { removeFolder } from '../provisioning/project-files.js';
import { renameDatabase } from '../provisioning/rename-database.js';
import type { Step } from '../provisioning/steps.js';
import { lockProject, moveVersion } from './change-record.js';
import { dropNotedLogins, noteLeftoverLogins } from './leftover-logins.js';
import { getDeletedRecord } from './project-records.js';
import { projectLock, type ProjectsContext } from './projects-context.js';

/**
 * Deletes a project for good. Its row says so first, so that a crash at any later point is finished by
 * {@link finishHalfDone} or by deleting it again. Throws PROJECT_NOT_FOUND.
 */
export async function deleteProject(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<void> {
  const isBegun = await context.dataSource.manager.existsBy(Project, { ref, status: 'deleting' });
  if (!isBegun) await markDeleting(context, actor, ref);
  await clear(context, ref);
}

async function markDeleting(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<void> {
  const version = await context.dataSource.transaction(async (manager) => {
    const project = await lockProject(manager, ref);
    await manager.update(Project, { ref }, { status: 'deleting' });
    await recordAudit(manager, {
      actor,
      action: 'project.delete',
      organizationId: project.organizationId,
      ref,
      target: ref,
      before: { name: project.name, status: project.status, idType: project.idType },
    });
    return moveVersion(manager, ref);
  });
  await context.publish(`project.${ref}`, { kind: 'deleted', version });
}

/**
 * Finishes what a crash left half done: deletions are carried out, half-made projects are taken back.
 * What another process works on right now is left to it. Returns the refs that were cleared. A project that
 * cannot be cleared is told to `onFailure` and keeps the others from nothing; without that its error is thrown.
 */
export async function finishHalfDone(
  context: ProjectsContext,
  onFailure?: (ref: string, error: unknown) => void,
): Promise<string[]> {
  const projects = await context.dataSource.manager.find(Project, {
    select: { ref: true },
    where: { status: In(['creating', 'deleting']) },
  });
  const cleared: string[] = [];
  for (const { ref } of projects) {
    try {
      if (await clear(context, ref)) cleared.push(ref); // One by one: there is no hurry and few of them.
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(ref, error);
    }
  }
  return cleared;
}

/** Removes everything of a project that is on its way in or out. False when another process is at it. */
async function clear(context: ProjectsContext, ref: string): Promise<boolean> {
  const isCleared = await withAdmin(context.server, undefined, (client) =>
    tryWithLock(client, projectLock(ref), async () => {
      // The state is read again under the lock: a creation may have been completed meanwhile.
      const where = { ref, status: In(['creating', 'deleting']) };
      const project = await context.dataSource.manager.findOneBy(Project, where);
      if (project === null) return false;
      await context.runSteps(deletionSteps(context, project));
      return true;
    }),
  );
  return isCleared ?? false;
}

// Steps backwards make no sense here: a failure leaves the row, and the rest is done at the next start.
function deletionSteps(context: ProjectsContext, project: Project): readonly Step[] {
  const { server, dataDir, dataSource } = context;
  const { ref, databaseId } = project;
  const names = namesOf(databaseId);
  const undo = async (): Promise<void> => undefined;
  return [
    {
      name: 'rename the database',
      run: async () => {
        if (project.hasLegacyNames) await renameDatabase(server, { ref, databaseId });
      },
      undo,
    },
    // The settings, which say where they are, go with the database.
    { name: 'remove the objects', run: () => removeObjects(context, project), undo },
    { name: 'drop the database', run: () => dropDatabase(server, names.database), undo },
    // Without a database the logins lead nowhere. A neighbour can delay their end, and nothing else of the deletion.
    { name: 'note the logins', run: () => noteLeftoverLogins(dataSource, databaseId), undo },
    { name: 'remove the folder', run: () => removeFolder(dataDir, ref), undo },
    {
      name: 'remove the row',
      run: async () => void (await dataSource.manager.delete(Project, { ref })),
      undo,
    },
    {
      name: 'drop the roles',
      run: async () => void (await dropNotedLogins(context, databaseId)),
      undo,
    },
  ];
}

async function removeObjects(context: ProjectsContext, project: Project): Promise<void> {
  if (!context.removeObjects) return;
  const { ref, databaseId } = project;
  // A project that was never finished has none; one whose database is gone has had them removed before.
  const record = await getDeletedRecord(context, ref);
  if (!record || !(await hasDatabase(context.server, namesOf(databaseId).database))) return;
  const deletion = await context.dataSource.manager.findOne(AuditEntry, {
    where: { ref, action: 'project.delete' },
    order: { id: 'DESC' },
  });
  await context.removeObjects(record, { begunAt: deletion?.at ?? new Date() });
}

/** Throws REF_NOT_CONFIRMED unless the operator typed the ref of the project. */
export function assertConfirmed(ref: string, typed: string | undefined): void {
  if (typed !== ref) throw fail('REF_NOT_CONFIRMED');
}
