import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { openSamlIdentityProvider } from '../support/saml-identity-provider.js';
import { password, signUp, type AuthProject } from './auth-project.js';
import {
  begin,
  goBack,
  manager,
  oidcBody,
  openSsoProject,
  outcomeVia,
  postSaml,
  register,
  samlBody,
  sessionOf,
  signInAt,
  site,
  ssoSettings,
} from './sso-project.js';
import { bearer, textAt } from '../support/replies.js';

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

const body = { providerId: 'corp' };

/** Signs in as whoever has this address at the company. */
function arrive(email: string) {
  return signInAt(project, idp, { login: email, claims: { email, email_verified: true }, body });
}

/** Signs in under settings of `auth.sso` that differ. */
async function arriveUnder(settings: Readonly<Record<string, unknown>>, email: string) {
  return outcomeVia(project, idp, { via: await project.rebuild(settings), body, email });
}

test('an existing account with a proven address is signed in and keeps its password', async () => {
  const email = 'proven@corp.test';
  const { body: account } = await signUp(project, email);
  await project.sql('update auth."user" set "emailVerified" = true where email = $1', [email]);
  const done = await arrive(email.toUpperCase());
  expect(await sessionOf(project, done.token)).toMatchObject({ id: textAt(account, 'user', 'id') });
  const again = await project.post('/sign-in/email', { body: { email, password } });
  expect(again.status).toBe(200);
});

test('whoever signed up with the address before its owner came loses every way in', async () => {
  const email = 'squatted@corp.test';
  const { body: squatter } = await signUp(project, email);
  const id = textAt(squatter, 'user', 'id');
  await project.sql(
    `insert into auth.apikey (id, "referenceId", key, "configId", "createdAt", "updatedAt")
     values ('k', $1, 'hash', 'default', now(), now())`,
    [id],
  );
  const done = await arrive(email);
  expect(await sessionOf(project, done.token)).toMatchObject({ id, emailVerified: true });
  const session = await project.get('/get-session', { headers: bearer(textAt(squatter, 'token')) });
  expect(session.body).toBeNull();
  const reply = await project.post('/sign-in/email', { body: { email, password } });
  expect(reply.status).toBe(401);
  expect(await project.sql('select from auth.apikey where "referenceId" = $1', [id])).toEqual([]);
});

test('an inactive user gets no session, whether the identity is known or new', async () => {
  const known = 'known@corp.test';
  await arrive(known);
  await signUp(project, 'unknown@corp.test');
  await project.sql(
    `update auth."user" set status = 'inactive' where email like '%known@corp.test'`,
  );
  for (const email of [known, 'unknown@corp.test']) {
    expect(await arrive(email)).toMatchObject({ outcome: 'USER_INACTIVE', token: undefined });
  }
  const rows = await project.sql(
    `select from auth.session s join auth."user" u on u.id = s."userId" where u.email = $1
     and s."createdAt" > now() - interval '1 second' and u.status = 'active'`,
    [known],
  );
  expect(rows).toEqual([]);
});

test.each([
  {
    name: 'nobody new comes in when people make no accounts',
    settings: ssoSettings({ sso: { createUsers: false } }),
    email: 'new1@corp.test',
    outcome: 'SIGNUP_DISABLED',
  },
  {
    name: 'nobody new comes in when sign-up is closed',
    settings: ssoSettings({ settings: { 'auth.signup': { enabled: false } } }),
    email: 'new2@corp.test',
    outcome: 'SIGNUP_DISABLED',
  },
  {
    name: 'nobody new comes in from a domain that may not sign up',
    settings: ssoSettings({ settings: { 'auth.signup': { blockedEmailDomains: ['corp.test'] } } }),
    email: 'new3@corp.test',
    outcome: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
])('$name', async ({ settings, email, outcome }) => {
  expect(await arriveUnder(settings, email)).toBe(outcome);
  expect(await project.sql('select from auth."user" where email = $1', [email])).toEqual([]);
});

test('accounts are not taken over when that is off, and those that were stay', async () => {
  await signUp(project, 'own@corp.test');
  const settings = ssoSettings({ sso: { linkUsers: false, createUsers: false } });
  expect(await arriveUnder(settings, 'own@corp.test')).toBe('SSO_ACCOUNT_NOT_LINKED');
  await arrive('own@corp.test');
  expect(await arriveUnder(settings, 'own@corp.test')).toBe('ok');
});

test('the settings decide about people who come by SAML as well', async () => {
  const saml = await openSamlIdentityProvider();
  try {
    const admin = await manager(project, 'second@app.test', { role: 'ADMIN' });
    await register(admin, samlBody(saml, 'saml', 'saml.test'));
    const { url } = await begin(project, { providerId: 'saml', callbackURL: '/' });
    const { body: owner } = await signUp(project, 'off@saml.test');
    await project.sql(`update auth."user" set status = 'inactive' where email = 'off@saml.test'`);
    const post = await saml.respondTo(url, { nameId: 'off@saml.test' });
    expect(await postSaml(project, post)).toMatchObject({ outcome: 'USER_INACTIVE' });
    await project.sql(`update auth."user" set status = 'active' where email = 'off@saml.test'`);
    const next = await begin(project, { providerId: 'saml', callbackURL: '/' });
    const done = await postSaml(
      project,
      await saml.respondTo(next.url, { nameId: 'OFF@saml.test' }),
    );
    const id = textAt(owner, 'user', 'id');
    expect(await sessionOf(project, done.token)).toMatchObject({ id, emailVerified: true });
  } finally {
    await saml.close();
  }
});

test('the same person several times at once makes one account', async () => {
  const wish = { login: 'many', claims: { email: 'many@corp.test' }, body };
  const flows = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { url, cookie } = await begin(project, { ...body, callbackURL: `${site}/in` });
      return { callback: await idp.signInAt(url, wish), cookie };
    }),
  );
  await Promise.all(flows.map(({ callback, cookie }) => goBack(project, callback, { cookie })));
  const rows = await project.sql(
    `select u.id, a."accountId" from auth."user" u join auth.account a on a."userId" = u.id
     where u.email = 'many@corp.test'`,
  );
  expect(rows).toHaveLength(1);
});

test('a session of somebody else in the browser is left behind', async () => {
  const { headers } = await signUp(project, 'other@app.test');
  const planted = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const email = 'fixed@corp.test';
  const { url, cookie } = await begin(project, { ...body, callbackURL: '/' });
  const callback = await idp.signInAt(url, { login: email, claims: { email } });
  const done = await goBack(project, callback, { cookie: `${planted}; ${cookie}` });
  expect(await sessionOf(project, done.token)).toMatchObject({ email });
});
