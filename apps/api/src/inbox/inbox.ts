import { fail } from '#libs/errors';
import type { MailTransport, ProjectRuntime } from '#libs/project-runtime';

import {
  countMails,
  deleteMails,
  findMail,
  type InboxEntry,
  type InboxWindow,
  type KeptMail,
  listMails,
} from './inbox.sql.js';

/** A part of the inbox, newest first. */
export interface InboxPage {
  readonly mails: readonly InboxEntry[];
  /** The number of mails to the given recipient, or of all mails, on all pages. */
  readonly total: number;
  /** How a mail would be sent now; `inbox`: it would be kept here. Null if it could not be sent. */
  readonly transport: MailTransport | null;
}

const largestId = 2n ** 63n - 1n;

/** Runs as the engine role: the inbox is the platform's own table. */
export function readInbox(project: ProjectRuntime, window: InboxWindow): Promise<InboxPage> {
  return project.db.runAsEngine(async (tx) => ({
    mails: await listMails(tx, window),
    total: await countMails(tx, window.recipient),
    transport: project.messages.transport ?? null,
  }));
}

/** One mail with its content. Throws KEPT_MAIL_NOT_FOUND (404), also for an invalid id. */
export async function readMail(project: ProjectRuntime, id: string): Promise<KeptMail> {
  const isId = /^\d{1,19}$/.test(id) && BigInt(id) <= largestId;
  const mail = isId ? await project.db.runAsEngine((tx) => findMail(tx, id)) : undefined;
  if (mail === undefined) throw fail('KEPT_MAIL_NOT_FOUND');
  return mail;
}

/** Deletes every kept mail. */
export function emptyInbox(project: ProjectRuntime): Promise<void> {
  return project.db.runAsEngine(deleteMails);
}
