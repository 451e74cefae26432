// The proof that an address is read by whoever has the account: a link in a mail.
import type { BetterAuthPlugin } from 'better-auth';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules, mailGate } from '../../body-rules.js';
import { type AuthPart, guarded, landing, limited } from '../../part.js';
import { inMinutes, tellByMail } from '../../tell-by-mail.js';
import { openProof } from '../magic-link/open-link.js';

const verifyPath = '/verify-email';

/** Links that prove an address. */
export const emailVerification: AuthPart = {
  name: 'emailVerification',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    '/send-verification-email': guarded('email-code', limited('sendEmail', 'email')),
    [verifyPath]: [
      { ...landing, limit: 'verifyCode' },
      { ...limited('verifyCode'), body: 'form', isKeyless: true },
    ],
  },
  build: (config) => {
    const group = config.settings['auth.methods.emailPassword'];
    if (!group.enabled) return undefined;
    return {
      plugins: [verificationPlugin(config)],
      options: {
        emailVerification: {
          expiresIn: group.verificationExpiresIn,
          sendVerificationEmail: ({ user, url }) =>
            tellByMail(config, {
              kind: 'verifyEmail',
              to: user.email,
              values: { url, expiresInMinutes: inMinutes(group.verificationExpiresIn) },
            }),
        },
      },
    };
  },
};

const sendPath = '/send-verification-email';

function verificationPlugin(config: AuthConfig): BetterAuthPlugin {
  const { siteUrl } = config.settings['auth.urls'];
  return {
    id: 'platform-verification',
    onRequest: async (request, context) => openProof(request, context, verifyPath),
    hooks: {
      before: [
        mailGate(config, [sendPath]),
        bodyRules({ [sendPath]: ['email', 'callbackURL'] }),
        {
          matcher: ({ path }) => path === sendPath || path === '/sign-up/email',
          handler: hook(async (_ctx, body) => {
            if (siteUrl === undefined || !body || Reflect.has(body, 'callbackURL')) {
              return undefined;
            }
            // The link would lead to the API, where there is nothing to see.
            return { context: { body: { ...body, callbackURL: siteUrl } } };
          }),
        },
      ],
    },
  };
}
