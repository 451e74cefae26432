import { afterEach, describe, expect, test } from 'vitest';

import { createClient } from './client.js';
import { recordingFetch } from '../tests/recording-fetch.js';
import {
  cookieStorage,
  defaultStorage,
  localStorageAdapter,
  memoryStorage,
  serverCookieStorage,
  type SessionStorage,
} from './storage.js';

/** Cookies of a page as far as an adapter sees them: assigning adds or removes one, reading lists them. */
function cookieJar(lines: string[] = []) {
  const jar = new Map<string, string>();
  return {
    lines,
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(line: string) {
      lines.push(line);
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    },
  };
}

function definePage(page: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(page)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
}

afterEach(() => {
  for (const name of ['document', 'location', 'localStorage'])
    Reflect.deleteProperty(globalThis, name);
});

const value = '{"access_token":"a;b=c, \\"ü\\""}';

async function expectToKeep(storage: SessionStorage) {
  expect((await storage.getItem('k')) ?? null).toBeNull();
  await storage.setItem('k', value);
  expect(await storage.getItem('k')).toBe(value);
  await storage.removeItem('k');
  expect((await storage.getItem('k')) || null).toBeNull();
}

describe('what is set is read until it is removed', () => {
  test('in memory', () => expectToKeep(memoryStorage()));

  test('in a cookie of the page', () => {
    definePage({ document: cookieJar(), location: { protocol: 'http:' } });
    return expectToKeep(cookieStorage());
  });

  test('in the cookies of a server', () =>
    expectToKeep(serverCookieStorage({ cookie: 'x=1', setCookie: () => undefined })));

  test('in the storage of the page', () => {
    definePage({ localStorage: memoryStorage() });
    return expectToKeep(localStorageAdapter());
  });
});

test('a cookie goes to the whole site, over HTTPS alone when the page came that way', () => {
  const jar = cookieJar();
  definePage({ document: jar, location: { protocol: 'https:' } });
  void cookieStorage({ domain: 'shop.test' }).setItem('k', 'v');
  expect(jar.lines).toEqual([
    'k=v; Max-Age=34560000; Path=/; SameSite=Lax; Domain=shop.test; Secure',
  ]);
});

test('a server reads the cookie of the request and answers with its changes', () => {
  const lines: string[] = [];
  const storage = serverCookieStorage({
    cookie: `kk=no; k=${encodeURIComponent(value)}`,
    setCookie: (line) => lines.push(line),
    httpOnly: true,
    sameSite: 'Strict',
  });
  expect(storage.getItem('k')).toBe(value);
  void storage.removeItem('k');
  expect(lines).toEqual(['k=; Max-Age=0; Path=/; SameSite=Strict; Secure; HttpOnly']);
});

test.each([
  { name: 'no cookies', cookie: null },
  { name: 'a cookie that somebody else wrote', cookie: 'k=%E0%A4%A' },
])('$name is no session', ({ cookie }) => {
  const storage = serverCookieStorage({ cookie, setCookie: () => undefined });
  expect(storage.getItem('k')).toBeUndefined();
});

describe('without a choice', () => {
  test('a page keeps the session in its storage', () => {
    const localStorage = memoryStorage();
    definePage({ document: {}, localStorage });
    expect(defaultStorage()).toBe(localStorage);
  });

  test('a page that may not use its storage keeps the session in memory', () => {
    definePage({ document: {} });
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get: () => {
        throw new Error('denied');
      },
    });
    return expectToKeep(defaultStorage());
  });

  test('a server keeps the session in memory, apart for each client', async () => {
    const [one, other] = [defaultStorage(), defaultStorage()];
    await one.setItem('k', value);
    expect((await other.getItem('k')) ?? null).toBeNull();
  });
});

test('a session that a storage has no room for is kept without its user', async () => {
  const { fetch } = recordingFetch({ body: { session: {}, user: { id: 'u1' } } });
  const storage = { ...memoryStorage(), maxLength: 40 };
  const { auth } = createClient('http://shop.test', undefined, { fetch, storage });
  expect((await auth.setSession({ access_token: 'tok' })).data.user).toEqual({ id: 'u1' });
  const { session } = (await auth.getSession()).data;
  expect(session).toEqual({ access_token: 'tok', accessToken: 'tok', token_type: 'bearer' });
});
