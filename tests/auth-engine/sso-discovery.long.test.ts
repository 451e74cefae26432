import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpRecorder, type HttpRecorder } from '../support/http-recorder.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { AuthProject, Reply } from './auth-project.js';
import {
  manager,
  oidcBody,
  openSsoProject,
  register,
  signInAt,
  type Manager,
} from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: OidcIdentityProvider;
let inside: HttpRecorder;
let admin: Manager;

beforeAll(async () => {
  [idp, inside] = await Promise.all([openOidcIdentityProvider(), openHttpRecorder()]);
  // The identity provider is let through; everything else on this machine stays closed.
  project = await openSsoProject({ allowedHosts: [new URL(idp.issuer).host] });
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close(), inside.close()]);
});

let providers = 0;
function tryWith(oidcConfig: object = {}, rest: object = {}): Promise<Reply> {
  providers += 1;
  const body = oidcBody(idp, `p${providers}`, `p${providers}.test`);
  return admin.post('register', {
    ...body,
    ...rest,
    oidcConfig: { ...body.oidcConfig, ...oidcConfig },
  });
}

test.each([
  ['the discovery document', () => tryWith({ discoveryEndpoint: `${inside.origin}/x` })],
  ['the token endpoint', () => tryWith({ tokenEndpoint: `${inside.origin}/token` })],
  ['the keys', () => tryWith({ jwksEndpoint: `${inside.origin}/jwks` })],
  ['the user info', () => tryWith({ userInfoEndpoint: `${inside.origin}/me` })],
  ['the issuer', () => tryWith({}, { issuer: inside.origin })],
  ['the metadata of a cloud', () => tryWith({}, { issuer: 'http://169.254.169.254' })],
  ['a private network', () => tryWith({ tokenEndpoint: 'https://10.0.0.1/token' })],
  ['an address spelled as a number', () => tryWith({ tokenEndpoint: 'https://2130706433/token' })],
])('%s at an address that is not public is refused and never called', async (_name, attempt) => {
  const reply = await attempt();
  expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'OUTBOUND_REFUSED']);
  expect(inside.requests).toEqual([]);
});

test('an update is checked like a registration', async () => {
  await register(admin, oidcBody(idp, 'updated', 'updated.test'));
  const oidcConfig = { tokenEndpoint: `${inside.origin}/token` };
  const reply = await admin.post('update-provider', { providerId: 'updated', oidcConfig });
  expect(at(reply.body, 'code')).toBe('OUTBOUND_REFUSED');
  expect(inside.requests).toEqual([]);
});

test('a provider that hangs is given up', async () => {
  idp.hang('discovery');
  try {
    const reply = await tryWith();
    expect([reply.status, at(reply.body, 'code')]).toEqual([504, 'OUTBOUND_TIMEOUT']);
  } finally {
    idp.resume();
  }
});

test.each([
  { name: 'that fails', prepare: () => idp.fail(500, 'discovery') },
  { name: 'without keys', prepare: () => idp.fail(404, 'keys') },
])('a provider $name is refused', async ({ prepare }) => {
  prepare();
  try {
    const reply = await tryWith();
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'SSO_PROVIDER_INVALID']);
  } finally {
    idp.resume();
  }
});

test('a document of another issuer is refused', async () => {
  const reply = await tryWith(
    { discoveryEndpoint: idp.discoveryUrl },
    { issuer: 'https://idp.example' },
  );
  expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'SSO_PROVIDER_INVALID']);
});

test.each([
  { name: 'a script', endpoint: 'javascript:alert(1)' },
  { name: 'a file', endpoint: 'file:///etc/passwd' },
  { name: 'an address without TLS', endpoint: 'http://idp.example/auth' },
])('a document that names $name is refused', async ({ endpoint }) => {
  const evil = await openHttpRecorder(() => ({
    body: {
      issuer: evil.origin,
      authorization_endpoint: endpoint,
      token_endpoint: `${evil.origin}/token`,
      jwks_uri: `${evil.origin}/jwks`,
    },
  }));
  const other = await openSsoProject();
  try {
    const by = await manager(other, 'admin@app.test', { role: 'ADMIN' });
    const body = { ...oidcBody(idp, 'evil', 'evil.test'), issuer: evil.origin };
    const reply = await by.post('register', body);
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'SSO_PROVIDER_INVALID']);
  } finally {
    await Promise.all([other.close(), evil.close()]);
  }
});

test('endpoints that are given need no document', async () => {
  idp.fail(500, 'discovery');
  try {
    const body = oidcBody(idp, 'given', 'given.test');
    const oidcConfig = {
      ...body.oidcConfig,
      skipDiscovery: true,
      authorizationEndpoint: `${idp.issuer}/auth`,
      tokenEndpoint: `${idp.issuer}/token`,
      jwksEndpoint: `${idp.issuer}/jwks`,
      userInfoEndpoint: `${idp.issuer}/me`,
    };
    const incomplete = { ...oidcConfig, tokenEndpoint: undefined };
    expect((await admin.post('register', { ...body, oidcConfig: incomplete })).status).toBe(400);
    await register(admin, { ...body, oidcConfig });
    const claims = { email: 'a@given.test' };
    const done = await signInAt(project, idp, {
      login: 'given',
      claims,
      body: { providerId: 'given' },
    });
    expect(done.outcome).toBe('ok');
  } finally {
    idp.resume();
  }
});

test('while people sign in nothing is discovered', async () => {
  await register(admin, oidcBody(idp, 'steady', 'steady.test'));
  const before = idp.requests.filter((request) => request.includes('.well-known')).length;
  const claims = { email: 'a@steady.test' };
  await signInAt(project, idp, { login: 'steady', claims, body: { providerId: 'steady' } });
  expect(idp.requests.filter((request) => request.includes('.well-known'))).toHaveLength(before);
});

test('a new secret is taken while the provider is down', async () => {
  await register(admin, oidcBody(idp, 'rotated', 'rotated.test'));
  idp.fail(500);
  try {
    const oidcConfig = { clientSecret: 'another' };
    const reply = await admin.post('update-provider', { providerId: 'rotated', oidcConfig });
    expect(reply.status).toBe(200);
  } finally {
    idp.resume();
  }
});
