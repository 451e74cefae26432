// The pending invitations to the organizations of a project's users, for administrators.
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { type NumberedPage, type PageQuery, rowsOfPage } from '../../http/page-query.js';
import type { Administrator } from './administrator.js';
import { canBeId, maxOrganizationIdLength } from './can-be-id.js';
import {
  cancelPending,
  countInvitations,
  listInvitations,
  type PendingInvitation,
} from './invitations.sql.js';
import { getOrganization } from './organizations.js';

export interface InvitationPage extends NumberedPage {
  readonly invitations: readonly PendingInvitation[];
}

/** The pending invitations of an organization, the latest first. Throws ORGANIZATION_NOT_FOUND. */
export function readInvitations(
  project: ProjectRuntime,
  organizationId: string,
  query: PageQuery,
): Promise<InvitationPage> {
  const { page, perPage } = query;
  return project.db.runAsEngine(async (tx) => {
    const { id } = await getOrganization(tx, organizationId);
    const invitations = await listInvitations(tx, id, rowsOfPage(query));
    return { invitations, total: await countInvitations(tx, id), page, perPage };
  });
}

/** Cancels a pending invitation. Throws ORGANIZATION_NOT_FOUND and INVITATION_NOT_FOUND. */
export function cancelInvitation(
  project: ProjectRuntime,
  administrator: Administrator,
  {
    organizationId,
    invitationId,
  }: { readonly organizationId: string; readonly invitationId: string },
): Promise<void> {
  return project.db.runAsEngine(async (tx) => {
    const { id } = await getOrganization(tx, organizationId);
    const canceled = canBeId(invitationId, maxOrganizationIdLength)
      ? await cancelPending(tx, id, invitationId)
      : undefined;
    if (!canceled) throw fail('INVITATION_NOT_FOUND');
    await appendAudit(tx, {
      actor: administrator.actor,
      action: 'organization.cancelInvitation',
      target: id,
      before: { invitationId, email: canceled.email, role: canceled.role },
      after: undefined,
    });
  });
}
