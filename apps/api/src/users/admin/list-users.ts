import type { ProjectRuntime } from '#libs/project-runtime';

import { type NumberedPage, rowsOfPage } from '../../http/page-query.js';
import type { ListUsersQuery } from './list-users.dto.js';
import { countUsers, listUsers, type UserFilter } from './list-users.sql.js';
import type { AdminUserView } from './users.sql.js';

/** A page of the users. */
export interface UserPage extends NumberedPage {
  readonly users: readonly AdminUserView[];
}

/** Runs as the engine role: accounts are the platform's own tables. */
export function readUsers(project: ProjectRuntime, query: ListUsersQuery): Promise<UserPage> {
  const { page, perPage, orderBy = 'createdAt.desc', isAnonymous } = query;
  const { search, role, status, provider, createdFrom, createdTo } = query;
  const { lastSignInFrom, lastSignInTo, hasSignedIn } = query;
  const filter: UserFilter = {
    search: search === '' ? undefined : search,
    role,
    status,
    provider,
    isAnonymous: flagOf(isAnonymous),
    createdFrom,
    createdTo,
    lastSignInFrom,
    lastSignInTo,
    hasSignedIn: flagOf(hasSignedIn),
  };
  const window = { orderBy, ...rowsOfPage(query) };
  return project.db.runAsEngine(async (tx) => ({
    users: await listUsers(tx, filter, window),
    total: await countUsers(tx, filter),
    page,
    perPage,
  }));
}

function flagOf(text: 'true' | 'false' | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}
