// Phone numbers in the place of addresses: sign-in with a password, and its recovery by a code.
import type { AuthContext, GenericEndpointContext, User } from 'better-auth';
import { setSessionCookie } from 'better-auth/cookies';
import { runWithTransaction } from '@better-auth/core/context';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { flagField, requiredText } from '../../fields.js';
import { createPasswordPolicy } from '../../passwords/policy.js';
import { passwordChanged } from '../password-changed/part.js';
import { phoneNumberIn } from './phone-number.js';
import { findPhoneUser } from './phone-users.js';
import { countSms, guessPhoneCode, issuePhoneCode, sendSmsQuietly } from './sms.js';

/** Signs in. An unknown number, an unproven one and a wrong password get the same refusal. */
export function signInWithPhone({ pool }: AuthConfig) {
  return endpoint(
    '/sign-in/phone-number',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const phoneNumber = phoneNumberIn(body);
      const password = requiredText(body, 'password');
      const isForgotten = !flagField(body, 'rememberMe', true);
      const owner = await findPhoneUser(pool, phoneNumber);
      const isRight = await fitsPassword(ctx.context, owner?.id, password);
      const user = owner?.isVerified && isRight ? await findUser(ctx.context, owner.id) : undefined;
      if (!user) throw fail('INVALID_PHONE_NUMBER_OR_PASSWORD');
      const token = await signIn(ctx, { user, isForgotten });
      return ctx.json({ token, user });
    },
  );
}

/** Compares in any case: the time of the answer must not reveal whether there is an account. */
async function fitsPassword(
  { internalAdapter, password: passwords }: AuthContext,
  userId: string | undefined,
  password: string,
): Promise<boolean> {
  const account = userId === undefined ? null : await internalAdapter.findCredentialAccount(userId);
  if (account?.password) return passwords.verify({ hash: account.password, password });
  await passwords.hash(password);
  return false;
}

async function findUser(
  { internalAdapter }: AuthContext,
  userId: string,
): Promise<User | undefined> {
  return (await internalAdapter.findUserById(userId)) ?? undefined;
}

async function signIn(
  ctx: GenericEndpointContext,
  { user, isForgotten }: { readonly user: User; readonly isForgotten: boolean },
): Promise<string> {
  const session = await ctx.context.internalAdapter.createSession(user.id, isForgotten);
  await setSessionCookie(ctx, { session, user }, isForgotten);
  return session.token;
}

/** Sends a code with which the owner of a proven number sets a new password. */
export function requestReset(config: AuthConfig) {
  return endpoint(
    '/phone-number/request-password-reset',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const phoneNumber = phoneNumberIn(body);
      await countSms(config, phoneNumber);
      const [code, owner] = await Promise.all([
        issuePhoneCode(config, { purpose: 'resetPassword', phoneNumber }),
        findPhoneUser(config.pool, phoneNumber),
      ]);
      if (owner?.isVerified) {
        await sendSmsQuietly(config, { kind: 'resetPassword', to: phoneNumber, code });
      }
      return ctx.json({ status: true });
    },
  );
}

/** Sets a new password and ends every session. A password that is refused uses up a guess, not the code. */
export function resetPassword(config: AuthConfig) {
  const hashChosen = createPasswordPolicy(config);
  return endpoint(
    '/phone-number/reset-password',
    { method: 'POST', requireHeaders: true },
    async (ctx, body) => {
      const phoneNumber = phoneNumberIn(body);
      const otp = requiredText(body, 'otp');
      const hash = await hashChosen(requiredText(body, 'newPassword'));
      const isRight = await guessPhoneCode(config, { purpose: 'resetPassword', phoneNumber }, otp);
      const owner = await findPhoneUser(config.pool, phoneNumber);
      const user = owner?.isVerified && isRight ? await findUser(ctx.context, owner.id) : undefined;
      if (!user) throw fail('INVALID_OTP');
      await replacePassword(ctx.context, user.id, hash);
      await passwordChanged(config, user);
      return ctx.json({ status: true });
    },
  );
}

async function replacePassword(context: AuthContext, userId: string, hash: string): Promise<void> {
  const { adapter, internalAdapter } = context;
  await runWithTransaction(adapter, async () => {
    await internalAdapter.deleteUserSessions(userId);
    if (await internalAdapter.findCredentialAccount(userId)) {
      await internalAdapter.updatePassword(userId, hash);
      return;
    }
    await internalAdapter.createAccount({
      userId,
      providerId: 'credential',
      accountId: userId,
      password: hash,
    });
  });
}
