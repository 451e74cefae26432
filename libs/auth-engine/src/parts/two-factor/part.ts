// The second factor of an account: an app that shows codes, backup codes, and codes by mail or SMS beside them.
// It guards sign-ins with a password. Every other method opens a session of the first level (aal1), which a
// code raises to the second in place; what must not be done below that is for policies to say, by
// `auth.jwt()->>'aal'`.
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules } from '../../body-rules.js';
import { addingAccess, limited, read, write, type AuthPart } from '../../part.js';
import { askForSecondFactor } from './challenge.js';
import { revokeDevice, trustedDevices } from './device-endpoints.js';
import { disable, enable, regenerateBackupCodes, status } from './enrolment.js';
import { sendSecondFactorCode } from './sent-codes.js';
import { verifyPaths, verifySecondFactor } from './verify.js';

/** Second factors. */
export const twoFactor: AuthPart = {
  name: 'twoFactor',
  neededSettings: ['auth.twoFactor.enabled'],
  routes: {
    '/two-factor/enable': addingAccess(limited('signIn')),
    '/two-factor/disable': limited('signIn'),
    '/two-factor/generate-backup-codes': limited('signIn'),
    '/two-factor/verify-totp': limited('verifyCode'),
    '/two-factor/verify-otp': limited('verifyCode'),
    '/two-factor/verify-backup-code': limited('verifyCode'),
    '/two-factor/send-otp': limited('sendEmail'),
    '/two-factor/status': read,
    '/two-factor/trusted-devices': read,
    '/two-factor/revoke-trusted-device': write,
  },
  build: (config) => {
    const { enabled } = config.settings['auth.twoFactor'];
    return enabled ? { plugins: [secondFactorPlugin(config)] } : undefined;
  },
};

const codeFields = ['code', 'trustDevice'];

function secondFactorPlugin(config: AuthConfig): BetterAuthPlugin {
  const [totp, otp, backupCode] = verifyPaths;
  return {
    id: 'two-factor',
    schema: {
      user: { fields: { twoFactorEnabled: { type: 'boolean', required: false, input: false } } },
    },
    endpoints: {
      enableTwoFactor: enable(config),
      disableTwoFactor: disable(config),
      generateBackupCodes: regenerateBackupCodes(config),
      verifyTOTP: verifySecondFactor(config, totp),
      verifyTwoFactorOTP: verifySecondFactor(config, otp),
      verifyBackupCode: verifySecondFactor(config, backupCode),
      sendTwoFactorOTP: sendSecondFactorCode(config),
      twoFactorStatus: status(config),
      listTrustedDevices: trustedDevices(config),
      revokeTrustedDevice: revokeDevice(config),
    },
    hooks: {
      before: [
        bodyRules({
          '/two-factor/enable': ['password', 'issuer', 'method'],
          '/two-factor/disable': ['password'],
          '/two-factor/generate-backup-codes': ['password'],
          [totp]: codeFields,
          [otp]: codeFields,
          [backupCode]: codeFields,
          '/two-factor/send-otp': ['channel'],
          '/two-factor/revoke-trusted-device': ['id'],
        }),
      ],
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
