import { fail } from '#libs/errors';
import { CAPABILITIES, type Capability } from '#libs/wire';
import { createId } from '@paralleldrive/cuid2';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { requireAuthority } from '../operators/authority.js';
import { Organization } from '../entities/organization.entity.js';
import { Project } from '../entities/project.entity.js';
import { keyIn, type Page, pageOf, type PageQuery } from '../pages.js';
import type { Viewer } from '../projects/list-projects.js';
import { addMembership } from './add-membership.js';
import { capabilitiesOn } from './capabilities.js';
import { assertMayGrant, capabilitiesOf, type Grant } from './roles.js';

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slugLength = 40;

/** An organization in a list. */
export interface OrganizationView {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: Date;
  /** Those that the viewer may see. */
  readonly projects: number;
  /** Those of the whole organization and of the projects that the viewer may see. */
  readonly members: number;
  /** What the viewer may do in the organization, and so in each of its projects. */
  readonly capabilities: readonly Capability[];
}

/** A row of the query: the capabilities are made of the viewer's grants. */
type OrganizationRow = Omit<OrganizationView, 'capabilities'> & {
  readonly grants: readonly Grant[];
};

/**
 * SQL: whether a viewer may see the row `organization`. `$1` is the operator, `$2` whether the operator administers the
 * deployment.
 */
export const visibleTo = `($2 or exists (select from membership
  where membership.organization_id = organization.id and membership.operator_id = $1))`;

/** The organizations in which the viewer has a membership, by name. */
export async function listOrganizations(
  dataSource: DataSource,
  viewer: Viewer,
  { after, limit }: PageQuery,
): Promise<Page<OrganizationView>> {
  const [name = null, id = null] = keyIn(after, { field: 'after', length: 2 }) ?? [];
  const found: OrganizationRow[] = await dataSource.query(
    `${viewQuery}
     where ${visibleTo}
       and ($3::pg_catalog.text is null or (organization.name, organization.id) > ($3, $4))
     order by organization.name, organization.id
     limit $5`,
    [viewer.operatorId, viewer.isDeploymentAdmin, name, id, limit + 1],
  );
  const views = found.map((row) => viewOf(row, viewer));
  return pageOf(views, limit, (organization) => [organization.name, organization.id]);
}

/** Returns one organization. Throws ORGANIZATION_NOT_FOUND; the caller has checked who may see it. */
export async function getOrganization(
  dataSource: DataSource,
  viewer: Viewer,
  organizationId: string,
): Promise<OrganizationView> {
  const found: OrganizationRow[] = await dataSource.query(
    `${viewQuery} where organization.id = $3`,
    [viewer.operatorId, viewer.isDeploymentAdmin, organizationId],
  );
  const [organization] = found;
  if (organization === undefined) throw fail('ORGANIZATION_NOT_FOUND');
  return viewOf(organization, viewer);
}

function viewOf({ grants, ...organization }: OrganizationRow, viewer: Viewer): OrganizationView {
  const given = grants.flatMap(capabilitiesOf);
  const capabilities = viewer.isDeploymentAdmin
    ? CAPABILITIES
    : CAPABILITIES.filter((capability) => given.includes(capability));
  return { ...organization, capabilities };
}

// Counts what the viewer's memberships cover: the whole organization, or some of its projects. The members of a project
// are those of the whole organization, too.
const viewQuery = `
  select organization.id, organization.name, organization.slug,
    organization.created_at as "createdAt",
    (select pg_catalog.count(*)::pg_catalog.int4 from project
      where project.organization_id = organization.id and ${covers('project.ref')}) as projects,
    (select pg_catalog.count(distinct operator_id)::pg_catalog.int4 from membership
      where membership.organization_id = organization.id
        and (membership.project_ref is null or ${covers('membership.project_ref')})) as members,
    coalesce(
      (select pg_catalog.json_agg(pg_catalog.json_build_object(
         'role', own.role, 'capabilities', own.capabilities))
       from membership own
       where own.operator_id = $1 and own.organization_id = organization.id
         and own.project_ref is null), '[]') as grants
  from organization`;

