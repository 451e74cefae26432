// A SAML identity provider: real metadata, signatures and encryption by `samlify`, and the ways in which a
// response can be wrong. A replay needs nothing of it: post the same answer twice.
import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { openHttpRecorder, type Reaction, type RecordedRequest } from './http-recorder.js';
import {
  assertionXml,
  escaped,
  samlMetadataXml,
  samlResponseXml,
  type SamlStatement,
} from './saml-response.js';
import { samlify } from './samlify.js';
import {
  certificateBody,
  type KeyAndCertificate,
  selfSignedCertificate,
} from './self-signed-certificate.js';
import { textAt } from './replies.js';

/**
 * `tampered`: the name id is changed after signing. `stranger`: signed by another key. `wrapped`: the signed
 * assertion is moved aside and a forged one stands in its place. The others are signed as they are.
 */
export type SamlFlaw =
  | 'tampered'
  | 'stranger'
  | 'wrapped'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-audience'
  | 'wrong-destination'
  | 'wrong-request';

export interface SamlAnswer {
  /** Usually the email address. */
  readonly nameId: string;
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** By default the assertion. */
  readonly signed?: 'assertion' | 'response' | 'both' | 'nothing';
  readonly flaw?: SamlFlaw;
  /** Certificate (PEM) of the service provider, for which the assertion is encrypted once it is signed. */
  readonly encryptFor?: string;
}

/** What the browser posts to the assertion consumer service. */
export interface SamlPost {
  readonly acsUrl: string;
  readonly SAMLResponse: string;
  readonly RelayState: string | undefined;
}

/** Whom a response goes to. */
export interface SamlAudience {
  readonly acsUrl: string;
  /** Entity id of the service provider. */
  readonly entityId: string;
  readonly requestId?: string;
  readonly relayState?: string;
}

export interface SamlIdentityProvider {
  readonly entityId: string;
  /** Where service providers send people (HTTP-Redirect binding). */
  readonly ssoUrl: string;
  /** Served at `<origin>/metadata` too. */
  readonly metadata: string;
  /** The signing certificate, PEM. */
  readonly certificate: string;
  /** The answer to an authentication request, as the URL that people are redirected to. */
  respondTo(authnRequestUrl: string, answer: SamlAnswer): Promise<SamlPost>;
  /** An answer that nobody asked for, unless `requestId` says otherwise. */
  respondUnasked(audience: SamlAudience, answer: SamlAnswer): Promise<SamlPost>;
  /** Who signs in when a browser comes to `ssoUrl`: the page posts the answer by itself. */
  signInBrowsersAs(answer: SamlAnswer): void;
  close(): Promise<void>;
}

const validMs = 300_000;

/** The intruder whom a forged or tampered assertion names. */
export const intruder = 'intruder@evil.test';

/** Opens an identity provider on a free port of 127.0.0.1. */
export async function openSamlIdentityProvider(): Promise<SamlIdentityProvider> {
  const keys = selfSignedCertificate('SAML identity provider');
  let inBrowsers: SamlAnswer | undefined;
  const recorder = await openHttpRecorder((request) => react(request));
  const entityId = `${recorder.origin}/metadata`;
  const ssoUrl = `${recorder.origin}/sso`;
  const metadata = samlMetadataXml({ entityId, ssoUrl, certificate: keys.certificate });
  const respond = (audience: SamlAudience, answer: SamlAnswer): Promise<SamlPost> =>
    buildPost({ entityId, metadata, keys }, audience, answer);

  async function react({ path, query }: RecordedRequest): Promise<Reaction> {
    const type = (value: string) => ({ 'content-type': value });
    if (path === '/metadata')
      return { headers: type('application/samlmetadata+xml'), body: metadata };
    if (path !== '/sso') return { status: 404 };
    if (inBrowsers === undefined) return { status: 403, body: 'nobody signs in here' };
    const post = await respond(requestIn(query), inBrowsers);
    return { headers: type('text/html; charset=utf-8'), body: autoPostPage(post) };
  }

  return {
    entityId,
    ssoUrl,
    metadata,
    certificate: keys.certificate,
    respondTo: (url, answer) => respond(requestIn(new URL(url).searchParams), answer),
    respondUnasked: respond,
    signInBrowsersAs(answer) {
      inBrowsers = answer;
    },
    close: () => recorder.close(),
  };
}

interface Identity {
  readonly entityId: string;
  readonly metadata: string;
  readonly keys: KeyAndCertificate;
}

