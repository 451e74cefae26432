import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import {
  listApiKeys,
  listFactors,
  listIdentities,
  listMemberships,
  listPasskeys,
  listSessions,
  type ListedApiKey,
  type ListedFactor,
  type ListedIdentity,
  type ListedMembership,
  type ListedPasskey,
  type ListedSession,
} from './user-detail.sql.js';
import { requireUserId } from './user-ids.js';
import { type AdminUserView, findUser } from './users.sql.js';

/** A user with everything that belongs to it. */
export interface UserDetail {
  readonly user: AdminUserView;
  readonly sessions: readonly ListedSession[];
  readonly identities: readonly ListedIdentity[];
  readonly factors: readonly ListedFactor[];
  readonly passkeys: readonly ListedPasskey[];
  readonly memberships: readonly ListedMembership[];
  readonly apiKeys: readonly ListedApiKey[];
}

/** One user with everything that belongs to it. Throws USER_NOT_FOUND. */
export function readUser(project: ProjectRuntime, userId: string): Promise<UserDetail> {
  const id = requireUserId(project, userId);
  return project.db.runAsEngine(async (tx) => {
    const user = await findUser(tx, id);
    if (!user) throw fail('USER_NOT_FOUND');
    return {
      user,
      sessions: await listSessions(tx, id),
      identities: await listIdentities(tx, id),
      factors: await listFactors(tx, id),
      passkeys: await listPasskeys(tx, id),
      memberships: await listMemberships(tx, id),
      apiKeys: await listApiKeys(tx, id),
    };
  });
}
