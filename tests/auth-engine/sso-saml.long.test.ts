import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  intruder,
  openSamlIdentityProvider,
  type SamlAnswer,
  type SamlIdentityProvider,
  type SamlPost,
} from '../support/saml-identity-provider.js';
import { selfSignedCertificate } from '../support/self-signed-certificate.js';
import type { AuthProject } from './auth-project.js';
import {
  baseUrl,
  begin,
  manager,
  openSsoProject,
  postSaml,
  register,
  samlBody,
  sessionOf,
  site,
  type Arrived,
  type Manager,
} from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: SamlIdentityProvider;
let admin: Manager;

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openSamlIdentityProvider()]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, samlBody(idp, 'corp', 'corp.test'));
  await register(admin, samlBody(idp, 'twin', 'twin.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

/** Somebody begins to sign in and is answered for. */
async function answer(given: Partial<SamlAnswer>, providerId = 'corp'): Promise<SamlPost> {
  const { url } = await begin(project, { providerId, callbackURL: `${site}/in` });
  return idp.respondTo(url, { nameId: 'person@corp.test', ...given });
}

async function expectRefused(done: Arrived): Promise<void> {
  expect(done.outcome).not.toBe('ok');
  expect(done.token).toBeUndefined();
  const rows = await project.sql('select from auth."user" where email = $1', [intruder]);
  expect(rows).toEqual([]);
}

test.each(['assertion', 'both'] as const)(
  'signs in by a response whose %s is signed',
  async (signed) => {
    const nameId = `${signed}@corp.test`;
    const attributes = { displayName: 'Pat', email: nameId.toUpperCase() };
    const done = await postSaml(project, await answer({ nameId, signed, attributes }));
    expect(done).toMatchObject({ outcome: 'ok', location: `${site}/in` });
    expect(await sessionOf(project, done.token)).toMatchObject({
      email: nameId,
      name: 'Pat',
      emailVerified: true,
      role: 'USER',
      aal: 'aal1',
    });
  },
);

test.each([
  ['a response that nobody has signed', { signed: 'nothing' }],
  ['an assertion that nobody has signed, in a signed response', { signed: 'response' }],
  ['a response that was changed', { flaw: 'tampered' }],
  ['a changed response that is signed twice', { flaw: 'tampered', signed: 'both' }],
  ['a response signed by a stranger', { flaw: 'stranger' }],
  ['a forged assertion around a signed one', { flaw: 'wrapped' }],
  ['a response that has expired', { flaw: 'expired' }],
  ['a response that is not valid yet', { flaw: 'not-yet-valid' }],
  ['a response for another audience', { flaw: 'wrong-audience' }],
  ['a response for another destination', { flaw: 'wrong-destination' }],
  ['a response to another request', { flaw: 'wrong-request' }],
] as const)('%s is refused', async (_name, given) => {
  await expectRefused(await postSaml(project, await answer(given)));
});

test('a response that nobody asked for is refused', async () => {
  const audience = await answer({});
  const entityId = `${baseUrl}/api/auth/sso/saml2/sp/metadata?providerId=corp`;
  const post = await idp.respondUnasked(
    { acsUrl: audience.acsUrl, entityId },
    { nameId: 'a@corp.test' },
  );
  const done = await postSaml(project, post);
  expect(done).toMatchObject({ outcome: 'unsolicited_response', token: undefined });
});

test('a response counts once', async () => {
  const post = await answer({});
  expect((await postSaml(project, post)).outcome).toBe('ok');
  await expectRefused(await postSaml(project, post));
});

test('of the same response several times at once one counts', async () => {
  const post = await answer({});
  const done = await Promise.all([post, post, post, post].map((each) => postSaml(project, each)));
  expect(done.filter(({ token }) => token !== undefined)).toHaveLength(1);
});

test('more people at once than the project has connections all come in', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `crowd${index}@corp.test`);
  const posts = await Promise.all(names.map((nameId) => answer({ nameId })));
  const done = await Promise.all(posts.map((post) => postSaml(project, post)));
  expect(done.map(({ outcome }) => outcome)).toEqual(names.map(() => 'ok'));
});

test('a response for one provider does not count for another of the same identity provider', async () => {
  const post = await answer({ nameId: 'a@twin.test' });
  const acsUrl = post.acsUrl.replace('/corp', '/twin');
  await expectRefused(await postSaml(project, { ...post, acsUrl }));
});

test('an address of another domain is refused', async () => {
  const done = await postSaml(project, await answer({ nameId: 'ceo@victim.test' }));
  expect(done).toMatchObject({ outcome: 'EMAIL_DOMAIN_NOT_ALLOWED', token: undefined });
});

