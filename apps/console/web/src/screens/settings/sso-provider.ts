import { isRecord } from '../../api/json.js';

interface DomainRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

export interface SsoProvider {
  readonly providerId: string;
  readonly type: 'oidc' | 'saml';
  readonly issuer: string;
  readonly organizationId: string | undefined;
  /** With OpenID Connect; empty with SAML. */
  readonly clientId: string;
  /** With SAML; empty with OpenID Connect, and for a provider that was registered by its address and certificates. */
  readonly metadata: string;
  readonly domains: readonly {
    readonly domain: string;
    readonly isVerified: boolean;
    /** What proves the domain; until it is verified. */
    readonly record: DomainRecord | undefined;
  }[];
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

/** A provider as the API answers it. */
export function readProvider(row: Readonly<Record<string, unknown>>): SsoProvider {
  const domains = Array.isArray(row['domains']) ? row['domains'].filter(isRecord) : [];
  return {
    providerId: textIn(row['providerId']),
    type: row['type'] === 'saml' ? 'saml' : 'oidc',
    issuer: textIn(row['issuer']),
    organizationId: textIn(row['organizationId']) || undefined,
    clientId: textIn(recordIn(row['oidcConfig'])['clientId']),
    metadata: textIn(recordIn(recordIn(row['samlConfig'])['idpMetadata'])['metadata']),
    domains: domains.map((each) => ({
      domain: textIn(each['domain']),
      isVerified: each['verified'] === true,
      record: recordOf(each['record']),
    })),
  };
}

function recordOf(value: unknown): DomainRecord | undefined {
  if (!isRecord(value)) return undefined;
  return {
    name: textIn(value['name']),
    type: textIn(value['type']),
    value: textIn(value['value']),
  };
}

/** What the fields say. */
export interface TypedProvider {
  readonly protocol: 'oidc' | 'saml';
  readonly providerId: string;
  readonly domain: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly metadata: string;
  readonly organizationId: string;
}

/** The request that registers a provider. */
export function registrationOf(provider: TypedProvider) {
  const { protocol, providerId, domain, issuer, organizationId } = provider;
  return {
    providerId,
    issuer,
    domain,
    ...(organizationId !== '' && { organizationId }),
    ...(protocol === 'oidc'
      ? { oidcConfig: { clientId: provider.clientId, clientSecret: provider.clientSecret } }
      : { samlConfig: { idpMetadata: { metadata: provider.metadata } } }),
  };
}

/** The fields of a provider that the server has. The API never answers with a secret, so its field is empty. */
export function fieldsOf(provider: SsoProvider): TypedProvider {
  const { type, providerId, issuer, clientId, metadata, organizationId = '' } = provider;
  const domain = provider.domains.map((each) => each.domain).join(', ');
  return {
    protocol: type,
    providerId,
    domain,
    issuer,
    clientId,
    clientSecret: '',
    metadata,
    organizationId,
  };
}

/** What is sent to change a provider; what is left out stays. */
interface ProviderChanges {
  readonly issuer?: string;
  readonly domain?: string;
  readonly oidcConfig?: { readonly clientId?: string; readonly clientSecret?: string };
  readonly samlConfig?: { readonly idpMetadata: { readonly metadata: string } };
}

/**
 * The request that changes a provider; empty if nothing was changed. Domains that are sent count as proven, and a
 * secret that is sent takes the place of the stored one: neither is in it unless it was typed.
 */
export function changesOf(stored: TypedProvider, typed: TypedProvider): ProviderChanges {
  const isTyped = (name: keyof TypedProvider): boolean =>
    typed[name] !== '' && typed[name] !== stored[name];
  const { issuer, domain, clientId, clientSecret, metadata } = typed;
  const oidcConfig = {
    ...(isTyped('clientId') && { clientId }),
    ...(isTyped('clientSecret') && { clientSecret }),
  };
  return {
    ...(isTyped('issuer') && { issuer }),
    ...(isTyped('domain') && { domain }),
    ...(Object.keys(oidcConfig).length > 0 && { oidcConfig }),
    ...(isTyped('metadata') && { samlConfig: { idpMetadata: { metadata } } }),
  };
}

/** The name of an identity provider in its metadata; undefined if they have none. */
export function entityIdIn(metadata: string): string | undefined {
  return /<(?:[\w-]+:)?EntityDescriptor\b[^>]*\bentityID\s*=\s*["']([^"']+)["']/.exec(
    metadata,
  )?.[1];
}
