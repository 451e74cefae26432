import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { alignAccess } from './align-access.js';
import { changeRecord } from './change-record.js';
import { ensureMigrated } from './migrate-projects.js';
import type { ProjectsContext } from './projects-context.js';
import { restoreAndNote, restoreIfChanged } from './restore-logins.js';

/** Renames a project. The ref stays. */
export async function renameProject(
  context: ProjectsContext,
  actor: AuditActor,
  input: { readonly ref: string; readonly name: string },
): Promise<void> {
  await changeRecord(context, input.ref, async (manager, project) => {
    await manager.update(Project, { ref: input.ref }, { name: input.name });
    await recordAudit(manager, {
      actor,
      action: 'project.rename',
      organizationId: project.organizationId,
      ref: project.ref,
      target: project.ref,
      before: { name: project.name },
      after: { name: input.name },
    });
  });
}

/**
 * Pauses or resumes a project. Pausing also ends the connections of its owner, and of its other logins if their
 * passwords were changed, and prevents new ones. Repeating it changes nothing but the version. Resuming also repairs
 * the logins of the database, for a project whose owner changed their passwords or locked itself out. Throws CONFLICT
 * while sessions of the project keep their login locked.
 */
export async function setProjectStatus(
  context: ProjectsContext,
  actor: AuditActor,
  input: { readonly ref: string; readonly status: 'active' | 'paused' },
): Promise<void> {
  const { ref, status } = input;
  if (status === 'active') await healLogins(context, ref);
  await changeRecord(context, ref, async (manager, project) => {
    if (project.status === status) return;
    await manager.update(Project, { ref }, { status });
    await recordAudit(manager, {
      actor,
      action: status === 'paused' ? 'project.pause' : 'project.resume',
      organizationId: project.organizationId,
      ref,
      target: ref,
      before: { status: project.status },
      after: { status },
    });
  });
  await alignAccess(context, ref);
  // Sessions of the other logins, if the project has given them known passwords.
  if (status === 'paused') await restoreIfChanged(context, ref);
}

async function healLogins(context: ProjectsContext, ref: string): Promise<void> {
  // The first migration of this release renames database and logins.
  await ensureMigrated(context, ref);
  await restoreAndNote(context, ref);
}
