import type { Transaction } from '#libs/database';

/** A kept mail in a list, without its content. */
export interface InboxEntry {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly created_at: Date;
}

export interface KeptMail extends InboxEntry {
  readonly text: string;
  /** HTML of an untrusted mail: show it only in a sandbox. */
  readonly html: string;
}

export interface InboxWindow {
  /** Mails to this address alone, in any case of letters. */
  readonly recipient: string | undefined;
  /** Mails older than the one with this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

const entry = 'id::pg_catalog.text as id, kind, recipient, subject, created_at';

/** The newest mails first. */
export async function listMails(
  tx: Transaction,
  { recipient, before, limit }: InboxWindow,
): Promise<InboxEntry[]> {
  const { rows } = await tx.query<InboxEntry>(
    `select ${entry} from platform.inbox
     where ($1::pg_catalog.text is null or pg_catalog.lower(recipient) = pg_catalog.lower($1))
       and ($2::pg_catalog.int8 is null or id < $2)
     order by inbox.id desc limit $3`,
    [recipient ?? null, before ?? null, limit],
  );
  return rows;
}

/** How many mails there are, to one address or to all. */
export async function countMails(tx: Transaction, recipient: string | undefined): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as total from platform.inbox
     where $1::pg_catalog.text is null or pg_catalog.lower(recipient) = pg_catalog.lower($1)`,
    [recipient ?? null],
  );
  return rows[0]?.total ?? 0;
}

export async function findMail(tx: Transaction, id: string): Promise<KeptMail | undefined> {
  const { rows } = await tx.query<KeptMail>(
    `select ${entry}, text, html from platform.inbox where id = $1::pg_catalog.int8`,
    [id],
  );
  return rows[0];
}

export async function deleteMails(tx: Transaction): Promise<void> {
  await tx.query('delete from platform.inbox');
}
