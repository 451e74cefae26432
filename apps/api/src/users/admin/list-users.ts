import type { ProjectRuntime } from '#libs/project-runtime';

import type { ListUsersQuery } from './list-users.dto.js';
import { countUsers, listUsers, type UserFilter } from './list-users.sql.js';
import type { AdminUserView } from './users.sql.js';

/** A page of the users. */
export interface UserPage {
  readonly users: readonly AdminUserView[];
  /** As many match the filter, on all pages together. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

const defaultPerPage = 50;

/** Runs as the engine role: accounts are the platform's own tables. */
export function readUsers(project: ProjectRuntime, query: ListUsersQuery): Promise<UserPage> {
  const { page = 1, perPage = defaultPerPage, orderBy = 'createdAt.desc', isAnonymous } = query;
  const { search, role, status, provider, createdFrom, createdTo } = query;
  const filter: UserFilter = {
    search: search === '' ? undefined : search,
    role,
    status,
    provider,
    isAnonymous: isAnonymous === undefined ? undefined : isAnonymous === 'true',
    createdFrom,
    createdTo,
  };
  const window = { orderBy, limit: perPage, offset: (page - 1) * perPage };
  return project.db.runAsEngine(async (tx) => ({
    users: await listUsers(tx, filter, window),
    total: await countUsers(tx, filter),
    page,
    perPage,
  }));
}
