// Accounts by our own client against the real server: what every project offers without any setting.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRemoteJWKSet, jwtVerify } from 'jose';

import { type ClientOptions, createClient, serverCookieStorage } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type Gateway, openGateway } from './support/gateway.js';

const password = 'correct horse battery';

let deployment: Deployment;
let project: ProjectUnderTest;
let gateway: Gateway;
let count = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  gateway = await openGateway(project);
});
afterAll(async () => {
  await gateway.close();
  await deployment.close();
});

function open(options: ClientOptions = {}, key = project.publishableKey) {
  const client = createClient(gateway.url, key, options);
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  return { client, auth: client.auth, events };
}

/** A client that has just signed somebody new up. */
async function signedUp() {
  count += 1;
  const email = `user${count}@example.org`;
  const opened = open();
  const { data, error } = await opened.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { ...opened, email, token: data.session?.access_token, id: data.user?.id };
}

/** Whether the server knows the session of a client. */
const isAlive = async (token: string | undefined) =>
  (await open().auth.setSession({ access_token: token ?? '' })).error === null;

describe('signing up', () => {
  test('makes an account with a session, a random user name, and the events in order', async () => {
    const { auth, events, email, id } = await signedUp();
    const { data } = await auth.getUser();
    expect(data.user).toMatchObject({
      id,
      email,
      role: 'USER',
      status: 'active',
      is_anonymous: false,
      username: expect.any(String),
    });
    await waitFor(async () => events.length === 2);
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test('keeps a given user name and name', async () => {
    const { auth } = open();
    const { data } = await auth.signUp({
      email: 'named@example.org',
      password,
      username: 'named_one',
      name: 'Named',
    });
    expect(data.user).toMatchObject({ username: 'named_one', name: 'Named' });
  });

  test.each([
    { name: 'an address that is taken', of: { email: 'taken@example.org', password }, status: 422 },
    { name: 'a short password', of: { email: 'short@example.org', password: 'x' }, status: 400 },
  ])('is refused for $name, and nobody is signed in', async ({ of, status }) => {
    await open().auth.signUp({ email: 'taken@example.org', password });
    const { auth } = open();
    const answer = await auth.signUp(of);
    expect(answer).toMatchObject({ data: { user: null, session: null }, error: { status } });
    expect(answer.error?.code).not.toBe('');
    expect((await auth.getSession()).data.session).toBeNull();
  });
});

describe('signing in', () => {
  test('gives a session that requests are sent with', async () => {
    const { email, id } = await signedUp();
    const { client, auth } = open();
    const { data } = await auth.signInWithPassword({ email, password });
    expect(data.session?.accessToken).toBe(data.session?.access_token);
    expect(data.user?.id).toBe(id);
    const { status } = await client.from('nothing_here').select();
    expect(status).toBe(404);
    const sent = gateway.received.at(-1)?.headers;
    expect(sent?.authorization).toBe(`Bearer ${data.session?.access_token}`);
  });

  test('with a wrong password is refused in one request, and says nothing of a session', async () => {
    const { auth, email, token } = await signedUp();
    const before = gateway.received.length;
    const { error } = await auth.signInWithPassword({ email, password: 'wrong password' });
    expect(error?.status).toBe(401);
    expect(gateway.received.length - before).toBe(1);
    expect((await auth.getSession()).data.session?.access_token).toBe(token);
  });
});

describe('a session', () => {
  test('is prolonged by refreshSession, which tells when it ends', async () => {
    const { auth, events, token } = await signedUp();
    const { data } = await auth.refreshSession();
    expect(data.session).toMatchObject({ access_token: token, aal: 'aal1' });
    expect((data.session?.expires_at ?? 0) * 1000).toBeGreaterThan(Date.now());
    await waitFor(async () => events.includes('TOKEN_REFRESHED'));
  });

  test.each([
    { scope: 'local' as const, own: false, other: true },
    { scope: 'global' as const, own: false, other: false },
    { scope: 'others' as const, own: true, other: false },
  ])('signing out $scope', async ({ scope, own, other }) => {
    const first = await signedUp();
    const second = await open().auth.signInWithPassword({ email: first.email, password });
    expect(await first.auth.signOut({ scope })).toEqual({ error: null });
    expect(await isAlive(first.token)).toBe(own);
    expect(await isAlive(second.data.session?.access_token)).toBe(other);
    expect((await first.auth.getSession()).data.session !== null).toBe(own);
  });

  test('that another device ended is gone at the next look', async () => {
    const { auth, events, email } = await signedUp();
    const other = open();
    await other.auth.signInWithPassword({ email, password });
    await other.auth.signOut({ scope: 'global' });
    expect((await auth.getUser()).error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    await waitFor(async () => events.includes('SIGNED_OUT'));
    expect((await auth.getSession()).data.session).toBeNull();
  });

  test('travels in the cookies of a server from one request to the next', async () => {
    const { email } = await signedUp();
    const lines: string[] = [];
    const visit = (cookie?: string) => {
      const setCookie = (line: string) => lines.push(line);
      return open({ storage: serverCookieStorage({ cookie, setCookie }) }).auth;
    };
    await visit().signInWithPassword({ email, password });
    const cookie = lines.at(-1)?.split(';')[0];
    expect((await visit(cookie).getUser()).data.user).toMatchObject({ email });
    expect((await visit().getUser()).data.user).toBeNull();
  });
});

describe('the account', () => {
  test('is changed by updateUser, which other parts of the program hear', async () => {
    const { auth, events } = await signedUp();
    const { data, error } = await auth.updateUser({ name: 'Ada Lovelace' });
    expect(error).toBeNull();
    expect(data.user?.name).toBe('Ada Lovelace');
    expect((await auth.getSession()).data.session?.user?.name).toBe('Ada Lovelace');
    await waitFor(async () => events.includes('USER_UPDATED'));
  });

  test('is not changed at all when a part of the change is refused', async () => {
    const { auth } = await signedUp();
    const attributes = { username: 'taken_here', name: 'not\0storable' };
    expect((await auth.updateUser(attributes)).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    });
    expect((await auth.getUser()).data.user?.username).not.toBe('taken_here');
  });

  test('is described by claims that the public keys verify', async () => {
    const { auth, id, email } = await signedUp();
    const { data } = await auth.getClaims();
    expect(data?.claims).toMatchObject({ sub: id, email, role: 'authenticated', aal: 'aal1' });
    const keys = createRemoteJWKSet(new URL(`${gateway.url}/api/auth/jwks`));
    const verified = await jwtVerify(data?.token ?? '', keys, { audience: 'authenticated' });
    expect(verified.payload).toEqual(data?.claims);
    expect(verified.protectedHeader).toMatchObject({ kid: data?.header['kid'] });
  });
});
