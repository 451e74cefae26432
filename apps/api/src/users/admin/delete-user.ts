import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { type Administrator, refuseOwnAccount } from './administrator.js';
import { requireUserId } from './user-ids.js';
import { deleteOneTimeValues, deleteSessions, deleteUser, lockUser } from './users.sql.js';

/**
 * Deletes an account with everything that belongs to it and what the project's tables cascade. Throws
 * USER_NOT_FOUND, SELF_LOCKOUT, and the database's refusal when a table of the project holds on to the user.
 */
export async function removeUser(
  project: ProjectRuntime,
  administrator: Administrator,
  userId: string,
): Promise<void> {
  const id = requireUserId(project, userId);
  refuseOwnAccount(administrator, id);
  await project.runAnnounced(async (tx, announce) => {
    const user = await lockUser(tx, id);
    if (!user) throw fail('USER_NOT_FOUND');
    await deleteOneTimeValues(tx, user);
    await deleteSessions(tx, id);
    await deleteUser(tx, id);
    const { email, role, status } = user;
    await appendAudit(tx, {
      actor: administrator.actor,
      action: 'user.delete',
      target: id,
      before: { email, role, status },
      after: undefined,
    });
    await announce('user.deleted', { user });
  });
}
