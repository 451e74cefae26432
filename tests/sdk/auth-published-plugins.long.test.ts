// The plugins of the published client for passkeys and single sign-on, whose types would bring those of browsers
// along: they are loaded without, and called by the names that their documentation gives.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BetterAuthClientPlugin, createAuthClient } from 'better-auth/client';

import { openOidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type Accounts, openAccounts, password, site } from './support/accounts.js';
import { openCookieJar } from './support/cookie-jar.js';
import { addSoftwareCredentials } from './support/software-credentials.js';

const rpId = 'app.example.org';
let accounts: Accounts;
let plugins: BetterAuthClientPlugin[];

beforeAll(async () => {
  accounts = await openAccounts({
    settings: {
      'auth.passkey': { enabled: true, rpId, origin: site },
      'auth.sso': { enabled: true },
      'auth.organization': { enabled: true },
    },
  });
  const load = async (name: string, plugin: string): Promise<BetterAuthClientPlugin> => {
    const module: Record<string, () => BetterAuthClientPlugin> = await import(name);
    const make = module[plugin];
    if (!make) throw new Error(`${name} has no ${plugin}`);
    return make();
  };
  plugins = [
    await load('@better-auth/passkey/client', 'passkeyClient'),
    await load('@better-auth/sso/client', 'ssoClient'),
  ];
});
afterAll(() => accounts.close());

/** A client with the cookies of a browser of its own, by the names of its methods. */
function openClient() {
  const jar = openCookieJar(site);
  const client = createAuthClient({
    baseURL: accounts.gateway.url,
    plugins,
    fetchOptions: { customFetchImpl: jar.fetch },
  });
  return async (path: string, ...args: readonly unknown[]) => {
    let method: unknown = client;
    for (const name of path.split('.')) method = Reflect.get(Object(method), name);
    if (typeof method !== 'function') throw new Error(`there is no ${path}`);
    const { data, error }: Answer = await method(...args);
    return { data, error };
  };
}

interface Answer {
  readonly data: unknown;
  readonly error: unknown;
}

test('a passkey is added, signs in, is listed, renamed and deleted', async () => {
  const call = openClient();
  const email = 'passkey@example.org';
  await call('signUp.email', { email, password, name: 'Ada' });
  const device = addSoftwareCredentials(site, rpId);
  // What the published client looks for before it asks the browser.
  Reflect.set(globalThis, 'PublicKeyCredential', class PublicKeyCredential {});
  try {
    const added = await call('passkey.addPasskey', { name: 'Phone' });
    expect(added).toMatchObject({ data: { name: 'Phone' }, error: null });
    const other = openClient();
    expect(await other('signIn.passkey')).toMatchObject({ data: { user: { email } } });
    const id: unknown = Reflect.get(Object(added.data), 'id');
    expect((await other('passkey.updatePasskey', { id, name: 'Renamed' })).error).toBeNull();
    const listed = await other('passkey.listUserPasskeys');
    expect(listed.data).toMatchObject([{ id, name: 'Renamed' }]);
    expect((await other('passkey.deletePasskey', { id })).error).toBeNull();
    expect((await call('passkey.listUserPasskeys')).data).toEqual([]);
    expect(await openClient()('signIn.passkey')).toMatchObject({ data: null });
  } finally {
    device.remove();
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  }
});

test('a provider is registered, read and deleted, and a sign-in leads to it', async () => {
  const idp = await openOidcIdentityProvider();
  try {
    const call = openClient();
    const email = 'sso@example.org';
    const joined = await call('signUp.email', { email, password, name: 'Ada' });
    const id: unknown = Reflect.get(Object(Reflect.get(Object(joined.data), 'user')), 'id');
    await accounts.rows(`update auth."user" set role = 'ADMIN' where id = $1`, [id]);
    const oidcConfig = { clientId: 'acme', clientSecret: 'acme-secret' };
    const provider = { providerId: 'acme', issuer: idp.issuer, domain: 'acme.test', oidcConfig };
    const made = await call('sso.register', provider);
    expect(made).toMatchObject({ data: { providerId: 'acme' }, error: null });
    expect(JSON.stringify(made)).not.toContain('acme-secret');
    expect((await call('sso.providers')).data).toMatchObject({
      providers: [{ providerId: 'acme', issuer: idp.issuer }],
    });
    const begun = await openClient()('signIn.sso', { providerId: 'acme', callbackURL: site });
    expect(begun).toMatchObject({ data: { url: expect.stringContaining(idp.issuer) } });
    expect((await call('sso.deleteProvider', { providerId: 'acme' })).error).toBeNull();
    expect((await call('sso.providers')).data).toMatchObject({ providers: [] });
  } finally {
    await idp.close();
  }
});
