import { deleteUser, type DeletionCheck } from '#libs/auth-engine';
import type { ProjectDatabase } from '#libs/database';
import { createHooks, type HookCaller, type HookDelivery } from '#libs/hooks';
import type { NewDelivery } from '#libs/outbox';
import { type AuditEntry, auditRow } from './audit.js';
import { ofHook } from './project-hooks.js';

export interface ToldDeletion {
  readonly userId: string;
  readonly audit?: AuditEntry;
  /** Data of the event `user.deleted`. */
  readonly eventData: Readonly<Record<string, unknown>>;
  readonly check?: DeletionCheck;
}

/**
 * Deletes a user and all rows that refer to it; stores audit entry and event with it. False if the user does not exist.
 * If a table of the project keeps the user, throws its refusal and changes nothing.
 */
export async function deleteProjectUser(
  db: ProjectDatabase,
  caller: HookCaller,
  { userId, audit, eventData, check }: ToldDeletion,
): Promise<boolean> {
  let event: NewDelivery | undefined;
  const record = (delivery: HookDelivery): Promise<void> => {
    event = ofHook(delivery);
    return Promise.resolve();
  };
  // Stores nothing if the project receives no events.
  await createHooks({ ...caller, record }).emit('user.deleted', eventData);
  return deleteUser(db.enginePool, (id) => db.deleteUser(id), {
    userId,
    event,
    check,
    ...(audit && { audit: auditRow(audit) }),
  });
}
