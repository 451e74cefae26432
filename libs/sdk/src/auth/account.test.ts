// What signed-in users do with their account, and what becomes of the session by it.
import { describe, expect, test } from 'vitest';

import { aliveReply, authClient, eventsOf, flush, user, wireOf } from '../../tests/auth-client.js';
import { createClient } from '../client.js';
import type { UserAttributes } from './account.js';

const bearer = { authorization: 'Bearer tok' };
const done = { body: { status: true } };
const signedIn = { token: 'tok' };

describe('updateUser', () => {
  test.each<{ name: string; attributes: UserAttributes; target: string; body: unknown }>([
    {
      name: 'sends name, user name, picture and metadata',
      attributes: { name: 'Ada', username: 'ada', image: 'i', data: { theme: 'dark' } },
      target: '/api/auth/update-user',
      body: { name: 'Ada', username: 'ada', image: 'i', data: { theme: 'dark' } },
    },
    {
      name: 'sends a password with the one before',
      attributes: { password: 'new', currentPassword: 'old' },
      target: '/api/auth/update-password',
      body: { newPassword: 'new', currentPassword: 'old' },
    },
    {
      name: 'knows the other spelling of the password before',
      attributes: { password: 'new', current_password: 'old' },
      target: '/api/auth/update-password',
      body: { newPassword: 'new', currentPassword: 'old' },
    },
    {
      name: 'sends a password with a nonce',
      attributes: { password: 'new', nonce: '123456' },
      target: '/api/auth/update-password',
      body: { newPassword: 'new', nonce: '123456' },
    },
    {
      name: 'makes a guest permanent with an address and a password at once',
      attributes: { email: 'ada@example.org', password: 'new' },
      target: '/api/auth/upgrade-anonymous',
      body: { email: 'ada@example.org', password: 'new' },
    },
    {
      name: 'sends a code to a new phone number',
      attributes: { phone: '+15550100' },
      target: '/api/auth/phone-number/send-otp',
      body: { phoneNumber: '+15550100' },
    },
  ])('$name', async ({ attributes, target, body }) => {
    const made = authClient([done, aliveReply], signedIn);
    const events = eventsOf(made);
    expect(await made.auth.updateUser(attributes)).toEqual({ data: { user }, error: null });
    expect(made.sent.map(wireOf)).toEqual([
      { method: 'POST', target, headers: bearer, body },
      { method: 'GET', target: '/api/auth/get-session', headers: bearer },
    ]);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'USER_UPDATED']);
  });

  test('goes on with the session that a new password begins', async () => {
    const rotated = { body: { status: true, token: 'tok2', user } };
    const made = authClient([rotated, done, aliveReply], signedIn);
    await made.auth.updateUser({ password: 'new', currentPassword: 'old', name: 'Ada' });
    expect(made.sent.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
      ['/api/auth/update-password', 'Bearer tok'],
      ['/api/auth/update-user', 'Bearer tok2'],
      ['/api/auth/get-session', 'Bearer tok2'],
    ]);
    expect((await made.auth.getSession()).data.session?.access_token).toBe('tok2');
  });

  test('ends with the first refusal, and a wrong password says nothing of the session', async () => {
    const wrong = { status: 401, body: { message: 'no', code: 'INVALID_CREDENTIALS' } };
    const made = authClient([wrong], signedIn);
    const answer = await made.auth.updateUser({ password: 'new', name: 'Ada' });
    expect(answer).toMatchObject({ data: { user: null }, error: { code: 'INVALID_CREDENTIALS' } });
    expect(made.sent).toHaveLength(1);
  });

  test.each([
    { name: 'of signedOut', options: {}, attributes: { name: 'Ada' }, code: 'UNAUTHORIZED' },
    { name: 'of nothing', options: signedIn, attributes: {}, code: 'INVALID_INPUT' },
  ])('$name is refused before anything is sent', async ({ options, attributes, code }) => {
    const { auth, sent } = authClient([done], options);
    expect((await auth.updateUser(attributes)).error).toMatchObject({ code });
    expect(sent).toEqual([]);
  });
});

test('reauthenticate asks for the nonce', async () => {
  const { auth, sent } = authClient([done], signedIn);
  expect((await auth.reauthenticate()).error).toBeNull();
  const target = '/api/auth/reauthenticate';
  expect(sent.map(wireOf)).toEqual([{ method: 'POST', target, headers: bearer, body: {} }]);
});

