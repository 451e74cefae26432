// Custom providers against a real OpenID Connect server (specification: auth.oauth.custom).
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createOutbound } from '#libs/outbound';

import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, cookieOf, openAuthProject } from './auth-project.js';
import {
  baseUrl,
  begin,
  callAnybody,
  clientId,
  comeBack,
  customEntry,
  locationOf,
  openProjectWith,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';
import { at } from '../support/replies.js';

const callback = `${baseUrl}/api/auth/oauth2/callback/acme`;
let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp);
});
afterAll(async () => {
  await project.close();
  await idp.close();
});

async function usersWith(email: string) {
  return project.sql('select * from auth."user" where email = $1', [email]);
}

describe('a sign-in with a custom provider', () => {
  test('goes to the provider with the callback of the specification, PKCE, a nonce and the scopes', async () => {
    const { url } = await begin(project, { body: { scopes: ['offline_access'] } });
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe(idp.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: clientId,
      redirect_uri: callback,
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile offline_access',
      nonce: expect.stringMatching(/^.{32}$/),
      state: expect.stringMatching(/^.{32}$/),
    });
  });

  test('makes an account with a session', async () => {
    const reply = await signIn(project, idp, person('ann'));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    const session = await project.get('/get-session', { headers: { cookie: cookieOf(reply) } });
    expect(at(session.body, 'user')).toMatchObject({
      email: 'ann@people.example',
      emailVerified: true,
      name: 'ann',
      role: 'USER',
    });
  });

  test('finds the same account the next time, by its subject and not by its address', async () => {
    await signIn(project, idp, person('bob'));
    const moved = person('bob', { email: 'bob@elsewhere.example' });
    const reply = await signIn(project, idp, moved);
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    expect(await usersWith('bob@people.example')).toHaveLength(1);
    expect(await usersWith('bob@elsewhere.example')).toHaveLength(0);
  });

  test('sends new people elsewhere when asked to', async () => {
    const body = { newUserCallbackURL: 'https://app.example.com/welcome' };
    const first = await signIn(project, idp, person('cat'), { body });
    expect(locationOf(first)).toBe('https://app.example.com/welcome');
    const second = await signIn(project, idp, person('cat'), { body });
    expect(locationOf(second)).toBe('https://app.example.com/done');
  });

  test('that the person refuses comes back with the error, and makes no account', async () => {
    const { url, cookies } = await begin(project, {
      body: { errorCallbackURL: 'https://app.example.com/failed?from=1' },
    });
    const back = await idp.signInAt(url, person('dan'), { refuses: true });
    const reply = await comeBack(project, back, cookies);
    const { origin, pathname, searchParams } = new URL(locationOf(reply));
    expect(`${origin}${pathname}`).toBe('https://app.example.com/failed');
    expect(searchParams.get('from')).toBe('1');
    expect(searchParams.get('error')).toBe('access_denied');
    expect(await usersWith('dan@people.example')).toHaveLength(0);
  });

  test('without an address for errors comes back with them to where it wanted to end', async () => {
    const { url, cookies } = await begin(project);
    const back = await idp.signInAt(url, person('dan'), { refuses: true });
    const reply = await comeBack(project, back, cookies);
    expect(locationOf(reply)).toMatch(/^https:\/\/app\.example\.com\/done\?error=access_denied/);
  });

  test('takes no name, picture or address that could not be stored', async () => {
    const strange = { name: `E\u0000ve${'e'.repeat(300)}`, picture: 'javascript:alert(1)' };
    const reply = await signIn(project, idp, person('eve', strange));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
    const [user] = await usersWith('eve@people.example');
    expect(user).toMatchObject({ name: expect.stringMatching(/^E vee{195}/), image: null });
  });

  test.each([
    { name: 'no address', claims: { email: undefined, email_verified: undefined } },
    { name: 'an address that is none', claims: { email: 'nobody' } },
    { name: 'the stand-in address of a phone user', claims: { email: '15550001@phone.local' } },
  ])('by somebody with $name ends with email_not_found', async ({ claims }) => {
    const reply = await signIn(project, idp, person('fay', claims));
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('email_not_found');
  });

  test('makes no account where new people are not wanted', async () => {
    const closed = await openProjectWith(idp, { createUsers: false });
    try {
      const reply = await signIn(closed, idp, person('gus'));
      expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('signup_disabled');
      expect(await closed.sql('select 1 from auth."user"')).toHaveLength(0);
    } finally {
      await closed.close();
    }
  });

  test('of a client without cookies ends with a code for the session', async () => {
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const { url } = await begin(project, {
      headers: { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': challenge },
    });
    const reply = await comeBack(project, await idp.signInAt(url, person('jan')), '');
    const { origin, pathname, searchParams } = new URL(locationOf(reply));
    expect(`${origin}${pathname}`).toBe('https://app.example.com/done');
    expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
    const body = { code: searchParams.get('rowhouse_code'), codeVerifier: verifier };
    const session = await project.post('/exchange-code', { body });
    expect(session).toMatchObject({ status: 200, body: { user: { email: 'jan@people.example' } } });
  });

  test('obeys the policy for sign-ups', async () => {
    const via = await project.rebuild({
      ...settingsWith(customEntry(idp)),
      'auth.signup': { blockedEmailDomains: ['blocked.example'] },
    });
    const { url, cookies } = await begin(project);
    const back = new URL(await idp.signInAt(url, person('hal', { email: 'hal@blocked.example' })));
    const reply = await project.get(`/oauth2/callback/acme${back.search}`, {
      headers: { cookie: cookies },
      via,
    });
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('EMAIL_DOMAIN_NOT_ALLOWED');
  });
});

