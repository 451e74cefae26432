// Mails of invitations as the console sees them: stored in the transaction of their invitation, listed with it, tried
// again on demand. The worker sends them (invitation-mail-delivery.ts).
import { fail } from '#libs/errors';
import { open, seal, type SealingKey } from '#libs/secrets';
import type { EntityManager } from 'typeorm';
import { countMailRetry } from './invitation-limits.js';

export const invitationMailStatuses = ['queued', 'sending', 'sent', 'failed'] as const;

/** The state of the mail of an invitation. */
export interface InvitationMail {
  readonly status: (typeof invitationMailStatuses)[number];
  readonly attempts: number;
  /** Why the last try failed. */
  readonly lastError: string | null;
  /** Null when the mail does not wait. */
  readonly nextTryAt: Date | null;
}

/** The parts of the text of the mail that its invitation does not have. */
export type InvitationMailValues = Readonly<Record<'url' | 'invitedBy', string>>;

interface StoredFor {
  /** The id of the invitation. */
  readonly id: string;
  readonly email: string;
}

const columns = `
  status, attempts, last_error as "lastError", case when status = 'queued' then next_try_at end as "nextTryAt"`;

/** Stores the mail of an invitation, which is due at once. */
export async function storeInvitationMail(
  manager: EntityManager,
  masterKey: SealingKey,
  { id, email, ...values }: StoredFor & InvitationMailValues,
): Promise<InvitationMail> {
  const sealed = seal(masterKey, JSON.stringify(values), contextOf(id));
  const [mail]: InvitationMail[] = await manager.query(
    `insert into operator_message (invitation_id, recipient, sealed_values) values ($1, $2, $3)
     returning ${columns}`,
    [id, email, sealed],
  );
  if (!mail) throw new Error('PostgreSQL returned no row of an insert');
  return mail;
}

/** The values of a stored mail. Throws OpenSecretError for those of another mail or another deployment. */
export function openInvitationMail(
  masterKey: SealingKey,
  id: string,
  sealed: string,
): InvitationMailValues {
  // The envelope is authentic, so its content has the shape that storeInvitationMail gave it.
  return JSON.parse(open(masterKey, sealed, contextOf(id)).toString()) as InvitationMailValues;
}

/** The mails of invitations by the ids of these; an invitation without one is left out. */
export async function findInvitationMails(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InvitationMail>> {
  const rows: (InvitationMail & { readonly id: string })[] = await manager.query(
    `select invitation_id as id, ${columns} from operator_message where invitation_id = any ($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, ...mail }) => [id, mail]));
}

/**
 * Makes a failed or waiting mail due now; a failed mail gets all its tries again. Throws MESSAGE_SENT, and CONFLICT for
 * an invitation without a mail and for a mail in delivery, and what {@link countMailRetry} throws.
 */
export async function reviveInvitationMail(
  manager: EntityManager,
  id: string,
): Promise<{ readonly before: InvitationMail; readonly after: InvitationMail }> {
  const [before]: InvitationMail[] = await manager.query(
    `select ${columns} from operator_message where invitation_id = $1 for update`,
    [id],
  );
  if (!before) throw fail('CONFLICT', { reason: 'This invitation has no mail. Invite again' });
  if (before.status === 'sent') throw fail('MESSAGE_SENT');
  if (before.status === 'sending') throw fail('CONFLICT', { reason: 'The mail is being sent' });
  await countMailRetry(manager, id);
  const [[after]]: [InvitationMail[], number] = await manager.query(
    `update operator_message
     set status = 'queued', next_try_at = pg_catalog.now(),
       attempts = case when status = 'failed' then 0 else attempts end
     where invitation_id = $1
     returning ${columns}`,
    [id],
  );
  return { before, after: after ?? before };
}

function contextOf(invitationId: string): string {
  return `operator-invitation:${invitationId}/mail`;
}