test.each([
  {
    name: 'a signature by SHA-1',
    change: (xml: string) =>
      xml
        .replace(/xmldsig-more#rsa-sha256/g, 'xmldsig#rsa-sha1')
        .replace('2001/04/xmldsig#rsa-sha1', '2000/09/xmldsig#rsa-sha1'),
  },
  {
    name: 'a digest by SHA-1',
    change: (xml: string) =>
      xml.replace(
        'http://www.w3.org/2001/04/xmlenc#sha256',
        'http://www.w3.org/2000/09/xmldsig#sha1',
      ),
  },
  {
    name: 'thousands of elements',
    change: (xml: string) => xml.replace(/(<\/[\w:]*Response>\s*)$/, `${'<a/>'.repeat(30_000)}$1`),
  },
  { name: 'a document type', change: (xml: string) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` },
])('$name is refused', async ({ change }) => {
  const post = await answer({});
  const before = Buffer.from(post.SAMLResponse, 'base64').toString();
  const xml = change(before);
  expect(xml).not.toBe(before);
  const done = await postSaml(project, {
    ...post,
    SAMLResponse: Buffer.from(xml).toString('base64'),
  });
  expect(done).toMatchObject({ outcome: '400 SSO_RESPONSE_INVALID', token: undefined });
});

test.each([
  { name: 'more than 256 KB', SAMLResponse: 'A'.repeat(256 * 1024 + 4) },
  { name: 'nothing', SAMLResponse: '' },
])('a response of $name is refused', async ({ SAMLResponse }) => {
  const { acsUrl } = await answer({});
  const done = await postSaml(project, { acsUrl, SAMLResponse, RelayState: undefined });
  expect(done.outcome).toBe('400 SSO_RESPONSE_INVALID');
});

test('what is no XML is refused', async () => {
  const post = await answer({});
  await expectRefused(await postSaml(project, { ...post, SAMLResponse: 'bm8geG1s' }));
});

test.each(['https://evil.test', '//evil.test', 'javascript:alert(1)'])(
  'the relay state %s leads nowhere',
  async (RelayState) => {
    const done = await postSaml(project, { ...(await answer({})), RelayState });
    expect(done.token).toBeUndefined();
    expect(done.location).not.toContain('evil');
    expect(done.location).not.toContain('javascript');
  },
);

test('an encrypted assertion is opened with the key of the provider', async () => {
  const { privateKey, certificate } = selfSignedCertificate('service provider');
  const body = samlBody(idp, 'sealed', 'sealed.test');
  const samlConfig = {
    idpMetadata: { metadata: idp.metadata },
    spMetadata: { encPrivateKey: privateKey },
  };
  await register(admin, { ...body, samlConfig });
  const post = await answer({ nameId: 'a@sealed.test', encryptFor: certificate }, 'sealed');
  expect(Buffer.from(post.SAMLResponse, 'base64').toString()).not.toContain('a@sealed.test');
  expect((await postSaml(project, post)).outcome).toBe('ok');
});

test('requests are signed when the identity provider wants it', async () => {
  const { privateKey } = selfSignedCertificate('service provider');
  const metadata = idp.metadata.replace(
    'WantAuthnRequestsSigned="false"',
    'WantAuthnRequestsSigned="true"',
  );
  const body = {
    ...samlBody(idp, 'signed', 'signed.test'),
    samlConfig: { idpMetadata: { metadata } },
  };
  expect(at((await admin.post('register', body)).body, 'code')).toBe('INVALID_INPUT');
  await register(admin, { ...body, samlConfig: { idpMetadata: { metadata }, privateKey } });
  const { url } = await begin(project, { providerId: 'signed', callbackURL: '/' });
  expect(new URL(url).searchParams.get('Signature')).toMatch(/.+/);
  expect(new URL(url).searchParams.get('SigAlg')).toMatch(/rsa-sha256$/);
});

test('an identity provider is described by its parts as well', async () => {
  const samlConfig = { entryPoint: idp.ssoUrl, cert: idp.certificate };
  await register(admin, { ...samlBody(idp, 'parts', 'parts.test'), samlConfig });
  const post = await answer({ nameId: 'a@parts.test' }, 'parts');
  expect((await postSaml(project, post)).outcome).toBe('ok');
});

test('a form goes to the place for responses alone', async () => {
  const reply = await project.post('/sso/register', {
    headers: { ...admin.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'providerId=a',
  });
  expect(reply.status).toBe(415);
});
