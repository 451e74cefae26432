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

const view = `id::pg_catalog.text as id, email, name, username, image, role, status, "isAnonymous" as is_anonymous`;

/** Whether an administrator has begun the session in the name of the user. */
export async function isImpersonation(tx: Transaction, sessionId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from auth.session where id = $1 and "impersonatedBy" is not null',
    [sessionId],
  );
  return rowCount > 0;
}

/** Sets the user name; undefined when another user has it, in any case of letters. */
export async function setUsername(
  tx: Transaction,
  userId: string,
  username: string,
): Promise<UserView | undefined> {
  const { rows } = await tx.query<UserView>(
    `update auth."user" set username = $2, "updatedAt" = pg_catalog.now()
     where id::pg_catalog.text = $1
       and not exists (select from auth."user" other where pg_catalog.lower(other.username) = pg_catalog.lower($2) and other.id::pg_catalog.text <> $1)
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
    `update auth."user" set image = $2, "updatedAt" = pg_catalog.now() where id::pg_catalog.text = $1 returning ${view}`,
    [userId, image],
  );
  return rows[0];
}
