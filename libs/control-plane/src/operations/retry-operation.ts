import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { capabilitiesOn } from '../organizations/capabilities.js';
import { findOperation, type OperationView } from './list-operations.js';

const idPattern = /^\d{1,18}$/;

const upgradeReason = 'An upgrade is tried again with rowhouse upgrade --resume on the server';

/**
 * Plans the next attempt of an open operation for now, and returns the operation. A deleted project is still kept until
 * its time. Throws OPERATION_NOT_FOUND, also to operators without a membership in the project, and CAPABILITY_REQUIRED;
 * CONFLICT for an upgrade, which only the command `rowhouse upgrade` runs.
 */
export async function retryOperation(
  dataSource: DataSource,
  actor: Exclude<AuditActor, 'system'>,
  id: string,
): Promise<OperationView> {
  const operation = idPattern.test(id) ? await findOperation(dataSource, id) : undefined;
  if (operation === undefined || operation.finishedAt !== null) throw fail('OPERATION_NOT_FOUND');
  const { ref, organizationId, kind } = operation;
  const capabilities = await capabilitiesOn(dataSource, actor.operatorId, { ref });
  if (capabilities === undefined) throw fail('OPERATION_NOT_FOUND');
  const capability = 'projects.manage';
  if (!capabilities.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
  if (kind === 'upgrade') throw fail('CONFLICT', { reason: upgradeReason });
  await dataSource.transaction(async (manager) => {
    await manager.query(
      `update operation set next_try_at = pg_catalog.now(), leased_until = null
       where id = $1 and finished_at is null and state <> 'running'`,
      [id],
    );
    const target = id;
    await recordAudit(manager, {
      actor,
      action: 'operation.retry',
      organizationId,
      ref,
      target,
      after: { kind },
    });
  });
  return (await findOperation(dataSource, id)) ?? operation;
}
