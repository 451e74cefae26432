// Sign-in with a code that is sent to a phone, and the proof of a number by one.
import type { AuthContext, GenericEndpointContext, Session, User } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { flagField, requiredText } from '../../fields.js';
import { attachPhone, createPhoneUser, findPhoneUser } from './phone-users.js';
import { requireSecondFactor } from '../../second-factor.js';
import { phoneNumberIn } from './phone-number.js';
import { countSms, guessPhoneCode, issuePhoneCode, sendSmsQuietly } from './sms.js';

/**
 * Sends a code. Nothing is sent to a number that the code could not help, and the answer does not show it: such a
 * number has no account, may get none, and no signed-in user asks for it.
 */
export function sendPhoneCode(config: AuthConfig) {
  const isOpen =
    config.settings['auth.phoneOtp'].signUpOnVerification && config.settings['auth.signup'].enabled;
  return endpoint(
    '/phone-number/send-otp',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const phoneNumber = phoneNumberIn(body);
      await countSms(config, phoneNumber);
      const [code, session, owner] = await Promise.all([
        issuePhoneCode(config, { purpose: 'signIn', phoneNumber }),
        getSessionFromCtx(ctx),
        findPhoneUser(config.pool, phoneNumber),
      ]);
      if (isOpen || session || owner) {
        await sendSmsQuietly(config, {
          kind: session ? 'verifyPhone' : 'signIn',
          to: phoneNumber,
          code,
        });
      }
      return ctx.json({ message: 'code sent' });
    },
  );
}

/** Takes a code: signs in, makes the account of a new number, or gives the number to the signed-in user. */
export function verifyPhoneCode(config: AuthConfig) {
  return endpoint(
    '/phone-number/verify',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const phoneNumber = phoneNumberIn(body);
      const code = requiredText(body, 'code');
      const isChange = flagField(body, 'updatePhoneNumber');
      const current = isChange ? await getSessionFromCtx(ctx) : null;
      if (isChange && !current) throw fail('UNAUTHORIZED');
      // The second factor may be a code to this very number.
      if (current) requireSecondFactor(config, current);
      if (!(await guessPhoneCode(config, { purpose: 'signIn', phoneNumber }, code))) {
        throw fail('INVALID_OTP');
      }
      if (current) return ctx.json(await changeNumber(ctx.context, current, phoneNumber));
      const user = await provenUser(config, ctx.context, phoneNumber);
      if (flagField(body, 'disableSession')) return ctx.json({ status: true, token: null, user });
      return ctx.json({ status: true, token: await signIn(ctx, user), user });
    },
  );
}

async function changeNumber(
  context: AuthContext,
  { session, user }: { readonly session: Session; readonly user: User },
  phoneNumber: string,
) {
  const changed = await attachPhone(context, user, phoneNumber);
  return { status: true, token: session.token, user: changed };
}

/** The user of a number whose code was right. Throws SIGNUP_DISABLED where new numbers make no account. */
async function provenUser(
  { pool, settings }: AuthConfig,
  context: AuthContext,
  phoneNumber: string,
): Promise<User> {
  const owner = await findPhoneUser(pool, phoneNumber);
  if (!owner) {
    if (!settings['auth.phoneOtp'].signUpOnVerification) throw fail('SIGNUP_DISABLED');
    return createPhoneUser(context, phoneNumber);
  }
  const found = owner.isVerified
    ? await context.internalAdapter.findUserById(owner.id)
    : await context.internalAdapter.updateUser<User>(owner.id, { phoneNumberVerified: true });
  if (!found) throw fail('INVALID_OTP');
  return found;
}

async function signIn(ctx: GenericEndpointContext, user: User): Promise<string> {
  const session = await ctx.context.internalAdapter.createSession(user.id);
  await setSessionCookie(ctx, { session, user });
  return session.token;
}
