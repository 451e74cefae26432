// Accounts at providers, social and custom ones: signing in with them, linking them to a user who is signed
// in, and what is kept of them.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, read, write } from '../../part.js';
import { textIn } from '../custom-oauth/foreign-values.js';
import { customProviders } from '../custom-oauth/part.js';
import { begin } from './beginnings.js';
import { checkCallback, withdrawLateLink } from './callbacks.js';
import { listUserAccounts, shapeAccountInfo, unlinkAccount } from './linked-accounts.js';
import { watchProvider } from './shown-profile.js';
import { ownHostProviders } from '../social/own-hosts.js';
import { hasSocialProviders } from '../social/social-options.js';
import { currentRoute } from '../../outgoing-messages.js';

const accountInfoPath = '/account-info';

/** What all providers share; there while at least one of them is offered. */
export const identities: AuthPart = {
  name: 'identities',
  neededSettings: ['auth.social or auth.oauth.custom.providers'],
  routes: {
    '/sign-in/social': {
      ...write,
      summary: 'Sign in with a provider, by redirect or id token',
      fields:
        'provider! callbackURL+ newUserCallbackURL errorCallbackURL idToken:object disableRedirect+:boolean nonce scopes:array loginHint additionalParams:object requestSignUp:boolean',
      answer: 'RedirectOrSignedIn',
      limit: 'signIn',
      answersSignIn: true,
      flow: 'begins',
      provider: 'signIn',
    },
    '/link-social': {
      ...write,
      summary: 'Link an identity of a provider to your account',
      fields:
        'provider! callbackURL+ errorCallbackURL idToken:object disableRedirect+:boolean nonce scopes:array loginHint additionalParams:object requestSignUp:boolean',
      answer: 'Redirect',
      needsSession: true,
      limit: 'signIn',
      addsAccess: true,
      flow: 'begins',
      provider: 'link',
      needsSecondFactor: true,
    },
    [accountInfoPath]: {
      ...read,
      summary: 'Read what a provider says of you',
      fields: 'accountId',
      answer: 'ProviderProfile',
      needsSession: true,
    },
    '/get-access-token': {
      ...write,
      summary: 'Read the access token of a linked provider',
      fields: 'accountId+ providerId',
      takesOtherFields: true,
      answer: 'ProviderTokens',
      needsSession: true,
      needsSecondFactor: true,
    },
    '/refresh-token': {
      ...write,
      summary: 'Renew the access token of a linked provider',
      fields: 'accountId+ providerId',
      takesOtherFields: true,
      answer: 'ProviderTokens',
      needsSession: true,
      needsSecondFactor: true,
    },
  },
  build: (config) => {
    const foreign = [...customProviders(config), ...ownHostProviders(config)];
    if (foreign.length === 0 && !hasSocialProviders(config.settings['auth.social']))
      return undefined;
    return { plugins: [identitiesPlugin(config, foreign)] };
  },
};

const isFromProvider = () => currentRoute()?.provider === 'callback';
const isToProvider = () => ['signIn', 'link'].includes(currentRoute()?.provider ?? '');

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
        { matcher: isToProvider, handler: begin(config) },
        { matcher: isFromProvider, handler: checkCallback },
      ],
      after: [
        { matcher: ({ path }) => path === accountInfoPath, handler: shapeAccountInfo },
        { matcher: isFromProvider, handler: withdrawLateLink(config.pool) },
      ],
    },
  };
}

/** How accounts at providers are kept, whichever part makes them; a user may see them and let one go. */
export const identityRecords: AuthPart = {
  name: 'identityRecords',
  routes: {
    '/list-accounts': {
      ...read,
      summary: 'List the identities of your account',
      answer: 'Identities',
      needsSession: true,
    },
    '/unlink-account': {
      ...write,
      summary: 'Unlink an identity from your account',
      fields: 'accountId!',
      answer: 'Done',
      needsSession: true,
      needsSecondFactor: true,
    },
  },
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

/** Stand-in addresses that the engine makes for people whose provider sends no address. */
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
        {
          matcher: ({ body }) => placeholderPattern.test(textIn(body, 'email') ?? ''),
          handler: hook(async () => {
            // Otherwise a user could register a placeholder address and lock out its future owner.
            const reason = 'addresses of placeholder.invalid are reserved';
            throw fail('INVALID_INPUT', { field: 'email', reason });
          }),
        },
      ],
    },
  };
}
