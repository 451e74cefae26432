// What the screen reads. All of it needs `secrets.manage`, but for the audit log (`audit.read`).
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import { listQuery } from './list-query.js';
import type { UsersSearch } from './search.js';

export type User = ProjectSchemas['AdminUserView'];
export type UserDetail = ProjectSchemas['UserDetail'];
export type UserPage = ProjectSchemas['UserPage'];
export type AuditEntry = ProjectSchemas['AuditRow'];

export const usersPerPage = 50;
/** The most that one answer has. */
const exportPerPage = 200;
const auditLimit = 30;

/** What the users of a project are cached under. */
export const usersKey = (ref: string) => ['projects', ref, 'users'] as const;

/** The query of a page of the list, for the request and for the command that repeats it. */
export function pageQuery(search: UsersSearch, now = Date.now()) {
  return { ...listQuery(search, now), page: search.page ?? 1, perPage: usersPerPage };
}

/** A page of the users that match, and how many there are. */
export function usersQuery(ref: string, search: UsersSearch) {
  const { open: _open, part: _part, dialog: _dialog, ...chosen } = search;
  return queryOptions({
    queryKey: [...usersKey(ref), 'list', chosen],
    queryFn: ({ signal }) =>
      answer(
        projectApi(ref).GET('/api/admin/users', { params: { query: pageQuery(chosen) }, signal }),
      ),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** A user with everything that belongs to it. */
export const userQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...usersKey(ref), 'one', id],
    queryFn: () =>
      answer(projectApi(ref).GET('/api/admin/users/{id}', { params: { path: { id } } })),
    refetchInterval: refreshMs,
    retry: false,
  });

/** The newest entries of the audit log about a user; older ones from the entry `before`. `audit.read`. */
export const auditOf = (ref: string, target: string, before: string | undefined) =>
  answer(
    projectApi(ref).GET('/api/admin/audit', {
      params: { query: { target, limit: auditLimit, ...(before !== undefined && { before }) } },
    }),
  );

/** Organizations that match a text. */
export const organizationsQuery = (ref: string, search: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'organizations', search],
    queryFn: () =>
      answer(
        projectApi(ref).GET('/api/admin/organizations', {
          params: { query: { search, perPage: 20 } },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** All users that match, page by page; `onProgress` gets how many there are so far. */
export async function readAllUsers(
  ref: string,
  search: UsersSearch,
  onProgress: (done: number, total: number) => void,
): Promise<readonly User[]> {
  // An order that does not change meanwhile.
  const query = listQuery({ ...search, sort: 'createdAt.asc' }, Date.now());
  const users: User[] = [];
  for (let page = 1; ; page += 1) {
    const params = { query: { ...query, page, perPage: exportPerPage } };
    // Each page begins where the one before has ended.
    const found = await answer(projectApi(ref).GET('/api/admin/users', { params }));
    users.push(...found.users);
    onProgress(users.length, found.total);
    if (found.users.length < exportPerPage) return users;
  }
}
