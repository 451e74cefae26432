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
  /** The most bytes that its database may take; null: the default of the deployment. */
  readonly databaseBytes: number | null;
  /**
   * Whether its mails may go over the mail server of the deployment; null: no decision. `SMTP_PROJECTS` decides; if it is
   * not set, projects that an administrator of the deployment created may.
   */
  readonly sharedMailServer: boolean | null;
}

/** Returns the limits of a project. Throws PROJECT_NOT_FOUND. */
export async function readLimits({ manager }: DataSource, ref: string): Promise<ProjectLimits> {
  const project = await manager.findOneBy(Project, { ref });
  if (project?.status !== 'active' && project?.status !== 'paused') throw fail('PROJECT_NOT_FOUND');
  return limitsOf(project);
}

/**
 * Sets the limits of a project. That of files applies from the next upload, that of the database within a minute, and the
 * mail server from the next mail; what is absent stays. Throws PROJECT_NOT_FOUND.
 */
export async function setLimits(
  context: ProjectsContext,
  actor: AuditActor,
  input: Partial<ProjectLimits> & { readonly ref: string },
): Promise<void> {
  const { ref, ...wanted } = input;
  await changeRecord(context, ref, async (manager, project) => {
    const before = limitsOf(project);
    const {
      storageBytes = before.storageBytes,
      databaseBytes = before.databaseBytes,
      sharedMailServer = before.sharedMailServer,
    } = wanted;
    await manager.update(
      Project,
      { ref },
      { storageQuotaBytes: storageBytes, databaseQuotaBytes: databaseBytes, sharedMailServer },
    );
    await recordAudit(manager, {
      actor,
      action: 'project.limits',
      organizationId: project.organizationId,
      ref,
      target: ref,
      before,
      after: { storageBytes, databaseBytes, sharedMailServer },
    });
  });
}

const limitsOf = (project: Project): ProjectLimits => ({
  storageBytes: project.storageQuotaBytes,
  databaseBytes: project.databaseQuotaBytes,
  sharedMailServer: project.sharedMailServer,
});
