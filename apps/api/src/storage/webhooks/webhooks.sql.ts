import type { Transaction } from '#libs/database';

import { isoTime } from '../core/stored-file.js';

export const WEBHOOK_EVENTS = ['uploaded', 'copied', 'moved', 'deleted'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A webhook without its secret. Times are ISO 8601. */
export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly active: boolean;
  /** Until then the secret before this one signs along; null when there is none. */
  readonly previousSecretUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Which webhook: of this bucket, with this id. */
export interface WebhookKey {
  readonly bucket: string;
  readonly id: string;
}

interface ViewRow {
  readonly webhook: WebhookView;
}

const view = `pg_catalog.json_build_object(
  'id', w.id, 'url', w.url, 'events', w.events, 'active', w.active,
  'previousSecretUntil',
    case when w.previous_secret_until operator(pg_catalog.>) pg_catalog.now()
      then w.previous_secret_until end,
  'createdAt', w.created_at, 'updatedAt', w.updated_at
) as webhook`;

/** The newest first. */
export async function listWebhooks(tx: Transaction, bucket: string): Promise<WebhookView[]> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.webhooks w where w.bucket operator(pg_catalog.=) $1
      order by w.created_at desc, w.id`,
    [bucket],
  );
  return rows.map(viewOf);
}

/** The webhook as it is, kept so until the transaction ends. */
export async function findWebhook(
  tx: Transaction,
  { bucket, id }: WebhookKey,
): Promise<WebhookView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.webhooks w where w.bucket operator(pg_catalog.=) $1
      and w.id operator(pg_catalog.=) $2 for no key update`,
    [bucket, id],
  );
  return rows[0] && viewOf(rows[0]);
}

export interface NewWebhook extends WebhookKey {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly active: boolean;
  readonly sealedSecret: string;
}

/** Undefined if the bucket does not exist. */
export async function insertWebhook(
  tx: Transaction,
  { id, bucket, url, events, active, sealedSecret }: NewWebhook,
): Promise<WebhookView | undefined> {
  // The bucket is held, so that its deletion waits instead of meeting the foreign key.
  const { rows } = await tx.query<ViewRow>(
    `with held as (select slug from storage.buckets where slug operator(pg_catalog.=) $1 for key share)
     insert into storage.webhooks as w (id, bucket, url, events, active, secret)
     select $2, slug, $3, $4::pg_catalog.text[], $5, $6 from held
     returning ${view}`,
    [bucket, id, url, events, active, sealedSecret],
  );
  return rows[0] && viewOf(rows[0]);
}

/** What is undefined stays. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly active?: boolean | undefined;
}

export async function updateWebhook(
  tx: Transaction,
  { bucket, id }: WebhookKey,
  { url, events, active }: WebhookChange,
): Promise<WebhookView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `update storage.webhooks w
     set url = coalesce($3, w.url), events = coalesce($4::pg_catalog.text[], w.events),
       active = coalesce($5, w.active), updated_at = pg_catalog.now()
     where w.bucket operator(pg_catalog.=) $1 and w.id operator(pg_catalog.=) $2
     returning ${view}`,
    [bucket, id, url ?? null, events ?? null, active ?? null],
  );
  return rows[0] && viewOf(rows[0]);
}

/** Gives the webhook another secret; the one before signs along for a day. */
export async function replaceSecret(
  tx: Transaction,
  { bucket, id }: WebhookKey,
  sealedSecret: string,
): Promise<WebhookView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `update storage.webhooks w
     set secret = $3, previous_secret = w.secret,
       previous_secret_until = pg_catalog.now() operator(pg_catalog.+) interval '24 hours',
       updated_at = pg_catalog.now()
     where w.bucket operator(pg_catalog.=) $1 and w.id operator(pg_catalog.=) $2
     returning ${view}`,
    [bucket, id, sealedSecret],
  );
  return rows[0] && viewOf(rows[0]);
}

/** What the webhook was; its deliveries go with it. */
export async function deleteWebhookRow(
  tx: Transaction,
  { bucket, id }: WebhookKey,
): Promise<WebhookView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `delete from storage.webhooks w where w.bucket operator(pg_catalog.=) $1
      and w.id operator(pg_catalog.=) $2 returning ${view}`,
    [bucket, id],
  );
  return rows[0] && viewOf(rows[0]);
}

export interface WebhookTarget {
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; null when none signs along. */
  readonly previousSecret: string | null;
}

/** Where the webhook leads, and what signs for it. */
export async function findTarget(
  tx: Transaction,
  { bucket, id }: WebhookKey,
): Promise<WebhookTarget | undefined> {
  const { rows } = await tx.query<WebhookTarget>(
    `select url, secret,
       case when previous_secret_until operator(pg_catalog.>) pg_catalog.now() then previous_secret end as "previousSecret"
     from storage.webhooks where bucket operator(pg_catalog.=) $1 and id operator(pg_catalog.=) $2`,
    [bucket, id],
  );
  return rows[0];
}

function viewOf({ webhook }: ViewRow): WebhookView {
  const { previousSecretUntil: until, createdAt, updatedAt } = webhook;
  return {
    ...webhook,
    previousSecretUntil: until === null ? null : isoTime(until),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
