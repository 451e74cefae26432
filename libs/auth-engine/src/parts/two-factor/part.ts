// The second factor of an account: an app that shows codes, backup codes, and codes by mail or SMS beside them.
// It guards sign-ins with a password. Every other method opens a session of the first level (aal1), which a
// code raises to the second in place; what must not be done below that is for policies to say, by
// `auth.jwt()->>'aal'`.
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, read, write } from '../../part.js';
import { askForSecondFactor } from './challenge.js';
import { revokeDevice, trustedDevices } from './device-endpoints.js';
import { disable, enable, regenerateBackupCodes, status } from './enrolment.js';
import { sendSecondFactorCode } from './sent-codes.js';
import { verifySecondFactor } from './verify.js';

/** Second factors. */
export const twoFactor: AuthPart = {
  name: 'twoFactor',
  neededSettings: ['auth.twoFactor.enabled'],
  routes: {
    '/two-factor/enable': {
      ...write,
      summary: 'Begin the enrolment of a second factor',
      fields: 'password+ issuer method',
      answer: 'Enrolment',
      needsSession: true,
      limit: 'signIn',
      addsAccess: true,
    },
    '/two-factor/disable': {
      ...write,
      summary: 'Remove your second factor',
      fields: 'password!',
      answer: 'SecondFactorRemoved',
      needsSession: true,
      limit: 'signIn',
    },
    '/two-factor/generate-backup-codes': {
      ...write,
      summary: 'Replace your backup codes',
      fields: 'password!',
      answer: 'BackupCodes',
      needsSession: true,
      limit: 'signIn',
    },
    '/two-factor/verify-totp': {
      ...write,
      summary: 'Verify a code of your authenticator',
      fields: 'code! trustDevice+:boolean',
      answer: 'SignedIn',
      limit: 'verifyCode',
    },
    '/two-factor/verify-otp': {
      ...write,
      summary: 'Verify a code that was sent to you',
      fields: 'code! trustDevice:boolean',
      answer: 'SignedIn',
      limit: 'verifyCode',
    },
    '/two-factor/verify-backup-code': {
      ...write,
      summary: 'Verify a backup code',
      fields: 'code! trustDevice:boolean',
      answer: 'SignedIn',
      limit: 'verifyCode',
    },
    '/two-factor/send-otp': {
      ...write,
      summary: 'Send a code for the second step',
      fields: 'channel+',
      answer: 'SentCode',
      limit: 'sendEmail',
    },
    '/two-factor/status': {
      ...read,
      summary: 'Read which second factors you have',
      answer: 'SecondFactors',
      needsSession: true,
    },
    '/two-factor/trusted-devices': {
      ...read,
      summary: 'List the devices that skip the second step',
      answer: 'TrustedDevices',
      needsSession: true,
    },
    '/two-factor/revoke-trusted-device': {
      ...write,
      summary: 'Stop trusting a device',
      fields: 'id!',
      answer: 'Done',
      needsSession: true,
    },
  },
  build: (config) => {
    const { enabled } = config.settings['auth.twoFactor'];
    return enabled ? { plugins: [secondFactorPlugin(config)] } : undefined;
  },
};

function secondFactorPlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'two-factor',
    schema: {
      user: { fields: { twoFactorEnabled: { type: 'boolean', required: false, input: false } } },
    },
    endpoints: {
      enableTwoFactor: enable(config),
      disableTwoFactor: disable(config),
      generateBackupCodes: regenerateBackupCodes(config),
      verifyTOTP: verifySecondFactor(config, 'totp'),
      verifyTwoFactorOTP: verifySecondFactor(config, 'otp'),
      verifyBackupCode: verifySecondFactor(config, 'backup-code'),
      sendTwoFactorOTP: sendSecondFactorCode(config),
      twoFactorStatus: status(config),
      listTrustedDevices: trustedDevices(config),
      revokeTrustedDevice: revokeDevice(config),
    },
    init: () => ({
      options: {
        databaseHooks: {
          session: {
            create: { before: ({ userId }, ctx) => askForSecondFactor(config, userId, ctx) },
          },
        },
      },
    }),
  };
}
