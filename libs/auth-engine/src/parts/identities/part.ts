// Accounts at providers, social and custom ones: signing in with them, linking them to a user who is signed
// in, and what is kept of them.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { bodyRules } from '../../body-rules.js';
import { addingAccess, limited, read, write, type AuthPart } from '../../part.js';
import { secondFactorGate } from '../../second-factor-gate.js';
import { textIn } from '../custom-oauth/foreign-values.js';
import { customProviders } from '../custom-oauth/part.js';
import { begin, BEGINNINGS } from './beginnings.js';
import { checkCallback, withdrawLateLink } from './callbacks.js';
import { listUserAccounts, shapeAccountInfo, unlinkAccount } from './linked-accounts.js';
import { watchProvider } from './shown-profile.js';
import { ownHostProviders } from '../social/own-hosts.js';
import { hasSocialProviders } from '../social/social-options.js';

/** What all providers share; there while at least one of them is offered. */
export const identities: AuthPart = {
  name: 'identities',
  neededSettings: ['auth.social or auth.oauth.custom.providers'],
  routes: {
    '/sign-in/social': limited('signIn'),
    '/link-social': addingAccess(limited('signIn')),
    '/account-info': read,
    '/get-access-token': write,
    '/refresh-token': write,
  },
  build: (config) => {
    const foreign = [...customProviders(config), ...ownHostProviders(config)];
    if (foreign.length === 0 && !hasSocialProviders(config.settings['auth.social']))
      return undefined;
    return { plugins: [identitiesPlugin(config, foreign)] };
  },
};

type Providers = ReturnType<typeof customProviders>;

function identitiesPlugin(config: AuthConfig, foreign: Providers): BetterAuthPlugin {
  const { settings, baseUrl, log } = config;
  return {
    id: 'platform-identities',
    init: (context) => {
      const socialProviders = [...foreign, ...context.socialProviders];
      for (const provider of socialProviders) watchProvider(provider, log);
      // Where a browser goes that comes back without a state.
      const errorURL = settings['auth.urls'].siteUrl ?? baseUrl;
      return { context: { socialProviders }, options: { onAPIError: { errorURL } } };
    },
    hooks: {
      before: [
        secondFactorGate(config, ['/link-social', '/get-access-token', '/refresh-token']),
        bodyRules(BEGINNINGS),
        { matcher: ({ path = '' }) => Object.hasOwn(BEGINNINGS, path), handler: begin(config) },
        { matcher: ({ path }) => path === '/callback/:id', handler: checkCallback },
      ],
      after: [
        { matcher: ({ path }) => path === '/account-info', handler: shapeAccountInfo },
        { matcher: ({ path }) => path === '/callback/:id', handler: withdrawLateLink(config.pool) },
      ],
    },
  };
}

/** How accounts at providers are kept, whichever part makes them; a user may see them and let one go. */
export const identityRecords: AuthPart = {
  name: 'identityRecords',
  routes: { '/list-accounts': read, '/unlink-account': write },
  build: (config) => ({
    options: {
      account: {
        encryptOAuthTokens: true,
        // A link is what its user wants: the addresses may differ. A sign-in links nothing unless both the
        // provider and this project have verified the address.
        accountLinking: {
          enabled: true,
          allowDifferentEmails: true,
          requireLocalEmailVerified: true,
        },
      },
    },
    plugins: [recordsPlugin(config)],
  }),
};

/** Stand-in addresses that the engine makes for people whose provider tells none. */
const placeholderPattern = /\.placeholder\.invalid$/i;

function recordsPlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'platform-identity-records',
    // Take the places of the engine's own.
    endpoints: { listUserAccounts, unlinkAccount: unlinkAccount(config) },
    init: () => ({
      options: {
        databaseHooks: {
          account: {
            // Id tokens are of no use after the sign-in, and the engine does not encrypt them.
            create: { before: async () => ({ data: { idToken: null } }) },
            update: { before: async () => ({ data: { idToken: null } }) },
          },
        },
      },
    }),
    hooks: {
      before: [
        secondFactorGate(config, ['/unlink-account']),
        bodyRules({ '/unlink-account': ['accountId'] }),
        {
          matcher: ({ body }) => placeholderPattern.test(textIn(body, 'email') ?? ''),
          handler: hook(async () => {
            // Whoever had one would keep the person out that it stands for.
            const reason = 'addresses of placeholder.invalid are reserved';
            throw fail('INVALID_INPUT', { field: 'email', reason });
          }),
        },
      ],
    },
  };
}
