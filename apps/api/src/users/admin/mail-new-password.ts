import { isStandInAddress } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

/**
 * Stores, in the transaction of the change, the mail that informs a user of the new password, if mail can be sent.
 * Returns the ids of the messages to add jobs for after the commit.
 */
export async function mailNewPassword(
  { messages, outbox, settings }: ProjectRuntime,
  tx: Transaction,
  user: { readonly email: string },
): Promise<readonly string[]> {
  if (messages.transport === undefined || isStandInAddress(user.email)) return [];
  const mail = { channel: 'email', kind: 'passwordChanged', to: user.email, values: {} } as const;
  return outbox.store(
    [mail],
    settings.values,
    async <R>(text: string, params?: readonly unknown[]) => {
      const { rows } = await tx.query<R & object>(text, params);
      return rows;
    },
  );
}
