import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { assertMayGrant } from '../organizations/roles.js';
import { currentGiver } from './authority.js';
import { reviveInvitationMail } from './invitation-mails.js';
import { type InvitationView, type Inviter, openInvitations, viewOf } from './invitations.js';

/**
 * Has the mail of an open invitation sent now. Throws INVITATION_NOT_FOUND, CAPABILITY_REQUIRED for an invitation that
 * gives more than the operator has, and what {@link reviveInvitationMail} throws.
 */
export async function retryInvitationMail(
  dataSource: DataSource,
  inviter: Inviter,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<InvitationView> {
  return dataSource.transaction(async (manager) => {
    const { actor, capabilities } = await currentGiver(manager, inviter, organizationId);
    const invitation = await openInvitations(manager, organizationId)
      .andWhere('invitation.id = :id', { id })
      .getOne();
    if (!invitation) throw fail('INVITATION_NOT_FOUND');
    assertMayGrant(capabilities, invitation);
    const { before, after } = await reviveInvitationMail(manager, id);
    await recordAudit(manager, {
      actor,
      action: 'operator.invitation.mail',
      organizationId,
      ...(invitation.projectRef !== null && { ref: invitation.projectRef }),
      target: id,
      before: { status: before.status },
      after: { status: after.status },
    });
    return viewOf(invitation, after);
  });
}
