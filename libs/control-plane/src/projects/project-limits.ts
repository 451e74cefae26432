// Limits that an operator of the deployment sets for one project.
import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { changeRecord } from './change-record.js';
import type { ProjectsContext } from './projects-context.js';

export interface ProjectLimits {
  /** The most bytes that its files may have together; null: the default of the deployment. */
  readonly storageBytes: number | null;
}

/** Returns the limits of a project. Throws PROJECT_NOT_FOUND. */
export async function readLimits({ manager }: DataSource, ref: string): Promise<ProjectLimits> {
  const project = await manager.findOneBy(Project, { ref });
  if (project?.status !== 'active' && project?.status !== 'paused') throw fail('PROJECT_NOT_FOUND');
  return { storageBytes: project.storageQuotaBytes };
}

/** Sets the limits of a project; they apply from the next upload. Throws PROJECT_NOT_FOUND. */
export async function setLimits(
  context: ProjectsContext,
  actor: AuditActor,
  { ref, storageBytes }: ProjectLimits & { readonly ref: string },
): Promise<void> {
  await changeRecord(context, ref, async (manager, project) => {
    await manager.update(Project, { ref }, { storageQuotaBytes: storageBytes });
    await recordAudit(manager, {
      actor,
      action: 'project.limits',
      organizationId: project.organizationId,
      ref,
      target: ref,
      before: { storageBytes: project.storageQuotaBytes },
      after: { storageBytes },
    });
  });
}
