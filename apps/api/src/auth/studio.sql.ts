import { sessionTokenHash } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';

/** A session with its user, without its token. */
export interface StudioSession {
  readonly id: string;
  readonly aal: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly username: string | null;
    readonly image: string | null;
    readonly role: string;
    readonly status: string;
    readonly twoFactorEnabled: boolean;
  };
}

export async function findStudioSession(
  tx: Transaction,
  sessionId: string,
): Promise<StudioSession | undefined> {
  const { rows } = await tx.query<StudioSession>(
    `select session.id, session.aal, session."createdAt", session."expiresAt",
       pg_catalog.json_build_object('id', "user".id, 'email', "user".email, 'name', "user".name,
         'username', "user".username, 'image', "user".image, 'role', "user".role,
         'status', "user".status, 'twoFactorEnabled', "user"."twoFactorEnabled" is true) as user
     from auth.session join auth."user" on "user".id = session."userId" where session.id = $1`,
    [sessionId],
  );
  return rows[0];
}

export async function deleteSessionOf(tx: Transaction, token: string): Promise<void> {
  await tx.query('delete from auth.session where "tokenHash" = $1', [sessionTokenHash(token)]);
}
