// The organizations of a project's users, for administrators: who belongs to them, and who owns one whose last
// owner has gone.
import { newUserId, organizationRefusal } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { type NumberedPage, type PageQuery, rowsOfPage } from '../../http/page-query.js';
import type { Administrator } from './administrator.js';
import { canBeId, maxOrganizationIdLength } from './can-be-id.js';
import type { ListOrganizationsQuery, SetMemberBody } from './organizations.dto.js';
import {
  addMember,
  countOrganizations,
  deleteMember,
  findMember,
  findOrganization,
  type ListedMember,
  type ListedOrganization,
  listMembers,
  listOrganizations,
  lockOrganization,
  setMemberRole,
} from './organizations.sql.js';
import { requireUserId } from './user-ids.js';
import { findUser } from './users.sql.js';

export interface OrganizationPage extends NumberedPage {
  readonly organizations: readonly ListedOrganization[];
}

export interface MemberPage extends NumberedPage {
  readonly organization: ListedOrganization;
  readonly members: readonly ListedMember[];
}

/** Runs as the engine role: accounts are the platform's own tables. */
export function readOrganizations(
  project: ProjectRuntime,
  query: ListOrganizationsQuery,
): Promise<OrganizationPage> {
  const { page, perPage, search, hasOwner } = query;
  const filter = {
    search: search === '' ? undefined : search,
    hasOwner: hasOwner === undefined ? undefined : hasOwner === 'true',
  };
  const window = rowsOfPage(query);
  return project.db.runAsEngine(async (tx) => ({
    organizations: await listOrganizations(tx, filter, window),
    total: await countOrganizations(tx, filter),
    page,
    perPage,
  }));
}

/** One organization with its members, owners first. Throws ORGANIZATION_NOT_FOUND. */
export function readMembers(
  project: ProjectRuntime,
  id: string,
  query: PageQuery,
): Promise<MemberPage> {
  return project.db.runAsEngine(async (tx) => {
    const organization = await getOrganization(tx, id);
    const members = await listMembers(tx, organization.id, rowsOfPage(query));
    const { page, perPage } = query;
    return { organization, members, total: organization.members, page, perPage };
  });
}

/**
 * Gives a user a role in an organization, and makes the user a member first where needed. Throws
 * ORGANIZATION_NOT_FOUND, USER_NOT_FOUND, LAST_OWNER, and ORGANIZATION_MEMBERSHIP_LIMIT_REACHED for a new
 * member of a full organization.
 */
export async function setMember(
  project: ProjectRuntime,
  administrator: Administrator,
  {
    organizationId,
    userId,
    role,
  }: { readonly organizationId: string; readonly userId: string } & SetMemberBody,
): Promise<{ readonly member: ListedMember }> {
  const id = requireUserId(project, userId);
  try {
    return await project.events.runAnnounced(async (tx) => {
      if (!(await findUser(tx, id))) throw fail('USER_NOT_FOUND');
      const organization = await getOrganization(tx, organizationId);
      await lockOrganization(tx, organization.id);
      const before = await findMember(tx, organization.id, id);
      if (before?.role === role) return { member: before };
      if (before) await setMemberRole(tx, before.id, role);
      else {
        const rowId = newUserId(project.record.idType);
        await addMember(tx, { id: rowId, organizationId: organization.id, userId: id, role });
      }
      const member = await findMember(tx, organization.id, id);
      if (!member) throw fail('USER_NOT_FOUND');
      await appendAudit(tx, {
        actor: administrator.actor,
        action: 'organization.setMember',
        target: organization.id,
        before: before && { userId: id, role: before.role },
        after: { userId: id, role },
      });
      return { member };
    });
  } catch (error) {
    throw organizationRefusal(error) ?? error;
  }
}

/**
 * Takes a user out of an organization. Throws ORGANIZATION_NOT_FOUND, USER_NOT_FOUND, MEMBER_NOT_FOUND, and LAST_OWNER
 * for the last owner.
 */
export async function removeMember(
  project: ProjectRuntime,
  administrator: Administrator,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<void> {
  const id = requireUserId(project, userId);
  try {
    await project.events.runAnnounced(async (tx) => {
      if (!(await findUser(tx, id))) throw fail('USER_NOT_FOUND');
      const organization = await getOrganization(tx, organizationId);
      await lockOrganization(tx, organization.id);
      const before = await findMember(tx, organization.id, id);
      if (!before) throw fail('MEMBER_NOT_FOUND');
      await deleteMember(tx, before.id);
      await appendAudit(tx, {
        actor: administrator.actor,
        action: 'organization.removeMember',
        target: organization.id,
        before: { userId: id, role: before.role },
        after: undefined,
      });
    });
  } catch (error) {
    throw organizationRefusal(error) ?? error;
  }
}

/** Throws ORGANIZATION_NOT_FOUND. */
export async function getOrganization(tx: Transaction, id: string): Promise<ListedOrganization> {
  const found = canBeId(id, maxOrganizationIdLength) ? await findOrganization(tx, id) : undefined;
  if (!found) throw fail('ORGANIZATION_NOT_FOUND');
  return found;
}
