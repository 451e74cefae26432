import { createHash } from 'node:crypto';

import type { Transaction } from '#libs/database';

/** A user as administrators see it. */
export interface AdminUserView {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | null;
  readonly phoneNumberVerified: boolean;
  readonly name: string;
  readonly username: string | null;
  readonly image: string | null;
  readonly role: string;
  readonly status: string;
  /** Why an administrator has banned the user; null for a user who is not banned. */
  readonly banReason: string | null;
  /** When the ban ends; null for a ban without an end. */
  readonly bannedUntil: Date | null;
  readonly is_anonymous: boolean;
  readonly twoFactorEnabled: boolean;
  /** The ids of the providers by which the user may sign in; `credential` is a password. */
  readonly providers: readonly string[];
  readonly app_metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the user signed in last, without impersonations; null for a user who never did. */
  readonly lastSignInAt: Date | null;
}

/** The columns of the view, of `auth."user"` under its own name. */
export const userColumns = `"user".id::pg_catalog.text as id, "user".email, "user"."emailVerified",
  "user"."phoneNumber", "user"."phoneNumberVerified" is true as "phoneNumberVerified",
  "user".name, "user".username, "user".image, "user".role, "user".status,
  "user"."banReason", "user"."bannedUntil",
  "user"."isAnonymous" as is_anonymous, "user"."twoFactorEnabled" is true as "twoFactorEnabled",
  array(select account."providerId" from auth.account where account."userId" = "user".id
    order by account."createdAt", account.id) as providers,
  "user".app_metadata, "user".user_metadata, "user"."createdAt", "user"."updatedAt",
  (select at from auth.last_sign_in where last_sign_in."userId" = "user".id) as "lastSignInAt"`;

export async function findUser(tx: Transaction, id: string): Promise<AdminUserView | undefined> {
  const { rows } = await tx.query<AdminUserView>(
    `select ${userColumns} from auth."user" where id = $1`,
    [id],
  );
  return rows[0];
}

/**
 * Like {@link findUser}, and locks the user until the transaction ends: no other transaction can change it or create a
 * session for it. Further locks are taken in the order of a password reset, one-time values, then sessions, then
 * accounts, so that transactions cannot deadlock.
 */
export async function lockUser(tx: Transaction, id: string): Promise<AdminUserView | undefined> {
  const { rows } = await tx.query<AdminUserView>(
    `select ${userColumns} from auth."user" where id = $1 for update of "user"`,
    [id],
  );
  return rows[0];
}

export async function findUserIdByEmail(
  tx: Transaction,
  email: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ readonly id: string }>(
    'select id::pg_catalog.text as id from auth."user" where email = $1',
    [email],
  );
  return rows[0]?.id;
}

/** What an administrator decides about a user. */
export interface UserValues {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | null;
  readonly phoneNumberVerified: boolean;
  readonly name: string;
  readonly username: string | null;
  readonly image: string | null;
  readonly role: string;
  readonly status: string;
  readonly banReason: string | null;
  readonly bannedUntil: Date | null;
  readonly is_anonymous: boolean;
  readonly app_metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
}

export async function insertUser(tx: Transaction, id: string, user: UserValues): Promise<void> {
  await tx.query(
    `insert into auth."user" (id, email, "emailVerified", "phoneNumber", "phoneNumberVerified", name,
       username, image, role, status, "isAnonymous", "banReason", "bannedUntil", app_metadata, user_metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::pg_catalog.jsonb, $15::pg_catalog.jsonb)`,
    [id, ...valuesOf(user)],
  );
}

export async function updateUser(tx: Transaction, id: string, user: UserValues): Promise<void> {
  await tx.query(
    `update auth."user" set email = $2, "emailVerified" = $3, "phoneNumber" = $4,
       "phoneNumberVerified" = $5, name = $6, username = $7, image = $8, role = $9, status = $10,
       "isAnonymous" = $11, "banReason" = $12, "bannedUntil" = $13, app_metadata = $14::pg_catalog.jsonb,
       user_metadata = $15::pg_catalog.jsonb, "updatedAt" = pg_catalog.now()
     where id = $1`,
    [id, ...valuesOf(user)],
  );
}

