import type { Capability } from '#libs/wire';
import { CAPABILITIES } from '#libs/wire';
import type { DataSource, EntityManager } from 'typeorm';
import { capabilitiesOf, type Grant } from './roles.js';

/** The place for which capabilities are looked up. */
export type CapabilityScope = { readonly organizationId: string } | { readonly ref: string };

interface ScopeRow {
  readonly isDeploymentAdmin: boolean;
  /** Memberships in the scope; `counts` is false for a membership in one of its projects only. */
  readonly grants: readonly (Grant & { readonly counts: boolean })[];
}

/**
 * Returns what an operator may do there, read live. Undefined if the place does not exist or the operator has no
 * membership in it, so that both look the same. An administrator of the deployment may do everything; a membership in a
 * project gives nothing in its organization.
 */
export async function capabilitiesOn(
  database: DataSource | EntityManager,
  operatorId: string,
  scope: CapabilityScope,
): Promise<readonly Capability[] | undefined> {
  const rows: ScopeRow[] = await ('ref' in scope
    ? database.query(onProject, [operatorId, scope.ref])
    : database.query(onOrganization, [operatorId, scope.organizationId]));
  const row = rows[0];
  if (row === undefined) return undefined;
  if (row.isDeploymentAdmin) return CAPABILITIES;
  if (row.grants.length === 0) return undefined;
  const given = row.grants.filter((grant) => grant.counts).flatMap(capabilitiesOf);
  return CAPABILITIES.filter((capability) => given.includes(capability));
}

const grantsOf = (counts: string): string => `coalesce(
    (select pg_catalog.json_agg(pg_catalog.json_build_object(
      'role', membership.role, 'capabilities', membership.capabilities, 'counts', ${counts}))
     from membership
     where membership.operator_id = operator.id and membership.organization_id = place.organization_id`;

// There is no row for an unknown place, an unknown operator or a disabled operator.
const onProject = `
  select operator.is_deployment_admin as "isDeploymentAdmin",
    ${grantsOf('true')}
      and (membership.project_ref is null or membership.project_ref = place.ref)), '[]') as grants
  from operator, project place
  where operator.id = $1 and operator.status = 'active'
    and place.ref = $2`;

const onOrganization = `
  select operator.is_deployment_admin as "isDeploymentAdmin",
    ${grantsOf('membership.project_ref is null')}), '[]') as grants
  from operator, (select id as organization_id from organization where id = $2) place
  where operator.id = $1 and operator.status = 'active'`;
