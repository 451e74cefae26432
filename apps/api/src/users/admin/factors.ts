import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import { deleteFactor, listFactors, type ListedFactor } from './user-detail.sql.js';
import { requireUserId } from './user-ids.js';
import { findUser, lockUser } from './users.sql.js';

/** The second factors of a user. Throws USER_NOT_FOUND. */
export async function readFactors(
  project: ProjectRuntime,
  userId: string,
): Promise<{ readonly factors: readonly ListedFactor[] }> {
  const id = requireUserId(project, userId);
  return project.db.runAsEngine(async (tx) => {
    if (!(await findUser(tx, id))) throw fail('USER_NOT_FOUND');
    return { factors: await listFactors(tx, id) };
  });
}

/** Removes a second factor of a user, for example of a lost device. Throws USER_NOT_FOUND, FACTOR_NOT_FOUND. */
export async function removeFactor(
  project: ProjectRuntime,
  administrator: Administrator,
  { userId, factorId }: { readonly userId: string; readonly factorId: string },
): Promise<void> {
  const id = requireUserId(project, userId);
  await project.events.runAnnounced(async (tx, announce) => {
    if (!(await lockUser(tx, id))) throw fail('USER_NOT_FOUND');
    const isGone = !factorId.includes('\0') && (await deleteFactor(tx, id, factorId));
    if (!isGone) throw fail('FACTOR_NOT_FOUND');
    await appendAudit(tx, {
      actor: administrator.actor,
      action: 'user.deleteFactor',
      target: id,
      before: { factorId },
      after: undefined,
    });
    await announce('mfa.disabled', { userId: id });
  });
}
