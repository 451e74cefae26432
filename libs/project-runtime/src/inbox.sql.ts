import type { Transaction } from '#libs/database';

/** A mail as the development inbox keeps it. */
export interface InboxMail {
  /** The kind of `libs/mail-templates`. */
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** So many mails of a project are kept; the oldest ones go first. */
export const keptMails = 200;

/**
 * Keeps a mail in the project's development inbox instead of sending it, and drops what is too much. It
 * works as the engine role. Mails kept at the same moment may leave a few more than the limit until the
 * next one comes.
 */
export async function keepMail(tx: Pick<Transaction, 'query'>, mail: InboxMail): Promise<void> {
  await tx.query(
    `insert into platform.inbox (kind, recipient, subject, text, html)
     values ($1, $2, $3, $4, $5)`,
    // PostgreSQL's text holds every character but this one.
    [mail.kind, mail.to, mail.subject, mail.text, mail.html].map((text) =>
      text.replaceAll('\u0000', ''),
    ),
  );
  await tx.query(
    `delete from platform.inbox
     where id operator(pg_catalog.<=)
       (select id from platform.inbox order by id desc offset $1 limit 1)`,
    [keptMails],
  );
}
