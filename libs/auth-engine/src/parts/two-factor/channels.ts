import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import { isStandInAddress } from '../../sign-up-policy.js';

/** How a code may be sent to a user who has a second factor. */
export type Channel = 'email' | 'sms';

/** Where a code reaches a user, by channel; those that the project does not offer are absent. */
export type Addresses = ReadonlyMap<Channel, string>;

/** Where codes reach a user: at an address that is one, at a number that was proven. */
export async function addressesOf(
  { settings, messages, pool }: AuthConfig,
  userId: string,
): Promise<Addresses> {
  const { emailCodes, smsCodes } = settings['auth.twoFactor'];
  const hasEmail = emailCodes && messages.canMail() !== false;
  const hasSms = smsCodes && messages.sms !== undefined;
  if (!hasEmail && !hasSms) return new Map();
  const rows = await queryRows<{ email: string; phoneNumber: string | null }>(
    pool,
    `select email, case when "phoneNumberVerified" then "phoneNumber" end as "phoneNumber"
     from auth."user" where id = $1`,
    [userId],
  );
  const addresses = new Map<Channel, string>();
  for (const { email, phoneNumber } of rows) {
    if (hasEmail && !isStandInAddress(email)) addresses.set('email', email);
    if (hasSms && phoneNumber !== null) addresses.set('sms', phoneNumber);
  }
  return addresses;
}
