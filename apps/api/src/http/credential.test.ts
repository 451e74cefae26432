import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { hashProjectKey, newProjectKey, signAssertion } from '#libs/secrets';

import type { KeyUse } from '#libs/auth-engine';
import { type CredentialContext, readCredential, settleCredential } from './credential.js';

const secretKey = newProjectKey('secret');
const refused = { kind: 'none', isRefused: true };
const replacedKey = newProjectKey('secret');
const publishableKey = newProjectKey('publishable');
const assertionKey = Buffer.alloc(32, 1);
const now = 1_000_000;

function contextOf(changes: Partial<CredentialContext> = {}): CredentialContext {
  return {
    ref: 'abc',
    keys: {
      publishable: [hashProjectKey(publishableKey)],
      secret: [hashProjectKey(secretKey), hashProjectKey(replacedKey)],
      expiresAt: { [hashProjectKey(replacedKey)]: (now + 1) * 1000 },
    },
    areKeysEnforced: false,
    isOnRows: false,
    assertionKey,
    verifySigned: (value) => (value === 'token.signed' ? 'token' : undefined),
    sessionCookie: () => undefined,
    apiKeyPrefix: 'uak_',
    isForeign: (token) => token === 'listed.foreign.token',
    nowSeconds: () => now,
    ...changes,
  };
}

const assertion = (changes: object = {}) =>
  signAssertion(assertionKey, {
    ref: 'abc',
    operatorId: 'o1',
    email: 'o@example.org',
    capabilities: ['content.read', 'not.a.capability'],
    expiresAt: now + 60,
    ...changes,
  });

test.each([
  { name: 'nothing is no credential', headers: {}, credential: { kind: 'none' } },
  {
    name: 'a bearer token is a session',
    headers: { authorization: 'Bearer token' },
    credential: { kind: 'session', token: 'token' },
  },
  {
    name: 'the scheme is read in any case',
    headers: { authorization: 'bearer token' },
    credential: { kind: 'session', token: 'token' },
  },
  {
    name: 'a signed bearer token is checked and loses its signature',
    headers: { authorization: 'Bearer token.signed' },
    credential: { kind: 'session', token: 'token' },
  },
  {
    name: 'a wrong signature is no credential',
    headers: { authorization: 'Bearer token.forged' },
    credential: refused,
  },
  {
    name: 'another scheme is no credential',
    headers: { authorization: 'Basic dG9rZW4=' },
    credential: { kind: 'none' },
  },
  {
    name: 'the secret key as apikey',
    headers: { apikey: secretKey },
    credential: { kind: 'secret-key' },
  },
  {
    name: 'a replaced secret key until its end',
    headers: { apikey: replacedKey },
    credential: { kind: 'secret-key' },
  },
  {
    name: 'the secret key as bearer',
    headers: { authorization: `Bearer ${secretKey}` },
    credential: { kind: 'secret-key' },
  },
  {
    name: 'the secret key wins over a session',
    headers: { apikey: secretKey, authorization: 'Bearer token' },
    credential: { kind: 'secret-key' },
  },
  {
    name: 'a publishable key leaves the session',
    headers: { apikey: publishableKey, authorization: 'Bearer token' },
    credential: { kind: 'session', token: 'token' },
  },
  {
    name: 'a publishable key as bearer is no session',
    headers: { authorization: `Bearer ${publishableKey}` },
    credential: { kind: 'none' },
  },
  {
    name: 'a token with the prefix of API keys is a key, known by its hash alone',
    headers: { authorization: 'Bearer uak_key' },
    credential: {
      kind: 'shown-api-key',
      keyHash: createHash('sha256').update('uak_key').digest('base64url'),
    },
  },
  {
    name: 'the secret key wins over an API key',
    headers: { apikey: secretKey, authorization: 'Bearer uak_key' },
    credential: { kind: 'secret-key' },
  },
  {
    name: 'the token of a listed issuer waits to be verified',
    headers: { authorization: 'Bearer listed.foreign.token' },
    credential: { kind: 'foreign-token', token: 'listed.foreign.token' },
  },
  {
    name: 'the token of any other issuer is no credential',
    headers: { authorization: 'Bearer some.foreign.token' },
    credential: refused,
  },
  {
    name: 'the secret key may impersonate a user',
    headers: { apikey: secretKey, 'x-service-impersonate': 'u1' },
    credential: { kind: 'impersonated-user', userId: 'u1' },
  },
  {
    name: 'the secret key may impersonate a signed-out visitor',
    headers: { apikey: secretKey, 'x-service-impersonate': 'anon' },
    credential: { kind: 'impersonated-anon' },
  },
])('$name', ({ headers, credential }) => {
  expect(readCredential(headers, contextOf())).toEqual(credential);
});

describe('an operator on tables', () => {
  const asked = (capabilities: readonly string[]) => ({
    'x-rowhouse-operator': assertion({ capabilities }),
    'x-service-impersonate': 'u1',
  });

  test('may act as a user with secrets.manage', () => {
    const context = contextOf({ isOnRows: true });
    expect(readCredential(asked(['content.read', 'secrets.manage']), context)).toEqual({
      kind: 'impersonated-user',
      userId: 'u1',
    });
  });

  test('may not without it, nor with it on another route', () => {
    const onRows = contextOf({ isOnRows: true });
    expect(() => readCredential(asked(['content.write']), onRows)).toThrow('Only the secret key');
    expect(() => readCredential(asked(['secrets.manage']), contextOf())).toThrow(
      'Only the secret key',
    );
  });
});

