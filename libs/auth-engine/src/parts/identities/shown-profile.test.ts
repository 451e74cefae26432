import { describe, expect, test } from 'vitest';
import { runWithRequestState } from '@better-auth/core/context';
import type { OAuthProvider } from '@better-auth/core/oauth2';
import { shownProfile, watchProvider } from './shown-profile.js';

/** A provider that answers `user` about everybody; whatever the types say, its answers are from outside. */
function providerOf(user: object | Error): OAuthProvider {
  const answer: unknown = { user, data: { id: '1' } };
  return {
    id: 'acme',
    name: 'Acme',
    accountSubject: () => '1',
    createAuthorizationURL: () => new URL('https://acme.example'),
    validateAuthorizationCode: async () => null,
    getUserInfo: async () => {
      if (user instanceof Error) throw user;
      // The kinds of the values are what the tests are about.
      return answer as Awaited<ReturnType<OAuthProvider['getUserInfo']>>;
    },
  };
}

/** What the engine gets to know, and what is remembered. */
async function told(user: object | Error) {
  const logged: string[] = [];
  const provider = providerOf(user);
  watchProvider(provider, ({ message }) => logged.push(message));
  return runWithRequestState(new WeakMap(), async () => {
    const found = await provider.getUserInfo({});
    return { user: found?.user, shown: await shownProfile(), logged };
  });
}

describe('an address counts as verified', () => {
  test.each<{ name: string; value: unknown; verified: boolean }>([
    { name: 'true', value: true, verified: true },
    { name: '"true"', value: 'true', verified: true },
    { name: 'false', value: false, verified: false },
    { name: '"false"', value: 'false', verified: false },
    { name: 'nothing', value: undefined, verified: false },
    { name: '1', value: 1, verified: false },
    { name: '"yes"', value: 'yes', verified: false },
  ])('when the provider says $name: $verified', async ({ value, verified }) => {
    const { user } = await told({ email: 'a@b.example', emailVerified: value });
    expect(user?.emailVerified).toBe(verified);
  });
});

test('what belongs to an account is passed on and remembered, and nothing else', async () => {
  const user = { name: 'Ann', email: 'a@b.example', image: 'https://b.example/a.png' };
  const found = await told({ ...user, emailVerified: true, username: 'root', role: 'ADMIN' });
  expect(found.user).toEqual({ ...user, emailVerified: true });
  expect(found.shown).toEqual({ ...user, emailVerified: true, providerId: 'acme' });
});

test.each([
  { name: 'an address with a space', user: { email: 'a b@c.example' } },
  { name: 'an address with NUL', user: { email: 'a\0@c.example' } },
  { name: 'an address that is too long', user: { email: `${'a'.repeat(250)}@c.example` } },
  { name: 'the address of a guest', user: { email: 'x@anonymous.local' } },
  { name: 'an address that is a number', user: { email: 7 } },
  { name: 'a picture that is a script', user: { image: 'javascript:alert(1)' } },
  { name: 'a picture that is no text', user: { image: { url: 'https://b.example' } } },
  { name: 'a name that is a list', user: { name: ['Ann'] } },
])('$name is left out', async ({ user }) => {
  const found = await told({ ...user, emailVerified: false });
  expect(found.user).toEqual({ emailVerified: false });
});

test('a provider that fails tells nothing, and the log knows', async () => {
  expect(await told(new Error('down'))).toEqual({
    user: undefined,
    shown: undefined,
    logged: ['The provider acme sent no profile'],
  });
});
