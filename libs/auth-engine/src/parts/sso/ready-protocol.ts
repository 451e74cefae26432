import type { AuthConfig } from '../../auth-config.js';
import { fieldsOf, type FieldReader } from './field-reader.js';
import { OIDC_FIELDS, readyOidc } from './oidc-config.js';
import { metadataUrlOf, type Protocol, type SsoProvider } from './provider.js';
import { idpEntityIdOf, readySaml, SAML_FIELDS } from './saml-config.js';
import type { SecretBox } from './sealed-secrets.js';

/** What a body asks of a provider. */
interface WantedProvider {
  /** The whole body. */
  readonly fields: FieldReader;
  readonly providerId: string;
  readonly issuer: string;
  /** The stored provider; absent for a new one. */
  readonly current?: SsoProvider;
}

type Place = Pick<AuthConfig, 'baseUrl' | 'call'> & { readonly box: SecretBox };

export interface ReadyProtocol {
  /** As the provider itself writes it. */
  readonly issuer: string;
  /** Its secrets are sealed. */
  readonly protocol: Protocol;
}

/**
 * Returns the protocol of a provider: its stored configuration with the changes of the body. Throws
 * INVALID_INPUT, FIELD_NOT_ALLOWED, SSO_PROVIDER_INVALID and the errors of `call`.
 */
export async function readyProtocol(place: Place, wanted: WantedProvider): Promise<ReadyProtocol> {
  const { fields, current } = wanted;
  const oidc = fields.object('oidcConfig', OIDC_FIELDS);
  const saml = fields.object('samlConfig', SAML_FIELDS);
  const kind = current?.protocol.kind ?? (saml ? 'saml' : 'oidc');
  const [own, other] = kind === 'oidc' ? [oidc, saml] : [saml, oidc];
  if (other) {
    const field = kind === 'oidc' ? 'samlConfig' : 'oidcConfig';
    throw fields.refused(field, 'a provider has one protocol and keeps it');
  }
  if (!own && !current) throw fields.refused('oidcConfig', 'or samlConfig is required');
  const config = own ?? fieldsOf({}, []);
  return kind === 'oidc' ? oidcOf(place, wanted, config) : samlOf(place, wanted, config);
}

async function oidcOf(
  { box, call }: Place,
  { issuer, current }: WantedProvider,
  fields: FieldReader,
): Promise<ReadyProtocol> {
  const protocol = current?.protocol;
  const old = protocol?.kind === 'oidc' ? box.openReadable(protocol.config) : undefined;
  const isMoved = current !== undefined && current.issuer !== issuer;
  const ready = await readyOidc({ issuer, fields, call, current: old, isMoved });
  return { issuer: ready.issuer, protocol: { kind: 'oidc', config: box.close(ready.config) } };
}

async function samlOf(
  { box, baseUrl }: Place,
  { issuer, providerId, current }: WantedProvider,
  fields: FieldReader,
): Promise<ReadyProtocol> {
  const protocol = current?.protocol;
  const config = await readySaml({
    issuer,
    entityId: metadataUrlOf({ baseUrl }, providerId),
    fields,
    current: protocol?.kind === 'saml' ? box.openReadable(protocol.config) : undefined,
  });
  return { issuer, protocol: { kind: 'saml', config: box.close(config) } };
}

/** Returns the name of the identity provider: the issuer, or with SAML the entity id. */
export async function identityOf({ issuer, protocol }: ReadyProtocol): Promise<string | undefined> {
  return protocol.kind === 'oidc' ? issuer : idpEntityIdOf(protocol.config);
}
