// Tokens of another issuer, signed with real keys that a local server publishes.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

import { createThirdParty, type IssuerSettings, type ThirdParty } from '#libs/third-party-tokens';

import { type HttpRecorder, openHttpRecorder, type Reaction } from '../support/http-recorder.js';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const startMs = Date.UTC(2030, 0, 1);
const nowSeconds = startMs / 1_000;
let signing: KeyPair;
let second: KeyPair;
let server: HttpRecorder;
let nowMs: number;
/** How the issuer answers for its key set; by default with the first key. */
let keySet: () => Reaction | Promise<Reaction>;

beforeAll(async () => {
  signing = await generateKeyPair('ES256', { extractable: true });
  second = await generateKeyPair('RS256', { extractable: true });
});
beforeEach(async () => {
  nowMs = startMs;
  keySet = () => publish(['k1', signing]);
  server = await openHttpRecorder((request) => {
    if (request.path === '/jwks') return keySet();
    if (request.path === '/.well-known/openid-configuration') {
      return { body: { issuer: server.origin, jwks_uri: `${server.origin}/jwks` } };
    }
    return { status: 404 };
  });
});
afterEach(() => server.close());

async function publish(...keys: readonly (readonly [string, KeyPair])[]): Promise<Reaction> {
  const published = keys.map(async ([kid, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid,
  }));
  return { body: { keys: await Promise.all(published) } };
}

function open(settings: Partial<IssuerSettings> = {}): ThirdParty {
  return createThirdParty({
    issuers: [
      { name: 'main', issuer: server.origin, jwksUrl: `${server.origin}/jwks`, ...settings },
    ],
    fetch,
    now: () => nowMs,
  });
}

/** Undefined leaves a claim out. */
type Claims = Readonly<Record<string, unknown>>;

interface Signing {
  readonly key?: KeyPair;
  readonly kid?: string;
  readonly alg?: string;
}

function tokenOf(claims: Claims = {}, { key = signing, kid = 'k1', alg = 'ES256' }: Signing = {}) {
  const all = { iss: server.origin, sub: 'u1', exp: nowSeconds + 60, ...claims };
  const stated = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(stated).setProtectedHeader({ alg, kid }).sign(key.privateKey);
}

const asked = () => server.requests.filter(({ path }) => path === '/jwks').length;

