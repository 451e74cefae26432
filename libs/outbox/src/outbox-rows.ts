// The rows of platform.outbox: one function per statement.
import { now, type SweepValues } from '#libs/sql-text';

/** Statements in the database of a project, as its engine; also those of an open transaction. */
export interface OutboxQueries {
  queryAsEngine<Row extends object>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
}

export type DeliveryKind = 'hook' | 'trigger' | 'schedule' | 'webhook';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'dead';

/** A delivery to store. A pending one is due at once. */
export interface NewDelivery {
  readonly kind: DeliveryKind;
  /** The name of a hook, the id of a trigger, of a schedule or of a webhook. */
  readonly source: string;
  /** The same in every attempt. */
  readonly eventId: string;
  /** A URL without its query, or the name of a function. */
  readonly target: string;
  readonly status: 'succeeded' | 'failed' | 'pending';
  readonly attempts: number;
  readonly responseStatus?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly payload: unknown;
}

/** How long a taken delivery belongs to its process without a renewal. */
const leaseSeconds = 10;
const maxListed = 200;
const sweepRows = 1000;
const maxSweeps = 100;

/** Stores a delivery. A tick of a schedule that is stored already stays as it is. */
export async function insertDelivery(db: OutboxQueries, delivery: NewDelivery): Promise<void> {
  const { kind, source, eventId, target, status, attempts, payload } = delivery;
  const { responseStatus, error, durationMs } = delivery;
  await db.queryAsEngine(
    `insert into platform.outbox
       (kind, source, event_id, target, status, attempts, response_status, error, duration_ms, payload, next_attempt_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $5 = 'pending' then pg_catalog.now() end)
     on conflict do nothing`,
    [
      kind,
      source,
      eventId,
      target,
      status,
      attempts,
      responseStatus ?? null,
      error === undefined ? null : storable(error),
      durationMs ?? null,
      storableJson(payload),
    ],
  );
}

/** A delivery as the text of a JSON object by the columns of its row. */
export function deliveryRow(delivery: NewDelivery): string {
  const { kind, source, eventId, target, status, attempts, payload } = delivery;
  return storableJson({ kind, source, event_id: eventId, target, status, attempts, payload });
}

/** Where deliveries may leave to now, and how many. */
export interface FreeSource {
  readonly kind: DeliveryKind;
  readonly source: string;
  readonly free: number;
}

/** A delivery that this process is to attempt. */
export interface TakenDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly source: string;
  readonly eventId: string;
  /** Including this one. */
  readonly attempts: number;
  /** JSON. */
  readonly payload: string;
}

const isDue = `o.status = 'pending' and o.next_attempt_at <= pg_catalog.now()`;

/** Takes deliveries that are due, the oldest of each source. Each is taken by one process. */
export function takeDue(
  db: OutboxQueries,
  free: readonly FreeSource[],
): Promise<readonly TakenDelivery[]> {
  return db.queryAsEngine<TakenDelivery>(
    `with due as materialized (
       select oldest.id
       from rows from (
         pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[]),
         pg_catalog.unnest($3::pg_catalog.int4[])
       ) as wanted (kind, source, free)
       cross join lateral (
         select o.id from platform.outbox o
         where o.kind = wanted.kind and o.source = wanted.source and ${isDue} and (
           o.order_key is null or not exists (
             select from platform.outbox earlier
             where earlier.source = o.source and earlier.order_key = o.order_key and earlier.kind = o.kind
               and earlier.status = 'pending' and (earlier.place, earlier.id) < (o.place, o.id)
           )
         )
         order by o.next_attempt_at, o.place, o.id
         limit wanted.free
         for update of o skip locked
       ) oldest
     )
     update platform.outbox taken
     set attempts = taken.attempts + 1,
       next_attempt_at = pg_catalog.now() + pg_catalog.make_interval(secs => $4)
     from due where taken.id = due.id
     returning taken.id::pg_catalog.text, taken.kind, taken.source, taken.event_id as "eventId", taken.attempts,
       taken.payload::pg_catalog.text as payload`,
    [
      free.map(({ kind }) => kind),
      free.map(({ source }) => source),
      free.map((each) => each.free),
      leaseSeconds,
    ],
  );
}

type Attempt = Pick<TakenDelivery, 'id' | 'attempts'>;

/** Keeps taken deliveries with this process. Call it several times in ten seconds. */
export async function renewTaken(db: OutboxQueries, taken: readonly Attempt[]): Promise<void> {
  await db.queryAsEngine(
    `update platform.outbox o set next_attempt_at = pg_catalog.now() + pg_catalog.make_interval(secs => $3)
     from rows from (
       pg_catalog.unnest($1::pg_catalog.int8[]), pg_catalog.unnest($2::pg_catalog.int4[])
     ) as mine (id, attempts)
     where o.id = mine.id and o.attempts = mine.attempts and o.status = 'pending'`,
    [taken.map(({ id }) => id), taken.map(({ attempts }) => attempts), leaseSeconds],
  );
}

export interface AttemptResult extends Attempt {
  readonly status: 'succeeded' | 'dead' | 'pending';
  /** The pause before the next attempt of a pending one. */
  readonly retrySeconds?: number | undefined;
  readonly responseStatus?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  /** Where it went; absent: as stored. */
  readonly target?: string | undefined;
}

/**
 * Writes how an attempt ended. Deliveries of the same row wait as long as a pending one. Does nothing if another
 * process has taken the delivery since.
 */
