// Providers that are down, slow or wrong: the project goes on, and they work as soon as they are well again.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, openAuthProject } from './auth-project.js';
import {
  begin,
  callAnybody,
  comeBack,
  customEntry,
  locationOf,
  openProvider,
  person,
  settingsWith,
  signIn,
} from './oauth-flow.js';

let project: AuthProject;
let idp: OidcIdentityProvider;

beforeAll(async () => {
  project = await openAuthProject({ call: callAnybody });
});
beforeEach(async () => {
  idp = await openProvider();
});
afterEach(() => idp.close());
afterAll(() => project.close());

const discoveryRequests = () => idp.requests.filter((line) => line.includes('openid-conf')).length;

/** The project with the provider as it is now. */
async function withProvider(more: Readonly<Record<string, unknown>> = {}): Promise<AuthProject> {
  const via = await project.rebuild(settingsWith(customEntry(idp, more)));
  return {
    ...project,
    get: (path, ask) => project.get(path, { ...ask, via }),
    post: (path, ask) => project.post(path, { ...ask, via }),
  };
}

const ask = (project: AuthProject) =>
  project.post('/sign-in/social', { body: { provider: 'acme', disableRedirect: true } });

const unavailable = { status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } };

describe('a provider whose discovery', () => {
  test('hangs delays neither the instance nor other requests, and works when it is back', async () => {
    idp.hang('discovery');
    const project = await withProvider();
    let isAnswered = false;
    const waiting = ask(project).finally(() => (isAnswered = true));
    const other = await project.get('/get-session');
    expect(other.status).toBe(200);
    expect(isAnswered).toBe(false);
    expect(await waiting).toMatchObject(unavailable);
    idp.resume();
    await waitFor(async () => (await ask(project)).status === 200);
    const reply = await signIn(project, idp, person('ann'));
    expect(locationOf(reply)).toBe('https://app.example.com/done');
  });

  test.each([{ status: 500 }, { status: 404 }, { status: 302 }])(
    'answers $status is unavailable until it answers well',
    async ({ status }) => {
      const project = await withProvider();
      idp.fail(status, 'discovery');
      expect(await ask(project)).toMatchObject(unavailable);
      idp.resume();
      await waitFor(async () => (await ask(project)).status === 200);
    },
  );

  test('is of another issuer than the settings say is not used', async () => {
    const project = await withProvider({ issuer: 'https://other.example' });
    expect(await ask(project)).toMatchObject(unavailable);
  });

  test('is asked once for many sign-ins at the same moment, and not again for those after', async () => {
    const project = await withProvider();
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(project)));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    await ask(project);
    expect(discoveryRequests()).toBe(1);
  });

  test('fails is left alone for a moment', async () => {
    const project = await withProvider();
    idp.fail(500, 'discovery');
    await ask(project);
    await Promise.all(Array.from({ length: 10 }, () => ask(project)));
    expect(discoveryRequests()).toBe(1);
  });

  test('fails while a browser comes back sends it on with the error, and the way back stays open', async () => {
    const { url, cookies } = await begin(await withProvider());
    const back = await idp.signInAt(url, person('bea'));
    const project = await withProvider();
    idp.fail(500, 'discovery');
    const reply = await comeBack(project, back, cookies);
    expect(locationOf(reply)).toBe('https://app.example.com/done?error=PROVIDER_UNAVAILABLE');
    idp.resume();
    await waitFor(async () => {
      const again = await comeBack(project, back, cookies);
      return locationOf(again) === 'https://app.example.com/done';
    });
  });

  test('does not work leaves an id token without an answer about it', async () => {
    const project = await withProvider();
    idp.fail(500, 'discovery');
    const reply = await project.post('/sign-in/social', {
      body: { provider: 'acme', idToken: 'a.b.c' },
    });
    expect(reply).toMatchObject(unavailable);
  });
});

test.each([
  { name: 'a script to go to', change: { authorization_endpoint: 'javascript:alert(1)' } },
  { name: 'a file as its token endpoint', change: { token_endpoint: 'file:///etc/passwd' } },
  { name: 'no token endpoint', change: { token_endpoint: undefined } },
])('a discovery document with $name is not used', async ({ change }) => {
  const stranger = await openAuthProject({
    settings: settingsWith(customEntry(idp)),
    call: async (request) => {
      const answer = await callAnybody(request);
      return { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), ...change }) };
    },
  });
  try {
    expect(await ask(stranger)).toMatchObject(unavailable);
  } finally {
    await stranger.close();
  }
});

test.each(['token', 'userinfo'] as const)(
  'a provider whose %s endpoint fails sends the browser on with an error, and gives no session',
  async (part) => {
    const project = await withProvider({
      discoveryUrl: undefined,
      authorizationUrl: `${idp.issuer}/auth`,
      tokenUrl: `${idp.issuer}/token`,
      userInfoUrl: `${idp.issuer}/me`,
    });
    const { url, cookies } = await begin(project);
    const back = await idp.signInAt(url, person('cyd'));
    idp.fail(500, part);
    const reply = await comeBack(project, back, cookies);
    const error = part === 'token' ? 'invalid_code' : 'unable_to_get_user_info';
    expect(new URL(locationOf(reply)).searchParams.get('error')).toBe(error);
    expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
  },
);
