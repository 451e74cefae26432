// Accounts by phone number: sign-in with a code that is sent to it, and the same with a password. There is
// nothing of it while the project has no provider of SMS.
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules } from '../../body-rules.js';
import { loadPackage } from '../../load-package.js';
import { type AuthPart, guarded, limited } from '../../part.js';

/** Codes by SMS. How often one number gets one is counted where it is sent. */
export const phoneOtp: AuthPart = {
  name: 'phoneOtp',
  neededSettings: ['auth.phoneOtp.enabled', 'phone.sms'],
  routes: {
    '/phone-number/send-otp': guarded('sms-code', limited('sendSms')),
    '/phone-number/verify': limited('verifyCode', 'phoneNumber'),
  },
  build: async (config) => (isOn(config) ? { plugins: [await codePlugin(config)] } : undefined),
};

/** Passwords of accounts that have a phone number. */
export const phonePassword: AuthPart = {
  name: 'phonePassword',
  neededSettings: ['auth.phoneOtp.enabled', 'phone.sms', 'auth.methods.emailPassword.enabled'],
  routes: {
    '/sign-in/phone-number': guarded('sign-in-password', limited('signIn', 'phoneNumber')),
    '/phone-number/request-password-reset': guarded('recovery-phone', limited('passwordReset')),
    '/phone-number/reset-password': limited('verifyCode', 'phoneNumber'),
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
    // Whoever could name a number without proving it would receive its owner's sign-ins.
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
    hooks: {
      before: [
        bodyRules({
          '/phone-number/send-otp': ['phoneNumber'],
          '/phone-number/verify': ['phoneNumber', 'code', 'disableSession', 'updatePhoneNumber'],
        }),
      ],
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
    hooks: {
      before: [
        bodyRules({
          '/sign-in/phone-number': ['phoneNumber', 'password', 'rememberMe'],
          '/phone-number/request-password-reset': ['phoneNumber'],
          '/phone-number/reset-password': ['phoneNumber', 'otp', 'newPassword'],
        }),
      ],
    },
  };
}
