import { fail } from '#libs/errors';
import type { HookMessage } from '#libs/hooks';
import { type DeliveryRow, listDeliveries, reviveDelivery } from '#libs/outbox';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import type { HookDeliveriesQuery } from './hooks.dto.js';

/** A call of a hook. */
export interface HookDeliveryView extends Omit<DeliveryRow, 'source' | 'payload'> {
  readonly hook: string;
  readonly payload: HookMessage;
}

/** A part of the calls of hooks, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly HookDeliveryView[];
}

/** The calls of the project's hooks, and the events that wait. */
export async function readDeliveries(
  project: ProjectRuntime,
  { hook, status, before, limit }: HookDeliveriesQuery,
): Promise<DeliveryPage> {
  const rows = await listDeliveries(project.db, {
    kind: 'hook',
    source: hook,
    status,
    beforeId: before,
    limit,
  });
  const deliveries = rows.map(({ source, payload, ...row }) => {
    // Stored by the platform in this form.
    const message = payload as HookMessage;
    return { ...row, hook: source, payload: message };
  });
  return { deliveries };
}

/** Gives an event whose tries have all failed new ones. Throws HOOK_DELIVERY_NOT_FOUND. */
export async function retryDelivery(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<{ readonly id: string; readonly status: 'pending' }> {
  const isId = /^\d{1,18}$/.test(id);
  if (!isId || !(await reviveDelivery(project.db, { kind: 'hook', id }))) {
    throw fail('HOOK_DELIVERY_NOT_FOUND');
  }
  await project.events.runAnnounced((tx) =>
    appendAudit(tx, {
      actor,
      action: 'hooks.retryDelivery',
      target: id,
      before: { status: 'dead' },
      after: { status: 'pending' },
    }),
  );
  return { id, status: 'pending' };
}
