// Redirect flows: what begins them, where the page goes, and what comes back.
import { createHash } from 'node:crypto';

import { afterEach, describe, expect, test } from 'vitest';

import {
  authClient,
  eventsOf,
  flush,
  openPage,
  signedInReply,
  storageKey,
  user,
  wireOf,
} from '../../tests/auth-client.js';
import { memoryStorage } from '../storage.js';

const provider = { body: { url: 'https://idp.test/authorize', redirect: true } };
const session = { access_token: 'tok', accessToken: 'tok', token_type: 'bearer', user };

let closePage = () => {};
afterEach(() => {
  closePage();
  closePage = () => {};
});

/** A page at an address. `visited` is where it was sent and what its address became. */
function openPageAt(href: string) {
  const visited: string[] = [];
  const location = { href, protocol: 'http:', assign: (to: string) => void visited.push(to) };
  const history = {
    replaceState: (_: unknown, __: string, to: string) => {
      visited.push(to);
      location.href = to;
    },
  };
  closePage = openPage({ document: {}, location, history });
  return visited;
}

const challengeOf = (verifier: unknown) =>
  createHash('sha256').update(String(verifier)).digest('base64url');

describe('signInWithOAuth', () => {
  test('asks for the address with a challenge whose verifier stays here', async () => {
    const { auth, sent, storage } = authClient([provider]);
    const { data, error } = await auth.signInWithOAuth({
      provider: 'github',
      options: {
        redirectTo: 'http://app.test/back',
        scopes: 'repo  gist',
        queryParams: { prompt: 'consent' },
      },
    });
    expect({ data, error }).toEqual({
      data: { provider: 'github', url: 'https://idp.test/authorize' },
      error: null,
    });
    const verifier = await storage.getItem(`${storageKey}.flow`);
    expect(sent.map(wireOf)).toEqual([
      {
        method: 'POST',
        target: '/api/auth/sign-in/social',
        headers: { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': challengeOf(verifier) },
        body: {
          provider: 'github',
          disableRedirect: true,
          callbackURL: 'http://app.test/back',
          errorCallbackURL: 'http://app.test/back',
          scopes: ['repo', 'gist'],
          additionalParams: { prompt: 'consent' },
        },
      },
    ]);
    expect(String(verifier).length).toBeGreaterThanOrEqual(43);
  });

  test('takes a page to the provider, and back to where it was, without its query', async () => {
    const visited = openPageAt('http://app.test/login?next=1#top');
    const { auth, sent } = authClient([provider]);
    await auth.signInWithOAuth({ provider: 'github' });
    expect(visited).toEqual(['https://idp.test/authorize']);
    expect(sent[0]?.body).toMatchObject({ callbackURL: 'http://app.test/login' });
  });

  test('goes nowhere when the page wants to go itself', async () => {
    const visited = openPageAt('http://app.test/');
    const { auth } = authClient([provider]);
    const options = { skipBrowserRedirect: true };
    const { data } = await auth.signInWithOAuth({ provider: 'github', options });
    expect(data?.url).toBe('https://idp.test/authorize');
    expect(visited).toEqual([]);
  });

  test('is an error for a provider that the project does not have, and goes nowhere', async () => {
    const visited = openPageAt('http://app.test/');
    const { auth } = authClient([{ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } }]);
    const answer = await auth.signInWithOAuth({ provider: 'x' });
    expect(answer).toMatchObject({
      data: null,
      error: { status: 404, code: 'PROVIDER_NOT_FOUND' },
    });
    expect(visited).toEqual([]);
  });

  test('without digests, as on a page over plain HTTP, has no challenge', async () => {
    closePage = openPage({ crypto: {} });
    const { auth, sent } = authClient([provider]);
    await auth.signInWithOAuth({ provider: 'github' });
    expect(sent.map(({ headers }) => headers['x-code-challenge'])).toEqual([undefined]);
    expect(sent[0]?.headers).toMatchObject({ 'x-rowhouse-flow': 'rowhouse_code' });
  });
});

