// Several tabs of one page. Each is a client of its own; what they share is the storage and the channel.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  aliveReply,
  authClient,
  eventsOf,
  flush,
  openPage,
  signedInReply,
  type TestClient,
} from '../../tests/auth-client.js';
import { memoryStorage, type SessionStorage } from '../storage.js';

let closePage: () => void;
let next = 0;
let url: string;

beforeEach(() => {
  closePage = openPage({ document: {} });
  next += 1;
  // Channels live as long as the program: each test has a name of its own.
  url = `http://tab${next}.test`;
});
afterEach(() => closePage());

interface Tab extends TestClient {
  readonly events: string[];
}

const routes = ({ path }: { readonly path: string }) =>
  path.endsWith('/get-session') ? aliveReply : signedInReply;

async function openTab(storage: SessionStorage): Promise<Tab> {
  const opened = authClient([routes], { storage, url });
  const events = eventsOf(opened);
  await flush();
  return { ...opened, events };
}

const signIn = ({ auth }: Tab) => auth.signInWithPassword({ email: 'a@b.c', password: 'p' });

/** Waits until a tab has heard so many events, for two seconds at most. */
async function heard({ events }: Tab, count: number): Promise<string[]> {
  const end = Date.now() + 2_000;
  while (events.length < count && Date.now() < end) await flush();
  return events;
}

/** Waits until a tab has heard an event, for two seconds at most. */
async function heardLast({ events }: Tab, event: string): Promise<void> {
  const end = Date.now() + 2_000;
  while (events.at(-1) !== event && Date.now() < end) await flush();
  expect(events.at(-1)).toBe(event);
}

describe('tabs that share their storage', () => {
  async function twoTabs() {
    const storage = memoryStorage();
    return [await openTab(storage), await openTab(storage)] as const;
  }

  test('are signed in together, and out together, each hearing it once', async () => {
    const [one, other] = await twoTabs();
    await signIn(one);
    expect(await heard(other, 2)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    await other.auth.signOut();
    expect(await heard(one, 3)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']);
    await flush();
    expect(other.events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']);
    expect((await one.auth.getSession()).data.session).toBeNull();
  });

  test('answer nothing to each other: one sign-out is one request', async () => {
    const [one, other] = await twoTabs();
    await signIn(one);
    await heard(other, 2);
    await one.auth.signOut();
    await heard(other, 3);
    expect(other.sent).toEqual([]);
    expect(one.sent.map(({ path }) => path)).toEqual([
      '/api/auth/sign-in/email',
      '/api/auth/sign-out',
    ]);
  });

  test('hear of a prolonged session and of a changed user', async () => {
    const [one, other] = await twoTabs();
    await signIn(one);
    await one.auth.refreshSession();
    await one.auth.updateUser({ name: 'Ada' });
    expect(await heard(other, 4)).toEqual([
      'INITIAL_SESSION',
      'SIGNED_IN',
      'TOKEN_REFRESHED',
      'USER_UPDATED',
    ]);
  });
});

test('a tab that sees the storage change later than it hears of it waits for that', async () => {
  const storage = memoryStorage();
  const one = await openTab(storage);
  const seen = new Map<string, string | null>();
  let looks = 0;
  const other = await openTab({
    ...storage,
    async getItem(key) {
      // What is there now is seen at the next look.
      const before = seen.get(key) ?? null;
      seen.set(key, (await storage.getItem(key)) ?? null);
      looks += 1;
      return before;
    },
  });
  await signIn(one);
  expect(await heard(other, 2)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  await one.auth.updateUser({ name: 'Ada' });
  await heardLast(other, 'USER_UPDATED');
  expect(looks).toBeGreaterThan(3);
});

describe('tabs with a storage each', () => {
  test('are signed in on their own', async () => {
    const [one, other] = [await openTab(memoryStorage()), await openTab(memoryStorage())];
    await signIn(one);
    await one.auth.signOut();
    await heard(one, 3);
    await flush();
    expect(other.events).toEqual(['INITIAL_SESSION']);
  });

  test('lose the same session together, and another not', async () => {
    const [one, other] = [await openTab(memoryStorage()), await openTab(memoryStorage())];
    const third = await openTab(memoryStorage());
    await signIn(one);
    await signIn(other);
    await third.auth.setSession({ access_token: 'another' });
    await one.auth.signOut();
    await heardLast(other, 'SIGNED_OUT');
    expect((await other.auth.getSession()).data.session).toBeNull();
    expect(third.events).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    expect((await third.auth.getSession()).data.session?.access_token).toBe('another');
  });
});

test('who hears that a session has ended does not pass it on', async () => {
  const tabs = [await openTab(memoryStorage()), await openTab(memoryStorage())] as const;
  for (const tab of tabs) await signIn(tab);
  const channel = new BroadcastChannel(`rowhouse.tab${next}.test`);
  const ends: unknown[] = [];
  channel.onmessage = (message: { readonly data?: unknown }) => {
    if (Object(message.data).happening === 'end') ends.push(message.data);
  };
  await tabs[0].auth.signOut();
  await heardLast(tabs[1], 'SIGNED_OUT');
  // Whatever the other tab says comes before what is said after it has heard.
  tabs[1].auth.onAuthStateChange(() => undefined);
  await tabs[1].auth.setSession({ access_token: 'later' });
  await heardLast(tabs[1], 'SIGNED_IN');
  await flush();
  expect(ends).toEqual([{ happening: 'end', token: 'tok' }]);
  channel.close();
});

test('a message that is none of ours changes nothing', async () => {
  const tab = await openTab(memoryStorage());
  await signIn(tab);
  const channel = new BroadcastChannel(`rowhouse.tab${next}.test`);
  const messages = [null, 'end', { happening: 'end' }, { happening: 'constructor', token: 'tok' }];
  for (const message of messages) channel.postMessage(message);
  // What comes last has been preceded by all others.
  channel.postMessage({ happening: 'refresh', token: 'tok' });
  expect(await heard(tab, 3)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED']);
  channel.close();
});

test('outside of pages clients of the same project do not hear each other', async () => {
  closePage();
  const storage = memoryStorage();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  const channel = new BroadcastChannel(`rowhouse.tab${next}.test`);
  const messages: unknown[] = [];
  channel.onmessage = (message: { readonly data?: unknown }) => void messages.push(message.data);
  await signIn(one);
  await one.auth.signOut();
  const last = new BroadcastChannel(`rowhouse.tab${next}.test`);
  last.postMessage('last');
  const end = Date.now() + 2_000;
  while (messages.length === 0 && Date.now() < end) await flush();
  expect(messages).toEqual(['last']);
  expect(other.events).toEqual(['INITIAL_SESSION']);
  channel.close();
  last.close();
});
