import { authPath, CALLBACK_PATHS } from '#libs/wire';

import { defineGroup } from '../define-group.js';
import { entries, flag, list, secret, text } from '../field.js';
import { customProviderIdProblem } from './provider-ids.js';

const address = (label: string, help: string) =>
  text({ label, help, format: 'url', maxLength: 2000 });

export const customOauth = defineGroup('auth.oauth.custom', {
  title: 'Custom OAuth 2 and OpenID Connect',
  help: 'Providers of your own, by their discovery document or by their addresses.',
  rebuilds: ['auth'],
  isReported: true,
  callbackPath: `${authPath}${CALLBACK_PATHS.custom}`,
  fields: {
    providers: entries({
      label: 'Providers',
      key: 'providerId',
      maxItems: 50,
      fields: {
        providerId: text({
          label: 'Id',
          help: 'Part of the callback address, such as acme.',
          format: 'id',
          maxLength: 64,
        }),
        enabled: flag({ label: 'Enabled', default: true }),
        name: text({ label: 'Name', help: 'What users read.', maxLength: 100 }),
        clientId: text({ label: 'Client id', maxLength: 500 }),
        clientSecret: secret({ label: 'Client secret', maxLength: 5000 }),
        discoveryUrl: address('Discovery document', 'Ends with /.well-known/openid-configuration.'),
        authorizationUrl: address('Authorization address', 'Where there is no discovery document.'),
        tokenUrl: address('Token address', 'Where there is no discovery document.'),
        userInfoUrl: address('User info address', 'Where it is not in the discovery document.'),
        issuer: address('Issuer', 'If set, the issuer in the answer must match it.'),
        scopes: list({
          label: 'Scopes',
          default: ['openid', 'email', 'profile'],
          maxItems: 50,
          maxLength: 200,
        }),
        pkce: flag({
          label: 'PKCE',
          help: 'Off only for providers that refuse it.',
          default: true,
        }),
        createUsers: flag({ label: 'Create accounts for new users', default: true }),
      },
    }),
  },
  conflict: ({ providers }) => {
    for (const [index, provider] of providers.entries()) {
      const at = `providers[${index}]`;
      const taken = idProblem(provider.providerId, providers.slice(0, index));
      if (taken !== undefined) return { field: `${at}.providerId`, reason: taken };
      if (provider.clientId === undefined)
        return { field: `${at}.clientId`, reason: 'is required' };
      if (provider.discoveryUrl !== undefined) continue;
      if (provider.authorizationUrl === undefined || provider.tokenUrl === undefined) {
        const field = provider.authorizationUrl === undefined ? 'authorizationUrl' : 'tokenUrl';
        return { field: `${at}.${field}`, reason: 'is required without discoveryUrl' };
      }
    }
    return undefined;
  },
  parts: ({ providers }) =>
    providers.map(({ providerId, enabled }) => ({ name: providerId, enabled, missing: [] })),
});

/** Why a provider cannot have its id, given the providers before it in the list. */
function idProblem(
  providerId: string,
  before: readonly { readonly providerId: string }[],
): string | undefined {
  const id = providerId.toLowerCase();
  const isTwice = before.some((other) => other.providerId.toLowerCase() === id);
  return isTwice
    ? 'is taken by another entry, in other upper and lower case'
    : customProviderIdProblem(providerId);
}
