// The rows of platform.messages that wait or are being sent: one function per statement.
import type { RunStatement } from '#libs/auth-engine';
import type { EngineQueries, Transaction } from '#libs/database';

/** Requests are refused while this many messages wait. */
export const maxWaiting = 1000;
/** How long a message belongs to the try of a process without a renewal. */
const leaseSeconds = 10;
/** Messages sent at a time, in all processes together. */
const maxSending = 2;
/** A message is given up after this time, even if its code is valid for longer. */
const patienceHours = 24;
/** How much too early a job may come: the clock of its store differs from that of the database. */
const toleranceSeconds = 1;

type Queries = EngineQueries;

/** A message to store. */
export interface NewMessage {
  readonly id: string;
  readonly channel: 'email' | 'sms';
  readonly kind: string;
  readonly recipient: string;
  readonly sealedValues: string;
  readonly status: 'queued' | 'void';
  /** Absent: it never expires. */
  readonly expiresInSeconds?: number;
}

/** Stores messages, all or none. They are due at once. */
export async function insertMessages(
  run: RunStatement,
  messages: readonly NewMessage[],
): Promise<void> {
  const column = (read: (message: NewMessage) => unknown): unknown[] => messages.map(read);
  await run(
    `insert into platform.messages
       (id, channel, kind, recipient, sealed_values, status, next_try_at, expires_at)
     select id, channel, kind, recipient, sealed_values, status, pg_catalog.now(),
            pg_catalog.now() + pg_catalog.make_interval(secs => expires_in)
     from rows from (
       pg_catalog.unnest($1::pg_catalog.uuid[]), pg_catalog.unnest($2::pg_catalog.text[]),
       pg_catalog.unnest($3::pg_catalog.text[]), pg_catalog.unnest($4::pg_catalog.text[]),
       pg_catalog.unnest($5::pg_catalog.text[]), pg_catalog.unnest($6::pg_catalog.text[]),
       pg_catalog.unnest($7::pg_catalog.float8[])
     ) as given (id, channel, kind, recipient, sealed_values, status, expires_in)`,
    [
      column(({ id }) => id),
      column(({ channel }) => channel),
      column(({ kind }) => kind),
      // PostgreSQL's text can contain every character but this one.
      column(({ recipient }) => recipient.replaceAll('\u0000', '')),
      column(({ sealedValues }) => sealedValues),
      column(({ status }) => status),
      column(({ expiresInSeconds }) => expiresInSeconds ?? null),
    ],
  );
}

/** Whether another message may be stored. */
export async function hasRoom(db: Queries): Promise<boolean> {
  const rows = await db.queryAsEngine(
    `select from platform.messages where status in ('queued', 'sending') offset $1 limit 1`,
    [maxWaiting - 1],
  );
  return rows.length === 0;
}

/** Deletes the messages to no account and returns their ids. */
export async function deleteVoid(db: Queries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly id: string }>(
    `delete from platform.messages where status = 'void' returning id::pg_catalog.text`,
  );
  return rows.map(({ id }) => id);
}

/** Gives up the messages whose code or link has expired, and returns their ids. */
export async function failExpired(db: Queries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly id: string }>(
    `update platform.messages
     set status = 'failed', sealed_values = null, next_try_at = null,
         last_error = coalesce('It expired before it was sent. ' || last_error, 'It expired before it was sent.')
     where expires_at <= pg_catalog.now()
       and (status = 'queued' or (status = 'sending' and next_try_at <= pg_catalog.now()))
     returning id::pg_catalog.text`,
  );
  return rows.map(({ id }) => id);
}

/** A message that this process is to send. */
export interface ClaimedMessage {
  readonly id: string;
  readonly channel: 'email' | 'sms';
  readonly kind: string;
  readonly recipient: string;
  readonly sealedValues: string;
  /** Including this try. */
  readonly attempts: number;
  /** When its code or link expires; null: never. */
  readonly expiresInSeconds: number | null;
  /** When it is given up. */
  readonly secondsLeft: number;
}

/**
 * Takes the oldest waiting message; undefined if none is due or the project is sending as many as allowed. Runs in a
 * transaction: the lock keeps the count of running sends exact.
 */
