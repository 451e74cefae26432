import type { Transaction } from '#libs/database';

/** A user as the API shows it (spec: User). */
export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly username: string | null;
  readonly image: string | null;
  readonly role: string;
  readonly status: string;
  readonly is_anonymous: boolean;
}

const view = `id::text as id, email, name, username, image, role, status, "isAnonymous" as is_anonymous`;

/** Sets the user name; undefined when another user has it, in any case of letters. */
export async function setUsername(
  tx: Transaction,
  userId: string,
  username: string,
): Promise<UserView | undefined> {
  const { rows } = await tx.query<UserView>(
    `update auth."user" set username = $2, "updatedAt" = now()
     where id::text = $1
       and not exists (select from auth."user" other where lower(other.username) = lower($2) and other.id::text <> $1)
     returning ${view}`,
    [userId, username],
  );
  return rows[0];
}

/** Sets or clears the picture's address. */
export async function setImage(
  tx: Transaction,
  userId: string,
  image: string | null,
): Promise<UserView | undefined> {
  const { rows } = await tx.query<UserView>(
    `update auth."user" set image = $2, "updatedAt" = now() where id::text = $1 returning ${view}`,
    [userId, image],
  );
  return rows[0];
}

/** What decides whether users may delete themselves: the age of the session and the password's hash. */
export async function findDeletionProof(
  tx: Transaction,
  userId: string,
  sessionId: string,
): Promise<
  { readonly sessionAgeSeconds: number; readonly passwordHash: string | null } | undefined
> {
  const { rows } = await tx.query<{ session_age_seconds: number; password_hash: string | null }>(
    `select extract(epoch from now() - session."createdAt")::float8 as session_age_seconds,
       (select password from auth.account
        where account."userId" = session."userId" and "providerId" = 'credential') as password_hash
     from auth.session where session.id = $2 and session."userId"::text = $1`,
    [userId, sessionId],
  );
  const [row] = rows;
  return row && { sessionAgeSeconds: row.session_age_seconds, passwordHash: row.password_hash };
}

/** Deletes the user with sessions, accounts, memberships and what the project's tables cascade. */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query(`select auth.delete_user(id) from auth."user" where id::text = $1`, [userId]);
}
