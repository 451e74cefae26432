// The configuration of an OpenID Connect provider: what managers send, with what its discovery document adds.
// Every address of it is known and checked from then on; nothing is discovered during a sign-in.
import { isIP } from 'node:net';
import { fail } from '#libs/errors';
import type { OutboundCall } from '../../auth-config.js';
import { jsonObject, textIn, textsIn } from '../custom-oauth/foreign-values.js';
import type { Fields } from '../../fields.js';
import { isPlainWebAddress, needed, textsByName, type FieldReader } from './field-reader.js';
import type { OidcConfig } from './provider.js';

const timeoutMs = 4000;

export const OIDC_FIELDS = [
  'clientId',
  'clientSecret',
  'discoveryEndpoint',
  'scopes',
  'pkce',
  'mapping',
  'authorizationEndpoint',
  'tokenEndpoint',
  'jwksEndpoint',
  'userInfoEndpoint',
  'tokenEndpointAuthentication',
  'skipDiscovery',
];

const AUTHENTICATIONS = ['client_secret_basic', 'client_secret_post'] as const;
const OIDC_MAPPING = ['email', 'emailVerified', 'name', 'image'] as const;
const defaultScopes = ['openid', 'email', 'profile'];

export interface WantedOidc {
  readonly issuer: string;
  readonly fields: FieldReader;
  /** What the provider has so far, its secrets open. */
  readonly current: OidcConfig | undefined;
  /** Whether the issuer is another one than so far, so that no address holds any more. */
  readonly isMoved: boolean;
  readonly call: OutboundCall;
}

/** A configuration with its issuer as the provider itself writes it. */
export interface ReadyOidc {
  readonly issuer: string;
  readonly config: OidcConfig;
}

type Endpoints = Omit<
  OidcConfig,
  'clientId' | 'clientSecret' | 'scopes' | 'pkce' | 'mapping' | 'tokenEndpointAuthentication'
> &
  Partial<Pick<OidcConfig, 'tokenEndpointAuthentication'>>;

/**
 * The configuration that a body asks for. Throws INVALID_INPUT; SSO_PROVIDER_INVALID for a discovery document
 * or key set that is of no use; and the errors of `call` when the provider cannot or may not be reached.
 */
export async function readyOidc(wanted: WantedOidc): Promise<ReadyOidc> {
  const { fields, current } = wanted;
  const { issuer, endpoints } = await findEndpoints(wanted);
  const scopes = fields.texts('scopes', 200) ?? current?.scopes ?? defaultScopes;
  return {
    issuer,
    config: {
      ...endpoints,
      clientId: needed(fields, 'clientId', fields.text('clientId', 500) ?? current?.clientId),
      clientSecret: needed(
        fields,
        'clientSecret',
        fields.text('clientSecret', 5000) ?? current?.clientSecret,
      ),
      tokenEndpointAuthentication:
        authenticationOf(fields) ??
        endpoints.tokenEndpointAuthentication ??
        current?.tokenEndpointAuthentication ??
        'client_secret_basic',
      scopes: [...new Set(['openid', ...scopes])],
      pkce: fields.flag('pkce') ?? current?.pkce ?? true,
      mapping:
        textsByName(fields.object('mapping', OIDC_MAPPING), OIDC_MAPPING) ?? current?.mapping,
    },
  };
}

function authenticationOf(
  fields: FieldReader,
): OidcConfig['tokenEndpointAuthentication'] | undefined {
  const given = fields.text('tokenEndpointAuthentication');
  const found = AUTHENTICATIONS.find((each) => each === given);
  if (given === undefined || found !== undefined) return found;
  throw fields.refused(
    'tokenEndpointAuthentication',
    `must be one of ${AUTHENTICATIONS.join(', ')}`,
  );
}

async function findEndpoints(wanted: WantedOidc): Promise<{
  readonly issuer: string;
  readonly endpoints: Endpoints;
}> {
  const { issuer, fields, call } = wanted;
  const current = wanted.isMoved ? undefined : wanted.current;
  const given = {
    authorizationEndpoint: address(fields, 'authorizationEndpoint'),
    tokenEndpoint: address(fields, 'tokenEndpoint'),
    jwksEndpoint: address(fields, 'jwksEndpoint'),
    userInfoEndpoint: address(fields, 'userInfoEndpoint'),
  };
  const discoveryEndpoint = address(fields, 'discoveryEndpoint');
  const isSame = [discoveryEndpoint, ...Object.values(given)].every((each) => each === undefined);
  if (current && isSame) return { issuer, endpoints: current };
  const document = discoveryEndpoint ?? current?.discoveryEndpoint ?? documentOf(issuer);
  const found =
    fields.flag('skipDiscovery') === true
      ? { issuer, ...current, discoveryEndpoint: document, answersNameIssuer: false }
      : await discover({ url: document, issuer, call });
  const pick = (name: keyof typeof given): string =>
    needed(fields, name, given[name] ?? found[name]);
  const endpoints: Endpoints = {
    discoveryEndpoint: document,
    authorizationEndpoint: pick('authorizationEndpoint'),
    tokenEndpoint: pick('tokenEndpoint'),
    jwksEndpoint: pick('jwksEndpoint'),
    userInfoEndpoint: given.userInfoEndpoint ?? found.userInfoEndpoint,
    answersNameIssuer: found.answersNameIssuer,
    ...(found.tokenEndpointAuthentication && {
      tokenEndpointAuthentication: found.tokenEndpointAuthentication,
    }),
  };
  await checkReachable(endpoints, call);
  return { issuer: found.issuer, endpoints };
}