function valuesOf(user: UserValues): readonly unknown[] {
  return [
    user.email,
    user.emailVerified,
    user.phoneNumber,
    user.phoneNumberVerified,
    user.name,
    user.username,
    user.image,
    user.role,
    user.status,
    user.is_anonymous,
    user.banReason,
    user.bannedUntil,
    JSON.stringify(user.app_metadata),
    JSON.stringify(user.user_metadata),
  ];
}

/** Gives the user this password, in the place of an earlier one. `newRowId` is the row's when there is none. */
export async function setPassword(
  tx: Transaction,
  password: { readonly userId: string; readonly newRowId: string; readonly hash: string },
): Promise<void> {
  const { userId, newRowId, hash } = password;
  await tx.query(
    `with changed as (
       update auth.account set password = $3, "updatedAt" = pg_catalog.now()
       where "userId" = $1 and "providerId" = 'credential' returning 1
     )
     insert into auth.account (id, "accountId", "providerId", "userId", password)
     select $2, $4, 'credential', $1, $3 where not exists (select from changed)`,
    [userId, newRowId, hash, userId],
  );
}

/** Ends every session of the user; answers how many there were. */
export async function deleteSessions(tx: Transaction, userId: string): Promise<number> {
  const { rowCount } = await tx.query('delete from auth.session where "userId" = $1', [userId]);
  return rowCount;
}

/** Ends the sessions that administrators have begun in the name of the user. */
export async function deleteImpersonations(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from auth.session where "userId" = $1 and "impersonatedBy" is not null', [
    userId,
  ]);
}

/** Ends the sessions that the user has begun as an administrator in the name of others. */
export async function deleteImpersonationsBy(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `delete from auth.session
     where "impersonatedBy" ->> 'kind' = 'user' and "impersonatedBy" ->> 'id' = $1`,
    [userId],
  );
}

/** Locks an account of an administrator against changes until the end of the transaction; false: it is none now. */
export async function keepAdministrator(tx: Transaction, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from auth."user" where id = $1 and role = 'ADMIN' and status = 'active' for share`,
    [userId],
  );
  return rowCount > 0;
}

export async function deleteSession(
  tx: Transaction,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from auth.session where "userId" = $1 and id = $2', [
    userId,
    sessionId,
  ]);
  return rowCount > 0;
}

/**
 * Makes links and codes worthless that were sent to the user: what they would open was just closed, or belongs
 * to another address now.
 */
export async function deleteOneTimeValues(
  tx: Transaction,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  // The engine keeps codes under the address, reset links with the id as their value, and links of
  // administrators with the id inside.
  await tx.query(
    `delete from auth.verification
     where identifier = any($2::pg_catalog.text[]) or value = $1
       or case when identifier like 'admin-link:%' then value::pg_catalog.jsonb ->> 'userId' end = $1`,
    [user.id, codeKinds.flatMap((kind) => storedIdentifiers(`${kind}-otp-${user.email}`))],
  );
}

const codeKinds = ['sign-in', 'forget-password', 'email-verification'];

/** The forms in which an identifier is stored: our own statements keep it, the engine keeps its hash. */
const storedIdentifiers = (identifier: string): readonly string[] => [
  identifier,
  createHash('sha256').update(identifier).digest('base64url'),
];

export async function keepOneTimeValue(
  tx: Transaction,
  kept: {
    readonly id: string;
    readonly identifier: string;
    readonly value: string;
    readonly expiresInSeconds: number;
  },
): Promise<void> {
  await tx.query('delete from auth.verification where identifier = $1', [kept.identifier]);
  await tx.query(
    `insert into auth.verification (id, identifier, value, "expiresAt")
     values ($1, $2, $3, pg_catalog.now() + pg_catalog.make_interval(secs => $4))`,
    [kept.id, kept.identifier, kept.value, kept.expiresInSeconds],
  );
}
