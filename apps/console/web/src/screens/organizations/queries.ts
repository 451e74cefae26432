// The organizations of a project's users, their members and invitations. All of it needs `secrets.manage`.
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { refreshMs } from '../../api/refresh.js';
import type { OrganizationsSearch } from './search.js';

export type Organization = ProjectSchemas['ListedOrganization'];
export type Member = ProjectSchemas['ListedMember'];
export type Invitation = ProjectSchemas['PendingInvitation'];

export const perPage = 50;
const foundUsers = 20;

export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

const organizationsKey = (ref: string) => ['projects', ref, 'organizations'] as const;

function listQuery({ q = '', owner, page = 1 }: OrganizationsSearch) {
  return {
    ...(q.trim() !== '' && { search: q.trim() }),
    ...(owner === 'none' && { hasOwner: 'false' as const }),
    page,
    perPage,
  };
}

/** A page of the organizations that match. */
export const organizationsQuery = (ref: string, { q, owner, page }: OrganizationsSearch) =>
  queryOptions({
    queryKey: [...organizationsKey(ref), 'list', q, owner, page],
    queryFn: ({ signal }) => {
      const params = { query: listQuery({ q, owner, page }) };
      return answer(projectApi(ref).GET('/api/admin/organizations', { params, signal }));
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** The request for a page, for the command that repeats it. */
export function pathOf(ref: string, search: OrganizationsSearch): string {
  const query = Object.entries(listQuery(search)).map(([name, value]) => [name, String(value)]);
  return projectPath(ref, `/api/admin/organizations?${new URLSearchParams(query).toString()}`);
}

/** An organization with a page of its members. */
export const membersQuery = (ref: string, id: string, page: number) =>
  queryOptions({
    queryKey: [...organizationsKey(ref), 'members', id, page],
    queryFn: () => {
      const params = { path: { id }, query: { page, perPage } };
      return answer(projectApi(ref).GET('/api/admin/organizations/{id}/members', { params }));
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });

const invitationsKey = (ref: string) => [...organizationsKey(ref), 'invitations'] as const;

/** A page of the pending invitations to an organization, the latest first. */
export const invitationsQuery = (ref: string, id: string, page: number) =>
  queryOptions({
    queryKey: [...invitationsKey(ref), id, page],
    queryFn: () => {
      const params = { path: { id }, query: { page, perPage } };
      return answer(projectApi(ref).GET('/api/admin/organizations/{id}/invitations', { params }));
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Users that match a text, to make one a member. */
export const candidatesQuery = (ref: string, search: string) =>
  queryOptions({
    queryKey: [...organizationsKey(ref), 'candidates', search],
    queryFn: () => {
      const query = { perPage: foundUsers, ...(search !== '' && { search }) };
      return answer(projectApi(ref).GET('/api/admin/users', { params: { query } }));
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

interface MemberPlace {
  readonly id: string;
  readonly userId: string;
}

/** Gives a user a role, and makes the user a member first where needed. */
export function setMember(ref: string, { role, ...path }: MemberPlace & { readonly role: Role }) {
  const asked = projectApi(ref).PUT('/api/admin/organizations/{id}/members/{userId}', {
    params: { path },
    body: { role },
  });
  return answer(asked);
}

export function removeMember(ref: string, path: MemberPlace) {
  const params = { path };
  return answer(
    projectApi(ref).DELETE('/api/admin/organizations/{id}/members/{userId}', { params }),
  );
}

export function cancelInvitation(
  ref: string,
  path: { readonly id: string; readonly invitationId: string },
) {
  const asked = projectApi(ref).DELETE('/api/admin/organizations/{id}/invitations/{invitationId}', {
    params: { path },
  });
  return answer(asked);
}

export function refreshInvitations(queryClient: QueryClient, ref: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: invitationsKey(ref) });
}

/** Reads the organizations again, and the users, whose details have them. */
export async function refreshMembers(queryClient: QueryClient, ref: string): Promise<void> {
  await Promise.all(
    [organizationsKey(ref), ['projects', ref, 'users']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
