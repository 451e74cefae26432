import { isStandInAddress } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

/**
 * Stores the mail that tells the owner of an account of its new password, with the change, where there is a way to send
 * mail. Answers the ids of the messages to add jobs for after the commit.
 */
export async function tellOfNewPassword(
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
