// Sign-in with a code that is sent by mail, and the proof of an address by one.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, write } from '../../part.js';
import { refuseAlike } from './alike.js';
import { codePlugin } from './codes.js';

const sendPath = '/email-otp/send-verification-otp';

/** Codes by mail. */
export const emailOtp: AuthPart = {
  name: 'emailOtp',
  neededSettings: ['auth.methods.emailOTP.enabled'],
  routes: {
    [sendPath]: {
      ...write,
      summary: 'Mail a code',
      fields: 'email! type!',
      answer: 'Success',
      limit: 'sendEmail',
      identifiedBy: ['email'],
      captcha: 'email-code',
      needsMail: 'always',
    },
    '/sign-in/email-otp': {
      ...write,
      summary: 'Sign in with a mailed code',
      fields: 'email! otp! name image',
      answer: 'SignedInOrSecondStep',
      limit: 'verifyCode',
      identifiedBy: ['email'],
      signUpMethod: 'email-otp',
      provesAddress: { keptIdentities: [] },
      answersSignIn: true,
      refusesAlike: 'unlessOpen',
    },
    '/email-otp/verify-email': {
      ...write,
      summary: 'Verify an address with a mailed code',
      fields: 'email! otp!',
      answer: 'DoneWithUser',
      limit: 'verifyCode',
      identifiedBy: ['email'],
      refusesAlike: 'always',
    },
    '/email-otp/check-verification-otp': {
      ...write,
      summary: 'Check a mailed code without using it up',
      fields: 'email! type! otp!',
      answer: 'Success',
      limit: 'verifyCode',
      identifiedBy: ['email'],
      refusesAlike: 'always',
    },
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
      before: [{ matcher: ({ path }) => path === sendPath, handler: checkType(config) }],
      after: [refuseAlike(config)],
    },
  };
}

/** Refuses codes for what the project does not offer: a change of the address, or passwords. */
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
