// Impersonation: a session that an administrator begins in the name of a user. It is short, carries the name of the
// administrator, and is refused where its effect would outlast it (IMPERSONATED_SESSION).
import { newRowId, randomToken, sessionTokenHash } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import type { OneUser } from './create-user.js';
import { maxImpersonationSeconds } from './impersonate.dto.js';
import { insertImpersonation } from './impersonate.sql.js';
import { requireUserId } from './user-ids.js';
import { keepAdministrator, lockUser } from './users.sql.js';

/** The session of an impersonation with its token, which no other answer has. */
export interface Impersonation extends OneUser {
  readonly session: {
    readonly id: string;
    readonly token: string;
    readonly expiresAt: Date;
  };
}

/**
 * Begins a session in the name of a user. It ends no other session and is no sign-in. Throws USER_NOT_FOUND,
 * USER_INACTIVE, ADMIN_REQUIRED for an administrator who has ceased to be one meanwhile, and ADMIN_NOT_IMPERSONATED for users with the role ADMIN: their changes would be recorded under their
 * own names.
 */
export async function impersonateUser(
  project: ProjectRuntime,
  administrator: Administrator,
  {
    userId,
    expiresInSeconds = maxImpersonationSeconds,
  }: { readonly userId: string; readonly expiresInSeconds?: number | undefined },
): Promise<Impersonation> {
  const id = requireUserId(project, userId);
  const { actor, caller } = administrator;
  const token = randomToken();
  return project.events.runAnnounced(async (tx) => {
    // A request that takes the role away ends the sessions begun before it: this session is among them, or is refused.
    const isUser = caller.role === 'authenticated';
    if (isUser && !(await keepAdministrator(tx, caller.user.id))) throw fail('ADMIN_REQUIRED');
    const user = await lockUser(tx, id);
    if (!user) throw fail('USER_NOT_FOUND');
    if (user.role === 'ADMIN') throw fail('ADMIN_NOT_IMPERSONATED');
    if (user.status !== 'active') throw fail('USER_INACTIVE');
    const sessionId = newRowId(project.record.idType);
    const expiresAt = await insertImpersonation(tx, {
      id: sessionId,
      userId: id,
      tokenHash: sessionTokenHash(token),
      expiresInSeconds,
      ip: actor.ip,
      impersonatedBy: { kind: actor.kind, id: actor.id, email: actor.email },
    });
    await appendAudit(tx, {
      actor,
      action: 'user.impersonate',
      target: id,
      before: undefined,
      after: { sessionId, expiresAt },
    });
    return { user, session: { id: sessionId, token, expiresAt } };
  });
}
