// Attacks on sign-ins with providers: answers that are not what they claim to be, and accounts of others.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JWTPayload } from 'jose';

import { waitFor } from '#libs/testing';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, password, signUp } from './auth-project.js';
import { EVIL_TARGETS } from './mail-links.js';
import {
  begin,
  comeBack,
  customEntry,
  locationOf,
  openProjectWith,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';
import { bearer, textAt } from '../support/replies.js';

let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp);
});
beforeEach(async () => {
  await project.sql('delete from auth."user"');
  await project.sql('delete from auth.verification');
});
afterEach(() => idp.alterIdTokens(undefined));
afterAll(async () => {
  await project.close();
  await idp.close();
});

const errorOf = (location: string) => new URL(location).searchParams.get('error');
const countOf = async (table: string) => {
  const [row] = await project.sql(`select count(*)::int as rows from auth.${table}`);
  return row?.['rows'];
};

describe('an id token of the token endpoint is refused', () => {
  const hour = 3600;
  test.each<{ name: string; change: (claims: JWTPayload) => JWTPayload }>([
    { name: 'with another nonce', change: (claims) => ({ ...claims, nonce: 'other' }) },
    { name: 'without a nonce', change: ({ nonce: _nonce, ...claims }) => claims },
    { name: 'for another client', change: (claims) => ({ ...claims, aud: 'other' }) },
    {
      name: 'of another issuer',
      change: (claims) => ({ ...claims, iss: 'https://other.example' }),
    },
    {
      name: 'that has expired',
      change: (claims) => ({
        ...claims,
        exp: Number(claims.iat) - hour,
        iat: Number(claims.iat) - 2 * hour,
      }),
    },
    { name: 'without a subject', change: ({ sub: _sub, ...claims }) => claims },
    {
      name: 'for several clients that was made for another',
      change: (claims) => ({ ...claims, aud: ['rowhouse', 'other'], azp: 'other' }),
    },
  ])('$name', async ({ change }) => {
    idp.alterIdTokens(change);
    const reply = await signIn(project, idp, person('ann'));
    expect(errorOf(locationOf(reply))).toBe('unable_to_get_user_info');
    expect(await countOf('"user"')).toBe(0);
    expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
  });

  test('unless it is right, also when it passes the same way as the wrong ones', async () => {
    idp.alterIdTokens((claims) => ({ ...claims }));
    const reply = await signIn(project, idp, person('ann'));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
  });

  test('and the keys may have changed meanwhile', async () => {
    await signIn(project, idp, person('ann'));
    await idp.rotateKeys({ dropOld: true });
    // Keys are looked up anew at most every few seconds.
    await waitFor(async () => {
      const reply = await signIn(project, idp, person('ann'));
      return locationOf(reply) === 'https://app.example.com/done';
    });
  });
});

describe('user info beside an id token without an address', () => {
  test('gives the address', async () => {
    idp.alterIdTokens(({ email: _email, ...claims }) => claims);
    const reply = await signIn(project, idp, person('ann'));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    const [user] = await project.sql('select email from auth."user"');
    expect(user).toEqual({ email: 'ann@people.example' });
  });

  test('is refused when it is about another person', async () => {
    idp.alterIdTokens(({ email: _email, ...claims }) => ({ ...claims, sub: 'other' }));
    const reply = await signIn(project, idp, person('ann'));
    expect(errorOf(locationOf(reply))).toBe('unable_to_get_user_info');
    expect(await countOf('"user"')).toBe(0);
  });
});

describe('a browser that comes back', () => {
  test('without the cookie of the one that left gets nothing', async () => {
    const { url } = await begin(project);
    const back = await idp.signInAt(url, person('ann'));
    const reply = await comeBack(project, back, '');
    expect(errorOf(locationOf(reply))).toBe('state_mismatch');
    expect(await countOf('session')).toBe(0);
  });

  test('with the state of another flow gets nothing', async () => {
    const mine = await begin(project);
    const theirs = await begin(project);
    const back = await idp.signInAt(theirs.url, person('ann'));
    const reply = await comeBack(project, back, mine.cookies);
    expect(errorOf(locationOf(reply))).toBe('state_mismatch');
    expect(await countOf('session')).toBe(0);
  });

  test('with a state that nobody made is sent to the site, with the error', async () => {
    const reply = await project.get('/oauth2/callback/acme?code=x&state=y');
    expect(new URL(locationOf(reply)).origin).toBe('https://app.example.com');
    expect(errorOf(locationOf(reply))).toBe('state_mismatch');
  });

  test('a second time gets nothing', async () => {
    const { url, cookies } = await begin(project);
    const back = await idp.signInAt(url, person('ann'));
    await comeBack(project, back, cookies);
    const again = await comeBack(project, back, cookies);
    expect(errorOf(locationOf(again))).toBe('state_mismatch');
    expect(await countOf('session')).toBe(1);
  });

  test('at the callback of another provider than it was sent to gets nothing', async () => {
    const via = await project.rebuild(
      settingsWith(customEntry(idp), customEntry(idp, { providerId: 'other' })),
    );
    const { url, cookies } = await begin(project);
    const back = await idp.signInAt(url, person('ann'));
    const { search } = new URL(back);
    const headers = { cookie: cookies };
    const reply = await project.get(`/oauth2/callback/other${search}`, { headers, via });
    expect(errorOf(locationOf(reply))).toBe('state_mismatch');
    expect(await countOf('"user"')).toBe(0);
  });

  test.each([
    { name: 'of another issuer', iss: 'https://other.example', error: 'issuer_mismatch' },
    {
      name: 'of no issuer, where the provider names it always',
      iss: undefined,
      error: 'issuer_missing',
    },
  ])('with an answer $name gets nothing', async ({ iss, error }) => {
    const { url, cookies } = await begin(project);
    const back = new URL(await idp.signInAt(url, person('ann')));
    back.searchParams.delete('iss');
    if (iss !== undefined) back.searchParams.set('iss', iss);
    const reply = await comeBack(project, back.href, cookies);
    expect(errorOf(locationOf(reply))).toBe(error);
    expect(await countOf('session')).toBe(0);
  });

  test('gets a session of its own, whatever session cookie it brought', async () => {
    const attacker = textAt((await signUp(project, 'mallory@example.com')).body, 'token');
    const { url, cookies } = await begin(project);
    const back = await idp.signInAt(url, person('ann'));
    const reply = await comeBack(
      project,
      back,
      `${cookies}; better-auth.session_token=${attacker}`,
    );
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    const [session] = await project.sql(
      `select u.email from auth.session s join auth."user" u on u.id = s."userId"
       where s."tokenHash" <> sha256(convert_to($1, 'UTF8'))`,
      [attacker],
    );
    expect(session).toEqual({ email: 'ann@people.example' });
  });
});

