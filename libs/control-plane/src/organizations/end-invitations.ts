import type { EntityManager } from 'typeorm';

/**
 * Deletes the open invitations of an operator's address to an organization and to its projects, or to one project. An
 * operator who joins or leaves could otherwise come back later by an invitation from before.
 */
export async function endInvitations(
  manager: EntityManager,
  membership: {
    readonly operatorId: string;
    readonly organizationId: string;
    readonly projectRef?: string | null | undefined;
  },
): Promise<void> {
  await manager.query(
    `delete from operator_invitation
     where accepted_at is null and organization_id = $2
       and ($3::pg_catalog.text is null or project_ref = $3)
       and email = (select email from operator where id = $1)`,
    [membership.operatorId, membership.organizationId, membership.projectRef ?? null],
  );
}
