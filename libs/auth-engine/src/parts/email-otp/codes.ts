import { createHmac } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { emailOTP } from 'better-auth/plugins/email-otp';
import { generateRandomString } from 'better-auth/crypto';
import type { AuthConfig } from '../../auth-config.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';
import { maySignUp } from '../../sign-up-policy.js';

/**
 * What is stored of a code. It has few digits, so a plain digest would be turned back into it in no time;
 * this one takes the secret of the project.
 */
export function codeDigest(secret: string, code: string): string {
  return createHmac('sha256', secret).update(`code:${code}`).digest('base64url');
}

const MAIL_KINDS = {
  'sign-in': 'emailOtp',
  'email-verification': 'verifyEmailOtp',
  'forget-password': 'resetPassword',
} as const;

/** The engine's plugin for codes by mail, whose codes live for `expiresIn` seconds. */
export function codePlugin(config: AuthConfig, expiresIn: number) {
  const { otpLength, allowedAttempts, createUsers } = config.settings['auth.methods.emailOTP'];
  return emailOTP({
    otpLength,
    allowedAttempts,
    expiresIn,
    disableSignUp: !createUsers,
    storeOTP: { hash: async (code) => codeDigest(config.secret, code) },
    sendVerificationOTP: async ({ email, otp, type }, ctx) => {
      if (type === 'change-email') return;
      if (type === 'sign-in' && !(await maySignIn(config, email, ctx))) return;
      await sendMailQuietly(config, {
        kind: MAIL_KINDS[type],
        to: email,
        values: { code: otp, expiresInMinutes: inMinutes(expiresIn) },
      });
    },
  });
}

/** Whether a sign-in by mail can succeed: the address has an account, or may get one. */
export async function maySignIn(
  { settings }: Pick<AuthConfig, 'settings'>,
  email: string,
  ctx: GenericEndpointContext | undefined,
): Promise<boolean> {
  if (maySignUp(settings['auth.signup'], email)) return true;
  return (await ctx?.context.internalAdapter.findUserByEmail(email)) != null;
}

/**
 * Makes a code with which `email` signs in on another device than the one that reads the mail, in the place
 * of any earlier one. Undefined while codes are off. The work is the same for every address; the
 * caller decides whether the code can help.
 */
export async function issueSignInCode(
  { settings, secret }: Pick<AuthConfig, 'settings' | 'secret'>,
  email: string,
  ctx: GenericEndpointContext,
): Promise<string | undefined> {
  const { enabled, otpLength, expiresIn } = settings['auth.methods.emailOTP'];
  if (!enabled) return undefined;
  const { internalAdapter } = ctx.context;
  const code = generateRandomString(otpLength, '0-9');
  await internalAdapter.createVerificationValue({
    // The names and the form under which the engine looks for codes.
    identifier: `sign-in-otp-${email.toLowerCase()}`,
    value: `${codeDigest(secret, code)}:0`,
    expiresAt: new Date(Date.now() + expiresIn * 1000),
  });
  return code;
}
