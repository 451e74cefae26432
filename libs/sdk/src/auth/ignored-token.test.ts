// A server that does not know a token serves the request as a visitor's, with 200 and without rows, and says so
// in a header. The client acts on that as on a 401: it asks once whether the session lives.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  aliveReply,
  authClient,
  eventsOf,
  flush,
  openPage,
  signedInReply,
} from '../../tests/auth-client.js';
import type { Reply, Sent } from '../../tests/recording-fetch.js';
import { memoryStorage } from '../storage.js';

const ignored = {
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  body: [],
} as const satisfies Reply;
const gone = { body: 'null' } as const satisfies Reply;

let closePage: () => void;
let next = 0;
beforeEach(() => {
  closePage = openPage({ document: {} });
  next += 1;
});
afterEach(() => closePage());

/** A signed-in client of a server whose answers to tables and questions about the session may be changed. */
async function signedIn(options: { readonly key?: string } = {}) {
  const server: { rows: Reply | (() => Reply); session: Reply | Error } = {
    rows: ignored,
    session: gone,
  };
  const answer = ({ path }: Sent): Reply => {
    if (path.includes('/sign-in/')) return signedInReply;
    const { rows, session } = server;
    const reply = path.endsWith('/get-session') ? session : rows;
    if (reply instanceof Error) throw reply;
    return typeof reply === 'function' ? reply() : reply;
  };
  const storage = memoryStorage();
  // Channels of tabs live as long as the program: each test has a name of its own.
  const open = () =>
    authClient([answer], { storage, url: `http://ignored${next}.test`, ...options });
  const opened = open();
  await opened.auth.signInWithPassword({ email: 'a@b.c', password: 'p' });
  const events = eventsOf(opened);
  await flush();
  opened.sent.length = 0;
  const questions = () => opened.sent.filter(({ path }) => path.endsWith('/get-session')).length;
  const kept = async () => (await opened.auth.getSession()).data.session;
  const key = `rowhouse.ignored${next}.test`;
  return { ...opened, server, events, questions, kept, open, key };
}

describe('a token that the server ignored', () => {
  test('ends the session when it is gone; the answer stays as it was', async () => {
    const { client, events, kept, questions } = await signedIn();
    expect(await client.from('t').select()).toMatchObject({ status: 200, data: [], error: null });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
    expect(await kept()).toBeNull();
    await client.from('t').select();
    expect(questions()).toBe(1);
  });

  test('in many answers at once is asked about once', async () => {
    const { client, events, questions } = await signedIn();
    await Promise.all(Array.from({ length: 5 }, () => client.from('t').select()));
    await flush();
    expect(questions()).toBe(1);
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('ends the session in other tabs', async () => {
    const { client, open } = await signedIn();
    const events = eventsOf(open());
    await flush();
    await client.from('t').select();
    const end = Date.now() + 2_000;
    while (events.length < 2 && Date.now() < end) await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('is asked about once while its session lives, and again after it was served', async () => {
    const { client, server, kept, questions } = await signedIn();
    server.session = aliveReply;
    for (let request = 0; request < 3; request += 1) {
      // One after the other: the first question is answered before the second request.
      await client.from('t').select();
    }
    expect(questions()).toBe(1);
    expect(await kept()).not.toBeNull();
    server.rows = { body: [] };
    await client.from('t').select();
    server.rows = ignored;
    server.session = gone;
    await client.from('t').select();
    expect(questions()).toBe(2);
    expect(await kept()).toBeNull();
  });

  test.each([
    { name: 'cannot be reached', session: new TypeError('fetch failed') },
    { name: 'fails', session: { status: 500 } },
  ])('keeps its session while the server $name', async ({ session }) => {
    const { client, server, events, kept } = await signedIn();
    server.session = session;
    expect((await client.from('t').select()).status).toBe(200);
    expect(await kept()).not.toBeNull();
    expect(events).toEqual(['INITIAL_SESSION']);
  });
});

describe('nothing is asked', () => {
  test('about an authorization of the request itself', async () => {
    const { client, questions, kept } = await signedIn();
    await client.from('t').select().setHeader('Authorization', 'Bearer svc_user_key');
    expect(questions()).toBe(0);
    expect(await kept()).not.toBeNull();
  });

  test('with the secret key, which sends no session', async () => {
    const { client, questions } = await signedIn({ key: 'svc_secret_1' });
    await client.from('t').select();
    expect(questions()).toBe(0);
  });

  test('about a token that another one has replaced meanwhile', async () => {
    const { client, server, storage, key, questions, kept } = await signedIn();
    server.rows = () => {
      void storage.setItem(key, JSON.stringify({ access_token: 'newer' }));
      return ignored;
    };
    await client.from('t').select();
    expect(questions()).toBe(0);
    expect((await kept())?.access_token).toBe('newer');
  });

  test.each([
    { name: 'another challenge', header: 'Bearer realm="shop"' },
    { name: 'another error', header: 'Bearer error="insufficient_scope"' },
  ])('for $name', async ({ header }) => {
    const { client, server, questions } = await signedIn();
    server.rows = { headers: { 'www-authenticate': header }, body: [] };
    await client.from('t').select();
    expect(questions()).toBe(0);
  });
});
