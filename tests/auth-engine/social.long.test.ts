// Social providers: which are offered, with which options (specification: auth.social).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socialProviders } from 'better-auth/social-providers';

import type { AuthInstance } from '#libs/auth-engine';
import { resolveAll } from '#libs/settings';

import { socialOptions } from '../../libs/auth-engine/src/parts/social/social-options.js';
import { openHttpRecorder } from '../support/http-recorder.js';
import { type AuthProject, openAuthProject } from './auth-project.js';
import { baseUrl, begin, callAnybody, comeBack, locationOf } from './oauth-flow.js';
import { at, textAt } from '../support/replies.js';

const NAMES = Object.keys(resolveAll({}, {})['auth.social']).sort();

/** What some need beside the client. */
const further: Readonly<Record<string, object>> = {
  cognito: { domain: 'login.example.com', region: 'eu-central-1', userPoolId: 'eu-central-1_Ab' },
};
const on = (name: string, more: object = {}) => ({
  enabled: true,
  clientId: `${name}-client`,
  clientSecret: `${name}-secret`,
  ...further[name],
  ...more,
});
const allOn = Object.fromEntries(NAMES.map((name) => [name, on(name)]));
const siteUrl = 'https://app.example.com';
const settingsOf = (social: object) => ({ 'auth.social': social, 'auth.urls': { siteUrl } });

let project: AuthProject;

beforeAll(async () => {
  project = await openAuthProject({ settings: settingsOf(allOn) });
});
afterAll(() => project.close());

