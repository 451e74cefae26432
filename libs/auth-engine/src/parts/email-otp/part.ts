// Sign-in with a code that is sent by mail, and the proof of an address by one.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules, mailGate } from '../../body-rules.js';
import { type AuthPart, guarded, limited } from '../../part.js';
import { refuseAlike } from './alike.js';
import { codePlugin } from './codes.js';

const sendPath = '/email-otp/send-verification-otp';

/** Codes by mail. */
export const emailOtp: AuthPart = {
  name: 'emailOtp',
  neededSettings: ['auth.methods.emailOTP.enabled'],
  routes: {
    [sendPath]: guarded('email-code', limited('sendEmail', 'email')),
    '/sign-in/email-otp': limited('verifyCode', 'email'),
    '/email-otp/verify-email': limited('verifyCode', 'email'),
    '/email-otp/check-verification-otp': limited('verifyCode', 'email'),
  },
  build: (config) => {
    const { enabled } = config.settings['auth.methods.emailOTP'];
    return enabled ? { plugins: [emailOtpPlugin(config)] } : undefined;
  },
};

function emailOtpPlugin(config: AuthConfig): BetterAuthPlugin {
  const { endpoints } = codePlugin(config, config.settings['auth.methods.emailOTP'].expiresIn);
  const { sendVerificationOTP, createVerificationOTP } = endpoints;
  const { signInEmailOTP, verifyEmailOTP, checkVerificationOTP } = endpoints;
  return {
    id: 'email-otp',
    endpoints: {
      sendVerificationOTP,
      createVerificationOTP,
      signInEmailOTP,
      verifyEmailOTP,
      checkVerificationOTP,
    },
    hooks: {
      before: [
        mailGate(config, [sendPath]),
        bodyRules({
          [sendPath]: ['email', 'type'],
          '/sign-in/email-otp': ['email', 'otp', 'name', 'image'],
          '/email-otp/verify-email': ['email', 'otp'],
          '/email-otp/check-verification-otp': ['email', 'type', 'otp'],
        }),
        { matcher: ({ path }) => path === sendPath, handler: checkType(config) },
      ],
      after: [
        refuseAlike([
          '/email-otp/verify-email',
          '/email-otp/check-verification-otp',
          ...(isOpenToAll(config) ? [] : ['/sign-in/email-otp']),
        ]),
      ],
    },
  };
}

/** Refuses codes for what is not there: a change of the address, the reset of a password that nobody has. */
function checkType({ settings }: AuthConfig) {
  const hasPasswords = settings['auth.methods.emailPassword'].enabled;
  return hook(async (_ctx, body) => {
    const type = body?.['type'];
    if (type === 'change-email') throw fail('CHANGE_EMAIL_DISABLED');
    if (type === 'forget-password' && !hasPasswords) {
      throw fail('INVALID_INPUT', { field: 'type', reason: 'there are no passwords here' });
    }
  });
}

/** Whether every address gets a code to sign in with. */
function isOpenToAll({ settings }: AuthConfig): boolean {
  const { enabled, allowedEmailDomains, blockedEmailDomains } = settings['auth.signup'];
  const hasLists = allowedEmailDomains.length > 0 || blockedEmailDomains.length > 0;
  return settings['auth.methods.emailOTP'].createUsers && enabled && !hasLists;
}
