// Sign-in at the identity provider of a company, by OpenID Connect or SAML. SAML is the engine's plugin with
// our rules around it; OpenID Connect is ours, because the plugin would call any address by itself and binds
// no nonce. Providers are managed by routes of ours (sso/manage-providers.ts).
import type { BetterAuthPlugin } from 'better-auth';
import { getCurrentAuthEndpointContext } from '@better-auth/core/context';
import { AppError, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import type { AuthPart } from '../../part.js';
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
import { ssoRoutes } from './routes.js';
import { providerOfRequest, samlGate } from './saml-gate.js';
import { createSecretBox, type SecretBox } from './sealed-secrets.js';
import { signInEndpoint } from './sign-in.js';
import { callback } from '../../endpoint.js';

/** Single sign-on. */
export const sso: AuthPart = {
  name: 'sso',
  neededSettings: ['auth.sso.enabled'],
  routes: ssoRoutes,
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
    return isRecord(found) ? JSON.stringify(box.open(found)) : null;
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
