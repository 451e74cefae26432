import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { manager, oidcBody, openSsoProject, samlBody, type Manager } from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;
let admin: Manager;

beforeAll(async () => {
  [project, oidc, saml] = await Promise.all([
    openSsoProject(),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
});
afterAll(async () => {
  await Promise.all([project.close(), oidc.close(), saml.close()]);
});

let providers = 0;
/** The body of a provider that nobody has yet. */
function newBody(): ReturnType<typeof oidcBody> {
  providers += 1;
  return oidcBody(oidc, `p${providers}`, `p${providers}.test`);
}

const withConfig = (config: object) => {
  const body = newBody();
  return { ...body, oidcConfig: { ...body.oidcConfig, ...config } };
};
const withSaml = (samlConfig: object) => ({ ...samlBody(saml, 'saml9', 'saml9.test'), samlConfig });

test.each([
  ['an id with a slash', () => ({ ...newBody(), providerId: 'a/b' }), 'INVALID_INPUT'],
  ['an id with two dots', () => ({ ...newBody(), providerId: '..' }), 'INVALID_INPUT'],
  ['the id of passwords', () => ({ ...newBody(), providerId: 'credential' }), 'INVALID_INPUT'],
  ['the id of a social provider', () => ({ ...newBody(), providerId: 'Google' }), 'INVALID_INPUT'],
  ['no id', () => ({ ...newBody(), providerId: undefined }), 'INVALID_INPUT'],
  ['an issuer that is no address', () => ({ ...newBody(), issuer: 'corp' }), 'INVALID_INPUT'],
  ['a field that is not known', () => ({ ...newBody(), userId: 'x' }), 'FIELD_NOT_ALLOWED'],
  ['no protocol', () => ({ ...newBody(), oidcConfig: undefined }), 'INVALID_INPUT'],
  ['both protocols', () => ({ ...newBody(), samlConfig: {} }), 'INVALID_INPUT'],
  ['no client', () => withConfig({ clientId: undefined }), 'INVALID_INPUT'],
  ['no secret', () => withConfig({ clientSecret: undefined }), 'INVALID_INPUT'],
  ['another column of users', () => withConfig({ mapping: { role: 'r' } }), 'FIELD_NOT_ALLOWED'],
  [
    'a script as address',
    () => withConfig({ authorizationEndpoint: 'javascript:alert(1)' }),
    'INVALID_INPUT',
  ],
  [
    'an address without TLS',
    () => withConfig({ tokenEndpoint: 'http://idp.test/token' }),
    'INVALID_INPUT',
  ],
  [
    'a password in an address',
    () => withConfig({ jwksEndpoint: 'https://a:b@idp.test/' }),
    'INVALID_INPUT',
  ],
  ['SAML without anything', () => withSaml({}), 'INVALID_INPUT'],
  [
    'unsigned assertions',
    () => withSaml({ idpMetadata: { metadata: saml.metadata }, wantAssertionsSigned: false }),
    'INVALID_INPUT',
  ],
  [
    'SHA-1',
    () =>
      withSaml({
        idpMetadata: { metadata: saml.metadata },
        signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      }),
    'INVALID_INPUT',
  ],
  [
    'a place to return to',
    () => withSaml({ idpMetadata: { metadata: saml.metadata }, callbackUrl: 'https://evil.test' }),
    'FIELD_NOT_ALLOWED',
  ],
  [
    'a document type in metadata',
    () => withSaml({ idpMetadata: { metadata: `<!DOCTYPE a>${saml.metadata}` } }),
    'INVALID_INPUT',
  ],
  [
    'a script in metadata',
    () =>
      withSaml({
        idpMetadata: { metadata: saml.metadata.replace(saml.ssoUrl, 'javascript:alert(1)') },
      }),
    'INVALID_INPUT',
  ],
  [
    'metadata of thousands of elements',
    () =>
      withSaml({
        idpMetadata: {
          metadata: saml.metadata.replace(/(<\/[^<]*)$/, `${'<a/>'.repeat(5_000)}$1`),
        },
      }),
    'INVALID_INPUT',
  ],
  ['metadata of nothing', () => withSaml({ idpMetadata: { metadata: '<a/>' } }), 'INVALID_INPUT'],
  [
    'metadata that are too long',
    () => withSaml({ idpMetadata: { metadata: 'a'.repeat(103_000) } }),
    'INVALID_INPUT',
  ],
  [
    'a broken certificate',
    () => withSaml({ entryPoint: saml.ssoUrl, cert: 'AAAA' }),
    'INVALID_INPUT',
  ],
  [
    'a script as entry',
    () => withSaml({ entryPoint: 'javascript:alert(1)', cert: saml.certificate }),
    'INVALID_INPUT',
  ],
  [
    'a broken key',
    () => withSaml({ idpMetadata: { metadata: saml.metadata }, privateKey: 'secret' }),
    'INVALID_INPUT',
  ],
])('a provider with %s is refused', async (_name, body, code) => {
  const reply = await admin.post('register', body());
  expect([reply.status, at(reply.body, 'code')]).toEqual([400, code]);
});
