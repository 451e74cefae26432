// What administrators say about an account, made into the values of its row.
import {
  checkAddress,
  mergedMetadata,
  randomUsername,
  usernameProblem,
  violates,
} from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { readEmailAddress } from '#libs/wire';

import type { ChangeUserBody, CreateUserBody } from './users.dto.js';
import type { AdminUserView, UserValues } from './users.sql.js';

/** Why and until when a user is banned. */
export type Ban = Pick<UserValues, 'banReason' | 'bannedUntil'>;

/** A change of an account by an administrator, without the password. */
export interface AccountChange extends Omit<ChangeUserBody, 'password'> {
  readonly ban?: Ban;
}

const notBanned: Ban = { banReason: null, bannedUntil: null };

/** The values of a new account. Throws INVALID_INPUT. */
export function newValues(body: CreateUserBody): UserValues {
  const { phoneNumber = null } = body;
  return {
    email: checkedEmail(body.email),
    emailVerified: body.emailVerified ?? false,
    phoneNumber,
    phoneNumberVerified: phoneNumber !== null && (body.phoneNumberVerified ?? false),
    name: body.name ?? '',
    username: body.username === undefined ? usernameOrNull() : checkedUsername(body.username),
    image: body.image ?? null,
    role: body.role ?? 'USER',
    status: body.status ?? 'active',
    ...notBanned,
    is_anonymous: false,
    app_metadata: mergedMetadata('app_metadata', {}, body.app_metadata),
    user_metadata: mergedMetadata('user_metadata', {}, body.user_metadata),
  };
}

/**
 * The values of an account after a change. Another address or number is not proven yet unless the change says
 * so, and makes a guest a permanent user. A change to inactive takes the end of a ban away. Throws INVALID_INPUT.
 */
export function changedValues(user: AdminUserView, change: AccountChange): UserValues {
  // An old address stays whatever its form is.
  const { email: named = user.email } = change;
  const email = named === user.email ? named : checkedEmail(named);
  const phoneNumber = change.phoneNumber === undefined ? user.phoneNumber : change.phoneNumber;
  const isSameEmail = email === user.email;
  const status = change.ban ? 'inactive' : (change.status ?? user.status);
  const isSameNumber = phoneNumber === user.phoneNumber;
  return {
    email,
    emailVerified: change.emailVerified ?? (isSameEmail && user.emailVerified),
    phoneNumber,
    phoneNumberVerified:
      phoneNumber !== null &&
      (change.phoneNumberVerified ?? (isSameNumber && user.phoneNumberVerified)),
    name: change.name ?? user.name,
    username: change.username === undefined ? user.username : checkedUsername(change.username),
    image: change.image === undefined ? user.image : change.image,
    role: change.role ?? user.role,
    status,
    ...(status === 'active' ? notBanned : (change.ban ?? keptBan(user, change))),
    is_anonymous: user.is_anonymous && isSameEmail,
    app_metadata: mergedMetadata('app_metadata', user.app_metadata, change.app_metadata),
    user_metadata: mergedMetadata('user_metadata', user.user_metadata, change.user_metadata),
  };
}

/** The ban of an account that stays inactive. It has no end if the change deactivates the account. */
function keptBan({ banReason, bannedUntil }: Ban, { status }: AccountChange): Ban {
  return { banReason, bannedUntil: status === undefined ? bannedUntil : null };
}

/** An address in the form of accounts. Throws INVALID_INPUT if the text is no address or a placeholder. */
export function checkedEmail(text: string): string {
  const email = readEmailAddress(text);
  if (email === undefined) {
    throw fail('INVALID_INPUT', { field: 'email', reason: 'must be an email address' });
  }
  checkAddress(email);
  return email;
}

/** Runs a change. Throws USER_ALREADY_EXISTS, USERNAME_TAKEN or PHONE_NUMBER_TAKEN if another account has a value. */
export async function namingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const found = UNIQUE.find(({ constraint }) => violates(cause, constraint));
    throw found ? fail(found.code, {}, { cause, details: { field: found.field } }) : cause;
  }
}

const UNIQUE = [
  { constraint: 'user_email_key', code: 'USER_ALREADY_EXISTS', field: 'email' },
  { constraint: 'user_username_key', code: 'USERNAME_TAKEN', field: 'username' },
  { constraint: 'user_phoneNumber_key', code: 'PHONE_NUMBER_TAKEN', field: 'phoneNumber' },
] as const;

function checkedUsername(username: string): string {
  const reason = usernameProblem(username);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'username', reason });
  return username;
}

function usernameOrNull(): string | null {
  try {
    return randomUsername();
  } catch {
    // An account without a user name is better than no account (specification: User).
    return null;
  }
}
