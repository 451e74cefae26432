// Mails of invitations as the worker sees them. A mail is claimed with a lease, sent with no transaction open, and
// marked. A process that dies in between leaves it to the next try, so a mail may be sent twice and is never lost.
import type { DataSource } from 'typeorm';
import type { ControlPlane } from '../control-plane.js';
import { type InvitationMailValues, openInvitationMail } from './invitation-mails.js';

type Context = Pick<ControlPlane, 'dataSource' | 'masterKey'>;

/** Longer than any try takes. A try whose process died is repeated after this time. */
const leaseSeconds = 120;
/** At a time, in all processes together: a mail server that hangs leaves room for the messages of projects. */
const maxSending = 4;

const isDue = `(
  (mail.status = 'queued' and mail.next_try_at <= pg_catalog.now())
  or (mail.status = 'sending' and mail.leased_until <= pg_catalog.now()))`;
const isOpen = `invitation.accepted_at is null and invitation.expires_at > pg_catalog.now()`;

/** A mail whose next try is due. */
export interface DueInvitationMail {
  /** The id of the invitation. */
  readonly id: string;
  /** The tries before this one. */
  readonly attempts: number;
}

/** Lists mails that are due, no more than may be sent now. Organizations take turns, each with its longest due mail. */
export function listDueInvitationMails(
  dataSource: DataSource,
): Promise<readonly DueInvitationMail[]> {
  return dataSource.query(
    `select mail.invitation_id as id, mail.attempts
     from operator_message as mail
     join operator_invitation as invitation on invitation.id = mail.invitation_id
     where mail.status in ('queued', 'sending') and ${isDue} and ${isOpen}
     order by pg_catalog.row_number() over (
       partition by invitation.organization_id order by mail.next_try_at, mail.invitation_id
     ), mail.next_try_at, mail.invitation_id
     limit greatest(0, $1::pg_catalog.int8 - (
       select pg_catalog.count(*) from operator_message
       where status = 'sending' and leased_until > pg_catalog.now()
     ))`,
    [maxSending],
  );
}

/** A mail that this process is to send. */
export interface ClaimedInvitationMail {
  /** The id of the invitation. */
  readonly id: string;
  readonly recipient: string;
  /** This try included. */
  readonly attempts: number;
  /** Of the invitation. */
  readonly expiresAt: Date;
  readonly secondsLeft: number;
  /** Opens the values of the text. Throws OpenSecretError. */
  readonly values: () => InvitationMailValues;
}

interface ClaimedRow extends Omit<ClaimedInvitationMail, 'values'> {
  readonly sealedValues: string;
}

/** Takes a mail; undefined when it is not due, taken, or of an invitation that can no longer be accepted. */
export async function claimInvitationMail(
  { dataSource, masterKey }: Context,
  id: string,
): Promise<ClaimedInvitationMail | undefined> {
  const [[row]]: [ClaimedRow[], number] = await dataSource.query(
    `update operator_message as mail
     set status = 'sending', attempts = mail.attempts + 1,
       leased_until = pg_catalog.now() + pg_catalog.make_interval(secs => $2)
     from operator_invitation as invitation
     where mail.invitation_id = $1 and invitation.id = mail.invitation_id and ${isDue} and ${isOpen}
     returning mail.invitation_id as id, mail.recipient, mail.attempts, mail.sealed_values as "sealedValues",
       invitation.expires_at as "expiresAt",
       extract(epoch from invitation.expires_at - pg_catalog.now())::pg_catalog.float8 as "secondsLeft"`,
    [id, leaseSeconds],
  );
  if (!row) return undefined;
  const { sealedValues, ...mail } = row;
  return { ...mail, values: () => openInvitationMail(masterKey, mail.id, sealedValues) };
}

/** How a try ended; a mail without `delaySeconds` is given up. */
export type InvitationMailOutcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly delaySeconds: number | undefined;
    };

/** Records how a try ended. Changes nothing when its lease was over and another process has begun a try. */
export async function recordInvitationMail(
  { dataSource }: Pick<Context, 'dataSource'>,
  { id, attempts }: Pick<ClaimedInvitationMail, 'id' | 'attempts'>,
  outcome: InvitationMailOutcome,
): Promise<void> {
  const isThisTry = `invitation_id = $1 and attempts = $2 and status = 'sending'`;
  if (outcome.kind === 'sent') {
    await dataSource.query(
      `update operator_message
       set status = 'sent', sent_at = pg_catalog.now(), sealed_values = null, last_error = null, leased_until = null
       where ${isThisTry}`,
      [id, attempts],
    );
    return;
  }
  const { reason, delaySeconds } = outcome;
  // The values of a failed mail stay, so that an operator can have it sent again.
  await dataSource.query(
    `update operator_message
     set status = case when $4::pg_catalog.float8 is null then 'failed' else 'queued' end, last_error = $3,
       next_try_at = pg_catalog.now() + pg_catalog.make_interval(secs => coalesce($4::pg_catalog.float8, 0)),
       leased_until = null
     where ${isThisTry}`,
    [id, attempts, reason, delaySeconds ?? null],
  );
}
