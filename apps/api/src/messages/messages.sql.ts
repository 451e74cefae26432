import type { EngineQueries } from '#libs/database';

export const messageStatuses = ['queued', 'sending', 'sent', 'failed'] as const;

/** A mail or an SMS on its way, without what it says. */
export interface MessageRow {
  /** Grows with time. */
  readonly id: string;
  readonly channel: 'email' | 'sms';
  /** The template of a mail, or the purpose of an SMS code. */
  readonly kind: string;
  readonly recipient: string;
  readonly status: (typeof messageStatuses)[number];
  readonly attempts: number;
  /** Why the last try failed. */
  readonly lastError: string | null;
  /** Null if it does not wait. */
  readonly nextTryAt: Date | null;
  readonly createdAt: Date;
  /** When its code or link expires; null: never. */
  readonly expiresAt: Date | null;
  readonly sentAt: Date | null;
}

export interface MessageWindow {
  readonly status: MessageRow['status'] | undefined;
  /** Only messages to this address or number, ignoring case. */
  readonly recipient: string | undefined;
  /** Messages older than the one with this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** The newest messages first. */
export function listMessages(
  db: EngineQueries,
  { status, recipient, before, limit }: MessageWindow,
): Promise<readonly MessageRow[]> {
  return db.queryAsEngine<MessageRow>(
    `select id::pg_catalog.text, channel, kind, recipient, status, attempts, last_error as "lastError",
       case when status = 'queued' then next_try_at end as "nextTryAt", created_at as "createdAt",
       expires_at as "expiresAt", sent_at as "sentAt"
     from platform.messages
     where status <> 'void'
       and ($1::pg_catalog.text is null or status = $1)
       and ($2::pg_catalog.text is null or pg_catalog.lower(recipient) = pg_catalog.lower($2))
       and ($3::pg_catalog.uuid is null or id < $3)
     order by messages.id desc limit $4`,
    [status ?? null, recipient ?? null, before ?? null, limit],
  );
}

/** The facts that decide whether another try makes sense. */
export interface RetriedMessage {
  readonly status: MessageRow['status'];
  readonly hasExpired: boolean;
}

/** Finds a message that may be retried. */
export async function findMessage(
  db: EngineQueries,
  id: string,
): Promise<RetriedMessage | undefined> {
  const [row] = await db.queryAsEngine<RetriedMessage>(
    `select status,
       sealed_values is null or coalesce(expires_at <= pg_catalog.now(), false) as "hasExpired"
     from platform.messages where id = $1::pg_catalog.uuid and status <> 'void'`,
    [id],
  );
  return row;
}

/** Makes a message due now, a failed one with all its tries. False if it was sent or has expired meanwhile. */
export async function reviveMessage(
  tx: { query(text: string, values: readonly unknown[]): Promise<{ readonly rowCount: number }> },
  id: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update platform.messages
     set status = 'queued', next_try_at = pg_catalog.now(),
         attempts = case when status = 'failed' then 0 else attempts end
     where id = $1::pg_catalog.uuid and status in ('queued', 'failed') and sealed_values is not null
       and (expires_at is null or expires_at > pg_catalog.now())`,
    [id],
  );
  return rowCount > 0;
}