test.each([
  { name: 'nobody', headers: {} },
  { name: 'a session', headers: { authorization: 'Bearer token' } },
  { name: 'a publishable key', headers: { apikey: publishableKey } },
  { name: 'an operator', headers: { 'x-rowhouse-operator': assertion() } },
])('$name may not impersonate', ({ headers }) => {
  const asked = { ...headers, 'x-service-impersonate': 'u1' };
  expect(() => readCredential(asked, contextOf())).toThrow('Only the secret key');
});

test.each([
  { name: 'of another project', key: newProjectKey('secret') },
  { name: 'that is no key', key: 'something' },
  { name: 'publishable of another project', key: newProjectKey('publishable') },
])('a key $name is refused', ({ key }) => {
  expect(() => readCredential({ apikey: key }, contextOf())).toThrow('The project key is missing');
});

test('with enforcement a request without a key is refused, with either key it is not', () => {
  const context = contextOf({ areKeysEnforced: true });
  const session = { authorization: 'Bearer token' };
  expect(() => readCredential(session, context)).toThrow('The project key is missing');
  expect(readCredential({ ...session, apikey: publishableKey }, context).kind).toBe('session');
  expect(readCredential({ apikey: secretKey }, context).kind).toBe('secret-key');
});

test('a session cookie counts when its signature is right', () => {
  const withCookie = (value: string) => contextOf({ sessionCookie: () => value });
  expect(readCredential({}, withCookie('token.signed'))).toEqual({
    kind: 'session',
    token: 'token',
  });
  expect(readCredential({}, withCookie('token'))).toEqual(refused);
});

test('while API keys are off, their prefix means nothing', () => {
  const headers = { authorization: 'Bearer uak_key' };
  const credential = readCredential(headers, contextOf({ apiKeyPrefix: undefined }));
  expect(credential).toEqual({ kind: 'session', token: 'uak_key' });
});

test.each([
  { name: 'an API key', headers: { authorization: 'Bearer uak_key' } },
  { name: 'a foreign token', headers: { authorization: 'Bearer listed.foreign.token' } },
])('$name may not impersonate', ({ headers }) => {
  const asked = { ...headers, 'x-service-impersonate': 'u1' };
  expect(() => readCredential(asked, contextOf())).toThrow('Only the secret key');
});

describe('settling', () => {
  const nothing = { keyUses: undefined, thirdParty: undefined };
  const shownKey = { kind: 'shown-api-key', keyHash: 'h' } as const;
  const counting = (use: KeyUse | Promise<KeyUse>) => ({
    ...nothing,
    keyUses: { count: () => use },
  });
  const session = { kind: 'session', token: 't' } as const;

  test('what needs nothing is settled at once and unchanged', () => {
    expect(settleCredential(session, counting('unknown'))).toBe(session);
  });

  test.each([
    { name: 'without a limit', use: 'unlimited' as const, isCounted: false },
    { name: 'whose use was counted', use: 'counted' as const, isCounted: true },
  ])('a key $name goes to the lookup', async ({ use, isCounted }) => {
    const credential = { kind: 'api-key', keyHash: 'h', isCounted };
    expect(settleCredential(shownKey, counting(use))).toEqual(credential);
    expect(await settleCredential(shownKey, counting(Promise.resolve(use)))).toEqual(credential);
  });

  test("nobody's key is no credential", () => {
    expect(settleCredential(shownKey, counting('unknown'))).toEqual(refused);
  });

  test('where keys are not counted the lookup decides alone', () => {
    const credential = { kind: 'api-key', keyHash: 'h', isCounted: false };
    expect(settleCredential(shownKey, nothing)).toEqual(credential);
  });

  test('a foreign token that does not hold is no credential', async () => {
    const shown = { kind: 'foreign-token', token: 'a.b.c' } as const;
    const thirdParty = { issuerOf: () => 'x', verify: () => Promise.resolve(undefined) };
    expect(await settleCredential(shown, { ...nothing, thirdParty })).toEqual(refused);
  });
});

describe('an operator assertion', () => {
  test('gives the operator with the capabilities that exist', () => {
    const credential = readCredential({ 'x-rowhouse-operator': assertion() }, contextOf());
    expect(credential).toEqual({
      kind: 'operator',
      operator: { operatorId: 'o1', email: 'o@example.org', capabilities: ['content.read'] },
    });
  });

  test.each([
    { name: 'for another project', token: assertion({ ref: 'def' }) },
    { name: 'that has expired', token: assertion({ expiresAt: now }) },
    { name: 'that would live too long', token: assertion({ expiresAt: now + 3600 }) },
    {
      name: 'signed with another key',
      token: signAssertion(Buffer.alloc(32, 2), {
        ref: 'abc',
        operatorId: 'o',
        email: 'e',
        capabilities: [],
        expiresAt: now + 60,
      }),
    },
    {
      name: 'with another content under the signature',
      token: `${assertion({ email: 'x' }).split('.')[0]}.${assertion().split('.')[1]}`,
    },
    { name: 'without a signature', token: assertion().split('.')[0] ?? '' },
  ])('$name is refused', ({ token }) => {
    expect(() => readCredential({ 'x-rowhouse-operator': token }, contextOf())).toThrow(
      'The operator assertion is not valid',
    );
  });
});

test('a replaced key is not valid from its end on', () => {
  const context = contextOf({ nowSeconds: () => now + 1 });
  expect(() => readCredential({ apikey: replacedKey }, context)).toThrow(
    expect.objectContaining({ code: 'INVALID_API_KEY' }),
  );
});
