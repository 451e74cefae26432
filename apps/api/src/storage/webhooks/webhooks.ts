// Webhooks of a bucket. Their secrets are sealed before they are stored, and shown when they are made.
import { randomUUID } from 'node:crypto';

import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { newWebhookSecret } from '#libs/outbound';
import {
  appendAudit,
  type AuditActor,
  type ProjectRuntime,
  type WebhookSeal,
  webhookSeal,
} from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { checkAddress } from '../../http/check-address.js';
import { parseSlug } from '../core/locate.js';
import type { ChangeWebhookBody, CreateWebhookBody } from './webhooks.dto.js';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  updateWebhook,
  type WebhookKey,
  type WebhookView,
} from './webhooks.sql.js';

/** A webhook when its secret is new: that is shown this once. */
export interface WebhookWithSecret extends WebhookView {
  readonly secret: string;
}

/** What the path of a request says of a webhook. */
export interface WebhookPath {
  readonly slug: string;
  readonly id: string;
}

/** Throws BUCKET_NOT_FOUND. */
export function readWebhooks(
  project: ProjectRuntime,
  slugText: string,
): Promise<readonly WebhookView[]> {
  const slug = parseSlug(slugText);
  return project.db.runAsEngine(async (tx) => {
    const { rowCount } = await tx.query('select from storage.buckets where slug = $1', [slug]);
    if (rowCount === 0) throw fail('BUCKET_NOT_FOUND', { slug });
    return listWebhooks(tx, slug);
  });
}

/** Throws WEBHOOK_NOT_FOUND. */
export function readWebhook(project: ProjectRuntime, path: WebhookPath): Promise<WebhookView> {
  const key = parseWebhookPath(path);
  return project.db.runAsEngine((tx) => getWebhook(tx, key));
}

/** Throws BUCKET_NOT_FOUND, and OUTBOUND_REFUSED for an address that may not be called. */
export async function createWebhook(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, body }: { readonly slug: string; readonly body: CreateWebhookBody },
): Promise<WebhookWithSecret> {
  const bucket = parseSlug(slug);
  const { url, events = ['uploaded'], active = true } = body;
  await checkAddress(project.deps.outbound, url);
  const [id, secret] = [randomUUID(), newWebhookSecret()];
  const sealedSecret = sealOf(project).close(id, secret);
  const view = await project.db.runAsEngine(async (tx) => {
    const made = await insertWebhook(tx, { id, bucket, url, events, active, sealedSecret });
    if (!made) throw fail('BUCKET_NOT_FOUND', { slug: bucket });
    await audit(tx, { actor, action: 'webhook.create', bucket, before: null, after: made });
    return made;
  });
  await project.deliveries.watch();
  return { ...view, secret };
}

/** Throws WEBHOOK_NOT_FOUND and OUTBOUND_REFUSED. */
export async function changeWebhook(
  project: ProjectRuntime,
  actor: AuditActor,
  { path, body }: { readonly path: WebhookPath; readonly body: ChangeWebhookBody },
): Promise<WebhookView> {
  const key = parseWebhookPath(path);
  if (body.url !== undefined) await checkAddress(project.deps.outbound, body.url);
  const view = await project.db.runAsEngine(async (tx) => {
    const before = await getWebhook(tx, key);
    const after = (await updateWebhook(tx, key, body)) ?? before;
    await audit(tx, { actor, action: 'webhook.update', bucket: key.bucket, before, after });
    return after;
  });
  // What has waited while it was off goes out now.
  await project.deliveries.watch();
  return view;
}

/** Throws WEBHOOK_NOT_FOUND. */
export async function rotateSecret(
  project: ProjectRuntime,
  actor: AuditActor,
  path: WebhookPath,
): Promise<WebhookWithSecret> {
  const key = parseWebhookPath(path);
  const secret = newWebhookSecret();
  const sealedSecret = sealOf(project).close(key.id, secret);
  const view = await project.db.runAsEngine(async (tx) => {
    const before = await getWebhook(tx, key);
    const after = (await replaceSecret(tx, key, sealedSecret)) ?? before;
    await audit(tx, { actor, action: 'webhook.rotateSecret', bucket: key.bucket, before, after });
    return after;
  });
  return { ...view, secret };
}

/** Its deliveries go with it. Throws WEBHOOK_NOT_FOUND. */
export function deleteWebhook(
  project: ProjectRuntime,
  actor: AuditActor,
  path: WebhookPath,
): Promise<void> {
  const key = parseWebhookPath(path);
  return project.db.runAsEngine(async (tx) => {
    const before = await deleteWebhookRow(tx, key);
    if (!before) throw fail('WEBHOOK_NOT_FOUND');
    await audit(tx, { actor, action: 'webhook.delete', bucket: key.bucket, before, after: null });
  });
}

/** Throws WEBHOOK_NOT_FOUND for an id that is none. */
export function parseWebhookPath({ slug, id }: WebhookPath): WebhookKey {
  const bucket = parseSlug(slug);
  if (!isUuid(id)) throw fail('WEBHOOK_NOT_FOUND');
  return { bucket, id };
}

/** The seal of the secrets of the project's webhooks. */
export function sealOf({ record }: ProjectRuntime): WebhookSeal {
  return webhookSeal(record.ref, record.dataKey);
}

/** The webhook, kept as it is until the transaction ends. Throws WEBHOOK_NOT_FOUND. */
export async function getWebhook(tx: Transaction, key: WebhookKey): Promise<WebhookView> {
  const found = await findWebhook(tx, key);
  if (!found) throw fail('WEBHOOK_NOT_FOUND');
  return found;
}

interface WebhookEntry {
  readonly actor: AuditActor;
  readonly action: string;
  readonly bucket: string;
  readonly before: WebhookView | null;
  readonly after: WebhookView | null;
}

function audit(tx: Transaction, { bucket: target, ...entry }: WebhookEntry): Promise<void> {
  return appendAudit(tx, { target, ...entry });
}
