import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import { requireUserId } from './user-ids.js';
import { deleteSession, deleteSessions, lockUser } from './users.sql.js';

/** Ends every session of a user. Throws USER_NOT_FOUND. */
export async function endSessions(
  project: ProjectRuntime,
  administrator: Administrator,
  userId: string,
): Promise<void> {
  const id = requireUserId(project, userId);
  await project.events.runAnnounced(async (tx, announce) => {
    if (!(await lockUser(tx, id))) throw fail('USER_NOT_FOUND');
    const count = await deleteSessions(tx, id);
    if (count === 0) return;
    await appendAudit(tx, {
      actor: administrator.actor,
      action: 'user.endSessions',
      target: id,
      before: { sessions: count },
      after: { sessions: 0 },
    });
    await announce('session.ended', { userId: id });
  });
}

/** Ends one session of a user. Throws USER_NOT_FOUND, SESSION_NOT_FOUND. */
export async function endSession(
  project: ProjectRuntime,
  administrator: Administrator,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<void> {
  const id = requireUserId(project, userId);
  await project.events.runAnnounced(async (tx, announce) => {
    if (!(await lockUser(tx, id))) throw fail('USER_NOT_FOUND');
    const isGone = !sessionId.includes('\0') && (await deleteSession(tx, id, sessionId));
    if (!isGone) throw fail('SESSION_NOT_FOUND');
    await appendAudit(tx, {
      actor: administrator.actor,
      action: 'user.endSession',
      target: id,
      before: { sessionId },
      after: undefined,
    });
    await announce('session.ended', { userId: id, sessionId });
  });
}
