// The settings groups of the specification, row by row: default, switch, fields, and what a save does.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { projectRoutes } from '../isolation/api-routes.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { completeSettings, createWith, outcomeOf, post, save } from './complete-project.js';

// The routes are the rows of a table below, so the application is asked before the tests are named.
const engineRoutes = (await projectRoutes()).filter(({ path }) =>
  /^\/api\/auth\/[^*]+$/.test(path),
);

let deployment: Deployment;
let sms: SmsGateway;
let project: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms] = await Promise.all([Deployment.shared('outbound'), openSmsGateway()]);
  project = await createWith(deployment, { 'security.rateLimit': { enabled: false } });
});
afterAll(async () => {
  await deployment.close();
  await sms.close();
});
const saved = new Set<string>();
afterEach(async () => {
  for (const group of saved) await revert(group);
  saved.clear();
});

const pathOf = (group: string) => `/api/admin/settings/${group}`;
const read = async (group: string) =>
  asRecord((await project.asService({ path: pathOf(group) })).body);
const revert = (group: string) => project.asService({ method: 'DELETE', path: pathOf(group) });
const put = (group: string, body: object) => {
  saved.add(group);
  return project.asService({ method: 'PUT', path: pathOf(group), body });
};
const set = (group: string, body: object) => {
  saved.add(group);
  return save(project, group, body);
};
/** Whether a route is there: what a project does not serve is NOT_FOUND. */
const isServed = async (method: string, path: string) => {
  const call = {
    method,
    path: path.replace(/:\w+/g, 'abc'),
    ...(method === 'POST' && { body: {} }),
  };
  return outcomeOf(await project.send(call)) !== '404 NOT_FOUND';
};

interface Switch {
  readonly group: string;
  readonly isOn: boolean;
  /** What turns it on, where that takes more than `enabled`. */
  readonly on?: object;
  readonly off?: object;
  readonly route: readonly ['GET' | 'POST', string];
}

const complete = (group: string): object => completeSettings(sms)[group] ?? {};
const switches: readonly Switch[] = [
  { group: 'auth.methods.emailPassword', isOn: true, route: ['POST', 'sign-in/email'] },
  { group: 'auth.methods.magicLink', isOn: true, route: ['POST', 'sign-in/magic-link'] },
  { group: 'auth.methods.emailOTP', isOn: true, route: ['POST', 'sign-in/email-otp'] },
  { group: 'auth.phoneOtp', isOn: false, route: ['POST', 'phone-number/send-otp'] },
  {
    group: 'auth.social',
    isOn: false,
    on: { github: { enabled: true, clientId: 'a', clientSecret: 'b' } },
    off: { github: { enabled: false } },
    route: ['GET', 'callback/github'],
  },
  {
    group: 'auth.oauth.custom',
    isOn: false,
    on: {
      providers: [
        {
          providerId: 'acme',
          clientId: 'a',
          authorizationUrl: 'https://acme.example/a',
          tokenUrl: 'https://acme.example/t',
        },
      ],
    },
    off: { providers: [] },
    route: ['GET', 'oauth2/callback/acme'],
  },
  {
    group: 'auth.passkey',
    isOn: false,
    on: { enabled: true, rpId: 'localhost' },
    route: ['GET', 'passkey/generate-authenticate-options'],
  },
  { group: 'auth.twoFactor', isOn: false, route: ['GET', 'two-factor/status'] },
  { group: 'auth.organization', isOn: true, route: ['GET', 'organization/list'] },
  { group: 'auth.sso', isOn: false, route: ['GET', 'sso/providers'] },
  { group: 'auth.apiKey', isOn: false, route: ['GET', 'api-key/list'] },
  { group: 'auth.methods.anonymous', isOn: false, route: ['POST', 'sign-in/anonymous'] },
];

describe('Settings groups: a method is on or off by default, and by a save with the next request', () => {
  test.each(switches)('$group is on: $isOn', async ({ group, isOn, on, off, route }) => {
    await set('phone.sms', complete('phone.sms'));
    const isThere = () => isServed(route[0], `/api/auth/${route[1]}`);
    expect(await isThere()).toBe(isOn);
    await set(group, on ?? { enabled: true });
    expect(await isThere()).toBe(true);
    await set(group, off ?? { enabled: false });
    expect(await isThere()).toBe(false);
    await revert(group);
    expect(await isThere()).toBe(isOn);
  });

  test('auth.phoneOtp needs a working SMS provider or it is not mounted at all', async () => {
    await set('auth.phoneOtp', { enabled: true });
    expect(await isServed('POST', '/api/auth/phone-number/send-otp')).toBe(false);
  });

  test('JWT/JWKS issuance is always on', async () => {
    for (const { group, off } of switches) await set(group, off ?? { enabled: false });
    expect((await project.send({ path: '/api/auth/jwks' })).status).toBe(200);
    expect(outcomeOf(await project.send({ path: '/api/auth/token' }))).toBe('401 UNAUTHORIZED');
  });
});

