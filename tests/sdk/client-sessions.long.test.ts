// As whom our client sends requests: visitors, signed-in users, and the holders of either key.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { memoryStorage, serverCookieStorage, type SessionStorage } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { asSuperuser } from '../support/deployment.js';
import { type SignedIn } from '../support/project.js';
import { type OwnClient, openWorkbench, type Workbench } from './support/workbench.js';

let workbench: Workbench;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  workbench = await openWorkbench();
  ada = await workbench.project.signUp('ada@example.org');
  bob = await workbench.project.signUp('bob@example.org');
});
beforeEach(() => workbench.empty());
afterAll(() => workbench.close());

/** A client that is signed in with a new session of the user. */
async function signedIn(user: SignedIn, storage: SessionStorage = memoryStorage()) {
  const reply = await workbench.project.send({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: { email: user.email, password: 'correct horse battery' },
  });
  const { token } = Object(reply.body) as { readonly token: string }; // The sign-in's answer.
  const client = workbench.client(workbench.project.publishableKey, { storage });
  const { error } = await client.auth.setSession({ access_token: token });
  expect(error).toBeNull();
  return { client, token, events: eventsOf(client) };
}

function eventsOf(client: OwnClient): string[] {
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  return events;
}

const caller = async (client: OwnClient) => (await client.rpc('caller').throwOnError()).data;
const revoke = (token: string) =>
  workbench.project.send({
    method: 'POST',
    path: '/api/auth/sign-out',
    headers: { authorization: `Bearer ${token}` },
    body: {},
  });
const sessionOf = async (client: OwnClient) => (await client.auth.getSession()).data.session;

describe('a visitor', () => {
  test.each([
    { name: 'without a key', key: () => undefined },
    { name: 'with the publishable key', key: () => workbench.project.publishableKey },
  ])('$name is anon', async ({ key }) => {
    const client = workbench.client(key());
    expect(await caller(client)).toEqual({ role: 'anon', user: null });
    expect((await client.from('notes').select()).data).toEqual([]);
    const { error } = await client.from('notes').insert({ text: 'x', owner: ada.id });
    expect(error).toMatchObject({
      status: 403,
      code: '42501',
      message: 'You do not have permission to perform this action.',
    });
  });

  test('with a key that is not the project’s is refused', async () => {
    const client = workbench.client('svc_publishable_wrong');
    expect((await client.from('stars').select()).error).toMatchObject({
      status: 401,
      code: 'INVALID_API_KEY',
    });
  });
});

describe('a signed-in user', () => {
  test('reads and writes under the policies, and others do not see it', async () => {
    const { client } = await signedIn(ada);
    expect(await caller(client)).toEqual({ role: 'authenticated', user: ada.id });
    const { data } = await client.from('notes').insert({ text: 'mine' }).select('owner').single();
    expect(data).toEqual({ owner: ada.id });
    const other = await signedIn(bob);
    expect((await other.client.from('notes').select()).data).toEqual([]);
    const theft = other.client.from('notes').insert({ text: 'theirs', owner: ada.id });
    expect((await theft).error).toMatchObject({ status: 403, code: '42501' });
  });

  test('is described by setSession and getSession', async () => {
    const { client, token, events } = await signedIn(ada);
    const session = await sessionOf(client);
    expect(session).toMatchObject({
      access_token: token,
      expires_at: expect.any(Number),
      user: { id: ada.id, email: ada.email },
    });
    expect((session?.expires_at ?? 0) * 1000).toBeGreaterThan(Date.now());
    await waitFor(async () => events.length > 0);
    expect(events).toEqual(['INITIAL_SESSION']);
  });

  test('is not signed in by a token that the server does not know', async () => {
    const client = workbench.client();
    const { data, error } = await client.auth.setSession({ access_token: 'x'.repeat(32) });
    expect(data).toEqual({ session: null, user: null });
    expect(error).toMatchObject({ status: 401 });
    expect(await caller(client)).toEqual({ role: 'anon', user: null });
  });

  test('is signed out here and on the server by signOut', async () => {
    const { client, token, events } = await signedIn(ada);
    expect(await client.auth.signOut()).toEqual({ error: null });
    await waitFor(async () => events.includes('SIGNED_OUT'));
    expect(await caller(client)).toEqual({ role: 'anon', user: null });
    const again = await workbench.client().auth.setSession({ access_token: token });
    expect(again.error).toMatchObject({ status: 401 });
  });

  test('who is not active any more gets 403 and keeps the session', async () => {
    const { client } = await signedIn(bob);
    const setStatus = (status: string) =>
      asSuperuser(`update auth."user" set status = $2 where id::text = $1`, {
        database: workbench.project.database,
        values: [bob.id, status],
      });
    await setStatus('inactive');
    try {
      expect((await client.from('stars').select()).error).toMatchObject({
        status: 403,
        code: 'USER_INACTIVE',
      });
    } finally {
      await setStatus('active');
    }
    expect(await caller(client)).toEqual({ role: 'authenticated', user: bob.id });
  });
});