/** Whether the viewer may see the project with the ref of this column. */
function covers(ref: string): string {
  return `($2 or exists (select from membership own
    where own.operator_id = $1 and own.organization_id = organization.id
      and (own.project_ref is null or own.project_ref = ${ref})))`;
}

/** Creates an organization with its first owner. Throws CONFLICT for a slug that is taken. */
export async function createOrganization(
  manager: EntityManager,
  actor: AuditActor,
  input: { readonly name: string; readonly slug?: string | undefined; readonly ownerId: string },
): Promise<string> {
  const id = createId();
  const slug = input.slug ?? slugOf(input.name, id);
  const inserted: unknown[] = await manager.query(
    `insert into organization (id, name, slug) values ($1, $2, $3)
     on conflict (slug) do nothing returning id`,
    [id, input.name, slug],
  );
  if (inserted.length === 0) throw fail('CONFLICT', { reason: `The slug ${slug} is taken` });
  await addMembership(manager, {
    operatorId: input.ownerId,
    organizationId: id,
    grant: { role: 'owner' },
  });
  await recordAudit(manager, {
    actor,
    action: 'organization.create',
    organizationId: id,
    target: id,
    after: { name: input.name, slug, ownerId: input.ownerId },
  });
  return id;
}

/** Renames an organization. The slug stays. */
export async function renameOrganization(
  manager: EntityManager,
  actor: AuditActor,
  input: { readonly organizationId: string; readonly name: string },
): Promise<void> {
  const organization = await lockOrganization(manager, input.organizationId);
  await manager.update(
    Organization,
    { id: organization.id },
    { name: input.name, updatedAt: new Date() },
  );
  await recordAudit(manager, {
    actor,
    action: 'organization.rename',
    organizationId: organization.id,
    target: organization.id,
    before: { name: organization.name },
    after: { name: input.name },
  });
}

/** Deletes an organization without projects. Throws CONFLICT while it has any. */
export async function deleteOrganization(
  manager: EntityManager,
  actor: AuditActor,
  organizationId: string,
): Promise<void> {
  const organization = await lockOrganization(manager, organizationId);
  if (await manager.existsBy(Project, { organizationId })) {
    throw fail('CONFLICT', { reason: 'Delete the projects of the organization first' });
  }
  // Its memberships are deleted with it, also that of the actor and those of owners.
  const checked = await requireAuthority(manager, actor);
  if (checked !== 'system') {
    const own = await capabilitiesOn(manager, checked.operatorId, { organizationId });
    assertMayGrant(own ?? [], { role: 'owner' });
  }
  await manager.delete(Organization, { id: organizationId });
  await recordAudit(manager, {
    actor: checked,
    action: 'organization.delete',
    organizationId,
    target: organizationId,
    before: { name: organization.name, slug: organization.slug },
  });
}

/**
 * Returns the row of an organization, locked until the end of the transaction, so that two changes of its members run
 * one after the other. Throws ORGANIZATION_NOT_FOUND.
 */
export async function lockOrganization(
  manager: EntityManager,
  organizationId: string,
): Promise<Organization> {
  const organization = await manager.findOne(Organization, {
    where: { id: organizationId },
    lock: { mode: 'pessimistic_write' },
  });
  if (organization === null) throw fail('ORGANIZATION_NOT_FOUND');
  return organization;
}

/** A slug made from the name; the id makes it unique. */
function slugOf(name: string, id: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${words.slice(0, slugLength - 7)}-${id.slice(-6)}`
    .replace(/^-+/, '')
    .replaceAll('--', '-');
}

/** Whether a text has the form of a slug. */
export function isSlug(text: string): boolean {
  return text.length <= slugLength && slugPattern.test(text);
}
