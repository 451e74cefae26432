// The proof that the owner of an account reads its address: a link in a mail.
import type { BetterAuthPlugin } from 'better-auth';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, write, landing } from '../../part.js';
import { currentRoute } from '../../outgoing-messages.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';
import { openProof } from '../magic-link/open-link.js';

const verifyPath = '/verify-email';

/** Links that prove an address. */
export const emailVerification: AuthPart = {
  name: 'emailVerification',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    '/send-verification-email': {
      ...write,
      summary: 'Mail a link that verifies an address',
      fields: 'email! callbackURL',
      answer: 'Done',
      limit: 'sendEmail',
      identifiedBy: ['email'],
      captcha: 'email-code',
      needsMail: 'always',
      linksToSite: true,
    },
    [verifyPath]: [
      {
        ...landing,
        summary: 'Open a verification link; answers a page that asks',
        fields: 'token! callbackURL',
        answer: 'Page',
        limit: 'verifyCode',
      },
      {
        ...write,
        summary: 'Verify an address with the token of a link',
        fields: 'token! callbackURL',
        takesOtherFields: true,
        answer: 'DoneWithUser',
        limit: 'verifyCode',
        body: 'form',
        isKeyless: true,
      },
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
            sendMailQuietly(config, {
              kind: 'verifyEmail',
              to: user.email,
              values: { url, expiresInMinutes: inMinutes(group.verificationExpiresIn) },
            }),
        },
      },
    };
  },
};

function verificationPlugin(config: AuthConfig): BetterAuthPlugin {
  const { siteUrl } = config.settings['auth.urls'];
  return {
    id: 'platform-verification',
    onRequest: async (request, context) => openProof(request, context, verifyPath),
    hooks: {
      before: [
        {
          matcher: () => currentRoute()?.linksToSite === true,
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
