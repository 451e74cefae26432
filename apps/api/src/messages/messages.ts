import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import {
  findMessage,
  listMessages,
  type MessageRow,
  type MessageWindow,
  reviveMessage,
} from './messages.sql.js';

/** A part of the messages, newest first. */
export interface MessagePage {
  readonly messages: readonly MessageRow[];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The mails and SMS of the project with their states. */
export async function readMessages(
  project: ProjectRuntime,
  window: MessageWindow,
): Promise<MessagePage> {
  return { messages: await listMessages(project.db, window) };
}

/**
 * Sends a failed or waiting message now. Throws MESSAGE_NOT_FOUND, MESSAGE_SENT, MESSAGE_EXPIRED. Does nothing to a
 * message that is being sent.
 */
export async function retryMessage(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<{ readonly id: string; readonly status: 'queued' | 'sending' }> {
  const { db, outbox } = project;
  const message = uuid.test(id) ? await findMessage(db, id) : undefined;
  if (!message) throw fail('MESSAGE_NOT_FOUND');
  if (message.status === 'sent') throw fail('MESSAGE_SENT');
  if (message.hasExpired) throw fail('MESSAGE_EXPIRED');
  if (message.status === 'sending') return { id, status: 'sending' };
  await outbox.note([id]);
  await project.events.runAnnounced(async (tx) => {
    // A worker may have sent it, or the code may have expired, since it was read.
    if (!(await reviveMessage(tx, id))) throw fail('CONCURRENT_CHANGE');
    await appendAudit(tx, {
      actor,
      action: 'messages.retry',
      target: id,
      before: { status: message.status },
      after: { status: 'queued' },
    });
  });
  outbox.addJobs([id]);
  return { id, status: 'queued' };
}
