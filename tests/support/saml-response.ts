// The XML of a SAML identity provider: its metadata (saml-metadata §2.4.3), and responses that are not signed
// yet (saml-core §3.3.3, saml-profiles §4.1.4.2).
import { certificateBody } from './self-signed-certificate.js';

export interface SamlStatement {
  readonly issuer: string;
  /** Where the response goes: the assertion consumer service. */
  readonly destination: string;
  readonly audience: string;
  /** The request that is answered; undefined when nobody asked. */
  readonly inResponseTo: string | undefined;
  readonly nameId: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
  readonly responseId: string;
  readonly assertionId: string;
  readonly notBefore: Date;
  readonly notOnOrAfter: Date;
}

const namespaces =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

/** What service providers must know: where to send people, and whose signature to trust. */
export function samlMetadataXml(idp: {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** PEM. */
  readonly certificate: string;
}): string {
  return [
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"',
    ` entityID="${escaped(idp.entityId)}"><IDPSSODescriptor WantAuthnRequestsSigned="false"`,
    ' protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">',
    '<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>',
    `${certificateBody(idp.certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
    '<NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>',
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"',
    ` Location="${escaped(idp.ssoUrl)}"/></IDPSSODescriptor></EntityDescriptor>`,
  ].join('');
}

export function samlResponseXml(statement: SamlStatement): string {
  const { issuer, destination, responseId, notBefore } = statement;
  return [
    `<samlp:Response ${namespaces} ID="${responseId}" Version="2.0"`,
    ` IssueInstant="${notBefore.toISOString()}" Destination="${escaped(destination)}"`,
    `${inResponseTo(statement)}><saml:Issuer>${escaped(issuer)}</saml:Issuer>`,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
    assertionXml(statement),
    '</samlp:Response>',
  ].join('');
}

export function assertionXml(statement: SamlStatement): string {
  const { issuer, assertionId, nameId, notBefore, notOnOrAfter, destination } = statement;
  const from = notBefore.toISOString();
  const until = notOnOrAfter.toISOString();
  return [
    `<saml:Assertion ${namespaces} ID="${assertionId}" Version="2.0" IssueInstant="${from}">`,
    `<saml:Issuer>${escaped(issuer)}</saml:Issuer><saml:Subject>`,
    '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">',
    `${escaped(nameId)}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${escaped(destination)}"`,
    `${inResponseTo(statement)}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction>`,
    `<saml:Audience>${escaped(statement.audience)}</saml:Audience>`,
    '</saml:AudienceRestriction></saml:Conditions>',
    `<saml:AuthnStatement AuthnInstant="${from}" SessionIndex="${assertionId}"><saml:AuthnContext>`,
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    '</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
    attributeStatement(statement.attributes),
    '</saml:Assertion>',
  ].join('');
}

function attributeStatement(attributes: SamlStatement['attributes']): string {
  const rows = Object.entries(attributes).map(([name, value]) => {
    const values = (typeof value === 'string' ? [value] : value)
      .map((one) => `<saml:AttributeValue>${escaped(one)}</saml:AttributeValue>`)
      .join('');
    return `<saml:Attribute Name="${escaped(name)}">${values}</saml:Attribute>`;
  });
  return rows.length === 0
    ? ''
    : `<saml:AttributeStatement>${rows.join('')}</saml:AttributeStatement>`;
}

function inResponseTo({ inResponseTo: id }: SamlStatement): string {
  return id === undefined ? '' : ` InResponseTo="${escaped(id)}"`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
