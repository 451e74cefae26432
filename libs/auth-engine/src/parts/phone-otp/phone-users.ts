import type { AuthContext, User } from 'better-auth';
import { fail } from '#libs/errors';
import { violates } from '../../auth-errors.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { isPhoneAddress, standInAddress } from './phone-number.js';

export interface PhoneUser {
  readonly id: string;
  readonly isVerified: boolean;
}

/** The user that a phone number belongs to. */
export async function findPhoneUser(
  pool: EnginePool,
  phoneNumber: string,
): Promise<PhoneUser | undefined> {
  const rows = await queryRows<PhoneUser>(
    pool,
    `select id, "phoneNumberVerified" is true as "isVerified" from auth."user"
     where "phoneNumber" = $1`,
    [phoneNumber],
  );
  return rows[0];
}

/** A new user whose number has been proven. Throws what the sign-up policy and its hook refuse with. */
export function createPhoneUser(
  { internalAdapter }: AuthContext,
  phoneNumber: string,
): Promise<User> {
  return internalAdapter.createUser<User>(
    {
      email: standInAddress(phoneNumber),
      name: '',
      phoneNumber,
      phoneNumberVerified: true,
    },
    { method: 'phone-number' },
  );
}

/**
 * Gives a proven number to a user. The address that stands in for an old number goes with it, so that the old
 * number is free for its next owner; a guest becomes a permanent user and may still name an address.
 * Throws PHONE_NUMBER_EXIST when the number belongs to another user.
 */
export async function attachPhone(
  { internalAdapter }: AuthContext,
  user: { readonly id: string; readonly email: string },
  phoneNumber: string,
): Promise<User> {
  const proven = { phoneNumber, phoneNumberVerified: true, isAnonymous: false };
  try {
    return await internalAdapter.updateUser<User>(user.id, {
      ...proven,
      ...(isPhoneAddress(user.email) && { email: standInAddress(phoneNumber) }),
    });
  } catch (error) {
    const isTaken = ['user_phoneNumber_key', 'user_email_key'].some((name) =>
      violates(error, name),
    );
    throw isTaken ? fail('PHONE_NUMBER_EXIST', {}, { cause: error }) : error;
  }
}