describe('a token of a listed issuer', () => {
  test('gives its claims, with those that the platform decides', async () => {
    const stated = { email: 'a@b.example', email_verified: true, tier: 'gold' };
    const token = await tokenOf({
      ...stated,
      role: 'service_role',
      user_role: 'ADMIN',
      aal: 'aal2',
      session_id: 's1',
      is_anonymous: true,
      api_key_id: 'k',
      api_key_permissions: {},
      operator: {},
      has_second_factor: true,
      org_id: 'o1',
      org_role: 'owner',
      team_id: 't1',
    });
    expect(open().issuerOf(token)).toBe('main');
    expect(await open().verify(token)).toEqual({
      ...stated,
      iss: server.origin,
      exp: nowSeconds + 60,
      sub: 'u1',
      role: 'authenticated',
      user_role: 'USER',
      aal: 'aal1',
      session_id: null,
      is_anonymous: false,
      org_id: null,
      org_role: null,
      team_id: null,
      app_metadata: {},
      user_metadata: {},
    });
  });

  const addresses: {
    claims: Claims;
    emails: IssuerSettings['emails'];
    shown: string;
  }[] = [
    { claims: { email_verified: true }, emails: undefined, shown: 'a@b.example' },
    { claims: { email_verified: 'true' }, emails: undefined, shown: 'a@b.example' },
    { claims: {}, emails: undefined, shown: '' },
    { claims: { email_verified: false }, emails: undefined, shown: '' },
    { claims: { email_verified: 'yes' }, emails: 'verified', shown: '' },
    { claims: { email_verified: 1 }, emails: 'verified', shown: '' },
    { claims: {}, emails: 'all', shown: 'a@b.example' },
    { claims: { email_verified: true }, emails: 'none', shown: '' },
  ];
  test.each(addresses)(
    'with $claims shows the address "$shown" where $emails are believed',
    async ({ claims, emails, shown }) => {
      const token = await tokenOf({ email: 'a@b.example', ...claims });
      const verified = await open({ ...(emails && { emails }) }).verify(token);
      expect(verified?.email).toBe(shown);
    },
  );

  test('names organizations only where its issuer may', async () => {
    const named = { org_id: 'o1', org_role: 'owner', team_id: 't1' };
    const token = await tokenOf(named);
    const none = { org_id: null, org_role: null, team_id: null };
    expect(await open().verify(token)).toMatchObject(none);
    expect(await open({ organizationClaims: true }).verify(token)).toMatchObject(named);
  });

  test('is found by discovery when no key set is given', async () => {
    const thirdParty = open({ jwksUrl: undefined });
    expect(await thirdParty.verify(await tokenOf())).toMatchObject({ sub: 'u1' });
  });

  test('is not taken by the discovery document of another issuer', async () => {
    const moved = await openHttpRecorder(() => ({
      body: { issuer: server.origin, jwks_uri: `${server.origin}/jwks` },
    }));
    const thirdParty = open({ issuer: moved.origin, jwksUrl: undefined });
    const verified = thirdParty.verify(await tokenOf({ iss: moved.origin }));
    await expect(verified).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE', status: 503 });
    await moved.close();
  });

  const good: { name: string; claims?: Claims; settings?: Partial<IssuerSettings> }[] = [
    {
      name: 'of one of several audiences',
      claims: { aud: ['x', 'app'] },
      settings: { audience: 'app' },
    },
    { name: 'that ended within the leeway', claims: { exp: nowSeconds - 29 } },
    { name: 'that begins within the leeway', claims: { nbf: nowSeconds + 29 } },
  ];
  test.each(good)('$name holds', async ({ claims, settings }) => {
    expect(await open(settings).verify(await tokenOf(claims))).toMatchObject({ sub: 'u1' });
  });

  test('may be written with a slash at the end of the issuer', async () => {
    const token = await tokenOf({ iss: `${server.origin}/` });
    expect(await open().verify(token)).toMatchObject({ sub: 'u1' });
    const slashed = open({ issuer: `${server.origin}/` });
    expect(await slashed.verify(await tokenOf())).toMatchObject({ sub: 'u1' });
  });

  test('may name the user by another claim, also by a number', async () => {
    const token = await tokenOf({ uid: 42 });
    expect(await open({ userIdClaim: 'uid' }).verify(token)).toMatchObject({ sub: '42' });
  });

  test.each(['PS256', 'RS384', 'ES512', 'EdDSA'])('may be signed with %s', async (alg) => {
    const key = await generateKeyPair(alg, { extractable: true });
    keySet = () => publish(['k1', key]);
    expect(await open().verify(await tokenOf({}, { key, alg }))).toMatchObject({ sub: 'u1' });
  });
});

