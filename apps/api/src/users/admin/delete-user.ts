import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { type Administrator, refuseOwnAccount } from './administrator.js';
import { requireUserId } from './user-ids.js';
import { deleteImpersonationsBy, deleteOneTimeValues, findUser } from './users.sql.js';

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
  const user = await project.db.runAsEngine((tx) => findUser(tx, id));
  if (!user) throw fail('USER_NOT_FOUND');
  const { email, role, status } = user;
  const isDeleted = await project.auth.deleteUser({
    userId: id,
    audit: {
      actor: administrator.actor,
      action: 'user.delete',
      target: id,
      before: { email, role, status },
      after: undefined,
    },
    eventData: { user },
  });
  if (!isDeleted) throw fail('USER_NOT_FOUND');
  await project.db.runAsEngine(async (tx) => {
    await deleteOneTimeValues(tx, user);
    await deleteImpersonationsBy(tx, id);
  });
  await project.accountsWritten();
}