describe('Plugin routes are mounted only when their group is enabled', () => {
  // Recovery by code is a part of passwords; a change of the address is refused whatever is on.
  const others = /password-reset$|reset-password$|change/;
  test.each([
    { prefix: 'magic-link', group: 'auth.methods.magicLink' },
    { prefix: 'email-otp', group: 'auth.methods.emailOTP' },
    { prefix: 'two-factor', group: 'auth.twoFactor' },
    { prefix: 'passkey', group: 'auth.passkey' },
    { prefix: 'organization', group: 'auth.organization' },
    { prefix: 'api-key', group: 'auth.apiKey' },
    { prefix: 'sso', group: 'auth.sso' },
  ])('/api/auth/$prefix/*: $group', async ({ prefix, group }) => {
    const own = engineRoutes.filter(
      ({ path }) => path.startsWith(`/api/auth/${prefix}/`) && !others.test(path),
    );
    expect(own.length).toBeGreaterThan(0);
    const served = async () => {
      const found = [];
      for (const { method, path } of own) found.push(await isServed(method, path));
      return new Set(found);
    };
    await set(group, { enabled: true, ...complete(group) });
    expect(await served()).toEqual(new Set([true]));
    await set(group, { enabled: false });
    expect(await served()).toEqual(new Set([false]));
  });
});

describe('Fields of the settings groups', () => {
  test.each([
    {
      group: 'auth.phoneOtp',
      defaults: { enabled: false, otpLength: 6, expiresIn: 300, signUpOnVerification: true },
    },
    {
      group: 'auth.organization',
      defaults: {
        enabled: true,
        allowUserToCreateOrganization: true,
        teamsEnabled: false,
        maxMembers: 0,
      },
    },
    { group: 'auth.passkey', defaults: { enabled: false } },
    { group: 'auth.oauth.custom', defaults: { providers: [] } },
    { group: 'api.rest', defaults: { maxRows: 1000 } },
    {
      group: 'auth.attackProtection',
      defaults: {
        captchaEnabled: false,
        captchaRoutes: [],
        captchaAuthEndpoints: expect.arrayContaining(['sign-up', 'sign-in-password', 'magic-link']),
      },
    },
  ])('$group: the defaults', async ({ group, defaults }) => {
    expect(await read(group)).toMatchObject(defaults);
  });

  test.each([
    { given: 3, kept: 4 },
    { given: 4, kept: 4 },
    { given: 10, kept: 10 },
    { given: 11, kept: 10 },
  ])('auth.phoneOtp.otpLength is clamped to 4..10: $given is $kept', async ({ given, kept }) => {
    await set('auth.phoneOtp', { otpLength: given });
    expect((await read('auth.phoneOtp'))['otpLength']).toBe(kept);
  });

  test('auth.organization: the older key allowOrgSso is still read and maps to teamsEnabled', async () => {
    await set('auth.organization', { allowOrgSso: true });
    expect((await read('auth.organization'))['teamsEnabled']).toBe(true);
  });

  test('auth.passkey: the readiness report flags rpId as missing when it is on and unset', async () => {
    await set('auth.passkey', { enabled: true, rpName: 'Test' });
    const report = asRecord((await project.asService({ path: '/api/admin/auth/status' })).body);
    expect(report['auth.passkey']).toMatchObject({ enabled: true, missing: ['rpId'] });
  });

  test('auth.social: a provider is assembled only when enabled and both id and secret are set', async () => {
    const github = { enabled: true, clientId: 'a', clientSecret: 'b' };
    await set('auth.social', {
      github,
      gitlab: { ...github, enabled: false },
      google: { enabled: true, clientId: 'a' },
    });
    const begin = async (provider: string) =>
      (await post(project, '/sign-in/social', { provider, disableRedirect: true })).status;
    expect(await begin('github')).toBe(200);
    expect(await begin('gitlab')).toBe(404);
    expect(await begin('google')).toBe(404);
  });

  const entry = { providerId: 'acme', clientId: 'a' };
  const authorizationUrl = 'https://acme.example/a';
  const tokenUrl = 'https://acme.example/t';
  test.each([
    { name: 'a discoveryUrl', fields: { discoveryUrl: 'https://acme.example/d' }, status: 200 },
    { name: 'both addresses', fields: { authorizationUrl, tokenUrl }, status: 200 },
    { name: 'one address alone', fields: { authorizationUrl }, status: 400 },
    { name: 'the other alone', fields: { tokenUrl }, status: 400 },
    {
      name: 'no providerId',
      fields: { providerId: undefined, authorizationUrl, tokenUrl },
      status: 400,
    },
    {
      name: 'no clientId',
      fields: { clientId: undefined, authorizationUrl, tokenUrl },
      status: 400,
    },
  ])('auth.oauth.custom: an entry with $name: $status', async ({ fields, status }) => {
    const reply = await put('auth.oauth.custom', { providers: [{ ...entry, ...fields }] });
    expect(reply.status).toBe(status);
  });
});

describe('Secrets', () => {
  test.each([
    {
      group: 'email.smtp',
      body: { host: 'm.example', from: 'a@b.example', user: 'u' },
      field: 'password',
    },
    { group: 'auth.attackProtection', body: { captchaEnabled: true }, field: 'captchaSecret' },
  ])('$group: read back as __SECRET_SET__, and kept when it is sent back', async (row) => {
    const { group, body, field } = row;
    await set(group, { ...body, [field]: 'hush-hush' });
    const seen = await read(group);
    expect(seen[field]).toBe('__SECRET_SET__');
    await set(group, seen);
    expect((await read(group))[field]).toBe('__SECRET_SET__');
    await revert(group);
    expect((await read(group))[field]).not.toBe('__SECRET_SET__');
  });
});
