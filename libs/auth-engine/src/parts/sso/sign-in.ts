// Where a sign-in by SSO begins: which provider is meant, and the address there that the browser goes to.
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { createAuthorizationURL } from '@better-auth/core/oauth2';
import { addOAuthServerContext, isAPIError } from 'better-auth/api';
import { generateRandomString } from 'better-auth/crypto';
import { generateState } from 'better-auth/oauth2';
import { AppError, fail } from '#libs/errors';
import { asciiDomain, isRecord } from '#libs/wire';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { textField } from '../../fields.js';
import { domainOfAddress } from './domains.js';
import { isPlainWebAddress } from './field-reader.js';
import { redirectUriOf, type OidcConfig, type SsoProvider } from './provider.js';
import { checkMetadata } from './saml-gate.js';
import { findProvider, findProviderOfDomain, findProviderOfOrganization } from './provider.sql.js';
import { hasOrganizations, isUsable } from './usable-provider.js';

export const signInPath = '/sign-in/sso';

/** Under this name the state of a flow says which provider it went to. */
export const providerInState = 'ssoProvider';

type Endpoint = NonNullable<BetterAuthPlugin['endpoints']>[string];

/** POST /sign-in/sso. `signInBySaml` is the engine's endpoint, which knows how to ask by SAML. */
export function signInEndpoint(config: AuthConfig, signInBySaml: Endpoint) {
  return endpoint(signInPath, { method: 'POST' }, async (ctx, body) => {
    const provider = await findMeant(config, body);
    if (!provider) throw fail('SSO_PROVIDER_NOT_FOUND');
    const { providerId, protocol } = provider;
    if (protocol.kind === 'saml') await checkMetadata(protocol.config);
    const callbackURL =
      textField(body, 'callbackURL') ?? config.settings['auth.urls'].siteUrl ?? '/';
    const asked = {
      providerId,
      callbackURL,
      errorCallbackURL: textField(body, 'errorCallbackURL') ?? callbackURL,
      newUserCallbackURL: textField(body, 'newUserCallbackURL'),
    };
    const url =
      protocol.kind === 'oidc'
        ? await oidcUrl({
            config,
            ctx: { ...ctx, body: asked },
            provider,
            oidc: protocol.config,
            hint: hintIn(body),
          })
        : await samlUrl(config, { ...ctx, body: asked }, signInBySaml);
    return ctx.json({ url, redirect: true });
  });
}

/** A domain leads to the provider that has proven it; by its id or its organization a provider may be tried before. */
async function findMeant(config: AuthConfig, body: unknown): Promise<SsoProvider | undefined> {
  const { pool, settings } = config;
  const [providerId, slug] = [textField(body, 'providerId'), textField(body, 'organizationSlug')];
  const [domain, email] = [textField(body, 'domain'), textField(body, 'email')];
  const find = async (): Promise<SsoProvider | undefined> => {
    if (providerId !== undefined) return findProvider(pool, providerId);
    if (slug !== undefined) {
      return hasOrganizations(settings) ? findProviderOfOrganization(pool, slug) : undefined;
    }
    const meant = domain === undefined ? domainOfAddress(email ?? '') : asciiDomain(domain.trim());
    return meant === undefined ? undefined : findProviderOfDomain(pool, meant);
  };
  if ([providerId, slug, domain, email].every((each) => each === undefined)) {
    const reason = 'or providerId, domain or organizationSlug is required';
    throw fail('INVALID_INPUT', { field: 'email', reason });
  }
  const provider = await find();
  const kind = textField(body, 'providerType');
  if (!provider || !isUsable(settings, provider)) return undefined;
  return kind === undefined || kind === provider.protocol.kind ? provider : undefined;
}

function hintIn(body: unknown): string | undefined {
  return textField(body, 'loginHint') ?? textField(body, 'email');
}

interface OidcSignIn {
  readonly config: AuthConfig;
  readonly ctx: GenericEndpointContext;
  readonly provider: SsoProvider;
  readonly oidc: OidcConfig;
  readonly hint: string | undefined;
}

async function oidcUrl({ config, ctx, provider, oidc, hint }: OidcSignIn): Promise<string> {
  await addOAuthServerContext({ [providerInState]: provider.id });
  const nonce = generateRandomString(32);
  const { state, codeVerifier } = await generateState(ctx, { idTokenNonce: nonce });
  const url = await createAuthorizationURL({
    id: provider.providerId,
    options: { clientId: oidc.clientId },
    redirectURI: redirectUriOf(config, provider),
    state,
    nonce,
    scopes: [...oidc.scopes],
    authorizationEndpoint: oidc.authorizationEndpoint,
    ...(oidc.pkce && { codeVerifier }),
    ...(hint !== undefined && { loginHint: hint }),
  });
  return url.toString();
}

/** Asks an endpoint for what it answers alone, without headers around it. */
const plainAnswer = { asResponse: false, returnHeaders: false, returnStatus: false };

async function samlUrl(
  { log }: Pick<AuthConfig, 'log'>,
  ctx: object,
  signInBySaml: Endpoint,
): Promise<string> {
  try {
    const answer: unknown = await signInBySaml({ ...ctx, ...plainAnswer });
    const url: unknown = isRecord(answer) ? answer['url'] : undefined;
    // A page sends its browser there: an address of another kind would be a script of the provider's.
    if (typeof url === 'string' && isPlainWebAddress(url)) return url;
  } catch (error) {
    if (isAPIError(error)) throw error;
    // The package throws errors and texts of many kinds.
    log({ level: 'warn', message: 'A SAML provider cannot be asked', cause: error });
    // A stored secret that cannot be opened.
    if (error instanceof AppError) throw error;
  }
  throw fail('SSO_PROVIDER_INVALID', { reason: 'it cannot be asked' });
}