describe('signInWithSSO', () => {
  test.each([
    { name: 'address', by: { email: 'ada@corp.test' } },
    { name: 'domain', by: { domain: 'corp.test' } },
    { name: 'provider', by: { providerId: 'corp' } },
    { name: 'slug of the organization', by: { organizationSlug: 'corp' } },
  ])('finds the provider by $name', async ({ by }) => {
    const { auth, sent } = authClient([provider]);
    const options = { redirectTo: 'http://app.test/back' };
    const { data } = await auth.signInWithSSO({ ...by, options });
    expect(data).toEqual({ url: 'https://idp.test/authorize' });
    expect(sent[0]).toMatchObject({
      target: '/api/auth/sign-in/sso',
      headers: { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': expect.any(String) },
      body: { ...by, callbackURL: 'http://app.test/back' },
    });
  });

  test.each([
    {
      name: 'without saying whose provider',
      credentials: { options: { redirectTo: 'http://x/' } },
    },
    { name: 'outside of pages without saying where to lead', credentials: { domain: 'corp.test' } },
  ])('$name is refused', async ({ credentials }) => {
    const { auth, sent } = authClient([provider]);
    const { error } = await auth.signInWithSSO(credentials);
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(sent).toEqual([]);
  });
});

test.each([
  { name: 'token', given: { token: 'id' } },
  { name: 'idToken', given: { idToken: 'id' } },
])('signInWithIdToken sends the token, given as $name, with its nonce', async ({ given }) => {
  const { auth, sent } = authClient([signedInReply]);
  const { data } = await auth.signInWithIdToken({
    provider: 'google',
    ...given,
    nonce: 'n',
    access_token: 'at',
  });
  expect(data).toEqual({ user, session });
  expect(sent.map(wireOf)).toEqual([
    {
      method: 'POST',
      target: '/api/auth/sign-in/social',
      headers: {},
      body: { provider: 'google', idToken: { token: 'id', nonce: 'n', accessToken: 'at' } },
    },
  ]);
});

describe('exchangeCodeForSession', () => {
  test('trades the code with the verifier of the flow, which is used up then', async () => {
    const { auth, sent, storage } = authClient([provider, signedInReply]);
    await auth.signInWithOAuth({ provider: 'github' });
    const verifier = await storage.getItem(`${storageKey}.flow`);
    expect(await auth.exchangeCodeForSession('c1')).toEqual({
      data: { user, session },
      error: null,
    });
    expect(sent.at(-1)).toMatchObject({
      target: '/api/auth/exchange-code',
      body: { code: 'c1', codeVerifier: verifier },
    });
    expect(await storage.getItem(`${storageKey}.flow`)).toBeFalsy();
  });

  test('has no verifier for the code of a mailed link', async () => {
    const { auth, sent } = authClient([{ body: { status: true } }, signedInReply]);
    await auth.signInWithOtp({ email: 'a@b.c', options: { emailRedirectTo: 'http://x/' } });
    await auth.exchangeCodeForSession('c1');
    expect(sent.at(-1)?.body).toEqual({ code: 'c1' });
  });

  test('asked twice for the same code trades it once', async () => {
    const { auth, sent } = authClient([signedInReply]);
    const answers = await Promise.all([1, 2].map(() => auth.exchangeCodeForSession('c1')));
    expect(answers.map(({ data }) => data.session)).toEqual([session, session]);
    expect(sent).toHaveLength(1);
  });

  test('keeps the verifier when the code is refused', async () => {
    const refused = { status: 400, body: { code: 'INVALID_CODE' } };
    const { auth, storage } = authClient([provider, refused]);
    await auth.signInWithOAuth({ provider: 'github' });
    expect((await auth.exchangeCodeForSession('x')).error).toMatchObject({ code: 'INVALID_CODE' });
    expect(await storage.getItem(`${storageKey}.flow`)).toBeTruthy();
  });
});

describe('getSessionFromUrl', () => {
  test('signs in with the code in an address', async () => {
    const { auth } = authClient([signedInReply]);
    const answer = await auth.getSessionFromUrl({
      url: 'http://app.test/back?rowhouse_code=c1&a=1',
    });
    expect(answer.data.session).toEqual(session);
  });

  test('takes the code out of the address of the page', async () => {
    const visited = openPageAt('http://app.test/back?a=1&rowhouse_code=c1#top');
    const { auth, sent } = authClient([signedInReply]);
    expect((await auth.getSessionFromUrl()).data.session).toEqual(session);
    expect(visited).toEqual(['http://app.test/back?a=1#top']);
    expect(sent).toHaveLength(1);
  });

  test.each([
    { name: 'before and behind it', query: 'code=SPRING26&rowhouse_code=c1&a=1&a=2' },
    { name: 'as they are written', query: 'q=a%20b+c&x&y=&&rowhouse_code=c1&next=/b?c' },
    { name: 'that look like results', query: 'error=none&state=s&rowhouse_code=c1&error=' },
    { name: 'whose names begin alike', query: 'rowhouse_codes=1&rowhouse_code=c1' },
  ])('leaves the parameters of the application: $name', async ({ query }) => {
    const visited = openPageAt(`http://app.test/back?${query}#/in?code=2`);
    const { auth, sent } = authClient([signedInReply]);
    expect((await auth.getSessionFromUrl()).data.session).toEqual(session);
    expect(sent[0]?.body).toMatchObject({ code: 'c1' });
    expect(visited).toEqual([
      `http://app.test/back?${query.replace('rowhouse_code=c1&', '').replace('&rowhouse_code=c1', '')}#/in?code=2`,
    ]);
  });

  test('gives the error that the flow ended with', async () => {
    openPageAt(
      'http://app.test/back?rowhouse_error=access_denied&rowhouse_error_description=Not+today',
    );
    const { auth, sent } = authClient([signedInReply]);
    const { error } = await auth.getSessionFromUrl();
    expect(error).toMatchObject({ status: 400, code: 'access_denied', message: 'Not today' });
    expect(sent).toEqual([]);
  });

  test('gives nothing for an address that brings nothing', async () => {
    const { auth } = authClient([signedInReply]);
    const answer = await auth.getSessionFromUrl({ url: 'http://app.test/#access_token=stolen' });
    expect(answer).toEqual({ data: { user: null, session: null }, error: null });
  });

  test('needs an address where there is no page', async () => {
    const { error } = await authClient([signedInReply]).auth.getSessionFromUrl();
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('a page that a flow leads back to', () => {
  test('is signed in by itself, and INITIAL_SESSION waits for it', async () => {
    openPageAt('http://app.test/back?rowhouse_code=c1');
    const storage = memoryStorage();
    await storage.setItem(`${storageKey}.flow`, 'verifier');
    const made = authClient([signedInReply], { storage });
    const heard: unknown[] = [];
    made.auth.onAuthStateChange((event, now) => heard.push([event, now?.access_token]));
    expect((await made.auth.getSession()).data.session).toEqual(session);
    await flush();
    expect(heard).toEqual([
      ['INITIAL_SESSION', 'tok'],
      ['SIGNED_IN', 'tok'],
    ]);
    expect(made.sent.map(({ path }) => path)).toEqual(['/api/auth/exchange-code']);
  });

  test('leaves the code of somebody else alone', async () => {
    const visited = openPageAt('http://app.test/back?rowhouse_code=c1');
    const made = authClient([signedInReply]);
    eventsOf(made);
    expect((await made.auth.getSession()).data.session).toBeNull();
    expect([made.sent, visited]).toEqual([[], []]);
  });

  test.each([
    { name: 'a code of another service', query: 'code=c1&state=s' },
    { name: 'an error of another service', query: 'error=none&error_description=x' },
    { name: 'a fragment', query: 'a=1#rowhouse_code=c1' },
  ])('leaves $name alone while a flow is open', async ({ query }) => {
    const visited = openPageAt(`http://app.test/back?${query}`);
    const storage = memoryStorage();
    await storage.setItem(`${storageKey}.flow`, '-');
    const made = authClient([signedInReply], { storage });
    eventsOf(made);
    expect((await made.auth.getSession()).data.session).toBeNull();
    expect((await made.auth.getSessionFromUrl()).error).toBeNull();
    expect([made.sent, visited]).toEqual([[], []]);
    expect(await storage.getItem(`${storageKey}.flow`)).toBe('-');
  });

  test('can still be used when the code is refused', async () => {
    openPageAt('http://app.test/back?rowhouse_code=c1');
    const storage = memoryStorage();
    await storage.setItem(`${storageKey}.flow`, 'verifier');
    const { auth } = authClient([new TypeError('fetch failed')], { storage });
    expect((await auth.getSession()).data.session).toBeNull();
  });
});
