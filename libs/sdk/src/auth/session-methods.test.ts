// Looking at the session, prolonging and ending it, beyond what session.test.ts says of a 401.
import { afterEach, describe, expect, vi, test } from 'vitest';

import { createClient } from '../client.js';
import {
  address,
  aliveReply,
  authClient,
  eventsOf,
  flush,
  openPage,
  signedInReply,
  user,
  wireOf,
} from '../../tests/auth-client.js';
import { serverCookieStorage } from '../storage.js';
import { recordingFetch } from '../../tests/recording-fetch.js';

/** What of the clock stands still; replies arrive by themselves. */
const clocks = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

const signedIn = { token: 'tok' };
const gone = { body: 'null' };
const getSession = (token: string) => ({
  method: 'GET',
  target: '/api/auth/get-session',
  headers: { authorization: `Bearer ${token}` },
});

let closePage = () => {};
afterEach(() => {
  vi.useRealTimers();
  closePage();
  closePage = () => {};
});

describe('getUser', () => {
  test('asks the server, and is no event', async () => {
    const made = authClient([aliveReply], signedIn);
    const events = eventsOf(made);
    expect(await made.auth.getUser()).toEqual({ data: { user }, error: null });
    expect(made.sent.map(wireOf)).toEqual([getSession('tok')]);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION']);
  });

  test('of a given token asks about that one, and ends no other session', async () => {
    const { auth, sent } = authClient([gone], signedIn);
    expect((await auth.getUser('other')).error).toMatchObject({ status: 401 });
    expect(sent.map(wireOf)).toEqual([getSession('other')]);
    expect((await auth.getSession()).data.session?.access_token).toBe('tok');
  });

  test('of a session that is gone signs out', async () => {
    const made = authClient([gone], signedIn);
    const events = eventsOf(made);
    expect(await made.auth.getUser()).toMatchObject({
      data: { user: null },
      error: { status: 401, code: 'UNAUTHORIZED' },
    });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('of a visitor asks signedOut', async () => {
    const { auth, sent } = authClient([aliveReply]);
    expect((await auth.getUser()).error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(sent).toEqual([]);
  });
});

describe('refreshSession', () => {
  test('gives the session as the server knows it', async () => {
    const made = authClient([aliveReply], signedIn);
    const events = eventsOf(made);
    const { data } = await made.auth.refreshSession();
    expect(data).toMatchObject({
      user,
      session: { accessToken: 'tok', expires_at: 1_893_456_000, aal: 'aal1' },
    });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'TOKEN_REFRESHED']);
  });

  test.each([
    { name: 'a visitor', options: {}, steps: [], status: 401 },
    { name: 'a session that is gone', options: signedIn, steps: [gone], status: 401 },
    {
      name: 'an inactive user',
      options: signedIn,
      steps: [{ status: 403, body: { code: 'USER_INACTIVE' } }],
      status: 403,
    },
  ])('of $name is an error', async ({ options, steps, status }) => {
    const { auth } = authClient(steps, options);
    expect(await auth.refreshSession()).toMatchObject({
      data: { user: null, session: null },
      error: { status },
    });
  });
});

test('setSession takes the token by either name', async () => {
  const { auth } = authClient([aliveReply]);
  const { data } = await auth.setSession({ accessToken: 'tok' });
  expect(data.session).toMatchObject({ access_token: 'tok', accessToken: 'tok' });
});

test('setSession without a token asks signedOut', async () => {
  const { auth, sent } = authClient([aliveReply], signedIn);
  expect((await auth.setSession({})).error).toMatchObject({ code: 'INVALID_INPUT' });
  expect(sent).toEqual([]);
});

test.each([
  { scope: 'local' as const, path: '/api/auth/sign-out', remains: false },
  { scope: 'global' as const, path: '/api/auth/revoke-sessions', remains: false },
  { scope: 'others' as const, path: '/api/auth/revoke-other-sessions', remains: true },
])('signOut of $scope sessions', async ({ scope, path, remains }) => {
  const { auth, sent } = authClient([{ body: {} }], signedIn);
  expect(await auth.signOut({ scope })).toEqual({ error: null });
  expect(sent.map(wireOf)).toEqual([
    { method: 'POST', target: path, headers: { authorization: 'Bearer tok' }, body: {} },
  ]);
  expect((await auth.getSession()).data.session !== null).toBe(remains);
});

describe('while it refreshes by itself', () => {
  const tenMinutes = 10 * 60_000;

  test('a client asks about its session every ten minutes, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: [...clocks] });
    const made = authClient([aliveReply], signedIn);
    const events = eventsOf(made);
    made.auth.startAutoRefresh();
    vi.advanceTimersByTime(tenMinutes);
    await flush();
    expect(made.sent).toHaveLength(1);
    expect(events).toEqual(['INITIAL_SESSION', 'TOKEN_REFRESHED']);
    made.auth.stopAutoRefresh();
    vi.advanceTimersByTime(6 * tenMinutes);
    await flush();
    expect(made.sent).toHaveLength(1);
  });

  test('a hidden page pauses, and asks once when it is seen again', async () => {
    vi.useFakeTimers({ toFake: [...clocks] });
    const listeners = new Set<() => void>();
    const document = {
      visibilityState: 'hidden',
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    };
    closePage = openPage({ document });
    const { auth, sent } = authClient([aliveReply], signedIn);
    vi.advanceTimersByTime(3 * tenMinutes);
    await flush();
    expect(sent).toEqual([]);
    document.visibilityState = 'visible';
    for (const listener of listeners) listener();
    for (const listener of listeners) listener();
    await flush();
    expect(sent).toHaveLength(1);
    auth.stopAutoRefresh();
    expect(listeners.size).toBe(0);
  });
});

test('a sign-in on a server travels in cookies from one request to the next', async () => {
  const { fetch, sent } = recordingFetch(
    { body: { twoFactorRedirect: true, twoFactorMethods: ['totp'], mfaToken: 'pending' } },
    signedInReply,
  );
  const jar = new Map<string, string>();
  /** A client for one request, with the cookies that the answers so far have set. */
  const clientOfRequest = () => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const setCookie = (line: string) => {
      const [, name = '', value = '', seconds] = /^([^=]+)=([^;]*); Max-Age=(\d+)/.exec(line) ?? [];
      if (seconds === '0') jar.delete(name);
      else jar.set(name, value);
    };
    const storage = serverCookieStorage({ cookie, setCookie });
    return createClient(address, undefined, { fetch, storage }).auth;
  };
  await clientOfRequest().signInWithPassword({ email: 'a@b.c', password: 'p' });
  await clientOfRequest().mfa.verify({ code: '123456' });
  expect(sent[1]?.headers).toMatchObject({ 'x-mfa-token': 'pending' });
  const { session } = (await clientOfRequest().getSession()).data;
  expect(session).toMatchObject({ access_token: 'tok', user });
  expect([...jar.keys()]).toEqual(['rowhouse.shop.test']);
});
