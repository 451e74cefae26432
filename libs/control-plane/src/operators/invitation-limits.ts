// Each invitation mails a person who may not want it: an operator cannot fill a mailbox, and many operators together
// cannot either.
import { countedAddress } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import type { EntityManager } from 'typeorm';
import { countUses } from './attempts.js';

/** Invitations of an operator in an hour, in all organizations. */
export const maxInvitationsOfOperator = 200;
/** Invitations of an address in an hour, by all operators. */
export const maxInvitationsOfAddress = 10;
const hourSeconds = 3600;
/** The time from one retry of a mail on demand to the next. */
const retryPauseSeconds = 60;

/** Counts an invitation. Throws RATE_LIMITED with Retry-After; then the transaction must be undone. */
export async function countInvitation(
  manager: EntityManager,
  { operatorId, email }: { readonly operatorId: string; readonly email: string },
): Promise<void> {
  await countOrRefuse(manager, hourSeconds, [
    { key: `invite-by:${operatorId}`, limit: maxInvitationsOfOperator },
    { key: `invite-to:${countedAddress(email)}`, limit: maxInvitationsOfAddress },
  ]);
}

/** Counts a retry of the mail of an invitation. Throws RATE_LIMITED with Retry-After within a minute of the last. */
export async function countMailRetry(manager: EntityManager, invitationId: string): Promise<void> {
  await countOrRefuse(manager, retryPauseSeconds, [
    { key: `invite-mail:${invitationId}`, limit: 1 },
  ]);
}

async function countOrRefuse(
  manager: EntityManager,
  seconds: number,
  keys: Parameters<typeof countUses>[1],
): Promise<void> {
  const retryAfterSeconds = await countUses(manager, keys, seconds);
  if (retryAfterSeconds > 0) throw fail('RATE_LIMITED', {}, { retryAfterSeconds });
}