describe('an entry of auth.oauth.custom', () => {
  test.each(['post', 'none'] as const)(
    'works for a client that authenticates by %s',
    async (way) => {
      const other = await openProvider('acme', way);
      const secret = way === 'none' ? { clientSecret: undefined } : {};
      const theirs = await openProjectWith(other, secret);
      try {
        const reply = await signIn(theirs, other, person('ann'));
        expect(locationOf(reply)).toBe('https://app.example.com/done');
      } finally {
        await theirs.close();
        await other.close();
      }
    },
  );

  test('works with addresses alone, and then takes the person from the user info', async () => {
    const plain = await openProjectWith(idp, {
      discoveryUrl: undefined,
      authorizationUrl: `${idp.issuer}/auth`,
      tokenUrl: `${idp.issuer}/token`,
      userInfoUrl: `${idp.issuer}/me`,
    });
    try {
      const reply = await signIn(plain, idp, person('ann'));
      expect(locationOf(reply)).toBe('https://app.example.com/done');
      const [account] = await plain.sql('select "accountId", "providerId" from auth.account');
      expect(account).toEqual({ accountId: 'ann', providerId: 'acme' });
    } finally {
      await plain.close();
    }
  });

  test('sends no challenge where PKCE is off', async () => {
    const via = await project.rebuild(settingsWith(customEntry(idp, { pkce: false })));
    const reply = await project.post('/sign-in/social', {
      body: { provider: 'acme', disableRedirect: true },
      via,
    });
    expect(String(at(reply.body, 'url'))).not.toContain('code_challenge');
  });

  test.each(['google', 'Google', 'gitlab', 'credential', 'sso-acme', 'SSO-acme'])(
    'cannot be called %s',
    async (providerId) => {
      const settings = settingsWith(customEntry(idp, { providerId, enabled: false }));
      await expect(project.rebuild(settings)).rejects.toMatchObject({ code: 'SETTINGS_REFUSED' });
    },
  );

  test('that is off is not there', async () => {
    const via = await project.rebuild(settingsWith(customEntry(idp, { enabled: false })));
    for (const path of ['/oauth2/callback/acme', '/account-info']) {
      const reply = await project.get(path, { via });
      expect(reply.status).toBe(404);
    }
    const reply = await project.post('/sign-in/social', { body: { provider: 'acme' }, via });
    expect(reply.status).toBe(404);
  });

  test('is called through the guarded way out alone, which refuses private hosts', async () => {
    const guarded = await openAuthProject({
      settings: settingsWith(
        customEntry(idp),
        customEntry(idp, {
          providerId: 'plain',
          discoveryUrl: undefined,
          authorizationUrl: 'https://idp.example/auth',
          tokenUrl: `${idp.issuer}/token`,
          userInfoUrl: `${idp.issuer}/me`,
        }),
      ),
      call: createOutbound({ allowedHosts: [] }),
    });
    try {
      const before = idp.requests.length;
      const discovery = await guarded.post('/sign-in/social', { body: { provider: 'acme' } });
      expect(discovery).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
      const { url, cookies } = await begin(guarded, { provider: 'plain' });
      const state = new URL(url).searchParams.get('state');
      const back = `${baseUrl}/api/auth/oauth2/callback/plain?code=x&state=${state}`;
      const reply = await comeBack(guarded, back, cookies);
      expect(new URL(locationOf(reply)).searchParams.get('error')).toBe('invalid_code');
      expect(idp.requests.slice(before)).toEqual([]);
    } finally {
      await guarded.close();
    }
  });

  test('is asked for nothing but what the way out was given', async () => {
    const asked: string[] = [];
    const watched = await openAuthProject({
      settings: settingsWith(customEntry(idp)),
      call: (request) => {
        asked.push(new URL(request.url).pathname);
        return callAnybody(request);
      },
    });
    try {
      const before = idp.requests.length;
      await signIn(watched, idp, person('ivy'));
      const byServer = /(discovery|openid-configuration|token|jwks|me)$/;
      const seen = idp.requests.slice(before).map((line) => line.split(' ')[1] ?? '');
      expect(seen.filter((path) => byServer.test(path)).sort()).toEqual([...asked].sort());
      expect(asked).toContain('/jwks');
    } finally {
      await watched.close();
    }
  });
});
