import type { Transaction } from '#libs/database';

import { isoTime } from '../core/stored-file.js';
import type { DeliveryStatus } from './webhooks.sql.js';

/** A message to a webhook and what came of it. Times are ISO 8601. */
export interface DeliveryView {
  /** Also the `webhook-id` of each try. */
  readonly id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Null when there is no next try. */
  readonly nextAttemptAt: string | null;
  /** Of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

interface ViewRow {
  readonly delivery: DeliveryView;
}

const view = `pg_catalog.json_build_object(
  'id', o.event_id, 'event', o.payload operator(pg_catalog.->>) 'type', 'status', o.status, 'attempts', o.attempts,
  'nextAttemptAt', case when o.status operator(pg_catalog.=) 'pending' then o.next_attempt_at end,
  'lastStatus', o.response_status, 'lastError', o.error, 'payload', o.payload,
  'createdAt', o.created_at, 'endedAt', o.ended_at
) as delivery`;

const ofWebhook = `platform.outbox o
    where o.kind operator(pg_catalog.=) 'webhook' and o.source operator(pg_catalog.=) $1`;

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the deliveries to a webhook, the newest first, and how many there are in all. */
export async function listDeliveryRows(
  tx: Transaction,
  webhookId: string,
  { status, limit, offset }: DeliveryFilter,
): Promise<{ readonly deliveries: readonly DeliveryView[]; readonly total: number }> {
  const matching = `${ofWebhook}
      and ($2::pg_catalog.text is null or o.status operator(pg_catalog.=) $2)`;
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from ${matching} order by o.id desc limit $3 offset $4`,
    [webhookId, status ?? null, limit, offset],
  );
  const counted = await tx.query<{ total: number }>(
    `select pg_catalog.count(*)::pg_catalog.float8 as total from ${matching}`,
    [webhookId, status ?? null],
  );
  return { deliveries: rows.map(viewOf), total: counted.rows[0]?.total ?? 0 };
}

/** The delivery as it is, kept so until the transaction ends. */
export async function findDelivery(
  tx: Transaction,
  webhookId: string,
  id: string,
): Promise<DeliveryView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from ${ofWebhook} and o.event_id operator(pg_catalog.=) $2 for no key update`,
    [webhookId, id],
  );
  return rows[0] && viewOf(rows[0]);
}

/** Gives a finished delivery all of its tries again. Undefined if it still waits; then it is unchanged. */
export async function reviveDeliveryRow(
  tx: Transaction,
  webhookId: string,
  id: string,
): Promise<DeliveryView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `update platform.outbox o
     set status = 'pending', attempts = 0, next_attempt_at = pg_catalog.now(), ended_at = null
     where o.kind operator(pg_catalog.=) 'webhook' and o.source operator(pg_catalog.=) $1
       and o.event_id operator(pg_catalog.=) $2 and o.status operator(pg_catalog.<>) 'pending'
     returning ${view}`,
    [webhookId, id],
  );
  return rows[0] && viewOf(rows[0]);
}

function viewOf({ delivery }: ViewRow): DeliveryView {
  const { nextAttemptAt, endedAt, createdAt } = delivery;
  return {
    ...delivery,
    nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
    endedAt: endedAt === null ? null : isoTime(endedAt),
    createdAt: isoTime(createdAt),
  };
}
