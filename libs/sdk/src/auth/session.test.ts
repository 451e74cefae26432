// The session of a client: what is sent with it, what a 401 does, and what listeners hear.
import { afterEach, describe, expect, vi, test } from 'vitest';

import { createClient } from '../client.js';
import type { Session } from './session.js';
import type { AuthEvent } from './states.js';
import { memoryStorage } from '../storage.js';
import { recordingFetch, type Reply, type Sent } from '../../tests/recording-fetch.js';

/** What of the clock stands still; replies arrive by themselves. */
const clocks = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

const user = { id: 'u1', email: 'ada@example.org' };
const alive = { body: { session: { expiresAt: '2030-01-01T00:00:00.000Z' }, user } };
const gone = { body: 'null' };
const session = {
  access_token: 'tok',
  accessToken: 'tok',
  token_type: 'bearer',
  expires_at: 1_893_456_000,
  user,
};

interface Server {
  readonly session?: Reply | Error;
  readonly rows?: Reply;
  readonly signOut?: Reply | Error;
}

/** A server whose answer to each kind of request is given and may be changed. */
function clientOf(server: { -readonly [Part in keyof Server]: Server[Part] }, key?: string) {
  const answer = ({ path }: Sent): Reply => {
    const reply = path.endsWith('/get-session')
      ? (server.session ?? alive)
      : path.endsWith('/sign-out')
        ? (server.signOut ?? { body: {} })
        : (server.rows ?? { body: [] });
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const { fetch, sent } = recordingFetch(answer);
  const storage = memoryStorage();
  const client = createClient('http://shop.test', key, { fetch, storage });
  return { client, sent, storage };
}

async function signedIn(server: Server = {}, key?: string) {
  const made = clientOf({ rows: server.rows ?? { body: [] } }, key);
  await made.client.auth.setSession({ access_token: 'tok' });
  return made;
}

const flush = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe('setSession', () => {
  test('asks the server about the token and keeps what it says', async () => {
    const { client, sent } = clientOf({});
    const { data, error } = await client.auth.setSession({
      access_token: 'tok',
      refresh_token: 'ignored',
    });
    expect({ data, error }).toEqual({ data: { session, user }, error: null });
    expect(sent[0]).toMatchObject({
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { authorization: 'Bearer tok' },
    });
    expect(await client.auth.getSession()).toEqual({ data: { session }, error: null });
    expect(sent).toHaveLength(1);
  });

  test.each([
    { name: 'the server does not know', reply: gone, status: 401 },
    {
      name: 'is of an inactive user',
      reply: { status: 403, body: { message: 'no' } },
      status: 403,
    },
    {
      name: 'comes with a key that the project refuses',
      reply: { status: 401, body: { message: 'no', code: 'INVALID_API_KEY' } },
      status: 401,
    },
    { name: 'signedOut can judge', reply: new TypeError('fetch failed', { cause: 1 }), status: 0 },
  ])('a token that $name changes nothing', async ({ reply, status }) => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      advanceTimeDelta: 1000,
      toFake: [...clocks],
    });
    const { client } = clientOf({ session: reply });
    const { data, error } = await client.auth.setSession({ access_token: 'tok' });
    expect(data).toEqual({ session: null, user: null });
    expect(error).toMatchObject({ status });
    expect((await client.auth.getSession()).data.session).toBeNull();
  });
});