/** The address at the provider that a sign-in leads to. */
async function addressAt(
  name: string,
  via?: AuthInstance,
  body: Readonly<Record<string, unknown>> = {},
): Promise<URL> {
  const reply = await project.post('/sign-in/social', {
    body: { provider: name, disableRedirect: true, ...body },
    ...(via && { via }),
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return new URL(textAt(reply.body, 'url'));
}

describe('with all providers on', () => {
  test('there is every provider that the engine knows', () => {
    expect(NAMES).toEqual(Object.keys(socialProviders).sort());
  });

  test.each(NAMES)(
    '%s is reached with the callback /api/auth/callback/<provider>',
    async (name) => {
      const { protocol, searchParams } = await addressAt(name);
      expect(protocol).toBe('https:');
      expect(searchParams.get('redirect_uri')).toBe(`${baseUrl}/api/auth/callback/${name}`);
      const client = ['client_id', 'client_key', 'appid'].map((key) => searchParams.get(key));
      expect(client).toContain(`${name}-client`);
      expect(searchParams.get('state')).toMatch(/^.{32}$/);
    },
  );

  test('their callbacks are there, and the form that Apple answers by', async () => {
    const query = 'code=x&state=y';
    const reply = await project.get(`/callback/google?${query}`);
    expect(locationOf(reply)).toBe(`${siteUrl}/?error=state_mismatch`);
    const posted = await project.post('/callback/apple', {
      body: query,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
      },
    });
    expect(locationOf(posted)).toBe(`${baseUrl}/api/auth/callback/apple?${query}`);
  });
});

describe('a provider is offered only when', () => {
  test.each([
    { name: 'it is enabled', google: on('google', { enabled: false }) },
    { name: 'it has a client id', google: { enabled: true, clientSecret: 's' } },
    { name: 'it has a client secret', google: { enabled: true, clientId: 'c' } },
  ])('$name', async ({ google }) => {
    const via = await project.rebuild(settingsOf({ google, github: on('github') }));
    const reply = await project.post('/sign-in/social', { body: { provider: 'google' }, via });
    expect(reply).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
    expect((await addressAt('github', via)).hostname).toBe('github.com');
  });

  test('it has the addresses that it cannot do without', async () => {
    const cognito = on('cognito', { userPoolId: undefined });
    const via = await project.rebuild(settingsOf({ cognito, github: on('github') }));
    const reply = await project.post('/sign-in/social', { body: { provider: 'cognito' }, via });
    expect(reply.status).toBe(404);
  });

  test.each([
    ['POST', '/sign-in/social'],
    ['POST', '/link-social'],
    ['POST', '/get-access-token'],
    ['POST', '/refresh-token'],
    ['GET', '/account-info'],
    ['GET', '/callback/google'],
    ['POST', '/callback/apple'],
    ['GET', '/oauth2/callback/acme'],
  ])('any is on: otherwise there is no %s %s', async (method, path) => {
    const via = await project.rebuild({});
    const reply = await (method === 'GET'
      ? project.get(path, { via })
      : project.post(path, { via }));
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

test.each([
  {
    name: 'further scopes are asked for beside those that are needed',
    provider: 'github',
    more: { scopes: ['repo'] },
    query: { scope: expect.stringMatching(/user:email.*repo/) },
  },
  {
    name: 'google asks for accounts of the hosted domain',
    provider: 'google',
    more: { hostedDomain: 'corp.example' },
    query: { hd: 'corp.example' },
  },
  {
    name: 'facebook has its configuration',
    provider: 'facebook',
    more: { configId: '42' },
    query: { config_id: '42' },
  },
])('$name', async ({ provider, more, query }) => {
  const via = await project.rebuild(settingsOf({ [provider]: on(provider, more) }));
  const { searchParams } = await addressAt(provider, via);
  expect(Object.fromEntries(searchParams)).toMatchObject(query);
});

test.each([
  {
    provider: 'microsoft',
    more: { tenantId: 'my-tenant' },
    begins: 'https://login.microsoftonline.com/my-tenant/',
  },
  { provider: 'microsoft', more: {}, begins: 'https://login.microsoftonline.com/common/' },
  { provider: 'gitlab', more: {}, begins: 'https://gitlab.com/oauth/authorize?' },
  {
    provider: 'gitlab',
    more: { issuer: 'https://git.example/' },
    begins: 'https://git.example/oauth/authorize?',
  },
  { provider: 'cognito', more: {}, begins: 'https://login.example.com/oauth2/authorize?' },
  { provider: 'paypal', more: {}, begins: 'https://www.paypal.com/' },
  {
    provider: 'paypal',
    more: { environment: 'sandbox' },
    begins: 'https://www.sandbox.paypal.com/',
  },
  { provider: 'salesforce', more: {}, begins: 'https://login.salesforce.com/' },
  {
    provider: 'salesforce',
    more: { environment: 'sandbox' },
    begins: 'https://test.salesforce.com/',
  },
])('$provider with $more leads to $begins', async ({ provider, more, begins }) => {
  const via = await project.rebuild(settingsOf({ [provider]: on(provider, more) }));
  expect((await addressAt(provider, via)).href.startsWith(begins)).toBe(true);
});

describe('a GitLab of one’s own', () => {
  const person = { id: 7, username: 'ann', name: 'Ann', email: 'ann@git.example', state: 'active' };

  async function signInAsked(user: object) {
    const gitlab = await openHttpRecorder(({ path }) => ({
      body: path === '/oauth/token' ? { access_token: 'at', token_type: 'Bearer' } : user,
    }));
    const settings = settingsOf({ gitlab: on('gitlab', { issuer: gitlab.origin }) });
    const project = await openAuthProject({ settings, call: callAnybody });
    try {
      const { url, cookies } = await begin(project, { provider: 'gitlab' });
      const state = new URL(url).searchParams.get('state');
      const reply = await comeBack(
        project,
        `${baseUrl}/api/auth/callback/gitlab?code=c&state=${state}`,
        cookies,
      );
      const rows = await project.sql(
        `select a."accountId", u.email, u."emailVerified" from auth.account a
         join auth."user" u on u.id = a."userId"`,
      );
      return { location: locationOf(reply), rows, paths: gitlab.requests.map(({ path }) => path) };
    } finally {
      await project.close();
      await gitlab.close();
    }
  }

  test('signs people in by their number', async () => {
    const { location, rows, paths } = await signInAsked(person);
    expect(location).toBe('https://app.example.com/done');
    expect(rows).toEqual([{ accountId: '7', email: 'ann@git.example', emailVerified: false }]);
    expect(paths).toEqual(['/oauth/token', '/api/v4/user']);
  });

  test.each([{ state: 'blocked' }, { locked: true }])(
    'keeps people out who are %o',
    async (change) => {
      const { location, rows } = await signInAsked({ ...person, ...change });
      expect(new URL(location).searchParams.get('error')).toBe('unable_to_get_user_info');
      expect(rows).toEqual([]);
    },
  );
});

// Cognito is assembled like a custom provider, whose tests show the same of it.
test.each(NAMES.filter((name) => name !== 'cognito'))(
  '%s makes no accounts when new people are not wanted',
  (name) => {
    const closed = { [name]: on(name, { createUsers: false }) };
    const settings = resolveAll({ 'auth.social': closed }, {})['auth.social'];
    expect(at(socialOptions(settings), name, 'disableSignUp')).toBe(true);
  },
);

test('apple takes id tokens of the native apps that are named, and of its own client', () => {
  const apple = on('apple', { audiences: ['com.example.app', 'com.example.pad'] });
  const settings = resolveAll({ 'auth.social': { apple } }, {})['auth.social'];
  expect(socialOptions(settings).apple).toMatchObject({
    appBundleIdentifier: 'com.example.app',
    audience: ['apple-client', 'com.example.app', 'com.example.pad'],
  });
});
