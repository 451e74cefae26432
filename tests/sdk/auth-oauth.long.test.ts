// Our own client signs people in at a real OpenID Connect provider, and links accounts there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClientOptions } from '#libs/sdk';

import type { OidcPerson } from '../support/oidc-id-token.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  type Opened,
  sentTo,
  site,
  visit,
} from './support/accounts.js';
import { openCookieJar } from './support/cookie-jar.js';

const nobody = { user: null, session: null };
const clientId = 'rowhouse';
const redirectTo = `${site}/back`;
let accounts: Accounts;
let idp: OidcIdentityProvider;
let count = 0;

beforeAll(async () => {
  const settings = { 'auth.methods.anonymous': { enabled: true } };
  [accounts, idp] = await Promise.all([openAccounts({ settings }), openOidcIdentityProvider()]);
  const { project } = accounts;
  const callback = `http://${project.host}:${new URL(project.apiOrigin).port}/api/auth/oauth2/callback`;
  const ids = ['acme', 'other'];
  idp.addClient({ clientId, redirectUris: ids.map((id) => `${callback}/${id}`) });
  const { discoveryUrl } = idp;
  const provider = { clientId, clientSecret: `${clientId}-secret`, discoveryUrl };
  await accounts.save('auth.oauth.custom', {
    providers: [
      ...ids.map((providerId) => ({ ...provider, providerId })),
      { ...provider, providerId: 'closed', enabled: false },
    ],
  });
});
afterAll(async () => {
  await accounts.close();
  await idp.close();
});

/** Somebody with a verified address at the provider. */
function newcomer(): OidcPerson {
  count += 1;
  const login = `member${count}`;
  return { login, claims: { email: `${login}@people.example`, email_verified: true, name: login } };
}

interface Journey {
  readonly provider?: string;
  readonly refuses?: boolean;
}

/** Begins to sign in, signs in at the provider and comes back: the address that the browser ends at. */
async function journey(
  { auth }: Opened,
  person: OidcPerson,
  { provider = 'acme', refuses = false }: Journey = {},
): Promise<string> {
  const { url } = await dataOf(auth.signInWithOAuth({ provider, options: { redirectTo } }));
  return sentTo(await visit(accounts.project, await idp.signInAt(url, person, { refuses })));
}

