import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { alignAccess } from './align-access.js';
import { changeRecord } from './change-record.js';
import { ensureMigrated } from './migrate-projects.js';
import type { ProjectsContext } from './projects-context.js';
import { restoreAndNote, restoreIfChanged } from './restore-logins.js';

/** Gives a project another name. The ref stays. */
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
 * Pauses a project, which also ends the connections of its owner, and those of its other logins where their passwords
 * were changed, and admits none; or lets it answer again. Repeating
 * it changes nothing but the version; resuming also repairs the logins of the database, so that it heals a project
 * whose owner changed their passwords. Throws CONFLICT while sessions of the project keep their login locked.
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
  // Sessions of the other logins, if the project has given them passwords that it knows.
  if (status === 'paused') await restoreIfChanged(context, ref);
}

async function healLogins(context: ProjectsContext, ref: string): Promise<void> {
  // The names and logins of this release come with its first migration.
  await ensureMigrated(context, ref);
  await restoreAndNote(context, ref);
}
