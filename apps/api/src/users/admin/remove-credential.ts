// API keys and passkeys of users, as administrators take them away.
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import type { Administrator } from './administrator.js';
import { deleteApiKey, deletePasskey } from './user-detail.sql.js';
import { requireUserId } from './user-ids.js';
import { lockUser } from './users.sql.js';

const KINDS = {
  apiKey: { remove: deleteApiKey, missing: 'API_KEY_NOT_FOUND', action: 'user.deleteApiKey' },
  passkey: { remove: deletePasskey, missing: 'PASSKEY_NOT_FOUND', action: 'user.deletePasskey' },
} as const;

/** Deletes an API key or a passkey of a user. Throws USER_NOT_FOUND, API_KEY_NOT_FOUND, PASSKEY_NOT_FOUND. */
export async function removeCredential(
  project: ProjectRuntime,
  administrator: Administrator,
  order: {
    readonly kind: keyof typeof KINDS;
    readonly userId: string;
    readonly credentialId: string;
  },
): Promise<void> {
  const { remove, missing, action } = KINDS[order.kind];
  const id = requireUserId(project, order.userId);
  await project.events.runAnnounced(async (tx) => {
    if (!(await lockUser(tx, id))) throw fail('USER_NOT_FOUND');
    const { credentialId } = order;
    const removed = credentialId.includes('\0') ? undefined : await remove(tx, id, credentialId);
    if (!removed) throw fail(missing);
    await appendAudit(tx, {
      actor: administrator.actor,
      action,
      target: id,
      before: { id: credentialId, name: removed.name },
      after: undefined,
    });
  });
}