describe('deleteUser', () => {
  test('ends the session here too', async () => {
    const made = authClient([{ body: { success: true } }], signedIn);
    const events = eventsOf(made);
    expect((await made.auth.deleteUser({ password: 'p' })).error).toBeNull();
    expect(made.sent.map(wireOf)).toEqual([
      { method: 'POST', target: '/api/auth/delete-user', headers: bearer, body: { password: 'p' } },
    ]);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('keeps the session when the server refuses', async () => {
    const { auth } = authClient([{ status: 400, body: { code: 'SESSION_EXPIRED' } }], signedIn);
    expect((await auth.deleteUser()).error).toMatchObject({ code: 'SESSION_EXPIRED' });
    expect((await auth.getSession()).data.session?.access_token).toBe('tok');
  });
});

describe('identities', () => {
  const row = {
    id: 'a1',
    accountId: '77',
    providerId: 'github',
    userId: 'u1',
    scopes: ['repo'],
    createdAt: '2030-01-01',
    updatedAt: '2030-01-02',
  };
  const identity = {
    identity_id: 'a1',
    id: '77',
    user_id: 'u1',
    provider: 'github',
    scopes: ['repo'],
    created_at: '2030-01-01',
    updated_at: '2030-01-02',
  };

  test('are listed', async () => {
    const { auth, sent } = authClient([{ body: [row] }], signedIn);
    expect(await auth.getUserIdentities()).toEqual({
      data: { identities: [identity] },
      error: null,
    });
    const target = '/api/auth/list-accounts';
    expect(sent.map(wireOf)).toEqual([{ method: 'GET', target, headers: bearer }]);
  });

  test('are linked with cookies, and nothing else is sent with them', async () => {
    const sent: (readonly [path: string, credentials: unknown])[] = [];
    const record: typeof fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      sent.push([pathname, init?.credentials]);
      return Response.json({ url: 'https://idp.test/' });
    };
    const { auth } = createClient('http://shop.test', undefined, { fetch: record });
    await auth.linkIdentity({ provider: 'github' });
    await auth.signInWithOAuth({ provider: 'github' });
    expect(sent).toEqual([
      ['/api/auth/link-social', 'include'],
      ['/api/auth/sign-in/social', undefined],
    ]);
  });

  test('are linked as the signed-in user, by the page of the provider', async () => {
    const { auth, sent } = authClient([{ body: { url: 'https://idp.test/' } }], signedIn);
    const options = { redirectTo: 'http://app.test/' };
    const { data } = await auth.linkIdentity({ provider: 'github', options });
    expect(data).toEqual({ provider: 'github', url: 'https://idp.test/' });
    expect(sent.map(wireOf)).toEqual([
      {
        method: 'POST',
        target: '/api/auth/link-social',
        headers: { ...bearer, 'x-rowhouse-flow': 'rowhouse_code' },
        body: {
          provider: 'github',
          disableRedirect: true,
          callbackURL: 'http://app.test/',
          errorCallbackURL: 'http://app.test/',
        },
      },
    ]);
  });

  test('are unlinked by their row', async () => {
    const { auth, sent } = authClient([done], signedIn);
    expect((await auth.unlinkIdentity(identity)).error).toBeNull();
    expect(sent[0]).toMatchObject({
      target: '/api/auth/unlink-account',
      body: { accountId: 'a1' },
    });
  });
});

describe('getClaims', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = Buffer.from([0, 250, 251]);
  const claims = { sub: 'u1', name: 'Zoë ~?>' };
  const jwt = `${part({ alg: 'ES256' })}.${part(claims)}.${signature.toString('base64url')}`;
  const read = {
    claims,
    header: { alg: 'ES256' },
    signature: new Uint8Array(signature),
    token: jwt,
  };

  test('reads the JWT that the server makes of the session', async () => {
    const { auth, sent } = authClient([{ body: { token: jwt } }], signedIn);
    expect(await auth.getClaims()).toEqual({ data: read, error: null });
    const target = '/api/auth/token';
    expect(sent.map(wireOf)).toEqual([{ method: 'GET', target, headers: bearer }]);
  });

  test('reads a given JWT without asking anybody', async () => {
    const { auth, sent } = authClient([done]);
    expect((await auth.getClaims(jwt)).data).toEqual(read);
    expect(sent).toEqual([]);
  });

  test.each(['', 'a.b', '..', `${part({})}.${Buffer.from('7').toString('base64url')}.`, '§.§.§'])(
    'the text "%s" is an error',
    async (text) => {
      const { data, error } = await authClient([done]).auth.getClaims(text);
      expect(data).toBeNull();
      expect(error).not.toBeNull();
    },
  );
});
