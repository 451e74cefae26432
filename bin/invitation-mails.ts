// Mails the invitations of operators. Their rows wait in the control plane; every second those that are due get a job of
// the queue `messages`, in any process with the role `worker`. The row decides whether there is anything to send.
import type { Logger } from 'pino';

import {
  claimInvitationMail,
  type DueInvitationMail,
  type InvitationMailOutcome,
  listDueInvitationMails,
  type ProjectsContext,
  recordInvitationMail,
} from '#libs/control-plane';
import { type Mail, type Mailer, openMailer } from '#libs/delivery';
import { fail } from '#libs/errors';
import type { Job, JobQueue } from '#libs/jobs';
import { isTemporary, nextDelaySeconds, reasonOf } from '#libs/project-runtime';

import type { Env } from './env.js';

const intervalMs = 1_000;

/** The job of a mail, by the id of its invitation. */
export interface InvitationMailTask {
  readonly invitationId: string;
}

interface Parts {
  readonly env: Pick<Env, 'smtp'>;
  readonly projects: Pick<ProjectsContext, 'dataSource' | 'masterKey'>;
  readonly messageJobs: Pick<JobQueue<InvitationMailTask>, 'add'>;
  readonly log: Logger;
}

export interface InvitationMails {
  /** Sends a mail that is due, and records how that ended. */
  readonly send: (task: InvitationMailTask) => Promise<void>;
  /** Ends the look for due mails. */
  readonly stopLooking: () => Promise<void>;
  /** Closes the connections to the mail server, after the last mail. */
  readonly close: () => void;
}

/** Starts to look for due mails. */
export function startInvitationMails(parts: Parts): InvitationMails {
  const { smtp } = parts.env;
  const mailer = smtp && openMailer(smtp);
  return {
    send: ({ invitationId }) => sendMail(parts, mailer, invitationId),
    stopLooking: startLooking(parts),
    close: () => mailer?.close(),
  };
}

function startLooking({ projects, messageJobs, log }: Parts): () => Promise<void> {
  const stop = new AbortController();
  // Adding waits for as long as the store of jobs is away.
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve());
  });
  let isAway = false;
  const addDue = async (): Promise<void> => {
    try {
      for (const mail of await listDueInvitationMails(projects.dataSource)) {
        if (stop.signal.aborted) return;
        await Promise.race([messageJobs.add(jobOf(mail)), stopped]); // In their order.
      }
      isAway = false;
    } catch (err) {
      // Once for each outage; a mail that was not added stays due.
      if (!isAway && !stop.signal.aborted) {
        log.warn({ err }, 'mails of invitations that are due could not be added to the queue');
      }
      isAway = true;
    }
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= addDue().finally(() => (running = undefined));
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}

/** One job for each try: a mail that is still due while its job waits is not added twice. */
function jobOf({ id, attempts }: DueInvitationMail): Job<InvitationMailTask> {
  return { id: `invitation.${id}.${attempts}`, data: { invitationId: id } };
}

async function sendMail(
  { projects, log }: Parts,
  mailer: Mailer | undefined,
  invitationId: string,
): Promise<void> {
  const claimed = await claimInvitationMail(projects, invitationId);
  if (claimed) {
    const outcome = await trySending(claimed, mailer, log);
    await recordInvitationMail(projects, claimed, outcome);
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