describe('no caller comes from', () => {
  const bad: {
    name: string;
    claims?: Claims;
    signing?: () => Signing;
    settings?: Partial<IssuerSettings>;
  }[] = [
    { name: 'a token that ended', claims: { exp: nowSeconds - 31 } },
    { name: 'a token that never ends', claims: { exp: undefined } },
    { name: 'a token that begins later', claims: { nbf: nowSeconds + 31 } },
    {
      name: 'a token for another audience',
      claims: { aud: 'other' },
      settings: { audience: 'app' },
    },
    { name: 'a token for no audience where one is asked for', settings: { audience: 'app' } },
    { name: 'a token without a subject', claims: { sub: undefined } },
    { name: 'an empty subject', claims: { sub: '' } },
    { name: 'a subject that is too long', claims: { sub: 'x'.repeat(256) } },
    { name: 'a subject that no text can hold', claims: { sub: 'a\0' } },
    { name: 'a claim that no text can hold', claims: { tier: '\ud800' } },
    { name: 'a key that is not the issuer’s', signing: () => ({ key: second, alg: 'RS256' }) },
    { name: 'a key that the issuer has not', signing: () => ({ kid: 'k2' }) },
  ];
  test.each(bad)('$name', async ({ claims, signing: how, settings }) => {
    const token = await tokenOf(claims, how?.());
    expect(await open(settings).verify(token)).toBeUndefined();
  });

  test('a token without a signature', async () => {
    const token = new UnsecuredJWT({
      iss: server.origin,
      sub: 'u1',
      exp: nowSeconds + 60,
    }).encode();
    expect(await open().verify(token)).toBeUndefined();
    expect(await open().verify(`${token}AAAA`)).toBeUndefined();
  });

  test('a token signed with the public key as a shared one', async () => {
    const { body } = Object(await publish(['k1', signing]));
    const secret = new TextEncoder().encode(JSON.stringify(body));
    keySet = () => ({
      body: { keys: [{ kty: 'oct', kid: 'k1', k: Buffer.from(secret).toString('base64url') }] },
    });
    const token = await new SignJWT({ iss: server.origin, sub: 'u1', exp: nowSeconds + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret);
    expect(await open().verify(token)).toBeUndefined();
  });

  test('a token that another listed issuer has signed', async () => {
    const other = await openHttpRecorder(() => publish(['k1', second]));
    const thirdParty = createThirdParty({
      issuers: [
        { name: 'main', issuer: server.origin, jwksUrl: `${server.origin}/jwks` },
        { name: 'other', issuer: other.origin, jwksUrl: `${other.origin}/jwks` },
      ],
      fetch,
      now: () => nowMs,
    });
    const forged = await tokenOf({}, { key: second, alg: 'RS256' });
    expect(await thirdParty.verify(forged)).toBeUndefined();
    const own = await tokenOf({ iss: other.origin }, { key: second, alg: 'RS256' });
    expect(await thirdParty.verify(own)).toMatchObject({ sub: 'u1' });
    await other.close();
  });

  test.each(['', 'a.b.c', 'eyJ.eyJ.x', `eyJhbGciOiJFUzI1NiJ9.${'A'.repeat(20_000)}.x`, 'uak_key'])(
    'what is no token of a listed issuer (%#), and nothing is fetched',
    async (token) => {
      expect(open().issuerOf(token)).toBeUndefined();
      expect(await open().verify(token)).toBeUndefined();
      expect(server.requests).toHaveLength(0);
    },
  );

  test('an issuer that is not listed', async () => {
    const token = await tokenOf({ iss: 'https://elsewhere.example' });
    expect(open().issuerOf(token)).toBeUndefined();
    expect(await open().verify(token)).toBeUndefined();
  });
});

describe('the keys of an issuer', () => {
  const rotated = () => tokenOf({}, { key: second, kid: 'k2', alg: 'RS256' });

  test('are read once for many tokens', async () => {
    const thirdParty = open();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf()));
    await Promise.all(tokens.map((token) => thirdParty.verify(token)));
    await thirdParty.verify(await tokenOf());
    expect(asked()).toBe(1);
  });

  test('are read again for a key that is not among them, but not more than every 30 seconds', async () => {
    const thirdParty = open();
    await thirdParty.verify(await tokenOf());
    keySet = () => publish(['k1', signing], ['k2', second]);
    nowMs += 29_000;
    expect(await thirdParty.verify(await rotated())).toBeUndefined();
    expect(asked()).toBe(1);
    nowMs += 1_000;
    expect(await thirdParty.verify(await rotated())).toMatchObject({ sub: 'u1' });
    const unknown = await tokenOf({}, { kid: 'k3' });
    await Promise.all(Array.from({ length: 10 }, () => thirdParty.verify(unknown)));
    expect(asked()).toBe(2);
  });

  test('serve for an hour while the issuer is away, and are asked for again meanwhile', async () => {
    const thirdParty = open();
    const always = await tokenOf({ exp: nowSeconds + 10_000 });
    await thirdParty.verify(always);
    keySet = () => ({ status: 500 });
    nowMs += 11 * 60_000;
    expect(await thirdParty.verify(always)).toMatchObject({ sub: 'u1' });
    await server.waitForRequest(() => asked() === 2);
    nowMs += 50 * 60_000;
    await expect(thirdParty.verify(always)).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
    keySet = () => publish(['k1', signing]);
    nowMs += 31_000;
    expect(await thirdParty.verify(always)).toMatchObject({ sub: 'u1' });
  });

  test('that were withdrawn serve no more once they are read again', async () => {
    const thirdParty = open();
    const always = await tokenOf({ exp: nowSeconds + 10_000 });
    await thirdParty.verify(always);
    keySet = () => publish(['k2', second]);
    nowMs += 61 * 60_000;
    expect(await thirdParty.verify(always)).toBeUndefined();
  });

  const failures: { name: string; reaction: Reaction }[] = [
    { name: 'fails', reaction: { status: 500 } },
    { name: 'redirects', reaction: { status: 302, headers: { location: '/jwks' } } },
    { name: 'answers with a page', reaction: { body: '<html>' } },
    { name: 'answers with no key set', reaction: { body: { keys: 1 } } },
    { name: 'cuts the connection', reaction: 'cut' },
  ];
  test.each(failures)(
    'an issuer that $name is unavailable, and is left alone for 30 seconds',
    async ({ reaction }) => {
      const thirdParty = open();
      keySet = () => reaction;
      const token = await tokenOf();
      const unavailable = { code: 'ISSUER_UNAVAILABLE', status: 503, cause: expect.anything() };
      await expect(thirdParty.verify(token)).rejects.toMatchObject(unavailable);
      const before = asked();
      await expect(thirdParty.verify(token)).rejects.toMatchObject(unavailable);
      expect(asked()).toBe(before);
      keySet = () => publish(['k1', signing]);
      nowMs += 30_000;
      expect(await thirdParty.verify(token)).toMatchObject({ sub: 'u1' });
    },
  );

  test('a broken key in the set harms the tokens that name it alone', async () => {
    keySet = async () => {
      const { body } = Object(await publish(['k1', signing]));
      return {
        body: { keys: [...body.keys, { kty: 'EC', crv: 'P-256', kid: 'k9', x: 'a', y: 'b' }] },
      };
    };
    const thirdParty = open();
    expect(await thirdParty.verify(await tokenOf())).toMatchObject({ sub: 'u1' });
    const verified = thirdParty.verify(await tokenOf({}, { kid: 'k9' }));
    await expect(verified).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
  });

  test('an issuer that hangs is given up and holds up no other', async () => {
    const other = await openHttpRecorder(() => publish(['k1', signing]));
    const thirdParty = createThirdParty({
      issuers: [
        { name: 'hangs', issuer: server.origin, jwksUrl: `${server.origin}/jwks` },
        { name: 'other', issuer: other.origin, jwksUrl: `${other.origin}/jwks` },
      ],
      fetch,
      now: () => nowMs,
    });
    keySet = () => 'hang';
    let isGivenUp = false;
    const hanging = Promise.allSettled([
      thirdParty.verify(await tokenOf()),
      thirdParty.verify(await tokenOf()),
    ]).finally(() => (isGivenUp = true));
    expect(await thirdParty.verify(await tokenOf({ iss: other.origin }))).toMatchObject({
      sub: 'u1',
    });
    expect(isGivenUp).toBe(false);
    for (const result of await hanging) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ISSUER_UNAVAILABLE' } });
    }
    expect(asked()).toBe(1);
    await other.close();
  });
});
