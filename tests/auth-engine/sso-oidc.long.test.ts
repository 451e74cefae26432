import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import {
  baseUrl,
  begin,
  goBack,
  manager,
  oidcBody,
  openSsoProject,
  register,
  sessionOf,
  signInAt,
  site,
} from './sso-project.js';

let project: AuthProject;
let idp: OidcIdentityProvider;

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openOidcIdentityProvider()]);
  const admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, oidcBody(idp, 'corp', 'corp.test,corp.example'));
  await register(admin, oidcBody(idp, 'other', 'other.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

let people = 0;
/** Somebody new of the company. */
function person(claims: Readonly<Record<string, unknown>> = {}) {
  people += 1;
  const email = `person${people}@corp.test`;
  return {
    login: `login${people}`,
    claims: { email, email_verified: true, name: 'Pat', ...claims },
  };
}

test.each([
  { name: 'the address', body: { email: 'somebody@CORP.test' } },
  { name: 'another domain of the provider', body: { email: 'somebody@corp.example' } },
  { name: 'the domain', body: { domain: 'Corp.Test' } },
  { name: 'the id of the provider', body: { providerId: 'corp' } },
])('signs in by $name', async ({ body }) => {
  const { claims, ...rest } = person();
  const done = await signInAt(project, idp, { ...rest, claims, body });
  expect(done).toMatchObject({ outcome: 'ok', location: `${site}/in` });
  expect(await sessionOf(project, done.token)).toMatchObject({
    email: claims.email,
    name: 'Pat',
    emailVerified: true,
    role: 'USER',
    aal: 'aal1',
    activeOrganizationId: null,
  });
});

test('the same person comes back to the same account, also with another address', async () => {
  const body = { providerId: 'corp' };
  const { login, claims } = person();
  const first = await signInAt(project, idp, { login, claims, body });
  const renamed = { ...claims, email: 'renamed@corp.test' };
  const second = await signInAt(project, idp, { login, claims: renamed, body });
  const [one, two] = await Promise.all(
    [first, second].map(({ token }) => sessionOf(project, token)),
  );
  expect(two).toMatchObject({ id: one?.['id'], email: claims.email });
});

test('no token of the provider is kept', async () => {
  await signInAt(project, idp, { ...person(), body: { providerId: 'corp' } });
  const rows = await project.sql(
    `select from auth.account where "providerId" = 'corp'
     and ("accessToken" is not null or "idToken" is not null or "refreshToken" is not null)`,
  );
  expect(rows).toEqual([]);
});

test('a new user is sent to the address for new users', async () => {
  const body = { providerId: 'corp', newUserCallbackURL: `${site}/welcome` };
  const someone = person();
  expect((await signInAt(project, idp, { ...someone, body })).location).toBe(`${site}/welcome`);
  expect((await signInAt(project, idp, { ...someone, body })).location).toBe(`${site}/in`);
});

test('without addresses to return to people come to the site', async () => {
  const { login, claims } = person();
  const { url, cookie } = await begin(project, { providerId: 'corp' });
  const callback = await idp.signInAt(url, { login, claims });
  expect((await goBack(project, callback, { cookie })).location).toBe(`${site}/`);
});

test.each([
  {
    name: 'an address that is not verified',
    claims: { email_verified: false },
    error: 'SSO_EMAIL_NOT_VERIFIED',
  },
  {
    name: 'the text "false" as verification',
    claims: { email_verified: 'false' },
    error: 'SSO_EMAIL_NOT_VERIFIED',
  },
  {
    name: 'an address of another domain',
    claims: { email: 'ceo@victim.test' },
    error: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
  {
    name: 'an address of a subdomain',
    claims: { email: 'a@sub.corp.test' },
    error: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
  {
    name: 'an address of another provider’s domain',
    claims: { email: 'a@other.test' },
    error: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
  {
    name: 'two addresses in one',
    claims: { email: 'a@victim.test@corp.test' },
    error: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
  { name: 'no address', claims: { email: undefined }, error: 'SSO_RESPONSE_INVALID' },
])('$name is refused', async ({ claims, error }) => {
  const before = await project.sql('select count(*) from auth."user"');
  const done = await signInAt(project, idp, { ...person(claims), body: { providerId: 'corp' } });
  expect(done).toMatchObject({ outcome: error, token: undefined });
  expect(done.location.startsWith(`${site}/in?`)).toBe(true);
  expect(await project.sql('select count(*) from auth."user"')).toEqual(before);
});

test('a provider that says nothing of verification is believed', async () => {
  const someone = person({ email_verified: undefined });
  expect(await signInAt(project, idp, { ...someone, body: { providerId: 'corp' } })).toMatchObject({
    outcome: 'ok',
  });
});

test.each([
  { name: 'for another audience', change: { aud: 'another' } },
  { name: 'of another issuer', change: { iss: 'https://evil.test' } },
  { name: 'with another nonce', change: { nonce: 'another' } },
  { name: 'without a nonce', change: { nonce: undefined } },
  { name: 'that has expired', change: { exp: 1_000_000_000 } },
  { name: 'that never expires', change: { exp: undefined } },
  { name: 'of nobody', change: { sub: undefined } },
  { name: 'made for another party', change: { aud: ['corp', 'another'], azp: 'another' } },
])('an id token $name is refused', async ({ change }) => {
  const changed: Readonly<Record<string, unknown>> = change;
  idp.alterIdTokens((claims) => ({ ...claims, ...changed }));
  try {
    const done = await signInAt(project, idp, { ...person(), body: { providerId: 'corp' } });
    expect(done).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
  } finally {
    idp.alterIdTokens(undefined);
  }
});

test('keys that the provider has rotated are found, and withdrawn ones count no more', async () => {
  await idp.rotateKeys({ dropOld: true });
  const done = await signInAt(project, idp, { ...person(), body: { providerId: 'corp' } });
  expect(done.outcome).toBe('ok');
});

test('who refuses at the provider is told so', async () => {
  const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  const callback = await idp.signInAt(url, { login: 'nobody' }, { refuses: true });
  const done = await goBack(project, callback, { cookie });
  expect(done).toMatchObject({ outcome: 'access_denied', token: undefined });
});

test('errors go to the address for errors', async () => {
  const body = { providerId: 'corp', errorCallbackURL: `${site}/failed` };
  const done = await signInAt(project, idp, { ...person({ email: 'a@b.test' }), body });
  expect(done.location.startsWith(`${site}/failed?error=EMAIL_DOMAIN_NOT_ALLOWED`)).toBe(true);
});

test('a provider that is down is told in the redirect', async () => {
  const { login, claims } = person();
  const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  const callback = await idp.signInAt(url, { login, claims });
  idp.fail(503, 'token');
  try {
    const done = await goBack(project, callback, { cookie });
    expect(done).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
  } finally {
    idp.resume();
  }
});

test('an answer counts once', async () => {
  const { login, claims } = person();
  const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  const callback = await idp.signInAt(url, { login, claims });
  expect((await goBack(project, callback, { cookie })).outcome).toBe('ok');
  const again = await goBack(project, callback, { cookie });
  expect(again).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
});

test('an answer counts in the browser that began alone', async () => {
  const { login, claims } = person();
  const { url } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  const callback = await idp.signInAt(url, { login, claims });
  const elsewhere = await goBack(project, callback);
  expect(elsewhere).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
});

test('an answer counts for the provider that was asked alone', async () => {
  const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  // Everything else fits: the state, the nonce and the challenge are those of the flow.
  const led = new URL(url);
  led.searchParams.set('client_id', 'other');
  led.searchParams.set('redirect_uri', `${baseUrl}/api/auth/sso/callback/other`);
  const callback = await idp.signInAt(led.href, {
    login: 'led',
    claims: { email: 'a@other.test' },
  });
  expect(await goBack(project, callback, { cookie })).toMatchObject({
    outcome: 'SSO_RESPONSE_INVALID',
    token: undefined,
  });
});

test('what the id token does not tell is in the user info', async () => {
  idp.alterIdTokens(({ email: _email, ...claims }) => claims);
  try {
    const done = await signInAt(project, idp, { ...person(), body: { providerId: 'corp' } });
    expect(done.outcome).toBe('ok');
    idp.alterIdTokens(({ email: _email, ...claims }) => ({ ...claims, sub: 'somebody else' }));
    const wrong = await signInAt(project, idp, { ...person(), body: { providerId: 'corp' } });
    expect(wrong).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
  } finally {
    idp.alterIdTokens(undefined);
  }
});

test('an answer that names another issuer is refused', async () => {
  const { login, claims } = person();
  const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: `${site}/in` });
  const callback = new URL(await idp.signInAt(url, { login, claims }));
  callback.searchParams.set('iss', 'https://evil.test');
  const done = await goBack(project, callback.href, { cookie });
  expect(done).toMatchObject({ outcome: 'SSO_RESPONSE_INVALID', token: undefined });
});

test.each(['', '?state=unknown&code=x', '?code=x'])(
  'a callback with %j goes to the site',
  async (query) => {
    const done = await goBack(project, `${baseUrl}/api/auth/sso/callback/corp${query}`);
    expect(done.location.startsWith(`${site}/?error=SSO_RESPONSE_INVALID`)).toBe(true);
  },
);
