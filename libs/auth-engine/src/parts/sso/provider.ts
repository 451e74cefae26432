// What an SSO provider is, from its row to what its managers see of it.
import { createHmac, X509Certificate } from 'node:crypto';
import { authPath, isRecord } from '#libs/wire';
import { withoutSecrets } from './sealed-secrets.js';

export interface SsoDomain {
  readonly domain: string;
  /** Whether it is proven that the domain belongs to the person who registered the provider. */
  readonly isVerified: boolean;
}

export interface OidcConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly discoveryEndpoint: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksEndpoint: string;
  readonly userInfoEndpoint?: string | undefined;
  readonly tokenEndpointAuthentication: 'client_secret_basic' | 'client_secret_post';
  readonly scopes: readonly string[];
  readonly pkce: boolean;
  /** Whether every answer of the authorization endpoint names its issuer (RFC 9207 §3). */
  readonly answersNameIssuer: boolean;
  /** Names of claims. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
}

/** In the words of the engine's plugin, which reads it. */
export interface SamlConfig {
  readonly issuer: string;
  readonly entryPoint?: string | undefined;
  readonly cert?: string | readonly string[] | undefined;
  readonly audience?: string | undefined;
  readonly identifierFormat?: string | undefined;
  readonly idpMetadata: {
    readonly metadata?: string | undefined;
    readonly entityID?: string | undefined;
    readonly singleLogoutService?: readonly object[] | undefined;
    readonly isAssertionEncrypted?: boolean | undefined;
  };
  readonly spMetadata: {
    readonly entityID: string;
    readonly encPrivateKey?: string | undefined;
    readonly encPrivateKeyPass?: string | undefined;
    readonly isAssertionEncrypted?: boolean | undefined;
  };
  readonly wantAssertionsSigned: true;
  readonly authnRequestsSigned: boolean;
  readonly signatureAlgorithm?: string | undefined;
  readonly digestAlgorithm?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly mapping?: Readonly<Record<string, string>> | undefined;
}

/** How a provider is spoken to. */
export type Protocol =
  | { readonly kind: 'oidc'; readonly config: OidcConfig }
  | { readonly kind: 'saml'; readonly config: SamlConfig };

export interface SsoProvider {
  /** Of its row. */
  readonly id: string;
  readonly providerId: string;
  readonly issuer: string;
  readonly organizationId: string | null;
  readonly domains: readonly SsoDomain[];
  /** Its secrets are sealed. */
  readonly protocol: Protocol;
}

/** What providers need to know of their project. */
export interface SsoPlace {
  readonly baseUrl: string;
  readonly secret: string;
}

/** Where the identity provider sends people back to: what is registered there. */
export function redirectUriOf(
  { baseUrl }: Pick<SsoPlace, 'baseUrl'>,
  provider: { readonly providerId: string; readonly protocol: Pick<Protocol, 'kind'> },
): string {
  const path = provider.protocol.kind === 'oidc' ? 'sso/callback' : 'sso/saml2/sp/acs';
  return `${baseUrl}${authPath}/${path}/${provider.providerId}`;
}

/** The address of the service provider's metadata, which also names it. */
export function metadataUrlOf({ baseUrl }: Pick<SsoPlace, 'baseUrl'>, providerId: string): string {
  return `${baseUrl}${authPath}/sso/saml2/sp/metadata?providerId=${encodeURIComponent(providerId)}`;
}

/** The TXT record that proves a domain: only who administers it can set one. */
export function verificationRecord(
  { secret }: Pick<SsoPlace, 'secret'>,
  { id }: Pick<SsoProvider, 'id'>,
  domain: string,
): { readonly name: string; readonly type: 'TXT'; readonly value: string } {
  const digest = createHmac('sha256', secret).update(`sso domain:${id}:${domain}`).digest();
  const value = `rowhouse-sso=${digest.subarray(0, 24).toString('base64url')}`;
  return { name: `_rowhouse-sso.${domain}`, type: 'TXT', value };
}

/** A provider as its managers see it, without any secret. */
export function providerView(place: SsoPlace, provider: SsoProvider): Record<string, unknown> {
  const { providerId, issuer, organizationId, domains, protocol } = provider;
  const config = withoutSecrets(protocol.config);
  return {
    providerId,
    type: protocol.kind,
    issuer,
    domain: domains.map(({ domain }) => domain).join(','),
    domains: domains.map(({ domain, isVerified }) => ({
      domain,
      verified: isVerified,
      ...(!isVerified && { record: verificationRecord(place, provider, domain) }),
    })),
    domainVerified: domains.every(({ isVerified }) => isVerified),
    organizationId,
    redirectURI: redirectUriOf(place, provider),
    ...(protocol.kind === 'oidc'
      ? { oidcConfig: config }
      : {
          spMetadataUrl: metadataUrlOf(place, providerId),
          samlConfig: { ...config, certificates: certificatesOf(protocol.config).map(facts) },
        }),
  };
}

/** The certificates whose signatures are trusted, in PEM. */
export function certificatesOf(
  config: Pick<SamlConfig, 'cert' | 'idpMetadata'>,
): readonly string[] {
  const { metadata } = config.idpMetadata;
  if (metadata === undefined) return [config.cert ?? []].flat();
  const found = metadata.matchAll(/<(?:[\w-]+:)?X509Certificate>([^<]+)</g);
  return [...new Set([...found].map(([, body = '']) => asPem(body)))];
}

/** A certificate in PEM, also when it came without its frame. */
export function asPem(text: string): string {
  if (text.includes('-----BEGIN')) return text.trim();
  const body = text.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----'].join('\n');
}

function facts(pem: string): object {
  const { fingerprint256, validFrom, validTo } = new X509Certificate(pem);
  return { fingerprintSha256: fingerprint256, notBefore: validFrom, notAfter: validTo };
}

/** The protocol of a row; undefined for a row that was written by hand and cannot be used. */
export function protocolOf(oidcConfig: unknown, samlConfig: unknown): Protocol | undefined {
  // Rows are written by this part alone, which has checked them.
  if (isRecord(samlConfig)) return { kind: 'saml', config: samlConfig as unknown as SamlConfig };
  if (isRecord(oidcConfig)) return { kind: 'oidc', config: oidcConfig as unknown as OidcConfig };
  return undefined;
}
