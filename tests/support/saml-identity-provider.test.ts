import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  intruder,
  openSamlIdentityProvider,
  type SamlAnswer,
  type SamlFlaw,
  type SamlIdentityProvider,
  type SamlPost,
} from './saml-identity-provider.js';
import { type EntitySettings, samlify } from './samlify.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

const acsUrl = 'http://abc.localhost:8000/api/auth/sso/saml2/sp/acs/corp';
const entityId = 'http://abc.localhost:8000/saml';
const ada: SamlAnswer = { nameId: 'ada@corp.test', attributes: { name: 'Ada & <Co>' } };

let provider: SamlIdentityProvider;
beforeAll(async () => {
  provider = await openSamlIdentityProvider();
  // The service provider below checks signatures, not the schema.
  samlify.setSchemaValidator({ validate: () => Promise.resolve('not checked') });
});
afterAll(() => provider.close());

function serviceProvider(settings: EntitySettings = {}) {
  return samlify.ServiceProvider({
    entityID: entityId,
    wantAssertionsSigned: true,
    assertionConsumerService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: acsUrl },
    ],
    ...settings,
  });
}

function knownProvider(settings: EntitySettings = {}) {
  return samlify.IdentityProvider({ metadata: provider.metadata, ...settings });
}

function request() {
  const { id, context } = serviceProvider().createLoginRequest(knownProvider(), 'redirect', {
    relayState: 'back/here',
  });
  return { id, url: context };
}

/** What the service provider reads out of a post that it accepts. */
async function accept({ SAMLResponse }: SamlPost, settings: EntitySettings = {}) {
  const encrypted = settings.isAssertionEncrypted === true;
  const { extract } = await serviceProvider(settings).parseLoginResponse(
    knownProvider({ isAssertionEncrypted: encrypted }),
    'post',
    { body: { SAMLResponse } },
  );
  return extract;
}

function xmlOf({ SAMLResponse }: SamlPost): string {
  return Buffer.from(SAMLResponse, 'base64').toString('utf8');
}

test('the metadata is served and names the place to sign in', async () => {
  const served = await (await fetch(provider.entityId)).text();
  expect(served).toBe(provider.metadata);
  expect(served).toContain(provider.ssoUrl);
});

test('a request is answered to where it came from, signed', async () => {
  const { id, url } = request();
  expect(url.startsWith(`${provider.ssoUrl}?`)).toBe(true);
  const post = await provider.respondTo(url, ada);
  expect(post).toMatchObject({ acsUrl, RelayState: 'back/here' });
  expect(await accept(post)).toMatchObject({
    nameID: 'ada@corp.test',
    attributes: { name: 'Ada & <Co>' },
    audience: entityId,
    issuer: provider.entityId,
    response: { inResponseTo: id, destination: acsUrl },
  });
});

test('an attribute may have several values', async () => {
  const post = await provider.respondTo(request().url, {
    ...ada,
    attributes: { groups: ['a', 'b'] },
  });
  expect(await accept(post)).toMatchObject({ attributes: { groups: ['a', 'b'] } });
});

test('the response may be signed instead, or both', async () => {
  const response = await provider.respondTo(request().url, { ...ada, signed: 'response' });
  expect(await accept(response, { wantAssertionsSigned: false })).toMatchObject({
    nameID: 'ada@corp.test',
  });
  const both = await provider.respondTo(request().url, { ...ada, signed: 'both' });
  expect(await accept(both, { wantMessageSigned: true })).toMatchObject({
    nameID: 'ada@corp.test',
  });
  expect(xmlOf(both).match(/<ds:Signature /g)).toHaveLength(2);
});

test('an answer that nobody asked for names no request', async () => {
  const post = await provider.respondUnasked({ acsUrl, entityId }, ada);
  expect(post.RelayState).toBeUndefined();
  expect(xmlOf(post)).not.toContain('InResponseTo');
  expect(await accept(post)).toMatchObject({ nameID: 'ada@corp.test' });
});

test('an assertion is encrypted for the certificate of the receiver', async () => {
  const keys = selfSignedCertificate('receiver');
  const post = await provider.respondTo(request().url, { ...ada, encryptFor: keys.certificate });
  expect(xmlOf(post)).not.toContain('ada@corp.test');
  expect(xmlOf(post)).toContain('EncryptedAssertion');
  const readable = { isAssertionEncrypted: true, encPrivateKey: keys.privateKey };
  expect(await accept(post, readable)).toMatchObject({ nameID: 'ada@corp.test' });
});

test('a response without a signature has none', async () => {
  const post = await provider.respondTo(request().url, { ...ada, signed: 'nothing' });
  expect(xmlOf(post)).not.toContain('Signature');
  await expect(accept(post)).rejects.toThrow();
});

test.each<{ flaw: SamlFlaw; holds: string }>([
  { flaw: 'tampered', holds: intruder },
  { flaw: 'stranger', holds: 'ada@corp.test' },
  { flaw: 'wrapped', holds: intruder },
  { flaw: 'expired', holds: 'ada@corp.test' },
  { flaw: 'not-yet-valid', holds: 'ada@corp.test' },
])('a service provider refuses what is $flaw', async ({ flaw, holds }) => {
  const post = await provider.respondTo(request().url, { ...ada, flaw });
  expect(xmlOf(post)).toContain(`>${holds}<`);
  await expect(accept(post)).rejects.toThrow();
});

test.each<{ flaw: SamlFlaw; wrong: object }>([
  { flaw: 'wrong-audience', wrong: { audience: 'https://other.test/metadata' } },
  {
    flaw: 'wrong-destination',
    wrong: { response: expect.objectContaining({ destination: 'https://other.test/acs' }) },
  },
])('$flaw is rightly signed all the same', async ({ flaw, wrong }) => {
  const post = await provider.respondTo(request().url, { ...ada, flaw });
  expect(await accept(post)).toMatchObject(wrong);
});

test('an answer to another request names another one', async () => {
  const { id, url } = request();
  const post = await provider.respondTo(url, { ...ada, flaw: 'wrong-request' });
  expect(xmlOf(post)).toContain('InResponseTo="_');
  expect(xmlOf(post)).not.toContain(id);
});

test('a browser is sent back by a form that posts itself', async () => {
  const { url } = request();
  expect((await fetch(url)).status).toBe(403);
  provider.signInBrowsersAs(ada);
  const page = await (await fetch(url)).text();
  expect(page).toContain(`action="${acsUrl}"`);
  const [, SAMLResponse = ''] = /name="SAMLResponse" value="([^"]+)"/.exec(page) ?? [];
  const post = { acsUrl, SAMLResponse, RelayState: undefined };
  expect(await accept(post)).toMatchObject({ nameID: 'ada@corp.test' });
  expect(page).toContain('name="RelayState" value="back/here"');
});
