// The configuration of a SAML identity provider: what managers send, checked before anybody signs in by it.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { loadEnginePackage } from './engine-plugin.js';
import { isPlainWebAddress, needed, textsByName, type FieldReader } from './field-reader.js';
import { asPem, certificatesOf, type SamlConfig } from './provider.js';
import { metadataExcess } from './saml-cost.js';
import { isSealed } from './sealed-secrets.js';

const maxMetadataLength = 100 * 1024;
const maxKeyLength = 20_000;
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export const SAML_FIELDS = [
  'entryPoint',
  'cert',
  'audience',
  'identifierFormat',
  'idpMetadata',
  'spMetadata',
  'mapping',
  'wantAssertionsSigned',
  'authnRequestsSigned',
  'signatureAlgorithm',
  'digestAlgorithm',
  'privateKey',
];
const MAPPING = ['email', 'name', 'firstName', 'lastName'] as const;

/** By which SAML names what it trusts: SHA-1 is not among them. */
const SIGNATURES = [
  'rsa-sha256',
  'rsa-sha384',
  'rsa-sha512',
  'ecdsa-sha256',
  'ecdsa-sha384',
  'ecdsa-sha512',
].map((name) => `http://www.w3.org/2001/04/xmldsig-more#${name}`);
const DIGESTS = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
];

export interface WantedSaml {
  readonly issuer: string;
  /** The name of this service provider unless the manager has another. */
  readonly entityId: string;
  readonly fields: FieldReader;
  /** What the provider has so far, its secrets open. */
  readonly current: SamlConfig | undefined;
}

/** The configuration that a body asks for. Throws INVALID_INPUT and FIELD_NOT_ALLOWED. */
export async function readySaml({
  issuer,
  entityId,
  fields,
  current,
}: WantedSaml): Promise<SamlConfig> {
  const sp = fields.object('spMetadata', ['entityID', 'encPrivateKey', 'encPrivateKeyPass']);
  const encPrivateKey =
    sp?.text('encPrivateKey', maxKeyLength) ?? current?.spMetadata.encPrivateKey;
  const encPrivateKeyPass =
    sp?.text('encPrivateKeyPass', 500) ?? current?.spMetadata.encPrivateKeyPass;
  const isAssertionEncrypted = encPrivateKey !== undefined;
  if (fields.flag('wantAssertionsSigned') === false) {
    throw fields.refused('wantAssertionsSigned', 'assertions must be signed');
  }
  const identity = identityOf({ issuer, fields, current });
  const config: SamlConfig = {
    issuer,
    ...identity,
    idpMetadata: { ...identity.idpMetadata, isAssertionEncrypted },
    audience: fields.text('audience') ?? current?.audience,
    identifierFormat: fields.text('identifierFormat') ?? current?.identifierFormat,
    spMetadata: {
      entityID: sp?.text('entityID') ?? current?.spMetadata.entityID ?? entityId,
      encPrivateKey,
      encPrivateKeyPass,
      isAssertionEncrypted,
    },
    wantAssertionsSigned: true,
    authnRequestsSigned: signsRequests(fields, identity, current),
    signatureAlgorithm:
      algorithm(fields, 'signatureAlgorithm', SIGNATURES) ?? current?.signatureAlgorithm,
    digestAlgorithm: algorithm(fields, 'digestAlgorithm', DIGESTS) ?? current?.digestAlgorithm,
    privateKey: fields.text('privateKey', maxKeyLength) ?? current?.privateKey,
    mapping: textsByName(fields.object('mapping', MAPPING), MAPPING) ?? current?.mapping,
  };
  checkKeys(fields, config);
  await checkIdentity(fields, config);
  return config;
}

type Identity = Pick<SamlConfig, 'entryPoint' | 'cert' | 'idpMetadata'>;

/** Who the identity provider is: by its metadata, or by its id, address and certificates. */
function identityOf({ issuer, fields, current }: Omit<WantedSaml, 'entityId'>): Identity {
  const idp = fields.object('idpMetadata', ['metadata', 'entityID', 'cert']);
  const given = idp?.texts('cert', maxKeyLength) ?? fields.texts('cert', maxKeyLength);
  const cert = given?.map(asPem) ?? current?.cert;
  // A body with parts of the identity replaces metadata, which would hide them.
  const isByParts = given !== undefined || idp?.text('entityID') !== undefined;
  const metadata =
    idp?.text('metadata', maxMetadataLength) ??
    (isByParts ? undefined : current?.idpMetadata.metadata);
  if (metadata !== undefined) {
    checkMetadata(fields, metadata);
    return { idpMetadata: { metadata } };
  }
  const entryPoint = needed(fields, 'entryPoint', fields.text('entryPoint') ?? current?.entryPoint);
  if (!isPlainWebAddress(entryPoint)) {
    throw fields.refused('entryPoint', 'must be an address of the web');
  }
  if (cert === undefined) throw fields.refused('cert', 'is required without idpMetadata.metadata');
  const entityID = idp?.text('entityID') ?? current?.idpMetadata.entityID ?? issuer;
  // No browser is sent there: without such an address the engine's packages complain on the console.
  const singleLogoutService = [{ Binding: redirectBinding, Location: entryPoint }];
  return { entryPoint, cert, idpMetadata: { entityID, singleLogoutService } };
}

