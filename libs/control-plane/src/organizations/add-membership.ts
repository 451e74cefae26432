import { fail } from '#libs/errors';
import { createId } from '@paralleldrive/cuid2';
import type { EntityManager } from 'typeorm';
import { Membership } from '../entities/membership.entity.js';
import { endInvitations } from './end-invitations.js';
import { capabilitiesOf, type Grant } from './roles.js';

export interface NewMembership {
  readonly operatorId: string;
  readonly organizationId: string;
  /** Absent: the whole organization. */
  readonly projectRef?: string | undefined;
  readonly grant: Grant;
}

/**
 * Adds a membership. The caller has checked that the giver may give it ({@link assertMayGrant}). Throws CONFLICT if the
 * operator already has a membership at the same place, and leaves that unchanged. Open invitations to the same place end,
 * and with a membership in the whole organization those to its projects.
 */
export async function addMembership(
  manager: EntityManager,
  input: NewMembership,
): Promise<Membership> {
  const rows: Membership[] = await manager.query(
    `insert into membership (id, operator_id, organization_id, project_ref, role, capabilities)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (operator_id, organization_id, project_ref) do nothing
     returning id, operator_id as "operatorId", organization_id as "organizationId",
       project_ref as "projectRef", role, capabilities, created_at as "createdAt"`,
    [
      createId(),
      input.operatorId,
      input.organizationId,
      input.projectRef ?? null,
      input.grant.role,
      input.grant.role === 'custom' ? capabilitiesOf(input.grant) : [],
    ],
  );
  const [membership] = rows;
  if (membership === undefined) {
    throw fail('CONFLICT', { reason: 'This operator already has a membership there' });
  }
  await endInvitations(manager, input);
  return membership;
}
