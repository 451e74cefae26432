// The rows of platform.hook_deliveries: one function per statement.
import { now, type SweepValues } from '#libs/sql-text';

import { queryRows, type HookPool } from './hook-pool.js';
import type { HookDelivery, HookMessage, HookName } from './hook-types.js';

const maxListed = 200;
const sweepRows = 1000;
const maxSweeps = 100;

/** Stores a delivery. A pending one is due at once. */
export async function recordDelivery(pool: HookPool, delivery: HookDelivery): Promise<void> {
  await queryRows(
    pool,
    `insert into platform.hook_deliveries
       (hook, event_id, target, status, attempts, response_status, error, duration_ms, payload, next_attempt_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $4 = 'pending' then pg_catalog.now() end)`,
    [
      delivery.hook,
      delivery.eventId,
      delivery.target,
      delivery.status,
      delivery.attempts,
      delivery.responseStatus ?? null,
      delivery.error === undefined ? null : storable(delivery.error),
      delivery.durationMs ?? null,
      storableJson(delivery.payload),
    ],
  );
}

/** An event that is due at once, as the text of a JSON object by the columns of its row. */
export function eventRow(delivery: HookDelivery): string {
  const { hook, eventId, target, status, attempts, payload } = delivery;
  return storableJson({ hook, event_id: eventId, target, status, attempts, payload });
}

/** A delivery as operators see it. */
export interface DeliveryRow {
  /** A bigint in digits; grows with time. */
  readonly id: string;
  readonly hook: HookName;
  readonly eventId: string;
  readonly target: string;
  readonly status: HookDelivery['status'] | 'dead';
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly payload: HookMessage;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

export interface DeliveryFilter {
  readonly hook?: HookName;
  readonly status?: DeliveryRow['status'];
  /** Gives those before this id, for the next page. */
  readonly beforeId?: string;
  /** 50 by default, 200 at most. */
  readonly limit?: number;
}

/** The deliveries of a project, the latest first. */
export function listDeliveries(
  pool: HookPool,
  { hook, status, beforeId, limit = 50 }: DeliveryFilter,
): Promise<readonly DeliveryRow[]> {
  return queryRows<DeliveryRow>(
    pool,
    `select id::pg_catalog.text, hook, event_id as "eventId", target, status, attempts,
            response_status as "responseStatus", error, duration_ms as "durationMs", payload,
            next_attempt_at as "nextAttemptAt", created_at as "createdAt"
     from platform.hook_deliveries
     where ($1::pg_catalog.text is null or hook = $1) and ($2::pg_catalog.text is null or status = $2)
       and ($3::pg_catalog.int8 is null or id < $3)
     order by hook_deliveries.id desc limit $4`,
    [hook ?? null, status ?? null, beforeId ?? null, Math.min(Math.max(limit, 1), maxListed)],
  );
}

/** Gives a dead event all its tries again, the first at once. Answers whether there was one. */
export async function reviveDelivery(pool: HookPool, id: string): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `update platform.hook_deliveries set status = 'pending', attempts = 0, next_attempt_at = pg_catalog.now()
     where id = $1::pg_catalog.int8 and status = 'dead' returning 1`,
    [id],
  );
  return rows.length > 0;
}

/**
 * Returns SQL conditions that say whether deliveries are older than `keepDays`, and whether events are due; the hook may
 * be off.
 */
export function deliveryConditions(
  values: SweepValues,
): Readonly<Record<'oldDeliveries' | 'events', string>> {
  const exists = (condition: string) =>
    `exists (select from platform.hook_deliveries where ${condition})`;
  return { oldDeliveries: exists(isOld(values)), events: exists(isDueEventAt(values.at)) };
}

const isDueEventAt = (at: string): string => `status = 'pending' and next_attempt_at <= ${at}`;

/** Of an event that waits for its next try, or whose last try never ended. */
export const isDueEvent = isDueEventAt(now);

function isOld({ at, keepDays }: SweepValues): string {
  return `created_at < ${at} - pg_catalog.make_interval(days => ${keepDays})`;
}

/**
 * Deletes deliveries that are older than `keepDays`, those included that still wait because the hook is off.
 * Works in batches, on any number of processes at once. Answers how many are gone, at most 100,000.
 */
export async function sweepDeliveries(pool: HookPool, keepDays: number): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < maxSweeps; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await queryRows(
      pool,
      `delete from platform.hook_deliveries where id in (
         select id from platform.hook_deliveries
         where ${isOld({ at: now, keepDays: '$1' })}
         limit ${sweepRows} for update skip locked
       ) returning 1`,
      [keepDays],
    );
    swept += rows.length;
    if (rows.length < sweepRows) break;
  }
  return swept;
}

/** JSON that PostgreSQL takes: without NUL, and without halves of surrogate pairs. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'string' ? storable(inner) : inner,
  );
}

/** Writing the text as UTF-8 and reading it back replaces what is no character. */
function storable(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}
