// Mails the invitations of operators. Their rows wait in the control plane; those that are due get a job of the queue
// `messages`. The row decides whether there is anything to send.
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';

import {
  claimInvitationMail,
  type InvitationMailOutcome,
  listDueInvitationMails,
  recordInvitationMail,
} from '#libs/control-plane';
import { type Mail, type Mailer, openMailer } from '#libs/delivery';
import { fail } from '#libs/errors';
import { isTemporary, nextDelaySeconds, reasonOf } from '#libs/project-runtime';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';
import type { InvitationMailTask } from './message-jobs.js';

@Injectable()
export class InvitationMails implements Duty {
  readonly everyMs = 1_000;
  readonly failure = 'mails of invitations that are due could not be added to the queue';
  readonly #mailer: Mailer | undefined;

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {
    const { smtp } = deps.deployment;
    this.#mailer = smtp && openMailer(smtp);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { projects, messageJobs } = this.deps;
    for (const { id, attempts } of await listDueInvitationMails(projects.dataSource)) {
      if (signal.aborted) return;
      // One job for each try: a mail that is still due while its job waits is not added twice.
      const job = { id: `invitation.${id}.${attempts}`, data: { invitationId: id } };
      await messageJobs.add(job); // In their order.
    }
  }

  /** Sends a mail that is due, and records how that ended. */
  async send({ invitationId }: InvitationMailTask): Promise<void> {
    const { projects, log } = this.deps;
    const claimed = await claimInvitationMail(projects, invitationId);
    if (claimed) {
      const outcome = await trySending(claimed, this.#mailer, log);
      await recordInvitationMail(projects, claimed, outcome);
    }
  }

  /** Closes the connections to the mail server, after the last mail. */
  close(): void {
    this.#mailer?.close();
  }
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimInvitationMail>>>;

async function trySending(
  claimed: Claimed,
  mailer: Mailer | undefined,
  log: Logger,
): Promise<InvitationMailOutcome> {
  const { id, attempts, secondsLeft } = claimed;
  let values: Partial<ReturnType<Claimed['values']>> = {};
  try {
    const opened = claimed.values();
    values = opened;
    if (!mailer) throw fail('MAIL_UNREACHABLE', { reason: 'the worker has no SMTP_HOST' });
    await mailer.send(invitationMail(claimed, opened));
    return { kind: 'sent' };
  } catch (err) {
    log.warn({ err, invitationId: id, attempts }, 'an invitation could not be mailed');
    const delaySeconds = isTemporary(err) ? nextDelaySeconds(attempts, secondsLeft) : undefined;
    return { kind: 'failed', reason: reasonOf(err, values), delaySeconds };
  }
}

function invitationMail(
  { recipient, expiresAt }: Claimed,
  { url, invitedBy }: ReturnType<Claimed['values']>,
): Mail {
  return {
    to: recipient,
    subject: 'You are invited to a Rowhouse console',
    text: [
      `${invitedBy} invites you to work on projects in a Rowhouse console.`,
      `Accept the invitation until ${expiresAt.toUTCString()}:`,
      url,
    ].join('\n\n'),
  };
}