/** Reads an authentication request of the HTTP-Redirect binding (saml-bindings §3.4.4.1). */
function requestIn(query: URLSearchParams): SamlAudience {
  const deflated = Buffer.from(query.get('SAMLRequest') ?? '', 'base64');
  const xml = inflateRawSync(deflated).toString('utf8');
  const found = samlify.Extractor.extract(xml, samlify.Extractor.loginRequestFields);
  const relayState = query.get('RelayState');
  return {
    acsUrl: textAt(found, 'request', 'assertionConsumerServiceUrl'),
    entityId: textAt(found, 'issuer'),
    requestId: textAt(found, 'request', 'id'),
    ...(relayState !== null && { relayState }),
  };
}

async function buildPost(
  identity: Identity,
  audience: SamlAudience,
  answer: SamlAnswer,
): Promise<SamlPost> {
  const { flaw, signed = 'assertion', encryptFor } = answer;
  const statement = statementOf(identity.entityId, audience, answer);
  const keys = flaw === 'stranger' ? selfSignedCertificate('stranger') : identity.keys;
  let xml = samlResponseXml(statement);
  if (signed === 'assertion' || signed === 'both') xml = sign(keys, xml, 'assertion');
  if (signed === 'response' || signed === 'both') xml = sign(keys, xml, 'response');
  if (flaw === 'tampered') xml = xml.replaceAll(`>${escaped(answer.nameId)}<`, `>${intruder}<`);
  if (flaw === 'wrapped') xml = wrapped(xml, statement);
  const base64 = Buffer.from(xml).toString('base64');
  return {
    acsUrl: audience.acsUrl,
    SAMLResponse: encryptFor === undefined ? base64 : await encrypted(identity, xml, encryptFor),
    RelayState: audience.relayState,
  };
}

function statementOf(issuer: string, audience: SamlAudience, answer: SamlAnswer): SamlStatement {
  const { flaw, nameId, attributes = {} } = answer;
  const shiftMs = flaw === 'expired' ? -24 * validMs : flaw === 'not-yet-valid' ? 24 * validMs : 0;
  const start = Date.now() + shiftMs;
  return {
    issuer,
    destination: flaw === 'wrong-destination' ? 'https://other.test/acs' : audience.acsUrl,
    audience: flaw === 'wrong-audience' ? 'https://other.test/metadata' : audience.entityId,
    inResponseTo: flaw === 'wrong-request' ? newId() : audience.requestId,
    nameId,
    attributes,
    responseId: newId(),
    assertionId: newId(),
    notBefore: new Date(start - 1000),
    notOnOrAfter: new Date(start + validMs),
  };
}

function sign(keys: KeyAndCertificate, xml: string, what: 'assertion' | 'response'): string {
  const response = "/*[local-name(.)='Response']";
  const target = what === 'assertion' ? `${response}/*[local-name(.)='Assertion']` : response;
  return samlify.SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    isBase64Output: false,
    isMessageSigned: what === 'response',
    ...(what === 'assertion' && { referenceTagXPath: target }),
    privateKey: keys.privateKey,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    signingCert: certificateBody(keys.certificate),
    signatureConfig: {
      prefix: 'ds',
      location: { reference: `${target}/*[local-name(.)='Issuer']`, action: 'after' },
    },
  });
}

/** Hides the signed assertion in an extension, and says something else where the assertion stood. */
function wrapped(xml: string, statement: SamlStatement): string {
  const [signedAssertion = ''] = /<saml:Assertion[^]*<\/saml:Assertion>/.exec(xml) ?? [];
  const forged = assertionXml({ ...statement, nameId: intruder, assertionId: newId() });
  return xml
    .replace(signedAssertion, () => forged)
    .replace(
      '<samlp:Status>',
      () => `<samlp:Extensions>${signedAssertion}</samlp:Extensions><samlp:Status>`,
    );
}

function encrypted(identity: Identity, xml: string, certificate: string): Promise<string> {
  const receiver = samlify.ServiceProvider({ entityID: 'receiver', encryptCert: certificate });
  const sender = samlify.IdentityProvider({
    metadata: identity.metadata,
    isAssertionEncrypted: true,
    dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  });
  return samlify.SamlLib.encryptAssertion(sender, receiver, xml);
}

function autoPostPage({ acsUrl, SAMLResponse, RelayState }: SamlPost): string {
  const fields = { SAMLResponse, ...(RelayState !== undefined && { RelayState }) };
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('');
  return `<!doctype html><title>Signing in</title><form method="post" action="${escaped(acsUrl)}">
${inputs}</form><script>document.forms[0].submit()</script>`;
}

/** An XML id must not begin with a digit. */
function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}
