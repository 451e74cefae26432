import { expect, test } from 'vitest';

import { createClient } from './client.js';
import { resolveOptions } from './options.js';
import { memoryStorage } from './storage.js';

const resolve = (options = {}, url = 'https://shop.test/') =>
  resolveOptions(url, undefined, options);

test('the address keeps its path and loses the slash at its end', () => {
  expect(resolve({}, 'https://shop.test').url).toBe('https://shop.test');
  expect(resolve({}, 'https://shop.test/base//').url).toBe('https://shop.test/base');
});

test('an address that is no URL is refused at once', () => {
  expect(() => createClient('shop')).toThrow('Invalid URL');
});

test('nested options are read', () => {
  const storage = memoryStorage();
  const nested = {
    auth: { storage, storageKey: 'mine', autoRefreshToken: false, detectSessionInUrl: false },
    db: { schema: 'public' },
    global: { fetch, headers: { A: '1' } },
  };
  expect(resolve(nested)).toEqual({
    url: 'https://shop.test',
    storage,
    storageKey: 'mine',
    autoRefresh: false,
    detectSessionInUrl: false,
    fetch,
    headers: { a: '1' },
  });
});

test('the flat spelling wins over the nested one', () => {
  const [flat, nested] = [memoryStorage(), memoryStorage()];
  const other = () => Promise.reject(new Error('not called'));
  const {
    storage,
    autoRefresh,
    fetch: chosen,
    headers,
  } = resolve({
    storage: flat,
    autoRefresh: true,
    fetch,
    headers: new Headers({ A: 'flat' }),
    auth: { storage: nested, autoRefresh: false },
    global: { fetch: other, headers: { a: 'nested', b: 'nested' } },
  });
  expect(storage).toBe(flat);
  expect(autoRefresh).toBe(true);
  expect(chosen).toBe(fetch);
  expect(headers).toEqual({ a: 'flat', b: 'nested' });
});

test('sessions are refreshed and found in the address by default, whatever flow is named', () => {
  const byDefault = { autoRefresh: true, detectSessionInUrl: true };
  expect(resolve({ auth: { flowType: 'pkce' } })).toMatchObject(byDefault);
});

test('the key of a project is its apikey, whatever the headers say', () => {
  const { headers } = resolveOptions('https://shop.test', 'k', { headers: { apikey: 'other' } });
  expect(headers).toEqual({ apikey: 'k' });
});

test('clients of different projects keep their sessions under different names', () => {
  const keyOf = (url: string) => resolve({}, url).storageKey;
  expect(keyOf('http://a.localhost:8000')).toBe('rowhouse.a.localhost-8000');
  expect(keyOf('http://b.localhost:8000')).not.toBe(keyOf('http://a.localhost:8000'));
});

test('a schema other than public is refused', () => {
  expect(() => createClient('https://shop.test', 'k', { db: { schema: 'auth' } })).toThrow(
    'Tables are in the schema public',
  );
});

test('a fetch that is replaced later is used', async () => {
  const before = globalThis.fetch;
  const client = createClient('https://shop.test');
  try {
    globalThis.fetch = () => Promise.resolve(new Response('[7]'));
    expect((await client.from('t').select()).data).toEqual([7]);
  } finally {
    globalThis.fetch = before;
  }
});

test.each([
  {
    name: 'a secret key',
    key: 'svc_secret_x',
    options: {},
    message: 'accessToken and the secret key both say who the caller is: leave one out',
  },
  {
    name: 'an authorization',
    key: 'svc_publishable_x',
    options: { headers: { Authorization: 'Bearer x' } },
    message: 'accessToken and the header authorization both say who the caller is: leave one out',
  },
])('accessToken beside $name is refused at once', ({ key, options, message }) => {
  const accessToken = () => Promise.resolve('x');
  expect(() => createClient('https://shop.test', key, { ...options, accessToken })).toThrow(
    message,
  );
});
