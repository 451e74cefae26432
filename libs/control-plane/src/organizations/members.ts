// Memberships: who may do what in an organization or in one of its projects. To change a membership, an operator must
// have every capability of its old and its new role. New memberships come from invitations.
import { fail } from '#libs/errors';
import type { Capability } from '#libs/wire';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { Membership } from '../entities/membership.entity.js';
import { currentGiver, type Giver, lockOperators, operatorOf } from '../operators/authority.js';
import { keyIn, type Page, pageOf, type PageQuery } from '../pages.js';
import { endInvitations } from './end-invitations.js';
import { lockOrganization } from './organizations.js';
import { assertMayGrant, capabilitiesOf, type Grant, type Role } from './roles.js';

/** A membership with its operator. */
export interface MemberView {
  readonly id: string;
  readonly operatorId: string;
  readonly email: string;
  readonly name: string;
  /** Null: the whole organization. */
  readonly projectRef: string | null;
  readonly role: Role;
  readonly capabilities: readonly Capability[];
  readonly createdAt: Date;
}

/** The memberships of an organization and of its projects, by email address. */
export async function listMembers(
  dataSource: DataSource,
  organizationId: string,
  { after, limit }: PageQuery,
): Promise<Page<MemberView>> {
  const [email = null, ref = null] = keyIn(after, { field: 'after', length: 2 }) ?? [];
  const found: MemberView[] = await dataSource.query(
    `select membership.id, operator.id as "operatorId", operator.email, operator.name,
       membership.project_ref as "projectRef", membership.role, membership.capabilities,
       membership.created_at as "createdAt"
     from membership join operator on operator.id = membership.operator_id
     where membership.organization_id = $1
       and ($2::pg_catalog.text is null
         or (operator.email, coalesce(membership.project_ref, '')) > ($2, $3))
     order by operator.email, coalesce(membership.project_ref, '')
     limit $4`,
    [organizationId, email, ref, limit + 1],
  );
  const members = found.map((row) => ({ ...row, capabilities: capabilitiesOf(row) }));
  return pageOf(members, limit, (member) => [member.email, member.projectRef ?? '']);
}

interface MembershipChange {
  readonly organizationId: string;
  readonly membershipId: string;
}

/** Gives a membership another role. Throws MEMBERSHIP_NOT_FOUND, LAST_OWNER. */
export async function changeMember(
  manager: EntityManager,
  giver: Giver,
  input: MembershipChange & { readonly grant: Grant },
): Promise<void> {
  const { grant } = input;
  const { membership, current } = await lockMembership(manager, giver, input);
  assertMayGrant(current.capabilities, grant);
  if (grant.role !== 'owner') await assertOwnerRemains(manager, membership);
  const capabilities = grant.role === 'custom' ? [...capabilitiesOf(grant)] : [];
  await manager.update(Membership, { id: membership.id }, { role: grant.role, capabilities });
  await recordAudit(manager, {
    ...entryOf(current, membership, 'member.change'),
    before: { role: membership.role, capabilities: membership.capabilities },
    after: { role: grant.role, capabilities },
  });
}

/** Ends a membership, and the open invitations to the organization and its projects. Throws MEMBERSHIP_NOT_FOUND, LAST_OWNER. */
export async function removeMember(
  manager: EntityManager,
  giver: Giver,
  input: MembershipChange,
): Promise<void> {
  const { membership, current } = await lockMembership(manager, giver, input);
  await assertOwnerRemains(manager, membership);
  await manager.delete(Membership, { id: membership.id });
  const { operatorId, organizationId } = membership;
  await endInvitations(manager, { operatorId, organizationId });
  await recordAudit(manager, {
    ...entryOf(current, membership, 'member.remove'),
    before: { operatorId, role: membership.role },
  });
}

function entryOf(
  giver: Giver,
  membership: Membership,
  action: string,
): { actor: AuditActor; action: string; organizationId: string; target: string; ref?: string } {
  return {
    actor: giver.actor,
    action,
    organizationId: membership.organizationId,
    target: membership.id,
    ...(membership.projectRef !== null && { ref: membership.projectRef }),
  };
}

async function lockMembership(
  manager: EntityManager,
  giver: Giver,
  change: MembershipChange,
): Promise<{ readonly membership: Membership; readonly current: Giver }> {
  const { organizationId, membershipId } = change;
  await lockOrganization(manager, organizationId);
  const membership = await manager.findOneBy(Membership, { id: membershipId, organizationId });
  if (membership === null) throw fail('MEMBERSHIP_NOT_FOUND');
  await lockOperators(manager, [membership.operatorId, operatorOf(giver.actor)]);
  const current = await currentGiver(manager, giver, organizationId);
  assertMayGrant(current.capabilities, membership);
  return { membership, current };
}

// Called under the lock of the organization: two owners cannot remove each other at once.
async function assertOwnerRemains(manager: EntityManager, leaving: Membership): Promise<void> {
  if (leaving.role !== 'owner' || leaving.projectRef !== null) return;
  const others: unknown[] = await manager.query(
    `select from membership join operator on operator.id = membership.operator_id
     where membership.organization_id = $1 and membership.project_ref is null
       and membership.role = 'owner' and membership.id <> $2 and operator.status = 'active'`,
    [leaving.organizationId, leaving.id],
  );
  if (others.length === 0) throw fail('LAST_OWNER');
}
