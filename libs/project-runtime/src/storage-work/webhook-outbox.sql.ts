// The outbox of webhooks, for delivery. A process takes a row by moving its next try into the future in a separate
// statement; if the process dies, another process takes the row after that time.
import type { EngineQueries } from '#libs/database';
import { now, type SweepValues } from '#libs/sql-text';

/** Longer than a call and the wait for a connection to store its result may take. */
const leaseSeconds = 60;
const sweptAtOnce = 1000;

/** Of messages `o` that wait for a try. */
const isDue = (at: string): string => `o.status operator(pg_catalog.=) 'pending'
           and o.next_attempt_at operator(pg_catalog.<=) ${at}`;

function isOld({ at, keepDays }: SweepValues): string {
  return `status operator(pg_catalog.<>) 'pending'
           and ended_at operator(pg_catalog.<)
             (${at} operator(pg_catalog.-) pg_catalog.make_interval(days => ${keepDays}))`;
}

/**
 * Returns SQL conditions for whether messages of active webhooks are due, and whether deliveries have ended more than
 * `keepDays` days ago.
 */
export function outboxConditions(
  values: SweepValues,
): Readonly<Record<'webhooks' | 'endedWebhooks', string>> {
  return {
    webhooks: `exists (
      select from storage.webhooks w
      join storage.webhook_outbox o on o.webhook_id operator(pg_catalog.=) w.id
      where w.active and ${isDue(values.at)})`,
    endedWebhooks: `exists (select from storage.webhook_outbox where ${isOld(values)})`,
  };
}

/** A message that was taken, with its destination. */
export interface DueMessage {
  readonly id: string;
  readonly webhookId: string;
  /** The number of tries, including this one. */
  readonly attempts: number;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; null if no former secret is valid. */
  readonly previousSecret: string | null;
}

export interface TakeLimits {
  /** Messages in total. */
  readonly total: number;
  readonly perWebhook: number;
  /** Ids of webhooks that get no more messages for now. */
  readonly busy: readonly string[];
}

/** Takes messages that are due, the oldest of each active webhook. Each message is taken by one process. */
export function takeDueMessages(
  db: EngineQueries,
  { total, perWebhook, busy }: TakeLimits,
): Promise<readonly DueMessage[]> {
  return db.queryAsEngine<DueMessage>(
    `with due as materialized (
       select oldest.id, w.url, w.secret,
         case when w.previous_secret_until operator(pg_catalog.>) pg_catalog.now()
           then w.previous_secret end as previous_secret
       from storage.webhooks w
       cross join lateral (
         select o.id, o.next_attempt_at from storage.webhook_outbox o
         where o.webhook_id operator(pg_catalog.=) w.id
           and ${isDue(now)}
         order by o.next_attempt_at limit $2
         for update skip locked
       ) oldest
       where w.active and w.id operator(pg_catalog.<>) all ($3::pg_catalog.uuid[])
       order by oldest.next_attempt_at
       limit $1
     )
     update storage.webhook_outbox taken
     set attempts = taken.attempts operator(pg_catalog.+) 1,
       next_attempt_at = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(secs => $4)
     from due where taken.id operator(pg_catalog.=) due.id
     returning taken.id, taken.webhook_id as "webhookId", taken.attempts, taken.event, taken.payload,
       due.url, due.secret, due.previous_secret as "previousSecret"`,
    [total, perWebhook, busy, leaseSeconds],
  );
}

export interface MessageResult {
  readonly id: string;
  readonly attempts: number;
  readonly lastStatus: number | undefined;
  readonly lastError: string | undefined;
  /** `pending` with the seconds until the next try. */
  readonly next: { readonly status: 'succeeded' | 'dead' } | { readonly retrySeconds: number };
}

/** Does nothing if the time of the try is over and another process has taken the message. */
export async function writeMessageResult(db: EngineQueries, result: MessageResult): Promise<void> {
  const { id, attempts, lastStatus, lastError, next } = result;
  const isRetry = 'retrySeconds' in next;
  // A random tenth in either direction keeps messages that failed together from being retried together.
  await db.queryAsEngine(
    `update storage.webhook_outbox
     set status = $3, last_status = $4, last_error = $5,
       next_attempt_at = pg_catalog.now() operator(pg_catalog.+) pg_catalog.make_interval(
         secs => $6::pg_catalog.float8 operator(pg_catalog.*)
           (0.9 operator(pg_catalog.+) (0.2 operator(pg_catalog.*) pg_catalog.random()))
       ),
       ended_at = case when $3 operator(pg_catalog.<>) 'pending' then pg_catalog.now() end
     where id operator(pg_catalog.=) $1 and attempts operator(pg_catalog.=) $2
       and status operator(pg_catalog.=) 'pending'`,
    [
      id,
      attempts,
      isRetry ? 'pending' : next.status,
      lastStatus ?? null,
      lastError?.replaceAll('\0', '') ?? null,
      isRetry ? next.retrySeconds : null,
    ],
  );
}

/** Turns off a webhook whose receiver refuses it for good, unless its URL has changed meanwhile. */
export async function turnWebhookOff(
  db: EngineQueries,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<void> {
  await db.queryAsEngine(
    `update storage.webhooks set active = false, updated_at = pg_catalog.now()
      where id operator(pg_catalog.=) $1 and url operator(pg_catalog.=) $2`,
    [id, url],
  );
}

/** Deletes deliveries that ended more than this number of days ago; returns how many. */
export async function sweepMessages(db: EngineQueries, keepDays: number): Promise<number> {
  for (let swept = 0; ;) {
    // In batches, so that no statement exceeds its timeout.
    const gone = await db.queryAsEngine(
      `delete from storage.webhook_outbox where id operator(pg_catalog.=) any (
         select id from storage.webhook_outbox
         where ${isOld({ at: now, keepDays: '$1' })}
         limit $2
       ) returning 1`,
      [keepDays, sweptAtOnce],
    );
    swept += gone.length;
    if (gone.length < sweptAtOnce) return swept;
  }
}
