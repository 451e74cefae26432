// A provider of which the settings know the addresses. Whatever the server itself fetches from it (discovery,
// tokens, user info, keys) goes through the guarded way out; the engine's own generic provider would call
// any address.
import {
  createAuthorizationURL,
  type OAuthProvider,
  type OAuth2Tokens,
} from '@better-auth/core/oauth2';
import { decodeJwt } from 'jose';
import { isRecord } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import type { Fields } from '../../fields.js';
import type { Endpoints, EndpointSource } from './endpoints.js';
import { jsonObject, textIn } from './foreign-values.js';
import { createIdTokenVerifier, readDirectIdToken, type IdTokenVerifier } from './id-tokens.js';
import { requestTokens, type ForeignClient } from './token-endpoint.js';

const userInfoTimeoutMs = 5000;

export interface ForeignProviderOptions {
  readonly id: string;
  readonly name: string;
  /** Below the base path. */
  readonly callbackPath: string;
  readonly client: ForeignClient;
  readonly scopes: readonly string[];
  readonly pkce: boolean;
  readonly createUsers: boolean;
  readonly endpoints: EndpointSource;
  /** Whether id tokens identify people, as far as the provider gives any. */
  readonly usesIdTokens: boolean;
  /** The claims of OpenID in what the user info endpoint answers; undefined for a person who must not sign in. */
  readonly claimsOf?: (userInfo: Fields) => Fields | undefined;
}

/** What is known about a person, under the names of OpenID's claims. */
export type Claims = Fields;

export interface ForeignProvider extends OAuthProvider<Claims> {
  /** Throws PROVIDER_UNAVAILABLE (503) while nothing can be asked of the provider. */
  readonly findEndpoints: () => Promise<Endpoints>;
}

/** Whether a provider is one of those that {@link buildForeignProvider} makes. */
export function isForeignProvider(provider: object): provider is ForeignProvider {
  return 'findEndpoints' in provider;
}

interface Parts extends ForeignProviderOptions {
  readonly call: AuthConfig['call'];
  readonly log: AuthConfig['log'];
  readonly verify: IdTokenVerifier;
}

/** The provider for the engine. Nothing is fetched before the first sign-in. */
export function buildForeignProvider(
  options: ForeignProviderOptions,
  { call, log }: Pick<AuthConfig, 'call' | 'log'>,
): ForeignProvider {
  const parts: Parts = { ...options, call, log, verify: createIdTokenVerifier(call) };
  const { endpoints, createUsers, usesIdTokens } = options;
  return {
    id: options.id,
    name: options.name,
    callbackPath: options.callbackPath,
    findEndpoints: () => endpoints.find(),
    get issuer() {
      return endpoints.known()?.issuer;
    },
    requiresIdTokenNonce: usesIdTokens,
    disableSignUp: !createUsers,
    options: { disableSignUp: !createUsers },
    ...(usesIdTokens && { idToken: { verify: (token, nonce) => isRight(parts, token, nonce) } }),
    accountSubject: ({ profile }) => subjectOf(profile) ?? '',
    createAuthorizationURL: (request) => authorizationUrl(parts, request),
    validateAuthorizationCode: ({ code, redirectURI, codeVerifier }) =>
      tokensFor(parts, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectURI,
        ...(options.pkce && codeVerifier !== undefined && { code_verifier: codeVerifier }),
      }),
    refreshAccessToken: (token) =>
      tokensFor(parts, { grant_type: 'refresh_token', refresh_token: token }),
    getUserInfo: async (tokens) => personOf(await findClaims(parts, tokens)),
    // The route has verified the token before.
    getUserInfoFromIdToken: async (token) => personOf(decodeJwt(token)),
  };
}