describe('requests', () => {
  test('a signed-in client sends its token, another does not', async () => {
    const { client, sent } = await signedIn();
    await client.from('t').select();
    expect(sent.at(-1)?.headers).toMatchObject({ authorization: 'Bearer tok' });
    const visitor = clientOf({});
    await visitor.client.from('t').select();
    expect(visitor.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a secret key runs as itself: no session is sent with it', async () => {
    const { client, sent } = await signedIn({}, 'svc_secret_1');
    await client.from('t').select();
    expect(sent.at(-1)?.headers).toMatchObject({ apikey: 'svc_secret_1' });
    expect(sent.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('an authorization of the request stands', async () => {
    const { client, sent } = await signedIn();
    await client.from('t').select().setHeader('Authorization', 'Bearer other');
    expect(sent.at(-1)?.headers).toMatchObject({ authorization: 'Bearer other' });
  });

  test('a stored text that is no session is none', async () => {
    const { client, storage, sent } = clientOf({});
    await storage.setItem('rowhouse.shop.test', '{"access_token":7}');
    await client.from('t').select();
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a 401', () => {
  const refused = { status: 401, body: { message: 'Sign in to do this', code: 'UNAUTHORIZED' } };

  async function refusedClient(answer: Reply | Error) {
    const server: { rows: Reply; session: Reply | Error } = { rows: refused, session: alive };
    const { client, sent } = clientOf(server);
    await client.auth.setSession({ access_token: 'tok' });
    const events: AuthEvent[] = [];
    client.auth.onAuthStateChange((event) => events.push(event));
    await flush();
    sent.length = 0;
    server.session = answer;
    return { client, sent, events };
  }

  test('of a session that is gone signs out, and the answer is the 401', async () => {
    const { client, events } = await refusedClient(gone);
    expect((await client.from('t').select()).error).toMatchObject({ code: 'UNAUTHORIZED' });
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test('of several requests at once asks once', async () => {
    const { client, sent, events } = await refusedClient(gone);
    const answers = await Promise.all([1, 2, 3].map(() => client.from('t').select()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(sent.filter(({ path }) => path.endsWith('/get-session'))).toHaveLength(1);
    await flush();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('of a session that lives keeps it and is not sent again', async () => {
    const { client, sent } = await refusedClient(alive);
    expect((await client.from('t').select()).status).toBe(401);
    expect(sent.map(({ path }) => path)).toEqual(['/rest/v1/t', '/api/auth/get-session']);
    expect((await client.auth.getSession()).data.session).toEqual(session);
  });

  test.each([
    { name: 'the server cannot judge it', answer: { status: 500 } },
    {
      name: 'the project refuses the key',
      answer: { status: 401, body: { code: 'INVALID_API_KEY' } },
    },
  ])('keeps the session while $name', async ({ answer }) => {
    const { client, events } = await refusedClient(answer);
    expect((await client.from('t').select()).status).toBe(401);
    expect((await client.auth.getSession()).data.session).toEqual(session);
    expect(events).toEqual(['INITIAL_SESSION']);
  });

  test('without a session asks nothing', async () => {
    const { client, sent } = clientOf({ rows: refused });
    await client.from('t').select();
    expect(sent).toHaveLength(1);
  });

  test('about an older session does not end a newer one', async () => {
    const storage = memoryStorage();
    const newer = () => {
      storage.setItem('rowhouse.shop.test', JSON.stringify({ access_token: 'new' }));
      return gone;
    };
    const { fetch } = recordingFetch(alive, refused, newer);
    const client = createClient('http://shop.test', undefined, { fetch, storage });
    await client.auth.setSession({ access_token: 'old' });
    await client.from('t').select();
    expect((await client.auth.getSession()).data.session?.access_token).toBe('new');
  });
});

describe('listeners', () => {
  function listen(client: ReturnType<typeof clientOf>['client']) {
    const heard: [AuthEvent, Session | null][] = [];
    const { subscription } = client.auth.onAuthStateChange((event, now) => {
      heard.push([event, now]);
    }).data;
    return { heard, subscription };
  }

  test('a visitor hears INITIAL_SESSION once, and not at once', async () => {
    const { heard } = listen(clientOf({}).client);
    expect(heard).toEqual([]);
    await flush();
    expect(heard).toEqual([['INITIAL_SESSION', null]]);
  });

  test('INITIAL_SESSION comes before what happens meanwhile', async () => {
    const { client } = await signedIn();
    const { heard } = listen(client);
    await client.auth.signOut();
    await flush();
    expect(heard.map(([event]) => event)).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
  });

  test('signing in and out is heard with the session', async () => {
    const { client } = clientOf({});
    const { heard } = listen(client);
    await client.auth.setSession({ access_token: 'tok' });
    await client.auth.signOut();
    await flush();
    expect(heard).toEqual([
      ['INITIAL_SESSION', null],
      ['SIGNED_IN', session],
      ['SIGNED_OUT', null],
    ]);
  });

  test('nothing is heard after unsubscribing', async () => {
    const { client } = await signedIn();
    const { heard, subscription } = listen(client);
    await flush();
    subscription.unsubscribe();
    await client.auth.signOut();
    await flush();
    expect(heard.map(([event]) => event)).toEqual(['INITIAL_SESSION']);
  });

  test('a listener that leaves at once hears nothing', async () => {
    const { heard, subscription } = listen(clientOf({}).client);
    subscription.unsubscribe();
    await flush();
    expect(heard).toEqual([]);
  });

  test('a listener that fails keeps signedOut from hearing', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { client } = clientOf({});
    client.auth.onAuthStateChange(() => {
      throw new Error('mine');
    });
    const { heard } = listen(client);
    await client.auth.setSession({ access_token: 'tok' });
    await flush();
    expect(heard.map(([event]) => event)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    expect(errors).toHaveBeenCalledTimes(2);
    errors.mockRestore();
  });
});

describe('signOut', () => {
  test('ends the session on the server and here', async () => {
    const { client, sent } = await signedIn();
    expect(await client.auth.signOut()).toEqual({ error: null });
    expect(sent.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/auth/sign-out',
      headers: { authorization: 'Bearer tok' },
    });
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test.each([
    {
      name: 'refuses',
      signOut: { status: 500, body: { message: 'broken' } },
      error: { status: 500 },
    },
    { name: 'cannot be reached', signOut: new TypeError('fetch failed'), error: { status: 0 } },
    { name: 'has forgotten the session', signOut: { status: 401 }, error: null },
  ])('ends it here even when the server $name', async ({ signOut, error }) => {
    const { client } = clientOf({ signOut });
    await client.auth.setSession({ access_token: 'tok' });
    const answer = await client.auth.signOut();
    if (error) expect(answer.error).toMatchObject(error);
    else expect(answer.error).toBeNull();
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test('of a visitor sends nothing', async () => {
    const { client, sent } = clientOf({});
    expect(await client.auth.signOut()).toEqual({ error: null });
    expect(sent).toEqual([]);
  });
});
