// The organizations of a project's users, for administrators: who belongs to them, and who owns one whose last
// owner has gone.
import { newUserId, organizationRefusal } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import type { ListOrganizationsQuery, PageQuery, SetMemberBody } from './organizations.dto.js';
import {
  addMember,
  countOrganizations,
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

interface Page {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

export interface OrganizationPage extends Page {
  readonly organizations: readonly ListedOrganization[];
}

export interface MemberPage extends Page {
  readonly organization: ListedOrganization;
  readonly members: readonly ListedMember[];
}

const defaultPerPage = 50;
const maxIdLength = 128;

/** Runs as the engine role: accounts are the platform's own tables. */
export function readOrganizations(
  project: ProjectRuntime,
  { page = 1, perPage = defaultPerPage, search, hasOwner }: ListOrganizationsQuery,
): Promise<OrganizationPage> {
  const filter = {
    search: search === '' ? undefined : search,
    hasOwner: hasOwner === undefined ? undefined : hasOwner === 'true',
  };
  const window = { limit: perPage, offset: (page - 1) * perPage };
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
  { page = 1, perPage = defaultPerPage }: PageQuery,
): Promise<MemberPage> {
  return project.db.runAsEngine(async (tx) => {
    const organization = await getOrganization(tx, id);
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const members = await listMembers(tx, organization.id, window);
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

async function getOrganization(tx: Transaction, id: string): Promise<ListedOrganization> {
  const canBeOne = id.length <= maxIdLength && !id.includes('\0');
  const found = canBeOne ? await findOrganization(tx, id) : undefined;
  if (!found) throw fail('ORGANIZATION_NOT_FOUND');
  return found;
}
