// Links that administrators make and mail or hand over. They sign in, prove the address that they went to, and
// work whichever ways to sign in are on.
import type { BetterAuthPlugin, GenericEndpointContext, User } from 'better-auth';
import { setSessionCookie } from 'better-auth/cookies';
import { revokeUnprovenAccountAccess } from 'better-auth/db';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import {
  adminLinkIdentifier,
  adminLinkPath,
  readAdminLink,
  type AdminLink,
} from '../../admin-link.js';
import type { AuthConfig } from '../../auth-config.js';
import { endBan } from '../../ended-bans.js';
import { takeValue } from '../../one-time-values.js';
import { type AuthPart, write, landing } from '../../part.js';
import { fieldIn } from '../../fields.js';
import { openLink, signInTexts } from '../magic-link/open-link.js';
import { RESULT, withParameter } from '../one-time-code/flow-mark.js';
import { revokeUnprovenKeys } from '../session-policy/unproven-access.js';

/** The route that opens links of administrators. */
export const adminLinks: AuthPart = {
  name: 'adminLinks',
  routes: {
    [adminLinkPath]: [
      {
        ...landing,
        summary: 'Open the link of an administrator; answers a page that asks',
        fields: 'token!',
        answer: 'Page',
        limit: 'verifyCode',
        flow: 'ends',
      },
      {
        ...write,
        summary: 'Use the link of an administrator',
        fields: 'token!',
        takesOtherFields: true,
        answer: 'Redirected',
        limit: 'verifyCode',
        body: 'form',
        isKeyless: true,
        flow: 'ends',
      },
    ],
  },
  build: (config) => ({ plugins: [adminLinkPlugin(config)] }),
};

function adminLinkPlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'platform-admin-links',
    endpoints: { openAdminLink: openAdminLink(config) },
    onRequest: async (request, context) =>
      openLink(request, context, { path: adminLinkPath, asks: true, texts: signInTexts }),
  };
}

function openAdminLink(config: AuthConfig) {
  return endpoint(adminLinkPath, { method: 'GET', requireHeaders: true }, async (ctx) => {
    const link = await takeLink(config, ctx.query);
    if (!link) {
      const { siteUrl } = config.settings['auth.urls'];
      if (siteUrl === undefined) throw fail('INVALID_CODE');
      // Which flow the link was made for is no longer known.
      const [error, end] = ['INVALID_TOKEN', withParameter(siteUrl, 'error', 'INVALID_TOKEN')];
      throw ctx.redirect(withParameter(end, RESULT.error, error));
    }
    const { internalAdapter } = ctx.context;
    const found = await internalAdapter.findUserById(link.userId);
    const isStillMeant = found?.email === link.email;
    const isActive =
      fieldIn(found, 'status') === 'active' || (await endBan(config.pool, link.userId));
    if (!isStillMeant || !isActive) {
      const code = isStillMeant ? 'USER_INACTIVE' : 'INVALID_TOKEN';
      throw ctx.redirect(withParameter(link.target, 'error', code));
    }
    const user = found.emailVerified ? found : await proveAddress(ctx, config, link);
    if (!user) throw ctx.redirect(withParameter(link.target, 'error', 'INVALID_TOKEN'));
    const session = await internalAdapter.createSession(user.id);
    await setSessionCookie(ctx, { session, user });
    throw ctx.redirect(link.target);
  });
}

/** Returns the user with a proven address. The person who made the account may not own the mailbox. */
async function proveAddress(
  ctx: GenericEndpointContext,
  { pool }: AuthConfig,
  { userId, isNewUser }: AdminLink,
): Promise<User | null> {
  if (isNewUser) return ctx.context.internalAdapter.updateUser(userId, { emailVerified: true });
  const user = await revokeUnprovenAccountAccess(ctx, userId);
  await revokeUnprovenKeys(pool, userId, []);
  return user;
}

async function takeLink({ pool }: AuthConfig, query: unknown): Promise<AdminLink | undefined> {
  const token = fieldIn(query, 'token');
  if (typeof token !== 'string') return undefined;
  const kept = await takeValue(pool, adminLinkIdentifier(token));
  return kept === undefined ? undefined : readAdminLink(kept);
}