describe('an account that somebody has made with a password', () => {
  const email = 'ann@people.example';
  const linkedTo = async () => (await project.sql(`select "providerId" from auth.account`)).length;

  test('is not handed over by a provider while its address is not verified (pre-hijack)', async () => {
    await signUp(project, email);
    const reply = await signIn(project, idp, person('ann'));
    expect(errorOf(locationOf(reply))).toBe('account_not_linked');
    expect(await linkedTo()).toBe(1);
    expect(await countOf('session')).toBe(1);
  });

  test.each<{ name: string; value: unknown }>([
    { name: 'false', value: false },
    { name: 'the text "false"', value: 'false' },
    { name: 'absent', value: undefined },
    { name: 'null', value: null },
    { name: '1', value: 1 },
    { name: 'the text "yes"', value: 'yes' },
    { name: 'a list', value: [true] },
  ])('is not linked when email_verified is $name', async ({ value }) => {
    await signUp(project, email);
    await project.sql('update auth."user" set "emailVerified" = true');
    const reply = await signIn(project, idp, person('ann', { email_verified: value }));
    expect(errorOf(locationOf(reply))).toBe('account_not_linked');
    expect(await linkedTo()).toBe(1);
  });

  test.each([true, 'true'])('is linked when both sides have verified it (%p)', async (value) => {
    await signUp(project, email);
    await project.sql('update auth."user" set "emailVerified" = true');
    const reply = await signIn(project, idp, person('ann', { email_verified: value }));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    expect(await linkedTo()).toBe(2);
    expect(await countOf('"user"')).toBe(1);
    const again = await project.post('/sign-in/email', { body: { email, password } });
    expect(again.status).toBe(200);
  });
});

test.each<{ name: string; value: unknown; verified: boolean }>([
  { name: 'true', value: true, verified: true },
  { name: 'the text "true"', value: 'true', verified: true },
  { name: 'the text "false"', value: 'false', verified: false },
  { name: 'absent', value: undefined, verified: false },
])('a new account is verified only by a clear yes: $name', async ({ value, verified }) => {
  await signIn(project, idp, person('ann', { email_verified: value }));
  const [user] = await project.sql('select "emailVerified" from auth."user"');
  expect(user).toEqual({ emailVerified: verified });
});

test('an inactive user gets no session from a provider', async () => {
  await signIn(project, idp, person('ann'));
  await project.sql(`update auth."user" set status = 'inactive'`);
  await project.sql('delete from auth.session');
  const reply = await signIn(project, idp, person('ann'));
  expect(errorOf(locationOf(reply))).toBe('USER_INACTIVE');
  expect(await countOf('session')).toBe(0);
});

test('nobody signs up with an address that stands in for people of a provider', async () => {
  const email = '42@twitter.placeholder.invalid';
  const reply = await project.post('/sign-up/email', { body: { email, password } });
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  expect(await countOf('"user"')).toBe(0);
});

describe('a sign-in or link never ends outside the project', () => {
  const fields = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'] as const;
  const rows = EVIL_TARGETS.flatMap((target) => fields.map((field) => ({ target, field })));

  test.each(rows)('$field $target', async ({ target, field }) => {
    const body = { provider: 'acme', disableRedirect: true, [field]: target };
    const reply = await project.post('/sign-in/social', { body });
    expect(reply.status).toBe(403);
    expect(await countOf('verification')).toBe(0);
    if (field === 'newUserCallbackURL') return;
    const headers = bearer(textAt((await signUp(project, 'ann@example.com')).body, 'token'));
    const link = await project.post('/link-social', { body, headers });
    expect(link.status).toBe(403);
  });

  test('and the origin of the provider is no place to end at', async () => {
    const body = { provider: 'acme', callbackURL: `${idp.issuer}/anything` };
    expect((await project.post('/sign-in/social', { body })).status).toBe(403);
  });
});

test.each([
  { field: 'additionalData', value: { link: { userId: 'x', email: 'x' } } },
  { field: 'role', value: 'ADMIN' },
])('the field $field is not for clients', async ({ field, value }) => {
  const reply = await project.post('/sign-in/social', {
    body: { provider: 'acme', [field]: value },
  });
  expect(reply).toMatchObject({ status: 400, body: { code: 'FIELD_NOT_ALLOWED' } });
});
