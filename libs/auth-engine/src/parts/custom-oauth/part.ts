// Providers of the administrator's own: OpenID Connect by a discovery document, OAuth 2 by addresses. Signing
// in begins at the route that social providers share and comes back at a path of its own.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { customProviderIdProblem, type SettingsOf } from '#libs/settings';
import { authPath, CALLBACK_PATHS } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, landing } from '../../part.js';
import { DiscoveredEndpoints, fixedEndpoints, type EndpointSource } from './endpoints.js';
import { buildForeignProvider, type ForeignProvider } from './provider.js';

/** The callback of custom providers. */
export const customOauth: AuthPart = {
  name: 'customOauth',
  neededSettings: ['auth.oauth.custom.providers'],
  routes: {
    [`${CALLBACK_PATHS.custom}:providerId`]: {
      ...landing,
      summary: 'Return from a custom provider',
      fields: 'code state error',
      answer: 'Redirected',
      flow: 'returns',
      provider: 'callback',
    },
  },
  build: ({ settings }) => {
    const { providers } = settings['auth.oauth.custom'];
    checkIds(providers);
    return providers.some(({ enabled }) => enabled) ? { plugins: [callbackAlias] } : undefined;
  },
};

type CustomProvider = SettingsOf<'auth.oauth.custom'>['providers'][number];

/** The enabled providers of `auth.oauth.custom`. */
export function customProviders(config: AuthConfig): readonly ForeignProvider[] {
  return config.settings['auth.oauth.custom'].providers
    .filter(({ enabled }) => enabled)
    .map((provider) => buildProvider(provider, config));
}

function buildProvider(provider: CustomProvider, config: AuthConfig): ForeignProvider {
  const { providerId, name, clientId, clientSecret, scopes, pkce, createUsers } = provider;
  if (clientId === undefined) throw refused(`${providerId} has no client id`);
  return buildForeignProvider(
    {
      id: providerId,
      name: name ?? providerId,
      callbackPath: `${CALLBACK_PATHS.custom}${providerId}`,
      client: { id: clientId, secret: clientSecret },
      scopes,
      pkce,
      createUsers,
      endpoints: endpointsOf(provider, config),
      usesIdTokens: provider.discoveryUrl !== undefined || provider.userInfoUrl === undefined,
    },
    config,
  );
}

function endpointsOf(provider: CustomProvider, { call, log }: AuthConfig): EndpointSource {
  const { providerId, discoveryUrl, authorizationUrl, tokenUrl, userInfoUrl, issuer } = provider;
  if (discoveryUrl !== undefined) {
    const given = {
      ...(authorizationUrl !== undefined && { authorizationUrl }),
      ...(tokenUrl !== undefined && { tokenUrl }),
      ...(userInfoUrl !== undefined && { userInfoUrl }),
    };
    return new DiscoveredEndpoints({ providerId, discoveryUrl, issuer, given, call, log });
  }
  if (authorizationUrl === undefined || tokenUrl === undefined) {
    throw refused(`${providerId} has neither a discovery document nor both addresses`);
  }
  return fixedEndpoints({
    authorizationUrl,
    tokenUrl,
    userInfoUrl,
    issuer,
    tokenAuthentication: ['post', 'basic'],
    answersNameIssuer: false,
  });
}

/** A save refuses such ids with the name of the field; what was stored by another release is refused here. */
function checkIds(providers: readonly CustomProvider[]): void {
  for (const { providerId } of providers) {
    const reason = customProviderIdProblem(providerId);
    if (reason !== undefined) throw refused(`the provider id ${providerId} ${reason}`);
  }
}

function refused(reason: string): Error {
  return fail('SETTINGS_REFUSED', { reason });
}

/** The engine has one callback for all providers; theirs is the same one by another path. */
const callbackAlias: BetterAuthPlugin = {
  id: 'platform-custom-oauth',
  onRequest: async (request) => {
    const url = new URL(request.url);
    const prefix = `${authPath}${CALLBACK_PATHS.custom}`;
    if (!url.pathname.startsWith(prefix)) return undefined;
    url.pathname = `${authPath}${CALLBACK_PATHS.social}${url.pathname.slice(prefix.length)}`;
    return { request: new Request(url, request) };
  },
};
