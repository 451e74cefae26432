// Native sign-in by an id token: {provider, idToken, nonce} (specification: plugin routes), and the same as
// {provider, idToken: {token, nonce}}.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { IdTokenWish } from '../support/oidc-id-token.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { type AuthProject, type Reply, signUp } from './auth-project.js';
import {
  clientId,
  customEntry,
  openProjectWith,
  openProvider,
  person,
  settingsWith,
} from './oauth-flow.js';
import { bearer, textAt } from '../support/replies.js';

const nonce = 'n-0S6_WzA2Mj';
let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp);
});
beforeEach(() => project.sql('delete from auth."user"'));
afterAll(async () => {
  await project.close();
  await idp.close();
});

const mint = (wish: Partial<IdTokenWish> = {}) =>
  idp.mintIdToken({ clientId, person: person('ann'), nonce, ...wish });

const send = (body: object, provider = 'acme'): Promise<Reply> =>
  project.post('/sign-in/social', { body: { provider, ...body } });

async function expectNoSession(reply: Reply): Promise<void> {
  expect(reply.headers.get('set-auth-token')).toBeNull();
  expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
  expect(await project.sql('select 1 from auth.session')).toHaveLength(0);
  expect(await project.sql('select 1 from auth."user"')).toHaveLength(0);
}

describe('an id token signs in', () => {
  test.each([
    { name: 'beside its nonce', body: (token: string) => ({ idToken: token, nonce }) },
    { name: 'together with its nonce', body: (token: string) => ({ idToken: { token, nonce } }) },
  ])('$name', async ({ body }) => {
    const reply = await send(body(await mint()));
    expect(reply).toMatchObject({
      status: 200,
      body: {
        token: expect.any(String),
        user: { email: 'ann@people.example', emailVerified: true },
      },
    });
    const session = await project.get('/get-session', {
      headers: bearer(textAt(reply.body, 'token')),
    });
    expect(session).toMatchObject({ body: { user: { email: 'ann@people.example' } } });
  });

  test.each(['hex', 'base64url'] as const)(
    'when it has the digest of the nonce in %s, as kits of some providers make it',
    async (form) => {
      const digest = createHash('sha256').update(nonce).digest(form);
      const reply = await send({ idToken: await mint({ nonce: digest }), nonce });
      expect(reply.status).toBe(200);
    },
  );

  test('without a nonce when it has none', async () => {
    const token = await idp.mintIdToken({ clientId, person: person('ann') });
    expect((await send({ idToken: token })).status).toBe(200);
  });

  test('to the same account as a redirect', async () => {
    await send({ idToken: await mint(), nonce });
    await send({ idToken: await mint(), nonce });
    const accounts = await project.sql('select "providerId", "accountId" from auth.account');
    expect(accounts).toEqual([{ providerId: 'acme', accountId: 'ann' }]);
  });
});

describe('an id token gives no session', () => {
  test.each<{ name: string; wish?: Partial<IdTokenWish>; body?: object }>([
    { name: 'with another nonce than the one sent', body: { nonce: 'other' } },
    { name: 'with a nonce when none is sent', body: { nonce: undefined } },
    { name: 'with a nonce when an empty one is sent', body: { nonce: '' } },
    { name: 'for another audience', wish: { clientId: 'other' } },
    { name: 'that has expired', wish: { expiresInSeconds: -60 } },
    { name: 'signed by a stranger', wish: { signer: 'stranger' } },
    { name: 'signed by nobody (alg none)', wish: { signer: 'nobody' } },
    { name: 'without a subject', wish: { person: { login: 'ann', claims: { sub: undefined } } } },
    {
      name: 'of another issuer',
      wish: { person: person('ann', { iss: 'https://other.example' }) },
    },
  ])('$name', async ({ wish, body }) => {
    const reply = await send({ idToken: await mint(wish), nonce, ...body });
    expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    await expectNoSession(reply);
  });

  test('without a nonce when one is sent', async () => {
    const token = await idp.mintIdToken({ clientId, person: person('ann') });
    const reply = await send({ idToken: token, nonce });
    expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    await expectNoSession(reply);
  });

  test('of another provider with the same client id', async () => {
    const other = await openOidcIdentityProvider();
    const token = await other.mintIdToken({ clientId, person: person('ann'), nonce });
    await other.close();
    const reply = await send({ idToken: token, nonce });
    expect(reply.status).toBe(401);
    await expectNoSession(reply);
  });

  test.each([
    { name: 'an empty text', token: '' },
    { name: 'a word', token: 'x' },
    { name: 'three words', token: 'a.b.c' },
    { name: 'a long text', token: `${'a'.repeat(20_000)}.b.c` },
  ])('when it is $name', async ({ token }) => {
    const reply = await send({ idToken: token, nonce });
    expect(reply.status).toBe(401);
    await expectNoSession(reply);
  });

  test.each(['google', 'apple', 'nobody'])('of %s, which is not configured', async (provider) => {
    const reply = await send({ idToken: await mint(), nonce }, provider);
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
    await expectNoSession(reply);
  });

  test('of a provider that has no way to check them', async () => {
    const entry = customEntry(idp, {
      discoveryUrl: undefined,
      authorizationUrl: `${idp.issuer}/auth`,
      tokenUrl: `${idp.issuer}/token`,
      userInfoUrl: `${idp.issuer}/me`,
    });
    const via = await project.rebuild(settingsWith(entry));
    const body = { provider: 'acme', idToken: await mint(), nonce };
    const reply = await project.post('/sign-in/social', { body, via });
    expect(reply).toMatchObject({ status: 404, body: { code: 'ID_TOKEN_NOT_SUPPORTED' } });
    await expectNoSession(reply);
  });

  test('to somebody new where new people are not wanted', async () => {
    const via = await project.rebuild(settingsWith(customEntry(idp, { createUsers: false })));
    const body = { provider: 'acme', idToken: await mint(), nonce };
    const reply = await project.post('/sign-in/social', { body, via });
    expect(reply.status).toBe(401);
    await expectNoSession(reply);
  });

  test('to the account of another whose address was never verified (pre-hijack)', async () => {
    await signUp(project, 'ann@people.example');
    const reply = await send({ idToken: await mint(), nonce });
    expect(reply.status).toBe(401);
    expect(await project.sql('select 1 from auth.account')).toHaveLength(1);
  });

  test('with an access token of somebody else, which is not looked at', async () => {
    const token = await mint({ person: { login: 'ann' } });
    const before = idp.requests.length;
    const reply = await send({ idToken: { token, nonce, accessToken: 'of somebody else' } });
    expect(reply.status).toBe(401);
    expect(idp.requests.slice(before)).not.toContain('GET /me');
    await expectNoSession(reply);
  });
});
