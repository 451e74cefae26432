import { afterEach, expect, test } from 'vitest';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  jwtVerify,
} from 'jose';

import {
  type OidcClient,
  type OidcIdentityProvider,
  type OidcOptions,
  openOidcIdentityProvider,
} from './oidc-identity-provider.js';

const app = {
  clientId: 'app',
  redirectUris: ['http://abc.localhost:8000/api/auth/oauth2/callback/deployment'],
} as const satisfies OidcClient;
const [callback] = app.redirectUris;
const ada = { login: 'ada', claims: { email: 'ada@example.org', email_verified: true } };

let provider: OidcIdentityProvider;
afterEach(() => provider.close());

async function open(options: OidcOptions = {}): Promise<void> {
  provider = await openOidcIdentityProvider({ clients: [app], ...options });
}

function authorizationUrl(parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'xyz',
    ...parameters,
  });
  return `${provider.issuer}/auth?${query.toString()}`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** What the application does with the redirect URL: it gets the tokens. */
async function redeem(redirectUrl: string, client: OidcClient = app): Promise<unknown> {
  const code = new URL(redirectUrl).searchParams.get('code') ?? '';
  const [redirectUri = ''] = client.redirectUris;
  const secret = `${client.clientId}-secret`;
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const posted = { client_id: client.clientId, client_secret: secret };
  const basic = `Basic ${btoa(`${client.clientId}:${secret}`)}`;
  const reply = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams(client.authentication === 'post' ? { ...form, ...posted } : form),
    ...(client.authentication !== 'post' && { headers: { authorization: basic } }),
  });
  const body: unknown = await reply.json();
  return body;
}

async function verified(idToken: unknown): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
  const options = { issuer: provider.issuer, audience: app.clientId };
  return (await jwtVerify(String(idToken), keys, options)).payload;
}