async function authorizationUrl(
  { id, client, scopes, pkce, endpoints }: Parts,
  request: Parameters<ForeignProvider['createAuthorizationURL']>[0],
): Promise<URL> {
  const { state, codeVerifier, redirectURI, loginHint, idTokenNonce, additionalParams } = request;
  return createAuthorizationURL({
    id,
    options: { clientId: client.id },
    authorizationEndpoint: (await endpoints.find()).authorizationUrl,
    state,
    redirectURI,
    scopes: [...new Set([...scopes, ...(request.scopes ?? [])])],
    ...(pkce && { codeVerifier }),
    ...(idTokenNonce !== undefined && { nonce: idTokenNonce }),
    ...(loginHint !== undefined && { loginHint }),
    ...(additionalParams && { additionalParams }),
  });
}

async function tokensFor(
  { endpoints, client, call }: Parts,
  form: Readonly<Record<string, string>>,
): Promise<OAuth2Tokens> {
  return requestTokens({ endpoints: await endpoints.find(), client, form, call });
}

/** Whether an id token that a client has got on its own is good. */
async function isRight(
  { endpoints, client, verify }: Parts,
  token: string,
  nonce: string | undefined,
): Promise<boolean> {
  await verify(token, { endpoints: await endpoints.find(), clientId: client.id, nonce });
  return true;
}

type Tokens = Parameters<ForeignProvider['getUserInfo']>[0];

async function findClaims(parts: Parts, tokens: Tokens): Promise<Claims | undefined> {
  const endpoints = await parts.endpoints.find();
  const nonce = tokens.expectedIdTokenNonce;
  // Only what has just come from the token endpoint answers a request and has its nonce.
  if (!parts.usesIdTokens || nonce === undefined) return findUserInfo(parts, endpoints, tokens);
  const { idToken } = tokens;
  if (idToken === undefined) {
    if (parts.scopes.includes('openid')) throw new Error('the provider gave no id token');
    return findUserInfo(parts, endpoints, tokens);
  }
  const check = { endpoints, clientId: parts.client.id, nonce };
  const claims =
    endpoints.keysUrl !== undefined && endpoints.issuer !== undefined
      ? await parts.verify(idToken, check)
      : endpoints.userInfoUrl === undefined
        ? readDirectIdToken(idToken, check)
        : undefined;
  if (!claims) return findUserInfo(parts, endpoints, tokens);
  if (typeof claims['email'] === 'string' || endpoints.userInfoUrl === undefined) return claims;
  const userInfo = await findUserInfo(parts, endpoints, tokens);
  // Otherwise it may be about another person (OpenID Connect Core §5.3.2).
  if (!userInfo || textIn(userInfo, 'sub') !== claims.sub) {
    throw new Error('the user info is of another person than the id token');
  }
  return { ...userInfo, ...claims };
}

async function findUserInfo(
  { call, claimsOf = (userInfo) => userInfo }: Parts,
  { userInfoUrl }: Endpoints,
  { accessToken }: Tokens,
): Promise<Claims | undefined> {
  if (userInfoUrl === undefined || accessToken === undefined) return undefined;
  const { status, text } = await call({
    url: userInfoUrl,
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    timeoutMs: userInfoTimeoutMs,
  });
  const found = jsonObject(text);
  if (status !== 200 || !found) throw new Error(`the user info endpoint answered ${status}`);
  return claimsOf(found);
}

/** The person's id at the provider. It alone decides whose account it is. */
function subjectOf(claims: Claims): string | undefined {
  const found = claims['sub'] ?? claims['id'];
  if (typeof found === 'string' && found !== '') return found;
  return Number.isSafeInteger(found) ? String(found) : undefined;
}

function personOf(claims: Claims | undefined): Awaited<ReturnType<ForeignProvider['getUserInfo']>> {
  if (!isRecord(claims)) return null;
  const halves = [textIn(claims, 'given_name'), textIn(claims, 'family_name')].filter(Boolean);
  const name = textIn(claims, 'name') ?? halves.join(' ');
  const verified = claims['email_verified'];
  return {
    user: {
      name: name === '' ? textIn(claims, 'preferred_username') : name,
      email: textIn(claims, 'email'),
      image: textIn(claims, 'picture'),
      // Some send it as a text. Everything else than a clear yes is a no.
      emailVerified: verified === true || verified === 'true',
    },
    data: claims,
  };
}