describe('where the session is kept', () => {
  test('an adapter of promises is used for every request', async () => {
    const kept = new Map<string, string>();
    const storage: SessionStorage = {
      getItem: async (key) => kept.get(key) ?? null,
      setItem: async (key, value) => void kept.set(key, value),
      removeItem: async (key) => void kept.delete(key),
    };
    await signedIn(ada, storage);
    expect([...kept.keys()]).toEqual([expect.stringMatching(/^rowhouse\./)]);
    const next = workbench.client(undefined, { storage });
    expect(await caller(next)).toMatchObject({ user: ada.id });
    kept.clear();
    expect(await caller(next)).toMatchObject({ user: null });
  });

  test('a cookie of a server carries it from one request to the next', async () => {
    const lines: string[] = [];
    const setCookie = (line: string) => lines.push(line);
    const { client } = await signedIn(ada, serverCookieStorage({ cookie: null, setCookie }));
    expect(await caller(client)).toMatchObject({ user: ada.id });
    const cookie = lines.at(-1)?.split(';')[0];
    const storage = serverCookieStorage({ cookie, setCookie });
    const next = workbench.client(undefined, { storage });
    expect(await caller(next)).toMatchObject({ user: ada.id });
    await next.auth.signOut();
    expect(lines.at(-1)).toContain('Max-Age=0');
  });
});

describe('a 401', () => {
  const refused = {
    kind: 'answer',
    status: 401,
    body: '{"message":"Sign in to do this","code":"UNAUTHORIZED","status":401}',
  } as const;
  const revalidations = () =>
    workbench.gateway.received.filter(({ path }) => path === '/api/auth/get-session').length;

  test('of a session that is gone signs out, after one revalidation for all requests', async () => {
    const { client, token, events } = await signedIn(ada);
    await revoke(token);
    const before = revalidations();
    workbench.gateway.interfere(refused, refused, refused);
    const answers = await Promise.all([1, 2, 3].map(() => client.from('stars').select()));
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(3).fill('UNAUTHORIZED'));
    expect(revalidations() - before).toBe(1);
    await waitFor(async () => events.includes('SIGNED_OUT'));
    expect(await sessionOf(client)).toBeNull();
    expect(await caller(client)).toEqual({ role: 'anon', user: null });
  });

  test('of a session that lives keeps it, and the request is not sent again', async () => {
    const { client, token, events } = await signedIn(ada);
    const before = workbench.gateway.received.length;
    const paths = () => workbench.gateway.received.slice(before).map(({ path }) => path);
    const refusedOnce = ['/rest/v1/stars?select=*', '/api/auth/get-session'];
    workbench.gateway.interfere(refused);
    expect((await client.from('stars').select()).status).toBe(401);
    expect(paths()).toEqual(refusedOnce);
    workbench.gateway.interfere(refused);
    expect((await client.from('stars').select()).status).toBe(401);
    expect(paths()).toEqual([...refusedOnce, ...refusedOnce]);
    await waitFor(async () => events.includes('TOKEN_REFRESHED'));
    expect((await sessionOf(client))?.access_token).toBe(token);
  });

  test('about the project’s key says nothing of the session', async () => {
    const storage = memoryStorage();
    const { token } = await signedIn(ada, storage);
    const outdated = workbench.client('svc_publishable_before_rotation', { storage });
    expect((await outdated.from('stars').select()).error).toMatchObject({
      code: 'INVALID_API_KEY',
    });
    expect((await sessionOf(outdated))?.access_token).toBe(token);
    const other = await outdated.auth.setSession({ access_token: token });
    expect(other.error).toMatchObject({ code: 'INVALID_API_KEY' });
    expect((await outdated.auth.signOut()).error).toMatchObject({ code: 'INVALID_API_KEY' });
  });
});

describe('a secret key', () => {
  test('runs as service_role past all policies, whoever is signed in', async () => {
    const storage = memoryStorage();
    const { client } = await signedIn(ada, storage);
    await client.from('notes').insert({ text: 'mine' });
    const service = workbench.client(workbench.project.secretKey, { storage });
    expect(await caller(service)).toEqual({ role: 'service_role', user: null });
    expect((await service.from('notes').select('owner')).data).toEqual([{ owner: ada.id }]);
    expect(workbench.gateway.received.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('may stand in for a user or a visitor, which nothing else may', async () => {
    const as = (key: string | undefined, who: string) =>
      workbench.client(key, { headers: { 'x-service-impersonate': who } });
    const { secretKey, publishableKey } = workbench.project;
    expect(await caller(as(secretKey, ada.id))).toEqual({ role: 'authenticated', user: ada.id });
    expect(await caller(as(secretKey, 'anon'))).toEqual({ role: 'anon', user: null });
    for (const key of [publishableKey, undefined]) {
      const { error } = await as(key, ada.id).from('stars').select();
      expect(error).toMatchObject({ status: 403, code: 'IMPERSONATION_REFUSED' });
    }
  });
});
