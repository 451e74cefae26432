// Guests: accounts of visitors who have not said who they are. A guest keeps its id and its session when it
// becomes permanent, by naming an address or by linking an identity.
import type { BetterAuthPlugin } from 'better-auth';
import { hasRequestState } from '@better-auth/core/context';
import { anonymous as enginePlugin } from 'better-auth/plugins/anonymous';
import { readEmailAddress } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, write, landing } from '../../part.js';
import { maySignUp } from '../../sign-up-policy.js';
import { upgradeAnonymous, upgradePath } from './upgrade.js';
import { confirmPath, confirmUpgrade } from './upgrade-link.js';
import { endGuest, noteGuest, upgradeGuest } from './upgrade.sql.js';
import { shownProfile } from '../identities/shown-profile.js';
import { openProof } from '../magic-link/open-link.js';

/** Sign-in as a guest. */
export const guests: AuthPart = {
  name: 'guests',
  neededSettings: ['auth.methods.anonymous.enabled'],
  routes: {
    '/sign-in/anonymous': {
      ...write,
      summary: 'Sign in as a guest',
      fields: '',
      answer: 'SignedIn',
      limit: 'anonymous',
      captcha: 'sign-in-anonymous',
      signUpMethod: 'anonymous',
      makesStandInAddress: true,
      answersSignIn: true,
    },
  },
  build: ({ settings }) =>
    settings['auth.methods.anonymous'].enabled ? { plugins: [guestPlugin()] } : undefined,
};

/** What guests become. It is there without new guests, too: those who came before are still here. */
export const guestUpgrade: AuthPart = {
  name: 'guestUpgrade',
  routes: {
    [upgradePath]: {
      ...write,
      summary: 'Turn a guest into an account',
      fields: 'email! password! callbackURL',
      answer: 'DoneWithUser',
      needsSession: true,
      isOwnerOnly: true,
      limit: 'signUp',
      identifiedBy: ['email'],
      needsMail: 'toVerify',
    },
    [confirmPath]: [
      {
        ...landing,
        summary: 'Open the link that confirms the upgrade of a guest; answers a page that asks',
        fields: 'token!',
        answer: 'Page',
        limit: 'verifyCode',
      },
      {
        ...write,
        summary: 'Confirm the upgrade of a guest with the token of a link',
        fields: 'token!',
        takesOtherFields: true,
        answer: 'Done',
        limit: 'verifyCode',
        body: 'form',
        isKeyless: true,
      },
    ],
  },
  build: (config) => ({ plugins: [upgradePlugin(config)] }),
};

function guestPlugin(): BetterAuthPlugin {
  // Of the engine's plugin the endpoint alone: its hooks would replace a guest by another account.
  const { endpoints, $ERROR_CODES } = enginePlugin({
    emailDomainName: 'anonymous.local',
    generateName: () => 'Guest',
    disableDeleteAnonymousUser: true,
  });
  return {
    id: 'anonymous',
    endpoints: { signInAnonymous: endpoints.signInAnonymous },
    $ERROR_CODES,
  };
}

function upgradePlugin(config: AuthConfig): BetterAuthPlugin {
  const { pool } = config;
  return {
    id: 'platform-guest-upgrade',
    onRequest: async (request, context) => openProof(request, context, confirmPath),
    endpoints: {
      upgradeAnonymous: upgradeAnonymous(config),
      confirmUpgradeAnonymous: confirmUpgrade(config),
    },
    init: () => ({
      options: {
        databaseHooks: {
          account: { create: { after: async (linked) => joinIdentity(config, linked) } },
          session: { delete: { after: async ({ userId }) => noteGuest(pool, userId) } },
        },
      },
    }),
  };
}

/**
 * Makes a guest permanent who has linked an identity. The account takes the address over that the provider
 * has verified, unless it is another account's or may not sign up: then it keeps the one of a guest.
 */
async function joinIdentity(
  { pool, settings }: AuthConfig,
  { userId, providerId }: { readonly userId: string; readonly providerId: string },
): Promise<void> {
  if (providerId === 'credential') return;
  const profile = (await hasRequestState()) ? await shownProfile() : undefined;
  const email = profile?.emailVerified === true ? readEmailAddress(profile.email ?? '') : undefined;
  if (email !== undefined && maySignUp(settings['auth.signup'], email)) {
    const upgrade = { userId, email, emailVerified: true, passwordHash: undefined };
    if ((await upgradeGuest(pool, upgrade)) === 'upgraded') return;
  }
  await endGuest(pool, userId);
}
