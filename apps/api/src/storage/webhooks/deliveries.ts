import { randomUUID } from 'node:crypto';

import { fail } from '#libs/errors';
import {
  appendAudit,
  type AuditActor,
  type ProjectRuntime,
  sendWebhook,
  type WebhookOutcome,
} from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { page, type PageEnvelope } from '../core/answers.js';
import {
  type DeliveryView,
  findDelivery,
  listDeliveryRows,
  reviveDeliveryRow,
} from './deliveries.sql.js';
import type { ListDeliveriesQuery } from './webhooks.dto.js';
import { findTarget } from './webhooks.sql.js';
import { getWebhook, parseWebhookPath, sealOf, type WebhookPath } from './webhooks.js';

const defaultLimit = 50;

export type DeliveryPage = PageEnvelope<DeliveryView>;

/** The deliveries to a webhook, the newest first. Throws WEBHOOK_NOT_FOUND. */
export function readDeliveries(
  project: ProjectRuntime,
  path: WebhookPath,
  { status, limit = defaultLimit, offset = 0 }: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const key = parseWebhookPath(path);
  return project.db.runAsEngine(async (tx) => {
    await getWebhook(tx, key);
    const found = await listDeliveryRows(tx, key.id, { status, limit, offset });
    return page(found.deliveries, found.total);
  });
}

/**
 * Sends a message again that has arrived, or whose tries have all failed; a waiting message is unchanged. Throws
 * WEBHOOK_NOT_FOUND and DELIVERY_NOT_FOUND.
 */
export async function redeliver(
  project: ProjectRuntime,
  actor: AuditActor,
  { path, deliveryId }: { readonly path: WebhookPath; readonly deliveryId: string },
): Promise<DeliveryView> {
  const key = parseWebhookPath(path);
  if (!isUuid(deliveryId)) throw fail('DELIVERY_NOT_FOUND');
  const view = await project.db.runAsEngine(async (tx) => {
    await getWebhook(tx, key);
    const before = await findDelivery(tx, key.id, deliveryId);
    if (!before) throw fail('DELIVERY_NOT_FOUND');
    const after = await reviveDeliveryRow(tx, key.id, deliveryId);
    if (!after) return before;
    await appendAudit(tx, {
      actor,
      action: 'webhook.redeliver',
      target: key.bucket,
      before: { webhookId: key.id, deliveryId, status: before.status },
      after: { webhookId: key.id, deliveryId, status: after.status },
    });
    return after;
  });
  project.deliveries.schedule();
  return view;
}

/** Sends a `ping` at once, also to a webhook that is off, and says what came of it. Throws WEBHOOK_NOT_FOUND. */
export async function testWebhook(
  project: ProjectRuntime,
  path: WebhookPath,
): Promise<WebhookOutcome> {
  const key = parseWebhookPath(path);
  const target = await project.db.runAsEngine((tx) => findTarget(tx, key));
  if (!target) throw fail('WEBHOOK_NOT_FOUND');
  const { url, secret, previousSecret } = target;
  const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
  const seal = sealOf(project);
  const id = randomUUID();
  const ping = { id, type: 'ping', occurredAt: new Date().toISOString(), bucket: key.bucket };
  return sendWebhook(
    { outbound: project.deps.outbound, now: Date.now },
    {
      url,
      id,
      secrets: sealed.map((envelope) => seal.open(key.id, envelope)),
      body: JSON.stringify(ping),
    },
  );
}
