// Accounts by phone number: sign-in with a code that is sent to it, and the same with a password. There is
// nothing of it while the project has no provider of SMS.
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from '../../auth-config.js';
import { loadPackage } from '../../load-package.js';
import { type AuthPart, write } from '../../part.js';

/** Codes by SMS. How often one number gets one is counted where it is sent. */
export const phoneOtp: AuthPart = {
  name: 'phoneOtp',
  neededSettings: ['auth.phoneOtp.enabled', 'phone.sms'],
  routes: {
    '/phone-number/send-otp': {
      ...write,
      summary: 'Send a code by SMS',
      fields: 'phoneNumber!',
      answer: 'CodeSent',
      limit: 'sendSms',
      captcha: 'sms-code',
    },
    '/phone-number/verify': {
      ...write,
      summary: 'Sign in or verify a number with a code',
      fields: 'phoneNumber! code! disableSession:boolean updatePhoneNumber:boolean',
      answer: 'SignedInOrSecondStep',
      limit: 'verifyCode',
      identifiedBy: ['phoneNumber'],
      isOwnerOnly: true,
      signUpMethod: 'phone',
      makesStandInAddress: true,
    },
  },
  build: async (config) => (isOn(config) ? { plugins: [await codePlugin(config)] } : undefined),
};

/** Passwords of accounts that have a phone number. */
export const phonePassword: AuthPart = {
  name: 'phonePassword',
  neededSettings: ['auth.phoneOtp.enabled', 'phone.sms', 'auth.methods.emailPassword.enabled'],
  routes: {
    '/sign-in/phone-number': {
      ...write,
      summary: 'Sign in with number and password',
      fields: 'phoneNumber! password! rememberMe:boolean',
      answer: 'SignedInOrSecondStep',
      limit: 'signIn',
      identifiedBy: ['phoneNumber'],
      captcha: 'sign-in-password',
      answersSignIn: true,
      signsInByPassword: true,
      asksSecondFactor: true,
    },
    '/phone-number/request-password-reset': {
      ...write,
      summary: 'Send a code by SMS that sets a new password',
      fields: 'phoneNumber!',
      answer: 'Done',
      limit: 'passwordReset',
      captcha: 'recovery-phone',
    },
    '/phone-number/reset-password': {
      ...write,
      summary: 'Set a new password with a code from an SMS',
      fields: 'phoneNumber! otp! newPassword!',
      answer: 'Done',
      limit: 'verifyCode',
      identifiedBy: ['phoneNumber'],
    },
  },
  build: async (config) => {
    const { enabled } = config.settings['auth.methods.emailPassword'];
    return enabled && isOn(config) ? { plugins: [await passwordPlugin(config)] } : undefined;
  },
};

function isOn({ settings, messages }: AuthConfig): boolean {
  return settings['auth.phoneOtp'].enabled && messages.sms !== undefined;
}

/** The files below read phone numbers, which takes a package with the numbering plans of all countries. */
async function codePlugin(config: AuthConfig): Promise<BetterAuthPlugin> {
  const { sendPhoneCode, verifyPhoneCode } = await loadPackage(() => import('./sign-in.js'));
  return {
    id: 'phone-number',
    // A user who could set a number without proving it would receive its owner's sign-ins.
    schema: {
      user: {
        fields: {
          phoneNumber: { type: 'string', required: false, unique: true, input: false },
          phoneNumberVerified: { type: 'boolean', required: false, input: false },
        },
      },
    },
    endpoints: {
      sendPhoneNumberOTP: sendPhoneCode(config),
      verifyPhoneNumber: verifyPhoneCode(config),
    },
  };
}

async function passwordPlugin(config: AuthConfig): Promise<BetterAuthPlugin> {
  const { requestReset, resetPassword, signInWithPhone } = await loadPackage(
    () => import('./passwords.js'),
  );
  return {
    id: 'platform-phone-password',
    endpoints: {
      signInPhoneNumber: signInWithPhone(config),
      requestPasswordResetPhoneNumber: requestReset(config),
      resetPasswordPhoneNumber: resetPassword(config),
    },
  };
}
