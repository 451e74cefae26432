// A new password for the reader of an account's mails, by a code or by a link.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, write, landing } from '../../part.js';
import { passwordIdentity } from '../session-policy/unproven-access.js';
import { refuseAlike } from '../email-otp/alike.js';
import { codePlugin } from '../email-otp/codes.js';
import { requestLinkPath, requestResetLink } from './request-link.js';

const requestCodePath = '/email-otp/request-password-reset';

/** Recovery of an account whose password is forgotten. */
export const recovery: AuthPart = {
  name: 'recovery',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    [requestLinkPath]: {
      ...write,
      summary: 'Mail a link that sets a new password',
      fields: 'email! redirectTo',
      answer: 'LinkSent',
      limit: 'passwordReset',
      identifiedBy: ['email'],
      captcha: 'recovery-email',
      needsMail: 'always',
    },
    '/reset-password': {
      ...write,
      summary: 'Set a new password with the token of a link',
      fields: 'newPassword! token!',
      answer: 'Done',
      limit: 'verifyCode',
    },
    '/reset-password/:token': {
      ...landing,
      summary: 'Open a password link',
      fields: 'callbackURL',
      answer: 'Redirected',
      limit: 'verifyCode',
    },
    [requestCodePath]: {
      ...write,
      summary: 'Mail a code that sets a new password',
      fields: 'email!',
      answer: 'Success',
      limit: 'passwordReset',
      identifiedBy: ['email'],
      captcha: 'recovery-email',
      needsMail: 'always',
    },
    '/email-otp/reset-password': {
      ...write,
      summary: 'Set a new password with a mailed code',
      fields: 'email! otp! password!',
      answer: 'Success',
      limit: 'verifyCode',
      identifiedBy: ['email'],
      provesAddress: { keptIdentities: [passwordIdentity] },
      refusesAlike: 'always',
    },
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
      before: [{ matcher: ({ path }) => path === requestLinkPath, handler: nameTarget(config) }],
      after: [refuseAlike(config)],
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