export async function writeResult(db: OutboxQueries, result: AttemptResult): Promise<void> {
  const { id, attempts, status, responseStatus, durationMs, error, target, retrySeconds } = result;
  // A random tenth in either direction keeps deliveries that failed together from coming back together.
  await db.queryAsEngine(
    `with written as (
       update platform.outbox
       set status = $3, response_status = $4, duration_ms = $5, error = $6, target = coalesce($7, target),
         ended_at = case when $3 <> 'pending' then pg_catalog.now() end,
         next_attempt_at = pg_catalog.now()
           + pg_catalog.make_interval(secs => $8::pg_catalog.float8 * (0.9 + 0.2 * pg_catalog.random()))
       where id = $1::pg_catalog.int8 and attempts = $2 and status = 'pending'
       returning kind, source, order_key, status, next_attempt_at
     )
     update platform.outbox behind set next_attempt_at = written.next_attempt_at
     from written
     where written.status = 'pending' and behind.kind = written.kind and behind.source = written.source
       and behind.order_key = written.order_key and behind.status = 'pending'
       and behind.next_attempt_at < written.next_attempt_at and behind.id <> $1::pg_catalog.int8`,
    [
      id,
      attempts,
      status,
      responseStatus ?? null,
      durationMs ?? null,
      error === undefined ? null : storable(error),
      target ?? null,
      status === 'pending' ? (retrySeconds ?? 0) : null,
    ],
  );
}

/** Removes a delivery that is not wanted. */
export async function dropDelivery(db: OutboxQueries, { id, attempts }: Attempt): Promise<void> {
  await db.queryAsEngine(
    `delete from platform.outbox
     where id = $1::pg_catalog.int8 and attempts = $2 and status = 'pending'`,
    [id, attempts],
  );
}

/** A delivery as administrators see it. */
export interface DeliveryRow {
  /** A bigint in digits; grows with time. */
  readonly id: string;
  readonly source: string;
  readonly eventId: string;
  readonly target: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly payload: unknown;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

export interface DeliveryFilter {
  readonly kind: DeliveryKind;
  readonly source?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Gives those before this id, for the next page. */
  readonly beforeId?: string | undefined;
  /** Default 50, at most 200. */
  readonly limit?: number | undefined;
}

/** Deliveries, the latest first. */
export function listDeliveries(
  db: OutboxQueries,
  { kind, source, status, beforeId, limit = 50 }: DeliveryFilter,
): Promise<readonly DeliveryRow[]> {
  return db.queryAsEngine<DeliveryRow>(
    `select id::pg_catalog.text, source, event_id as "eventId", target, status, attempts,
            response_status as "responseStatus", error, duration_ms as "durationMs", payload,
            next_attempt_at as "nextAttemptAt", created_at as "createdAt"
     from platform.outbox
     where kind = $1 and ($2::pg_catalog.text is null or source = $2)
       and ($3::pg_catalog.text is null or status = $3) and ($4::pg_catalog.int8 is null or id < $4)
     order by outbox.id desc limit $5`,
    [
      kind,
      source ?? null,
      status ?? null,
      beforeId ?? null,
      Math.min(Math.max(limit, 1), maxListed),
    ],
  );
}

/**
 * Has a delivery attempted at once that waits for its next attempt, or is dead: then it has all its attempts again.
 * Returns whether there was one.
 */
export async function reviveDelivery(
  db: OutboxQueries,
  {
    kind,
    source,
    id,
  }: { readonly kind: DeliveryKind; readonly source?: string; readonly id: string },
): Promise<boolean> {
  const rows = await db.queryAsEngine(
    `update platform.outbox
     set status = 'pending', attempts = case status when 'dead' then 0 else attempts end,
       next_attempt_at = pg_catalog.now(), ended_at = null
     where id = $1::pg_catalog.int8 and kind = $2 and ($3::pg_catalog.text is null or source = $3)
       and (status = 'dead'
         or status = 'pending' and next_attempt_at > pg_catalog.now() + pg_catalog.make_interval(secs => $4))
     returning 1 as revived`,
    // A process that attempts it has moved it by no more than this.
    [id, kind, source ?? null, leaseSeconds],
  );
  return rows.length > 0;
}

/** Deletes the deliveries of a source that is removed. */
export async function dropSource(
  db: OutboxQueries,
  kind: DeliveryKind,
  source: string,
): Promise<void> {
  await db.queryAsEngine('delete from platform.outbox where kind = $1 and source = $2', [
    kind,
    source,
  ]);
}

/** Returns an SQL condition for whether deliveries are older than `keepDays`. */
export function deliveryConditions(values: SweepValues): Readonly<Record<'oldDeliveries', string>> {
  return { oldDeliveries: `exists (select from platform.outbox where ${isOld(values)})` };
}

function isOld({ at, keepDays }: SweepValues): string {
  return `created_at < ${at} - pg_catalog.make_interval(days => ${keepDays})
    and (kind <> 'webhook' or status <> 'pending')`;
}

/**
 * Deletes deliveries that are older than `keepDays`, also those that still wait because their source is off; what waits
 * for a webhook stays. Works in batches, in any number of processes at once. Returns how many are gone, at most 100,000.
 */
export async function sweepDeliveries(db: OutboxQueries, keepDays: number): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < maxSweeps; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await db.queryAsEngine(
      `delete from platform.outbox where id in (
         select id from platform.outbox
         where ${isOld({ at: now, keepDays: '$1' })}
         limit ${sweepRows} for update skip locked
       ) returning 1 as gone`,
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
