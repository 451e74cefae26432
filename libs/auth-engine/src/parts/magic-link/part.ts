// Sign-in by a link that is sent by mail.
import type { BetterAuthPlugin } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { magicLink as enginePlugin } from 'better-auth/plugins/magic-link';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, write, landing } from '../../part.js';
import { maySignUp } from '../../sign-up-policy.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';
import { issueSignInCode } from '../email-otp/codes.js';
import { openLink, signInTexts, verifyPath } from './open-link.js';
import { withParameter } from '../one-time-code/flow-mark.js';

const requestPath = '/sign-in/magic-link';

/** Links to sign in. */
export const magicLink: AuthPart = {
  name: 'magicLink',
  neededSettings: ['auth.methods.magicLink.enabled'],
  routes: {
    [requestPath]: {
      ...write,
      summary: 'Mail a link that signs in',
      fields: 'email! name callbackURL+ newUserCallbackURL errorCallbackURL metadata:object',
      answer: 'Done',
      limit: 'sendEmail',
      identifiedBy: ['email'],
      captcha: 'magic-link',
      flow: 'begins',
      needsMail: 'always',
    },
    [verifyPath]: [
      {
        ...landing,
        summary: 'Open a sign-in link; answers a page that asks',
        fields: 'token! callbackURL newUserCallbackURL errorCallbackURL',
        answer: 'Page',
        limit: 'verifyCode',
        signUpMethod: 'magic-link',
        provesAddress: { keptIdentities: [] },
        flow: 'ends',
      },
      {
        ...write,
        summary: 'Sign in with the token of a link',
        fields: 'token!',
        takesOtherFields: true,
        answer: 'SignedInOrSecondStep',
        limit: 'verifyCode',
        body: 'form',
        isKeyless: true,
        signUpMethod: 'magic-link',
        provesAddress: { keptIdentities: [] },
        flow: 'ends',
      },
    ],
  },
  build: (config) => {
    const { enabled } = config.settings['auth.methods.magicLink'];
    return enabled ? { plugins: [linkPlugin(config)] } : undefined;
  },
};

function linkPlugin(config: AuthConfig): BetterAuthPlugin {
  const { confirm } = config.settings['auth.methods.magicLink'];
  return {
    id: 'magic-link',
    endpoints: engineLinks(config).endpoints,
    onRequest: async (request, context) =>
      openLink(request, context, { path: verifyPath, asks: confirm, texts: signInTexts }),
    hooks: {
      before: [{ matcher: ({ path }) => path === requestPath, handler: nameTarget(config) }],
      after: [{ matcher: ({ path }) => path === verifyPath, handler: redirectRefusal }],
    },
  };
}

function engineLinks(config: AuthConfig) {
  const { settings } = config;
  const { expiresIn, createUsers } = settings['auth.methods.magicLink'];
  return enginePlugin({
    expiresIn,
    disableSignUp: !createUsers,
    storeToken: 'hashed',
    sendMagicLink: async ({ email, url }, ctx) => {
      if (!ctx) return;
      // Everything but the mail is done for every address: the time of an answer must not reveal an account.
      const isKnown = (await ctx.context.internalAdapter.findUserByEmail(email)) !== null;
      const code = await issueSignInCode(config, email, ctx);
      if (!isKnown && !(createUsers && maySignUp(settings['auth.signup'], email))) return;
      const helps = isKnown || settings['auth.methods.emailOTP'].createUsers;
      await sendMailQuietly(config, {
        kind: 'magicLink',
        to: email,
        values: {
          url,
          ...(code !== undefined && helps && { code }),
          expiresInMinutes: inMinutes(expiresIn),
        },
      });
    },
  });
}

/** A link without a target would lead to the API, where there is nothing to see. */
function nameTarget({ settings }: AuthConfig) {
  const { siteUrl } = settings['auth.urls'];
  return hook(async (_ctx, body) => {
    if (siteUrl === undefined || !body || Reflect.has(body, 'callbackURL')) {
      return undefined;
    }
    return { context: { body: { ...body, callbackURL: siteUrl } } };
  });
}

/**
 * A person who opened a link looks at a browser: the application shows why the account is refused, as it shows
 * every other refusal of a link.
 */
const redirectRefusal = hook(async (ctx) => {
  const { returned } = ctx.context;
  const query: Readonly<Record<string, unknown>> = ctx.query ?? {};
  const target = query['errorCallbackURL'] ?? query['callbackURL'];
  if (!isAPIError(returned) || returned.body?.code !== 'USER_INACTIVE') return undefined;
  if (typeof target !== 'string') return undefined;
  const location = withParameter(target, 'error', 'USER_INACTIVE');
  // The status of an error is settled by now; that of a response counts.
  return new Response(null, { status: 302, headers: { location } });
});
