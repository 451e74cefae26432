// Memberships over all organizations, and those that are given without an invitation.
import { fail } from '#libs/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { Operator } from '../entities/operator.entity.js';
import {
  administersAll,
  currentGiver,
  type Giver,
  lockOperators,
  operatorOf,
} from '../operators/authority.js';
import { assertPlace } from '../operators/invitations.js';
import { keyIn, type Page, pageOf, type PageQuery } from '../pages.js';
import type { Viewer } from '../projects/list-projects.js';
import { addMembership, type NewMembership } from './add-membership.js';
import type { MemberView } from './members.js';
import { lockOrganization } from './organizations.js';
import { assertMayGrant, capabilitiesOf, rolesWith } from './roles.js';

/** A membership with its organization, and what is known of its operator. */
export interface MembershipView extends MemberView {
  readonly organizationId: string;
  readonly status: Operator['status'];
  /** Administrators of the deployment may do everything, whatever their memberships are. */
  readonly isDeploymentAdmin: boolean;
  /** Null unless the viewer may remove it: administrators of the deployment may for everyone, others for themselves. */
  readonly twoFactorEnabled: boolean | null;
}

/** `$1` is the id of the operator who reads, `$2` whether this one administers the deployment. */
const columns = `membership.id, operator.id as "operatorId", operator.email, operator.name,
  operator.status, operator.is_deployment_admin as "isDeploymentAdmin",
  case when $2 or operator.id = $1 then operator.two_factor_enabled end as "twoFactorEnabled",
  membership.organization_id as "organizationId", membership.project_ref as "projectRef",
  membership.role, membership.capabilities, membership.created_at as "createdAt"`;

/** The memberships in the organizations whose members the viewer manages, by email address. */
export async function listMemberships(
  dataSource: DataSource,
  viewer: Viewer,
  { after, limit }: PageQuery,
): Promise<Page<MembershipView>> {
  const [email = null, organizationId = null, ref = null] =
    keyIn(after, { field: 'after', length: 3 }) ?? [];
  const found: MembershipView[] = await dataSource.query(
    `select ${columns} from membership join operator on operator.id = membership.operator_id
     where ($2 or exists (
         select from membership own
         where own.operator_id = $1 and own.organization_id = membership.organization_id
           and own.project_ref is null
           and (own.role = any ($3)
             or own.role = 'custom' and 'members.manage' = any (own.capabilities))))
       and ($4::pg_catalog.text is null
         or (operator.email, membership.organization_id, coalesce(membership.project_ref, ''))
           > ($4, $5, $6))
     order by operator.email, membership.organization_id, coalesce(membership.project_ref, '')
     limit $7`,
    [
      viewer.operatorId,
      viewer.isDeploymentAdmin,
      rolesWith('members.manage'),
      email,
      organizationId,
      ref,
      limit + 1,
    ],
  );
  const memberships = found.map((row) => ({ ...row, capabilities: capabilitiesOf(row) }));
  return pageOf(memberships, limit, (row) => [row.email, row.organizationId, row.projectRef ?? '']);
}

/**
 * Gives a membership at once to an operator who is a member of the organization or of one of its projects already, or,
 * if the giver administers the deployment, to any operator. Throws OPERATOR_NOT_FOUND for others, so that the answer
 * does not show who is an operator; CAPABILITY_REQUIRED for more than the giver has, PROJECT_NOT_FOUND for a project of
 * another organization, and CONFLICT if there is a membership at the place.
 */
export async function grantMembership(
  manager: EntityManager,
  giver: Giver,
  input: NewMembership,
): Promise<MembershipView> {
  const { organizationId, operatorId, projectRef = null, grant } = input;
  await lockOrganization(manager, organizationId);
  await lockOperators(manager, [operatorId, operatorOf(giver.actor)]);
  const current = await currentGiver(manager, giver, organizationId);
  assertMayGrant(current.capabilities, grant);
  await assertPlace(manager, organizationId, projectRef);
  await assertKnown(manager, current, input);
  const { id } = await addMembership(manager, input);
  const [row]: MembershipView[] = await manager.query(
    `select ${columns} from membership join operator on operator.id = membership.operator_id
     where membership.id = $3`,
    [operatorOf(current.actor), await administersAll(manager, current.actor), id],
  );
  if (row === undefined) throw fail('MEMBERSHIP_NOT_FOUND');
  const membership = { ...row, capabilities: capabilitiesOf(row) };
  const { email, role, capabilities } = membership;
  await recordAudit(manager, {
    actor: current.actor,
    action: 'member.add',
    organizationId,
    ...(projectRef !== null && { ref: projectRef }),
    target: id,
    after: { operatorId, email, role, capabilities },
  });
  return membership;
}

async function assertKnown(
  manager: EntityManager,
  giver: Giver,
  { organizationId, operatorId }: NewMembership,
): Promise<void> {
  const known: unknown[] = await manager.query(
    `select from operator where id = $1 and ($3 or exists (
       select from membership where operator_id = $1 and organization_id = $2))`,
    [operatorId, organizationId, await administersAll(manager, giver.actor)],
  );
  if (known.length === 0) throw fail('OPERATOR_NOT_FOUND');
}