export async function claimMessage(tx: Transaction): Promise<ClaimedMessage | undefined> {
  // A lock that conflicts only with itself. The owner of the project can take advisory locks, but not this lock.
  await tx.query('lock table platform.messages in share update exclusive mode');
  // The clock, not the start of the transaction, which was before the lock.
  const { rows } = await tx.query<ClaimedMessage>(
    `with due as materialized (
       select id from platform.messages
       where (
           (status = 'queued' and next_try_at <= pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $4))
           or (status = 'sending' and next_try_at <= pg_catalog.clock_timestamp())
         )
         and $2 > (
           select pg_catalog.count(*) from platform.messages
           where status = 'sending' and next_try_at > pg_catalog.clock_timestamp()
         )
       order by messages.next_try_at limit 1
       for update skip locked
     )
     update platform.messages m
     set status = 'sending', attempts = m.attempts + 1,
         next_try_at = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $1)
     from due where m.id = due.id
     returning m.id::pg_catalog.text, m.channel, m.kind, m.recipient, m.sealed_values as "sealedValues", m.attempts,
       extract(epoch from m.expires_at - pg_catalog.clock_timestamp())::pg_catalog.float8 as "expiresInSeconds",
       extract(epoch from least(m.expires_at, m.created_at + pg_catalog.make_interval(hours => $3))
         - pg_catalog.clock_timestamp())::pg_catalog.float8 as "secondsLeft"`,
    [leaseSeconds, maxSending, patienceHours, toleranceSeconds],
  );
  return rows[0];
}

type Try = Pick<ClaimedMessage, 'id' | 'attempts'>;

/** Keeps a message with the try of this process. Call it several times in ten seconds. */
export async function renewClaim(db: Queries, { id, attempts }: Try): Promise<void> {
  await db.queryAsEngine(
    `update platform.messages
     set next_try_at = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $3)
     where id = $1::pg_catalog.uuid and attempts = $2 and status = 'sending'`,
    [id, attempts, leaseSeconds],
  );
}

/** Records that a message was sent. Does nothing if the time of the try is over and another process has begun one. */
export async function markSent(db: Queries, { id, attempts }: Try): Promise<void> {
  await db.queryAsEngine(
    `update platform.messages
     set status = 'sent', sent_at = pg_catalog.now(), sealed_values = null, next_try_at = null, last_error = null
     where id = $1::pg_catalog.uuid and attempts = $2 and status = 'sending'`,
    [id, attempts],
  );
}

/** Gives a message up. Its values are kept until they expire, so that an administrator can have it sent again. */
export async function markFailed(
  db: Queries,
  { id, attempts }: Try,
  reason: string,
): Promise<void> {
  await db.queryAsEngine(
    `update platform.messages set status = 'failed', last_error = $3, next_try_at = null
     where id = $1::pg_catalog.uuid and attempts = $2 and status = 'sending'`,
    [id, attempts, reason],
  );
}

/** Lets a message wait for its next try. */
export async function markQueued(
  db: Queries,
  { id, attempts }: Try,
  { reason, delaySeconds }: { readonly reason: string; readonly delaySeconds: number },
): Promise<void> {
  await db.queryAsEngine(
    `update platform.messages
     set status = 'queued', last_error = $3,
         next_try_at = pg_catalog.now() + pg_catalog.make_interval(secs => $4)
     where id = $1::pg_catalog.uuid and attempts = $2 and status = 'sending'`,
    [id, attempts, reason, delaySeconds],
  );
}

/** The next message to become due, unless one is due now. */
export async function findDue(db: Queries): Promise<string | undefined> {
  const [row] = await db.queryAsEngine<{ readonly id: string }>(
    `select id::pg_catalog.text from platform.messages
     where status = 'queued' and next_try_at <= pg_catalog.now() order by messages.next_try_at limit 1`,
  );
  return row?.id;
}

/** When to look at a waiting message again; `over` if it no longer waits, `missing` if it has no row. */
export async function findWaiting(
  db: Queries,
  id: string,
): Promise<'missing' | 'over' | { readonly inSeconds: number }> {
  const [row] = await db.queryAsEngine<{ readonly inSeconds: number; readonly waits: boolean }>(
    `select status in ('queued', 'sending') as waits,
       coalesce(extract(epoch from next_try_at - pg_catalog.now()), 0)::pg_catalog.float8 as "inSeconds"
     from platform.messages where id = $1::pg_catalog.uuid`,
    [id],
  );
  if (!row) return 'missing';
  return row.waits ? { inSeconds: Math.max(0, row.inSeconds) } : 'over';
}
