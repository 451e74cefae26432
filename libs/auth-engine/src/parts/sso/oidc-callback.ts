// The end of a sign-in by OpenID Connect: the browser comes back with a code. Whatever goes wrong from here on
// reaches the application in the redirect, as `?error=CODE`.
import type { GenericEndpointContext } from 'better-auth';
import { parseGenericState } from 'better-auth';
import { runWithTransaction } from '@better-auth/core/context';
import { isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { handleOAuthUserInfo } from 'better-auth/oauth2';
import { AppError, fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { textIn } from '../custom-oauth/foreign-values.js';
import { decideAccount } from './account-decision.js';
import { identify, type OidcPerson } from './oidc-person.js';
import type { SsoProvider } from './provider.js';
import type { SecretBox } from './sealed-secrets.js';
import { providerInState } from './sign-in.js';
import { findUsableProvider } from './usable-provider.js';

type Flow = Awaited<ReturnType<typeof parseGenericState>>;

/** GET /sso/callback/:providerId. */
export function oidcCallback(config: AuthConfig, box: SecretBox) {
  return endpoint('/sso/callback/:providerId', { method: 'GET' }, async (ctx) => {
    const flow = await readFlow(ctx, config);
    const query: unknown = ctx.query;
    try {
      const provider = await findUsableProvider(config, ctx.params.providerId);
      if (!provider || flow.serverContext?.[providerInState] !== provider.id) {
        throw fail('SSO_RESPONSE_INVALID', { reason: 'it is of another provider' });
      }
      const { protocol } = provider;
      if (protocol.kind !== 'oidc') throw fail('SSO_PROVIDER_NOT_FOUND');
      const person = await identify({
        config,
        provider,
        oidc: box.open(protocol.config),
        query,
        nonce: flow.idTokenNonce,
        codeVerifier: flow.codeVerifier,
      });
      const { isRegister, data } = await signIn(ctx, config, { provider, person });
      await setSessionCookie(ctx, data);
      throw ctx.redirect(isRegister ? (flow.newUserURL ?? flow.callbackURL) : flow.callbackURL);
    } catch (error) {
      throw redirectFor(ctx, flow.errorURL ?? flow.callbackURL, error, config);
    }
  });
}

/** Reads the flow of the state, and ends it. */
async function readFlow(ctx: GenericEndpointContext, config: AuthConfig): Promise<Flow> {
  try {
    return await parseGenericState(ctx, textIn(ctx.query, 'state') ?? '');
  } catch (error) {
    // The error names the end of the flow if the flow was found.
    const end = textIn(error, 'errorURL') ?? config.settings['auth.urls'].siteUrl ?? config.baseUrl;
    const cause = fail('SSO_RESPONSE_INVALID', { reason: 'it answers no sign-in of this browser' });
    throw ctx.redirect(withError(end, cause));
  }
}

async function signIn(
  ctx: GenericEndpointContext,
  config: AuthConfig,
  { provider, person }: { readonly provider: SsoProvider; readonly person: OidcPerson },
) {
  const { providerId } = provider;
  const { accountId, email, name, image, claims } = person;
  const result = await runWithTransaction(ctx.context.adapter, async () => {
    const decision = await decideAccount(ctx, config, { provider, accountId, email });
    const linked = await handleOAuthUserInfo(ctx, {
      userInfo: { id: accountId, email, emailVerified: true, name, image },
      // The tokens are not needed again, and what is not kept cannot be stolen.
      account: { providerId, accountId },
      source: { method: 'sso-oidc', sso: { providerId, profile: claims } },
      trustProviderByName: false,
      requireExactAccountBinding: true,
      deferNonDatabaseWrites: true,
      ...(decision.action === 'link' && {
        selectedUser: { userId: decision.userId, profile: 'preserve' },
      }),
    });
    // Thrown, so that what was written of it is taken back.
    if (linked.error !== null) throw fail('SSO_RESPONSE_INVALID', { reason: linked.error });
    return linked;
  });
  return result;
}

/** What ends the request in place of `error`: a redirect that says its code. */
function redirectFor(
  ctx: GenericEndpointContext,
  end: string,
  error: unknown,
  { log }: Pick<AuthConfig, 'log'>,
): unknown {
  if (isAPIError(error) && error.statusCode === 302) return error;
  if (error instanceof AppError) {
    const { cause } = error;
    if (cause !== undefined) log({ level: 'warn', message: 'A sign-in by SSO failed', cause });
    return ctx.redirect(withError(end, error));
  }
  if (!isAPIError(error) || error.body?.code === undefined) return error;
  const { code, message = '' } = error.body;
  return ctx.redirect(withError(end, { code, message }));
}

function withError(
  end: string,
  { code, message }: { readonly code: string; readonly message: string },
) {
  const [address = '', fragment] = end.split('#', 2);
  const query = new URLSearchParams({ error: code, error_description: message });
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${query.toString()}${fragment === undefined ? '' : `#${fragment}`}`;
}
