import { fail } from '#libs/errors';
import { createId } from '@paralleldrive/cuid2';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import { requireAuthority } from '../operators/authority.js';
import { Organization } from '../entities/organization.entity.js';
import { Project } from '../entities/project.entity.js';
import type { Viewer } from '../projects/list-projects.js';
import { addMembership } from './add-membership.js';
import { capabilitiesOn } from './capabilities.js';
import { assertMayGrant } from './roles.js';

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slugLength = 40;

/** An organization in a list. */
export interface OrganizationView {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: Date;
  readonly projects: number;
  readonly members: number;
}

/** The organizations in which the viewer has a membership, by name. */
export async function listOrganizations(
  dataSource: DataSource,
  viewer: Viewer,
): Promise<OrganizationView[]> {
  return dataSource.query(
    `${viewQuery}
     where $2 or exists (select from membership
       where membership.organization_id = organization.id and membership.operator_id = $1)
     order by organization.name, organization.id`,
    [viewer.operatorId, viewer.isDeploymentAdmin],
  );
}

/** Returns one organization. Throws ORGANIZATION_NOT_FOUND; the caller has checked who may see it. */
export async function getOrganization(
  dataSource: DataSource,
  organizationId: string,
): Promise<OrganizationView> {
  const found: OrganizationView[] = await dataSource.query(
    `${viewQuery} where organization.id = $1`,
    [organizationId],
  );
  const [organization] = found;
  if (organization === undefined) throw fail('ORGANIZATION_NOT_FOUND');
  return organization;
}

const viewQuery = `
  select organization.id, organization.name, organization.slug,
    organization.created_at as "createdAt",
    (select pg_catalog.count(*)::pg_catalog.int4 from project
      where project.organization_id = organization.id) as projects,
    (select pg_catalog.count(distinct operator_id)::pg_catalog.int4 from membership
      where membership.organization_id = organization.id) as members
  from organization`;

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