test('discovery names the endpoints', async () => {
  await open();
  const found: unknown = await (await fetch(provider.discoveryUrl)).json();
  expect(found).toMatchObject({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/auth`,
    token_endpoint: `${provider.issuer}/token`,
    userinfo_endpoint: `${provider.issuer}/me`,
    jwks_uri: `${provider.issuer}/jwks`,
  });
});

test('a person signs in at the form and the application gets their claims', async () => {
  await open();
  const redirect = new URL(await provider.signInAt(authorizationUrl({ nonce: 'n-1' }), ada));
  expect(redirect.origin + redirect.pathname).toBe(callback);
  expect(redirect.searchParams.get('state')).toBe('xyz');
  const tokens = await redeem(redirect.href);
  const claims = { sub: 'ada', email: 'ada@example.org', email_verified: true };
  expect(await verified(field(tokens, 'id_token'))).toMatchObject({ ...claims, nonce: 'n-1' });
  const headers = { authorization: `Bearer ${String(field(tokens, 'access_token'))}` };
  const userinfo: unknown = await (await fetch(`${provider.issuer}/me`, { headers })).json();
  expect(userinfo).toEqual(claims);
});

test.each([
  { name: 'true', email_verified: true },
  { name: 'false', email_verified: false },
  { name: 'a text', email_verified: 'false' },
  { name: 'absent', email_verified: undefined },
])('email_verified is $name as the test wants it', async ({ email_verified }) => {
  await open();
  const claims = { email: 'a@b.test', ...(email_verified !== undefined && { email_verified }) };
  const person = { login: 'bob', claims: { ...claims, sub: 'bob-1' } };
  const tokens = await redeem(await provider.signInAt(authorizationUrl(), person));
  const seen = decodeJwt(String(field(tokens, 'id_token')));
  expect(seen['email_verified']).toBe(email_verified);
  expect(seen.sub).toBe('bob-1');
});

test('claims beyond OpenID are handed out when the provider knows them', async () => {
  await open({ extraClaims: ['groups'] });
  const person = { login: 'ada', claims: { groups: ['admins'], unknown: 1 } };
  const tokens = await redeem(await provider.signInAt(authorizationUrl(), person));
  const seen = decodeJwt(String(field(tokens, 'id_token')));
  expect(seen['groups']).toEqual(['admins']);
  expect(seen).not.toHaveProperty('unknown');
});

test('a person may refuse', async () => {
  await open();
  const redirect = await provider.signInAt(authorizationUrl(), ada, { refuses: true });
  expect(new URL(redirect).searchParams.get('error')).toBe('access_denied');
});

test('asked for consent, the person agrees and a refresh token comes', async () => {
  await open();
  const url = authorizationUrl({ prompt: 'consent', scope: 'openid offline_access' });
  const tokens = await redeem(await provider.signInAt(url, ada));
  expect(field(tokens, 'refresh_token')).toEqual(expect.any(String));
});

test('an address that is not registered and a code that was used are refused', async () => {
  await open();
  const elsewhere = authorizationUrl({ redirect_uri: 'http://evil.test/callback' });
  await expect(provider.signInAt(elsewhere, ada)).rejects.toThrow('400');
  const redirect = await provider.signInAt(authorizationUrl(), ada);
  expect(await redeem(redirect)).toHaveProperty('id_token');
  expect(await redeem(redirect)).toMatchObject({ error: 'invalid_grant' });
});

test('PKCE is checked once a challenge was given', async () => {
  await open();
  const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };
  const redirect = await provider.signInAt(authorizationUrl(challenge), ada);
  expect(await redeem(redirect)).toMatchObject({ error: 'invalid_grant' });
});

test('clients are added while it runs, and may post their secret', async () => {
  await open({ clients: [] });
  const client = { ...app, clientId: 'late', authentication: 'post' as const };
  provider.addClient(client);
  const redirect = await provider.signInAt(authorizationUrl({ client_id: 'late' }), ada);
  expect(await redeem(redirect, client)).toHaveProperty('id_token');
});

test('keys are rotated, also between the code and its tokens; old ones stay unless dropped', async () => {
  await open();
  const old = await provider.mintIdToken({ clientId: app.clientId, person: ada });
  const redirect = await provider.signInAt(authorizationUrl(), ada);
  await provider.rotateKeys();
  const idToken = String(field(await redeem(redirect), 'id_token'));
  expect(decodeProtectedHeader(idToken).kid).not.toBe(decodeProtectedHeader(old).kid);
  await verified(idToken);
  await verified(old);
  await provider.rotateKeys({ dropOld: true });
  await expect(verified(old)).rejects.toThrow('no applicable key');
});

test('minted id tokens are good, expired, forged or unsigned', async () => {
  await open();
  const wish = { clientId: app.clientId, person: ada, nonce: 'n' };
  expect(await verified(await provider.mintIdToken(wish))).toMatchObject({
    sub: 'ada',
    nonce: 'n',
    email: 'ada@example.org',
  });
  const expired = await provider.mintIdToken({ ...wish, expiresInSeconds: -10 });
  await expect(verified(expired)).rejects.toThrow('"exp" claim timestamp check failed');
  const forged = await provider.mintIdToken({ ...wish, signer: 'stranger' });
  await expect(verified(forged)).rejects.toThrow('signature verification failed');
  const unsigned = await provider.mintIdToken({ ...wish, signer: 'nobody' });
  expect(decodeProtectedHeader(unsigned).alg).toBe('none');
});

test('id tokens can be altered before they leave, rightly signed', async () => {
  await open();
  provider.alterIdTokens((claims) => ({ ...claims, nonce: 'of another' }));
  const redirect = await provider.signInAt(authorizationUrl({ nonce: 'n' }), ada);
  expect(await verified(field(await redeem(redirect), 'id_token'))).toMatchObject({
    sub: 'ada',
    nonce: 'of another',
  });
  provider.alterIdTokens(undefined);
  const second = await provider.signInAt(authorizationUrl({ nonce: 'n' }), ada);
  expect(decodeJwt(String(field(await redeem(second), 'id_token')))['nonce']).toBe('n');
  expect(provider.requests.filter((line) => line === 'POST /token')).toHaveLength(2);
});

test('a part, or all of it, hangs or fails until it resumes', async () => {
  await open();
  const ask = (path: string) =>
    fetch(`${provider.issuer}${path}`, { signal: AbortSignal.timeout(1000) });
  provider.hang('keys');
  await expect(ask('/jwks')).rejects.toThrow(/timeout/);
  expect((await fetch(provider.discoveryUrl)).status).toBe(200);
  provider.fail(503);
  expect((await fetch(provider.discoveryUrl)).status).toBe(503);
  provider.hang();
  const waiting = fetch(provider.discoveryUrl);
  provider.resume();
  expect((await waiting).status).toBe(200);
  expect((await ask('/jwks')).status).toBe(200);
});
