// Single sign-on with our own client: providers are managed, and people sign in at real ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  openSamlIdentityProvider,
  type SamlAnswer,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  type Opened,
  type Person,
  sentTo,
  site,
  visit,
} from './support/accounts.js';

const nobody = { user: null, session: null };
const options = { redirectTo: `${site}/back` };
let accounts: Accounts;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;
let admin: Person;

beforeAll(async () => {
  [accounts, oidc, saml] = await Promise.all([
    openAccounts({
      settings: { 'auth.sso': { enabled: true }, 'auth.organization': { enabled: true } },
    }),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  admin = await administrator();
});
afterAll(async () => {
  await Promise.all([accounts.close(), oidc.close(), saml.close()]);
});

/** Somebody signed in who may manage the providers of the whole project. */
async function administrator(): Promise<Person> {
  const person = await verified();
  const { auth } = accounts.open({}, accounts.project.secretKey);
  await dataOf(auth.admin.updateUserById(person.id, { role: 'ADMIN' }));
  return person;
}

async function verified(): Promise<Person> {
  const person = await accounts.signedUp();
  await accounts.rows('update auth."user" set "emailVerified" = true where id = $1', [person.id]);
  return person;
}

/** Registers the OpenID Connect provider under an id, on both sides. */
async function registerOidc(by: Opened, providerId: string, organizationId?: string) {
  const oidcConfig = { clientId: providerId, clientSecret: `${providerId}-secret` };
  const provider = { providerId, issuer: oidc.issuer, domain: `${providerId}.test`, oidcConfig };
  const made = await dataOf(
    by.auth.sso.register({ ...provider, ...(organizationId !== undefined && { organizationId }) }),
  );
  oidc.addClient({ clientId: providerId, redirectUris: [made.redirectURI] });
  return made;
}

function registerSaml(by: Opened, providerId: string) {
  const samlConfig = { idpMetadata: { metadata: saml.metadata } };
  const provider = { providerId, issuer: saml.entityId, domain: `${providerId}.test`, samlConfig };
  return dataOf(by.auth.sso.register(provider));
}

/** Posts what the SAML provider answers, as the browser does whose page is of another site. */
async function postAnswer(authnRequestUrl: string, answer: SamlAnswer): Promise<string> {
  const post = await saml.respondTo(authnRequestUrl, answer);
  const { acsUrl, SAMLResponse, RelayState = '' } = post;
  const reply = await accounts.project.send({
    method: 'POST',
    path: new URL(acsUrl).pathname,
    body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      'sec-fetch-site': 'cross-site',
    },
  });
  return sentTo(reply);
}

describe('providers', () => {
  test('are registered, listed without their secrets, changed and deleted', async () => {
    const { sso } = admin.auth;
    const made = await registerOidc(admin, 'managed');
    expect(made).toMatchObject({ providerId: 'managed', domain: 'managed.test' });
    expect(made.redirectURI).toMatch(/\/api\/auth\/sso\/callback\/managed$/);
    const listed = await dataOf(sso.list());
    expect(listed.providers.map(({ providerId }) => providerId)).toContain('managed');
    expect(JSON.stringify(listed)).not.toContain('managed-secret');
    await dataOf(sso.update({ providerId: 'managed', domain: 'moved.test' }));
    const shown = await dataOf(sso.get({ providerId: 'managed' }));
    expect(shown).toMatchObject({ domain: 'moved.test', issuer: oidc.issuer });
    expect((await sso.delete({ providerId: 'managed' })).error).toBeNull();
    expect((await sso.get({ providerId: 'managed' })).error).toMatchObject({ status: 404 });
  });

  test.each([
    { name: 'a visitor', by: async () => accounts.open(), status: 401 },
    { name: 'a user without rights', by: () => verified(), status: 403 },
  ])('of the project are not registered by $name', async ({ by, status }) => {
    const { auth } = await by();
    const oidcConfig = { clientId: 'x', clientSecret: 'y' };
    const provider = { providerId: 'stolen', issuer: oidc.issuer, domain: 'gmail.test' };
    const answer = await auth.sso.register({ ...provider, oidcConfig });
    expect(answer).toMatchObject({ data: null, error: { status } });
    expect((await admin.auth.sso.get({ providerId: 'stolen' })).error?.status).toBe(404);
  });

  test('are not seen or deleted by who may not manage them', async () => {
    await registerOidc(admin, 'guarded');
    const { auth } = await verified();
    expect((await dataOf(auth.sso.list())).providers).toEqual([]);
    expect((await auth.sso.delete({ providerId: 'guarded' })).error?.status).toBeGreaterThanOrEqual(
      403,
    );
    await dataOf(admin.auth.sso.get({ providerId: 'guarded' }));
  });
});

describe('signing in', () => {
  test.each([
    { name: 'the domain of an address', whose: { email: 'somebody@corp.test' } },
    { name: 'a domain', whose: { domain: 'corp.test' } },
    { name: 'the id of the provider', whose: { providerId: 'corp' } },
  ])('by OpenID Connect, found by $name', async ({ whose }) => {
    if ((await admin.auth.sso.get({ providerId: 'corp' })).error) await registerOidc(admin, 'corp');
    const opened = accounts.open();
    const { url } = await dataOf(opened.auth.signInWithSSO({ ...whose, options }));
    const email = `${Object.keys(whose).join()}@corp.test`.toLowerCase();
    const back = await oidc.signInAt(url, {
      login: email,
      claims: { email, email_verified: true, name: 'Pat' },
    });
    const address = sentTo(await visit(accounts.project, back));
    expect(address).toMatch(/^https:\/\/app\.example\.org\/back\?rowhouse_code=[\w-]+$/);
    const { user } = await dataOf(opened.auth.getSessionFromUrl({ url: address }));
    expect(user).toMatchObject({ email, role: 'USER' });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test('by SAML', async () => {
    await registerSaml(admin, 'signed');
    const opened = accounts.open();
    const { url } = await dataOf(opened.auth.signInWithSSO({ domain: 'signed.test', options }));
    const address = await postAnswer(url, { nameId: 'pat@signed.test' });
    const { user } = await dataOf(opened.auth.getSessionFromUrl({ url: address }));
    expect(user?.email).toBe('pat@signed.test');
    const other = await accounts.open().auth.getSessionFromUrl({ url: address });
    expect(other).toMatchObject({ data: nobody, error: { status: 400 } });
  });

  test.each(['tampered', 'stranger', 'expired', 'wrong-audience'] as const)(
    'by a SAML answer that is %s brings an error',
    async (flaw) => {
      const providerId = `saml-${flaw}`;
      await registerSaml(admin, providerId);
      const opened = accounts.open();
      const { url } = await dataOf(opened.auth.signInWithSSO({ providerId, options }));
      const nameId = `pat@${providerId}.test`;
      const address = await postAnswer(url, { nameId, flaw });
      expect(await opened.auth.getSessionFromUrl({ url: address })).toMatchObject({
        data: nobody,
        error: { status: 400 },
      });
      expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
      const made = 'select from auth."user" where email like $1';
      expect(await accounts.rows(made, [`%@${providerId}.test`])).toEqual([]);
    },
  );

  test('that another browser has begun brings nothing to this one', async () => {
    await registerOidc(admin, 'bound');
    const opened = accounts.open();
    const { url } = await dataOf(opened.auth.signInWithSSO({ providerId: 'bound', options }));
    const claims = { email: 'eve@bound.test', email_verified: true };
    const back = await oidc.signInAt(url, { login: 'eve', claims });
    const address = sentTo(await visit(accounts.project, back));
    const victim = accounts.open();
    await victim.auth.signInWithSSO({ providerId: 'bound', options });
    const answer = await victim.auth.getSessionFromUrl({ url: address });
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    expect(await eventsOf(victim)).toEqual(['INITIAL_SESSION']);
  });

  test.each([
    { name: 'a domain that nobody has', whose: { domain: 'nowhere.test' } },
    { name: 'an address of such a domain', whose: { email: 'a@nowhere.test' } },
    { name: 'a provider that nobody knows', whose: { providerId: 'nobody' } },
    { name: 'an organization that nobody knows', whose: { organizationSlug: 'nobody' } },
  ])('with $name is refused', async ({ whose }) => {
    const answer = await accounts.open().auth.signInWithSSO({ ...whose, options });
    expect(answer).toMatchObject({ data: null, error: { status: 404 } });
  });

  test('without saying where to lead back is refused', async () => {
    const answer = await accounts.open().auth.signInWithSSO({ domain: 'corp.test' });
    expect(answer.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });
});

test('people join the organization that the provider belongs to', async () => {
  const owner = await verified();
  const { id } = await dataOf(owner.auth.organization.create({ name: 'Org', slug: 'sso-org' }));
  expect((await registerOidc(admin, 'org', id)).organizationId).toBe(id);
  const opened = accounts.open();
  const { url } = await dataOf(opened.auth.signInWithSSO({ organizationSlug: 'sso-org', options }));
  const claims = { email: 'pat@org.test', email_verified: true };
  const back = await oidc.signInAt(url, { login: 'pat-of-org', claims });
  const address = sentTo(await visit(accounts.project, back));
  await dataOf(opened.auth.getSessionFromUrl({ url: address }));
  expect(await dataOf(opened.auth.organization.list())).toMatchObject([{ id }]);
  expect((await dataOf(owner.auth.organization.listMembers())).total).toBe(2);
});