/** People are sent to the address in it, so it must be one of the web. */
function checkMetadata(fields: FieldReader, metadata: string): void {
  const refused = (reason: string): Error => fields.refused('idpMetadata.metadata', reason);
  if (/<!(DOCTYPE|ENTITY)/i.test(metadata)) throw refused('must have no document type');
  const services = signOnServices(metadata);
  const redirects = services.filter((service) => service.includes('bindings:HTTP-Redirect'));
  if (redirects.length === 0) throw refused('must have a SingleSignOnService by HTTP-Redirect');
  for (const service of services) {
    const [, , location = ''] = /\bLocation\s*=\s*(["'])(.*?)\1/.exec(service) ?? [];
    if (!isPlainWebAddress(location.replaceAll('&amp;', '&'))) {
      throw refused('must have addresses of the web as locations');
    }
  }
}

/** The start tags of that name, found in one pass. */
function signOnServices(metadata: string): string[] {
  return metadata
    .split('<')
    .filter((tag) => /^(?:[\w-]{1,64}:)?SingleSignOnService\b/.test(tag) && tag.includes('>'))
    .map((tag) => tag.slice(0, tag.indexOf('>')));
}

/** Both sides must say the same about it: the engine refuses to ask otherwise. */
function signsRequests(
  fields: FieldReader,
  identity: Identity,
  current: SamlConfig | undefined,
): boolean {
  const given = fields.flag('authnRequestsSigned');
  const { metadata } = identity.idpMetadata;
  if (metadata === undefined) return given ?? current?.authnRequestsSigned ?? false;
  const isWanted = /\bWantAuthnRequestsSigned\s*=\s*["'](?:true|1)["']/.test(metadata);
  if (given === undefined || given === isWanted) return isWanted;
  throw fields.refused('authnRequestsSigned', 'must be as the metadata say');
}

function algorithm(
  fields: FieldReader,
  name: string,
  known: readonly string[],
): string | undefined {
  const given = fields.text(name);
  if (given === undefined) return undefined;
  const found = known.find((uri) => uri === given || uri.endsWith(`#${given}`));
  if (found !== undefined) return found;
  throw fields.refused(name, 'is not known or not safe');
}

function checkKeys(fields: FieldReader, config: SamlConfig): void {
  const { privateKey, authnRequestsSigned, spMetadata } = config;
  if (authnRequestsSigned && privateKey === undefined) {
    throw fields.refused('privateKey', 'is required, because requests are to be signed');
  }
  const keys = [
    ['privateKey', privateKey, undefined],
    ['spMetadata.encPrivateKey', spMetadata.encPrivateKey, spMetadata.encPrivateKeyPass],
  ] as const;
  for (const [name, key, passphrase] of keys) {
    // A stored key that cannot be opened stays until another one takes its place.
    if (key === undefined || [key, passphrase ?? ''].some(isSealed)) continue;
    try {
      createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
    } catch {
      // The reason could repeat parts of the key.
      throw fields.refused(name, 'must be a private key in PEM');
    }
  }
}

async function checkIdentity(fields: FieldReader, config: SamlConfig): Promise<void> {
  const excess = await metadataExcess(config);
  if (excess !== undefined) {
    const reason = `${excess}; leave out all but the IDPSSODescriptor`;
    throw fields.refused('idpMetadata.metadata', reason);
  }
  const certificates = certificatesOf(config);
  if (certificates.length === 0) throw fields.refused('cert', 'there is no certificate');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw fields.refused('cert', 'must be an X.509 certificate in PEM');
    }
  }
  if ((await idpEntityIdOf(config)) === undefined) {
    throw fields.refused('idpMetadata', 'does not describe one identity provider');
  }
}

/** The name of the identity provider; undefined when its metadata are of no use. Throws PROJECT_BUSY. */
export async function idpEntityIdOf(config: SamlConfig): Promise<string | undefined> {
  if ((await metadataExcess(config)) !== undefined) return undefined;
  const { deriveSAMLIdentityProviderEntityID: entityIdOf } = await loadEnginePackage();
  try {
    const found = entityIdOf(config);
    return typeof found === 'string' && found !== '' ? found : undefined;
  } catch {
    // The package throws errors and texts of many kinds for XML that it does not understand.
    return undefined;
  }
}
