// A new password for whoever reads the mails of an account, by a code or by a link.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules, mailGate } from '../../body-rules.js';
import { type AuthPart, guarded, landing, limited } from '../../part.js';
import { refuseAlike } from '../email-otp/alike.js';
import { codePlugin } from '../email-otp/codes.js';
import { requestLinkPath, requestResetLink } from './request-link.js';

const requestCodePath = '/email-otp/request-password-reset';

/** Recovery of an account whose password is forgotten. */
export const recovery: AuthPart = {
  name: 'recovery',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    [requestLinkPath]: guarded('recovery-email', limited('passwordReset', 'email')),
    '/reset-password': limited('verifyCode'),
    '/reset-password/:token': { ...landing, limit: 'verifyCode' },
    [requestCodePath]: guarded('recovery-email', limited('passwordReset', 'email')),
    '/email-otp/reset-password': limited('verifyCode', 'email'),
  },
  build: (config) => {
    const { enabled } = config.settings['auth.methods.emailPassword'];
    return enabled ? { plugins: [recoveryPlugin(config)] } : undefined;
  },
};

function recoveryPlugin(config: AuthConfig): BetterAuthPlugin {
  const { resetExpiresIn } = config.settings['auth.methods.emailPassword'];
  const { endpoints } = codePlugin(config, resetExpiresIn);
  const { requestPasswordResetEmailOTP, resetPasswordEmailOTP } = endpoints;
  return {
    id: 'platform-recovery',
    endpoints: {
      requestPasswordResetEmailOTP,
      resetPasswordEmailOTP,
      // Takes the place of the engine's own.
      requestPasswordReset: requestResetLink(config),
    },
    hooks: {
      before: [
        mailGate(config, [requestLinkPath, requestCodePath]),
        bodyRules({
          [requestLinkPath]: ['email', 'redirectTo'],
          '/reset-password': ['newPassword', 'token'],
          [requestCodePath]: ['email'],
          '/email-otp/reset-password': ['email', 'otp', 'password'],
        }),
        { matcher: ({ path }) => path === requestLinkPath, handler: nameTarget(config) },
      ],
      after: [refuseAlike(['/email-otp/reset-password'])],
    },
  };
}

/** A link leads to a page of the application, where the new password is typed: there is none of ours. */
function nameTarget({ settings }: AuthConfig) {
  const { siteUrl } = settings['auth.urls'];
  return hook(async (_ctx, body) => {
    if (!body || typeof body['redirectTo'] === 'string') return undefined;
    if (siteUrl === undefined) {
      throw fail('INVALID_INPUT', { field: 'redirectTo', reason: 'is required' });
    }
    return { context: { body: { ...body, redirectTo: siteUrl } } };
  });
}
