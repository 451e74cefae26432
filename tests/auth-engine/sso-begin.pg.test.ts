import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { baseUrl, begin, manager, oidcBody, openSsoProject, register } from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: OidcIdentityProvider;

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openOidcIdentityProvider()]);
  const admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, oidcBody(idp, 'corp', 'corp.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

test('the request has state, nonce and a challenge', async () => {
  const { url } = await begin(project, { email: 'a@corp.test', callbackURL: '/' });
  const query = new URL(url).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('nonce')).toMatch(/^[\w-]{32}$/);
  expect(query.get('state')).toMatch(/^[\w-]{32}$/);
  expect(query.get('login_hint')).toBe('a@corp.test');
  expect(query.get('redirect_uri')).toBe(`${baseUrl}/api/auth/sso/callback/corp`);
});

test.each([
  {
    name: 'an unknown domain',
    body: { email: 'a@nowhere.test' },
    status: 404,
    code: 'SSO_PROVIDER_NOT_FOUND',
  },
  {
    name: 'an address without one',
    body: { email: 'nobody' },
    status: 404,
    code: 'SSO_PROVIDER_NOT_FOUND',
  },
  {
    name: 'an unknown provider',
    body: { providerId: 'nobody' },
    status: 404,
    code: 'SSO_PROVIDER_NOT_FOUND',
  },
  {
    name: 'an unknown organization',
    body: { organizationSlug: 'nobody' },
    status: 404,
    code: 'SSO_PROVIDER_NOT_FOUND',
  },
  {
    name: 'the other protocol',
    body: { providerId: 'corp', providerType: 'saml' },
    status: 404,
    code: 'SSO_PROVIDER_NOT_FOUND',
  },
  { name: 'nothing', body: {}, status: 400, code: 'INVALID_INPUT' },
  {
    name: 'a field that is not known',
    body: { providerId: 'corp', additionalParams: {} },
    status: 400,
    code: 'FIELD_NOT_ALLOWED',
  },
  { name: 'NUL', body: { providerId: 'a\0' }, status: 400, code: 'INVALID_INPUT' },
  {
    name: 'an object for a text',
    body: { email: { $ne: '' } },
    status: 400,
    code: 'INVALID_INPUT',
  },
])('a sign-in with $name is refused', async ({ body, status, code }) => {
  const reply = await project.post('/sign-in/sso', { body: { callbackURL: '/', ...body } });
  expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
});
