// From the code that a browser brings to the person that the identity provider vouches for (OpenID Connect
// Core §3.1.3). Every call goes through the guarded way out.
import { fail } from '#libs/errors';
import { AppError } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { jsonObject, textIn } from '../custom-oauth/foreign-values.js';
import { createIdTokenVerifier } from '../custom-oauth/id-tokens.js';
import { requestTokens } from '../custom-oauth/token-endpoint.js';
import { redirectUriOf, type OidcConfig, type SsoProvider } from './provider.js';

const userInfoTimeoutMs = 5000;
/** Codes of RFC 6749 §4.1.2.1 and OpenID Connect Core §3.1.2.6 have this form. */
const errorCodePattern = /^[a-z_]{1,40}$/;

export interface OidcPerson {
  /** The subject at the provider. */
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | undefined;
  readonly claims: Record<string, unknown>;
}

export interface OidcAnswer {
  readonly config: Pick<AuthConfig, 'baseUrl' | 'call'>;
  readonly provider: SsoProvider;
  /** Its secrets are open. */
  readonly oidc: OidcConfig;
  /** What the browser brought. */
  readonly query: unknown;
  readonly nonce: string | undefined;
  readonly codeVerifier: string;
}

/**
 * Whom the answer is about. Throws SSO_RESPONSE_INVALID, SSO_EMAIL_NOT_VERIFIED, and the errors of `call`;
 * what the provider itself refuses with becomes the code.
 */
export async function identify(answer: OidcAnswer): Promise<OidcPerson> {
  const { oidc } = answer;
  const code = codeIn(answer);
  const tokens = await explained('the code was not taken', () => redeem(answer, code));
  const { idToken, accessToken } = tokens;
  if (idToken === undefined) throw invalid('there is no id token');
  const payload = await explained('the id token is not valid', () => verify(answer, idToken));
  const emailClaim = oidc.mapping?.['email'] ?? 'email';
  const userInfo =
    textIn(payload, emailClaim) === undefined
      ? await explained('the user info is not valid', () => userInfoOf(answer, accessToken))
      : undefined;
  // Otherwise it may be about another person (OpenID Connect Core §5.3.2).
  if (userInfo && textIn(userInfo, 'sub') !== payload.sub) {
    throw invalid('the user info is of another person than the id token');
  }
  return personOf(oidc, payload.sub ?? '', { ...userInfo, ...payload });
}

function codeIn({ query, provider, oidc }: OidcAnswer): string {
  const issuer = textIn(query, 'iss');
  // An attacker may have led the answer of another issuer here (RFC 9207 §2.4).
  if (issuer === undefined ? oidc.answersNameIssuer : issuer !== provider.issuer) {
    throw invalid('it is of another issuer');
  }
  const error = textIn(query, 'error');
  if (error !== undefined) {
    const message = textIn(query, 'error_description')?.slice(0, 200) ?? 'it refused';
    const publicCode = errorCodePattern.test(error) ? error : 'access_denied';
    throw fail('SSO_RESPONSE_INVALID', {}, { publicCode, message });
  }
  const code = textIn(query, 'code');
  if (code === undefined) throw invalid('it has no code');
  return code;
}

function redeem({ config, provider, oidc, codeVerifier }: OidcAnswer, code: string) {
  const isPost = oidc.tokenEndpointAuthentication === 'client_secret_post';
  return requestTokens({
    endpoints: { tokenUrl: oidc.tokenEndpoint, tokenAuthentication: [isPost ? 'post' : 'basic'] },
    client: { id: oidc.clientId, secret: oidc.clientSecret },
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUriOf(config, provider),
      ...(oidc.pkce && { code_verifier: codeVerifier }),
    },
    call: config.call,
  });
}

async function verify({ config, provider, oidc, nonce }: OidcAnswer, idToken: string) {
  if (nonce === undefined) throw new Error('the flow has no nonce');
  // A verifier for this token alone: keys that the provider has withdrawn count no more.
  return createIdTokenVerifier(config.call)(idToken, {
    endpoints: {
      authorizationUrl: oidc.authorizationEndpoint,
      tokenUrl: oidc.tokenEndpoint,
      issuer: provider.issuer,
      keysUrl: oidc.jwksEndpoint,
      tokenAuthentication: [],
      answersNameIssuer: oidc.answersNameIssuer,
    },
    clientId: oidc.clientId,
    nonce,
  });
}

async function userInfoOf(
  { config, oidc }: OidcAnswer,
  accessToken: string | undefined,
): Promise<object | undefined> {
  if (oidc.userInfoEndpoint === undefined || accessToken === undefined) return undefined;
  const { status, text } = await config.call({
    url: oidc.userInfoEndpoint,
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    timeoutMs: userInfoTimeoutMs,
  });
  const found = status === 200 ? jsonObject(text) : undefined;
  if (!found) throw new Error(`the user info endpoint answered ${status}`);
  return found;
}

function personOf(
  { mapping = {} }: OidcConfig,
  accountId: string,
  claims: Record<string, unknown>,
): OidcPerson {
  const email = textIn(claims, mapping['email'] ?? 'email');
  if (email === undefined) throw invalid('it names no email address');
  const verified = claims[mapping['emailVerified'] ?? 'email_verified'];
  // Many directories leave the claim out for the addresses that they give out themselves.
  if (verified !== undefined && verified !== true && verified !== 'true') {
    throw fail('SSO_EMAIL_NOT_VERIFIED');
  }
  return {
    accountId,
    email,
    name: textIn(claims, mapping['name'] ?? 'name') ?? '',
    image: textIn(claims, mapping['image'] ?? 'picture'),
    claims,
  };
}

/** Runs a step; what it throws becomes a refusal with `reason`, unless it is one of ours already. */
async function explained<R>(reason: string, step: () => Promise<R>): Promise<R> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw fail('SSO_RESPONSE_INVALID', { reason }, { cause: error });
  }
}

function invalid(reason: string): AppError {
  return fail('SSO_RESPONSE_INVALID', { reason });
}