/** Where the document of an issuer is (OpenID Connect Discovery 1.0 §4). */
function documentOf(issuer: string): string {
  return `${withoutLastSlash(issuer)}/.well-known/openid-configuration`;
}

function withoutLastSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function address(fields: FieldReader, name: string): string | undefined {
  const found = fields.text(name);
  const reason = found === undefined ? undefined : addressProblem(found);
  if (reason !== undefined) throw fields.refused(name, reason);
  return found;
}

/** Secrets and codes travel to these addresses; without TLS they may go to named machines of an intranet only. */
function addressProblem(found: string): string | undefined {
  if (!isPlainWebAddress(found)) return 'must be an address of the web';
  const { protocol, hostname } = new URL(found);
  const isLocal = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || hostname === 'localhost';
  return protocol === 'https:' || isLocal ? undefined : 'must begin with https:';
}

interface Discovery {
  readonly url: string;
  readonly issuer: string;
  readonly call: OutboundCall;
}

type Found = { readonly [N in keyof Endpoints]?: Endpoints[N] | undefined } & Pick<
  Endpoints,
  'answersNameIssuer'
> & { readonly issuer: string };

async function discover({ url, issuer, call }: Discovery): Promise<Found> {
  const document = await readJson(url, call);
  const named = textIn(document, 'issuer');
  if (named === undefined || withoutLastSlash(named) !== withoutLastSlash(issuer)) {
    throw invalid(`its discovery document is of the issuer ${named?.slice(0, 200) ?? '(none)'}`);
  }
  const endpoint = (name: string): string | undefined => {
    const found = textIn(document, name);
    const reason = found === undefined ? undefined : addressProblem(found);
    if (reason !== undefined) throw invalid(`the ${name} of its discovery document ${reason}`);
    return found;
  };
  const methods = textsIn(document, 'token_endpoint_auth_methods_supported');
  return {
    issuer: named,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    jwksEndpoint: endpoint('jwks_uri'),
    userInfoEndpoint: endpoint('userinfo_endpoint'),
    answersNameIssuer: document['authorization_response_iss_parameter_supported'] === true,
    tokenEndpointAuthentication:
      // A document without the list means the first (OpenID Connect Discovery 1.0 §3).
      AUTHENTICATIONS.find((each) => methods?.includes(each)) ?? 'client_secret_basic',
  };
}

/**
 * Reads the keys, and calls every other server once: outbound calls to it must be allowed. Throws
 * SSO_PROVIDER_INVALID and the errors of `call`.
 */
export async function checkReachable(
  endpoints: Pick<OidcConfig, 'jwksEndpoint' | 'tokenEndpoint' | 'userInfoEndpoint'>,
  call: OutboundCall,
): Promise<void> {
  const { jwksEndpoint, tokenEndpoint, userInfoEndpoint } = endpoints;
  const keys = await readJson(jwksEndpoint, call);
  if (!Array.isArray(keys['keys'])) throw invalid('it has no key set');
  const known = new Set([new URL(jwksEndpoint).host]);
  for (const url of [tokenEndpoint, userInfoEndpoint]) {
    if (url === undefined || known.has(new URL(url).host)) continue;
    known.add(new URL(url).host);
    // One after the other: the first that may not be called ends it. Whatever it answers is right.
    await call({ url, timeoutMs });
  }
}

async function readJson(url: string, call: OutboundCall): Promise<Fields> {
  const { status, text } = await call({
    url,
    headers: { accept: 'application/json' },
    timeoutMs,
  });
  const found = status === 200 ? jsonObject(text) : undefined;
  if (!found) throw invalid(`${new URL(url).host} answered ${status} and no JSON object`);
  return found;
}

function invalid(reason: string): Error {
  return fail('SSO_PROVIDER_INVALID', { reason });
}
