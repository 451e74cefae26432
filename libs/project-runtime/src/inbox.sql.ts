import type { Transaction } from '#libs/database';

/** A mail in the development inbox. */
export interface InboxMail {
  /** A kind of `libs/mail-templates`. */
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** How many mails a project keeps; the oldest are deleted first. */
export const keptMails = 200;

/**
 * Stores a mail in the project's development inbox instead of sending it, and deletes the oldest mails over the limit.
 * Runs as the engine role. Mails stored at the same moment may exceed the limit until the next mail.
 */
export async function keepMail(tx: Pick<Transaction, 'query'>, mail: InboxMail): Promise<void> {
  await tx.query(
    `insert into platform.inbox (kind, recipient, subject, text, html)
     values ($1, $2, $3, $4, $5)`,
    // PostgreSQL's text can contain every character but this one.
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
