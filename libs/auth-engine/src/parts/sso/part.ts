// Sign-in at the identity provider of a company, by OpenID Connect or SAML. SAML is the engine's plugin with
// our rules around it; OpenID Connect is ours, because the plugin would call any address by itself and binds
// no nonce. Providers are managed by routes of ours (sso/manage-providers.ts).
import type { BetterAuthPlugin } from 'better-auth';
import { getCurrentAuthEndpointContext } from '@better-auth/core/context';
import { AppError, fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { type AuthPart, maxDocumentBytes, read, write, landing } from '../../part.js';
import { isObject } from '../../fields.js';
import { decideAccount, finishSignIn } from './account-decision.js';
import {
  loadEnginePackage,
  samlOptions,
  type Resolution,
  type SamlIdentity,
} from './engine-plugin.js';
import { createSsoProviders } from './manage-providers.js';
import { oidcCallback } from './oidc-callback.js';
import { providerEndpoints } from './provider-endpoints.js';
import { acsPath, providerOfRequest, samlGate } from './saml-gate.js';
import { createSecretBox, type SecretBox } from './sealed-secrets.js';
import { signInEndpoint, signInPath } from './sign-in.js';
import { callback } from '../../endpoint.js';

/** Single sign-on. */
export const sso: AuthPart = {
  name: 'sso',
  neededSettings: ['auth.sso.enabled'],
  routes: {
    [signInPath]: {
      ...write,
      summary: 'Sign in with single sign-on',
      fields:
        'email providerId+ domain organizationSlug callbackURL+ errorCallbackURL newUserCallbackURL loginHint providerType scopes:array requestSignUp:boolean',
      answer: 'Redirect',
      limit: 'signIn',
      flow: 'begins',
    },
    '/sso/callback/:providerId': {
      ...landing,
      summary: 'Return from an OpenID Connect provider',
      fields: 'code state error',
      answer: 'Redirected',
      signUpMethod: 'sso',
      flow: 'returns',
    },
    [acsPath]: {
      ...write,
      summary: 'Return from a SAML provider',
      fields: 'SAMLResponse! RelayState',
      takesOtherFields: true,
      answer: 'Redirected',
      limit: 'signIn',
      body: 'form',
      maxBodyBytes: maxDocumentBytes,
      isKeyless: true,
      signUpMethod: 'sso',
      flow: 'ends',
    },
    '/sso/saml2/sp/metadata': {
      ...landing,
      summary: 'Read the SAML metadata for a provider',
      fields: 'providerId! format',
      answer: 'Xml',
    },
    '/sso/register': {
      ...write,
      summary: 'Register a provider of an organization',
      fields: 'providerId! issuer! domain! organizationId oidcConfig+:object samlConfig:object',
      takesOtherFields: true,
      answer: 'SsoProvider',
      needsSession: true,
      maxBodyBytes: maxDocumentBytes,
    },
    '/sso/providers': {
      ...read,
      summary: 'List the providers of your organizations',
      answer: 'SsoProviders',
      needsSession: true,
    },
    '/sso/get-provider': {
      ...read,
      summary: 'Read a provider',
      fields: 'providerId!',
      answer: 'SsoProvider',
      needsSession: true,
    },
    '/sso/update-provider': {
      ...write,
      summary: 'Change a provider',
      fields: 'providerId! issuer domain+ oidcConfig:object samlConfig:object',
      takesOtherFields: true,
      answer: 'SsoProvider',
      needsSession: true,
      maxBodyBytes: maxDocumentBytes,
    },
    '/sso/delete-provider': {
      ...write,
      summary: 'Delete a provider',
      fields: 'providerId!',
      takesOtherFields: true,
      answer: 'Success',
      needsSession: true,
    },
    '/sso/verify-domain': {
      ...write,
      summary: 'Prove a domain by its DNS record',
      fields: 'providerId!',
      takesOtherFields: true,
      answer: 'SsoProvider',
      needsSession: true,
    },
  },
  build: async (config) => {
    const { enabled } = config.settings['auth.sso'];
    return enabled ? { plugins: [await ssoPlugin(config)] } : undefined;
  },
};

async function ssoPlugin(config: AuthConfig): Promise<BetterAuthPlugin> {
  const box = createSecretBox(config.secret);
  const { sso: enginePlugin } = await loadEnginePackage();
  const engine = enginePlugin({
    resolveUser: (identity) => resolve(config, identity),
    organizationProvisioning: { disabled: true },
    saml: samlOptions,
  });
  const { spMetadata, signInSSO, acsEndpoint } = engine.endpoints;
  return {
    ...engine,
    schema: withOpenSecrets(engine.schema ?? {}, box),
    endpoints: {
      ...providerEndpoints(config, createSsoProviders(config)),
      spMetadata,
      acsEndpoint,
      signInSSO: signInEndpoint(config, signInSSO),
      callbackSSO: oidcCallback(config, box),
    },
    hooks: { before: [samlGate(config, box)] },
    init: async (context) => ({
      ...(await engine.init?.(context)),
      options: {
        databaseHooks: {
          session: {
            create: {
              before: callback(async ({ userId }: { readonly userId: string }) => {
                const data = await finishSignIn(context, config, userId);
                return data && { data };
              }),
            },
          },
        },
      },
    }),
  };
}

type Schema = NonNullable<BetterAuthPlugin['schema']>;

/** The tables of the engine's plugin, which sees configurations of SAML with their secrets open. */
function withOpenSecrets(schema: Schema, box: SecretBox): Schema {
  const { ssoProvider } = schema;
  const samlConfig = ssoProvider?.fields['samlConfig'];
  if (!ssoProvider || !samlConfig) throw new Error('the engine keeps no providers of SAML');
  const output = (stored: unknown): string | null => {
    const found: unknown = typeof stored === 'string' ? JSON.parse(stored) : undefined;
    return isObject(found) ? JSON.stringify(box.open(found)) : null;
  };
  const fields = { ...ssoProvider.fields, samlConfig: { ...samlConfig, transform: { output } } };
  return { ...schema, ssoProvider: { ...ssoProvider, fields } };
}

/** What becomes of a person whose SAML response is good. */
async function resolve(config: AuthConfig, identity: SamlIdentity): Promise<Resolution> {
  const { providerId, accountKey, providerUser } = identity;
  try {
    const provider = await providerOfRequest.get();
    if (provider?.providerId !== providerId) throw fail('SSO_PROVIDER_NOT_FOUND');
    const { accountId } = accountKey;
    const ctx = getCurrentAuthEndpointContext();
    const decision = await decideAccount(ctx, config, {
      provider,
      accountId,
      email: providerUser.email,
    });
    return decision.action === 'create'
      ? { action: 'continue' }
      : { action: 'link', userId: decision.userId, profile: 'preserve' };
  } catch (error) {
    if (error instanceof AppError)
      return { action: 'reject', code: error.code, message: error.message };
    config.log({ level: 'error', message: 'A sign-in by SAML failed', cause: error });
    throw error;
  }
}
