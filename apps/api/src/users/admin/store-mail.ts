import type { AuthMail } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

/**
 * Stores a mail in the transaction of the change that it is about. Returns the ids of the messages to add jobs for after
 * the commit.
 */
export function storeMail(
  { outbox, settings }: ProjectRuntime,
  tx: Transaction,
  mail: AuthMail,
): Promise<readonly string[]> {
  return outbox.store(
    [{ channel: 'email', ...mail }],
    settings.values,
    async <R>(text: string, params?: readonly unknown[]) => {
      const { rows } = await tx.query<R & object>(text, params);
      return rows;
    },
  );
}
