import { fail } from '#libs/errors';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Project } from '../entities/project.entity.js';
import { finishOperations, planOperation } from '../operations/operations.js';
import { alignAccess } from './align-access.js';
import { moveVersion } from './change-record.js';
import { publishRecord, type ProjectsContext } from './projects-context.js';

/**
 * Returns a deleted project to its former state, with all its data. Throws PROJECT_NOT_FOUND, and CONFLICT if it is not
 * deleted or its removal has begun.
 */
export async function restoreProject(
  context: ProjectsContext,
  actor: AuditActor,
  ref: string,
): Promise<void> {
  const version = await context.dataSource.transaction(async (manager) => {
    const lock = { mode: 'pessimistic_write' } as const;
    const project = await manager.findOne(Project, { where: { ref }, lock });
    if (project === null) throw fail('PROJECT_NOT_FOUND');
    const { statusBefore, organizationId, deleteAt } = project;
    if (project.status !== 'deleted' || statusBefore === null) {
      throw fail('CONFLICT', {
        reason:
          project.status === 'deleting'
            ? 'The removal of this project has begun'
            : 'This project is not deleted',
      });
    }
    const restored = { status: statusBefore, deleteAt: null, statusBefore: null };
    await manager.update(Project, { ref }, restored);
    await finishOperations(manager, ref, 'undone');
    // The deletion has ended the operation of an upgrade in progress, and nothing else takes the upgrade back.
    if (project.upgrading !== null) {
      await planOperation(manager, { kind: 'upgrade', ref, organizationId }, new Date());
    }
    await recordAudit(manager, {
      actor,
      action: 'project.restore',
      organizationId,
      ref,
      target: ref,
      before: { status: 'deleted', deleteAt },
      after: { status: statusBefore },
    });
    return moveVersion(manager, ref);
  });
  // The project is served again when its database accepts connections again.
  await alignAccess(context, ref);
  await publishRecord(context.publish, { ref, version });
}