describe('signInWithOAuth', () => {
  test('goes to the provider with what was asked for', async () => {
    const options = { redirectTo, scopes: 'offline_access', queryParams: { login_hint: 'ann' } };
    const { auth } = accounts.open();
    const { provider, url } = await dataOf(auth.signInWithOAuth({ provider: 'acme', options }));
    const { origin, searchParams } = new URL(url);
    expect([provider, origin]).toEqual(['acme', idp.issuer]);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: 'openid email profile offline_access',
      login_hint: 'ann',
      code_challenge_method: 'S256',
    });
  });

  test('ends with a code that the client trades for a session', async () => {
    const person = newcomer();
    const opened = accounts.open();
    const address = await journey(opened, person);
    expect(address).toMatch(/^https:\/\/app\.example\.org\/back\?rowhouse_code=[\w-]+$/);
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
    const { user } = await dataOf(opened.auth.getSessionFromUrl({ url: address }));
    expect(user).toMatchObject({ email: person.claims?.['email'], name: person.login });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    expect((await opened.auth.getUser()).data.user?.id).toBe(user?.id);
    const { identities } = await dataOf(opened.auth.getUserIdentities());
    expect(identities).toMatchObject([{ provider: 'acme', id: person.login, user_id: user?.id }]);
  });

  test("leaves the application's own parameters in the address", async () => {
    const opened = accounts.open();
    const target = `${redirectTo}?code=SPRING26&error=none&a=1&a=2`;
    const options = { redirectTo: target };
    const { url } = await dataOf(opened.auth.signInWithOAuth({ provider: 'acme', options }));
    const person = newcomer();
    const address = sentTo(await visit(accounts.project, await idp.signInAt(url, person)));
    expect(address).toMatch(/\/back\?code=SPRING26&error=none&a=1&a=2&rowhouse_code=[\w-]+$/);
    const { user } = await dataOf(opened.auth.getSessionFromUrl({ url: address }));
    expect(user).toMatchObject({ email: person.claims?.['email'] });
  });

  test('finds the same user the next time', async () => {
    const person = newcomer();
    const signIn = async () => {
      const opened = accounts.open();
      const url = await journey(opened, person);
      return (await dataOf(opened.auth.getSessionFromUrl({ url }))).user?.id;
    };
    expect(await signIn()).toBe(await signIn());
  });

  test.each([
    { name: 'that began nothing', begin: async () => undefined },
    {
      name: 'that began a sign-in of its own',
      begin: ({ auth }: Opened) => auth.signInWithOAuth({ provider: 'acme' }),
    },
  ])('gives nothing to another browser $name', async ({ begin }) => {
    const opened = accounts.open();
    const url = await journey(opened, newcomer());
    const other = accounts.open();
    await begin(other);
    const stolen = await other.auth.getSessionFromUrl({ url });
    expect(stolen).toMatchObject({ data: nobody, error: { status: 400 } });
    expect(await eventsOf(other)).toEqual(['INITIAL_SESSION']);
    expect((await other.auth.getSession()).data.session).toBeNull();
  });

  test('that the person refuses tells so, and leaves who was signed in alone', async () => {
    const person = await accounts.signedUp();
    const url = await journey(person, newcomer(), { refuses: true });
    expect(await person.auth.getSessionFromUrl({ url })).toMatchObject({
      data: nobody,
      error: { status: 400, code: 'access_denied' },
    });
    expect((await person.auth.getSession()).data.session?.access_token).toBe(person.token);
    expect(await eventsOf(person)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test('whose provider fails on the way back brings an error', async () => {
    const opened = accounts.open();
    const options = { redirectTo };
    const { url } = await dataOf(opened.auth.signInWithOAuth({ provider: 'acme', options }));
    const back = await idp.signInAt(url, newcomer());
    idp.fail(500, 'token');
    const address = sentTo(await visit(accounts.project, back));
    idp.resume();
    expect(address).toContain(redirectTo);
    const answer = await opened.auth.getSessionFromUrl({ url: address });
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
  });

  test.each([
    { name: 'nobody knows', provider: 'nobody' },
    { name: 'is turned off', provider: 'closed' },
  ])('with a provider that $name is refused', async ({ provider }) => {
    const answer = await accounts.open().auth.signInWithOAuth({ provider });
    expect(answer).toMatchObject({ data: null, error: { status: 404 } });
  });

  test('may not lead to a site that is not the application', async () => {
    const options = { redirectTo: 'https://evil.example' };
    const { error } = await accounts.open().auth.signInWithOAuth({ provider: 'acme', options });
    expect(error?.status).toBeGreaterThanOrEqual(400);
  });
});

describe('signInWithIdToken', () => {
  const wish = (person: OidcPerson) => ({ clientId, person, nonce: 'n-0S6_WzA2Mj' });

  test('signs in whom the provider vouches for', async () => {
    const person = newcomer();
    const opened = accounts.open();
    const token = await idp.mintIdToken(wish(person));
    const credentials = { provider: 'acme', token, nonce: 'n-0S6_WzA2Mj' };
    const { user } = await dataOf(opened.auth.signInWithIdToken(credentials));
    expect(user?.email).toBe(person.claims?.['email']);
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test.each([
    { name: 'of another nonce', change: { nonce: 'another' } },
    { name: 'for another application', change: { clientId: 'stranger' } },
    { name: 'that has expired', change: { expiresInSeconds: -60 } },
    { name: 'signed by a stranger', change: { signer: 'stranger' as const } },
    { name: 'signed by nobody', change: { signer: 'nobody' as const } },
  ])('refuses a token $name', async ({ change }) => {
    const opened = accounts.open();
    const token = await idp.mintIdToken({ ...wish(newcomer()), ...change });
    const answer = await opened.auth.signInWithIdToken({
      provider: 'acme',
      token,
      nonce: 'n-0S6_WzA2Mj',
    });
    expect(answer).toMatchObject({ data: nobody, error: { status: 401 } });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
  });
});

describe('linkIdentity', () => {
  /** A client in a browser, whose cookies prove that it began. */
  const inBrowser = async (signIn: (opened: Opened) => Promise<{ readonly error: unknown }>) => {
    const jar = openCookieJar(site);
    const options: ClientOptions = { fetch: jar.fetch };
    const opened = accounts.open(options);
    expect((await signIn(opened)).error).toBeNull();
    return { ...opened, jar };
  };
  const signUp = ({ auth }: Opened) =>
    auth.signUp({ email: accounts.newEmail(), password: 'correct horse battery' });

  /** Goes to the provider to link an account there, and comes back: the address at the end. */
  async function link(
    { auth }: Opened,
    person: OidcPerson,
    cookies: () => string,
    provider = 'acme',
  ): Promise<string> {
    const { url } = await dataOf(auth.linkIdentity({ provider, options: { redirectTo } }));
    return sentTo(await visit(accounts.project, await idp.signInAt(url, person), cookies()));
  }
  const namesOf = async ({ auth }: Opened) =>
    (await dataOf(auth.getUserIdentities())).identities.map(({ provider }) => provider).toSorted();

  test('adds a way to sign in, which unlinkIdentity takes away', async () => {
    const person = newcomer();
    const opened = await inBrowser(signUp);
    expect(await link(opened, person, opened.jar.header)).toBe(redirectTo);
    expect(await namesOf(opened)).toEqual(['acme', 'credential']);
    const { data: own } = await opened.auth.getUser();
    const device = accounts.open();
    const url = await journey(device, person);
    expect((await dataOf(device.auth.getSessionFromUrl({ url }))).user?.id).toBe(own.user?.id);
    const { identities } = await dataOf(opened.auth.getUserIdentities());
    const [linked] = identities.filter(({ provider }) => provider === 'acme');
    expect(await opened.auth.unlinkIdentity({ identity_id: linked?.identity_id ?? '' })).toEqual({
      data: {},
      error: null,
    });
    expect(await namesOf(opened)).toEqual(['credential']);
  });

  test('makes a guest permanent, with the same id', async () => {
    const person = newcomer();
    const opened = await inBrowser(({ auth }) => auth.signInAnonymously());
    const { data: guest } = await opened.auth.getUser();
    expect(guest.user?.is_anonymous).toBe(true);
    expect(await link(opened, person, opened.jar.header)).toBe(redirectTo);
    const { data } = await opened.auth.getUser();
    expect(data.user).toMatchObject({ id: guest.user?.id, is_anonymous: false });
  });

  test('links nothing in a browser that did not begin', async () => {
    const opened = await inBrowser(signUp);
    const address = await link(opened, newcomer(), () => '');
    expect(new URL(address).searchParams.get('rowhouse_error')).toBe('state_mismatch');
    expect(await namesOf(opened)).toEqual(['credential']);
  });

  test('does not take the account of another user', async () => {
    const person = newcomer();
    const owner = accounts.open();
    await owner.auth.getSessionFromUrl({ url: await journey(owner, person) });
    const thief = await inBrowser(signUp);
    const address = await link(thief, person, thief.jar.header);
    expect(new URL(address).searchParams.get('rowhouse_error')).not.toBeNull();
    expect(await namesOf(thief)).toEqual(['credential']);
    expect(await namesOf(owner)).toEqual(['acme']);
  });

  test('is for who is signed in', async () => {
    const { error } = await accounts.open().auth.linkIdentity({ provider: 'acme' });
    expect(error).toMatchObject({ status: 401 });
  });

  test('the last way to sign in stays, and those of others cannot be taken away', async () => {
    const owner = accounts.open();
    await owner.auth.getSessionFromUrl({ url: await journey(owner, newcomer()) });
    const { identities } = await dataOf(owner.auth.getUserIdentities());
    const [only] = identities;
    if (!only) throw new Error('there is no identity');
    expect((await owner.auth.unlinkIdentity(only)).error?.status).toBe(400);
    const stranger = await accounts.signedUp();
    expect((await stranger.auth.unlinkIdentity(only)).error?.status).toBe(400);
    expect(await namesOf(owner)).toEqual(['acme']);
  });
});
