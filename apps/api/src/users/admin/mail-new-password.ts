import { isStandInAddress } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

import { storeMail } from './store-mail.js';

/**
 * Stores, in the transaction of the change, the mail that informs a user of the new password, if mail can be sent.
 * Returns the ids of the messages to add jobs for after the commit.
 */
export async function mailNewPassword(
  project: ProjectRuntime,
  tx: Transaction,
  { email }: { readonly email: string },
): Promise<readonly string[]> {
  if (project.messages.transport === undefined || isStandInAddress(email)) return [];
  return storeMail(project, tx, { kind: 'passwordChanged', to: email, values: {} });
}
