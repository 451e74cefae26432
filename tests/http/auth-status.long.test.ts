// The readiness report says the truth about every way to sign in and every delivery.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeSignedIn, operatorHeaders, rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let origin: string;

beforeAll(async () => {
  // Without an inbox mails need a mail server.
  deployment = await Deployment.open({ env: { MAIL_INBOX: 'false' } });
  project = await deployment.createProject();
  origin = `http://${project.host}:${new URL(project.apiOrigin).port}`;
});
afterAll(() => deployment.close());
beforeEach(async () => {
  await rowsOf(project, 'select 1');
  for (const group of saved) {
    await project.asService({ method: 'DELETE', path: `/api/admin/settings/${group}` });
  }
  saved.clear();
});

const saved = new Set<string>();
async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  saved.add(group);
}
const report = async (path = '/api/admin/auth/status') =>
  asRecord((await project.asService({ path })).body);

const smtp = { host: 'mail.example.org', from: 'a@example.org' };
const smtpMissing = ['email.smtp.host', 'email.smtp.from'];
const rows: readonly {
  readonly name: string;
  readonly settings: Readonly<Record<string, object>>;
  readonly expected: Readonly<Record<string, object>>;
}[] = [
  {
    name: 'a fresh project: passwords work, what needs mail lacks a server',
    settings: {},
    expected: {
      'auth.methods.emailPassword': { enabled: true, configured: true, missing: [] },
      'auth.methods.magicLink': { enabled: true, configured: false, missing: smtpMissing },
      'auth.methods.emailOTP': { enabled: true, configured: false, missing: smtpMissing },
      'auth.phoneOtp': { enabled: false, configured: false, missing: ['phone.sms.provider'] },
      'auth.organization': { enabled: true, configured: true },
      'auth.passkey': { enabled: false, missing: [] },
      'auth.sso': { enabled: false, configured: true, missing: [], callbackUrl: null },
      'email.smtp': { configured: false, missing: ['host', 'from'] },
      jwt: { enabled: true, configured: true, missing: [] },
    },
  },
  {
    name: 'a mail server makes everything by mail ready',
    settings: { 'email.smtp': smtp },
    expected: {
      'auth.methods.magicLink': { configured: true, missing: [] },
      'auth.methods.emailOTP': { configured: true, missing: [] },
      'email.smtp': { configured: true, missing: [] },
    },
  },
  {
    name: 'a mail server without its password is none',
    settings: { 'email.smtp': { ...smtp, user: 'u' } },
    expected: {
      'auth.methods.emailOTP': { configured: false, missing: ['email.smtp.password'] },
      'email.smtp': { missing: ['password'] },
    },
  },
  {
    name: 'a hook that sends takes the place of mail server and SMS provider',
    settings: {
      'auth.hooks': {
        send: { enabled: true, target: 'function', functionName: 'public.send' },
      },
      'auth.phoneOtp': { enabled: true },
    },
    expected: {
      'auth.methods.magicLink': { configured: true, missing: [] },
      'auth.phoneOtp': { enabled: true, configured: true, missing: [] },
      'auth.hooks.send': { enabled: true, configured: true },
      'auth.hooks.events': { enabled: false },
    },
  },
  {
    name: 'passwords need mail only when addresses must be verified',
    settings: { 'auth.methods.emailPassword': { requireEmailVerification: true } },
    expected: { 'auth.methods.emailPassword': { configured: false, missing: smtpMissing } },
  },
  {
    name: 'an SMS provider names what it lacks',
    settings: { 'phone.sms': { provider: 'vonage', vonage: { apiKey: 'k' } } },
    expected: {
      'phone.sms': { configured: false, missing: ['vonage.apiSecret', 'vonage.from'] },
      'auth.phoneOtp': { missing: ['phone.sms.vonage.apiSecret', 'phone.sms.vonage.from'] },
    },
  },
  {
    name: 'a second factor needs what its codes are sent by',
    settings: { 'auth.twoFactor': { enabled: true, smsCodes: true } },
    expected: {
      'auth.twoFactor': { enabled: true, configured: false, missing: ['phone.sms.provider'] },
    },
  },
  {
    name: 'passkeys that are on lack rpId',
    settings: { 'auth.passkey': { enabled: true } },
    expected: { 'auth.passkey': { enabled: true, configured: false, missing: ['rpId'] } },
  },
];
test.each(rows)('$name', async ({ settings, expected }) => {
  for (const [group, body] of Object.entries(settings)) await save(group, body);
  expect(await report()).toMatchObject(expected);
});

describe('providers', () => {
  test('each has its own readiness and the callback on the address of the project', async () => {
    await save('auth.social', {
      google: { enabled: true, clientId: 'g', clientSecret: 's' },
      github: { enabled: true, clientId: 'h' },
    });
    await save('auth.oauth.custom', {
      providers: [
        {
          providerId: 'acme',
          clientId: 'a',
          clientSecret: 's',
          authorizationUrl: 'https://acme.example/authorize',
          tokenUrl: 'https://acme.example/token',
        },
      ],
    });
    expect(await report('/admin/auth/status')).toMatchObject({
      'auth.social': { enabled: true, configured: false, missing: ['github.clientSecret'] },
      'auth.social.google': {
        title: 'Google',
        enabled: true,
        configured: true,
        missing: [],
        callbackUrl: `${origin}/api/auth/callback/google`,
      },
      'auth.social.github': { configured: false, missing: ['github.clientSecret'] },
      'auth.social.apple': { enabled: false, configured: false },
      'auth.oauth.custom.acme': {
        enabled: true,
        configured: true,
        callbackUrl: `${origin}/api/auth/oauth2/callback/acme`,
      },
    });
  });

  test('SSO providers have the callback of their protocol', async () => {
    await save('auth.sso', { enabled: true });
    await rowsOf(
      project,
      `insert into auth."ssoProvider" (id, issuer, "providerId", domain, "oidcConfig", "samlConfig") values
       ('1', 'https://a.example', 'corp', 'corp.example', '{}', null),
       ('2', 'https://b.example', 'saml', 'saml.example', null, '{}')`,
    );
    expect(await report()).toMatchObject({
      'auth.sso': { enabled: true, configured: true },
      'auth.sso.corp': { enabled: true, callbackUrl: `${origin}/api/auth/sso/callback/corp` },
      'auth.sso.saml': { callbackUrl: `${origin}/api/auth/sso/saml2/sp/acs/saml` },
    });
  });
});

describe('who may read it', () => {
  const path = '/api/admin/auth/status';
  test('administrators, the secret key, and operators with settings.manage', async () => {
    const admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
    const user = await makeSignedIn(project, 'user@example.org');
    const asOperator = (capability: 'settings.manage' | 'content.read') =>
      project.send({ path, headers: operatorHeaders(deployment, project, [capability]) });
    expect((await project.as(admin, { path })).status).toBe(200);
    expect((await project.as(user, { path })).body).toMatchObject({ code: 'ADMIN_REQUIRED' });
    expect((await project.send({ path })).status).toBe(401);
    expect((await asOperator('settings.manage')).status).toBe(200);
    expect((await asOperator('content.read')).body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
  });

  test('no secret is in it', async () => {
    await save('auth.social', { google: { clientId: 'g', clientSecret: 'hush-hush' } });
    expect(JSON.stringify(await report())).not.toContain('hush-hush');
  });
});

describe('POST /admin/auth/keys/rotate', () => {
  const rotate = (body?: object, path = '/api/admin/auth/keys/rotate') =>
    project.asService({ method: 'POST', path, ...(body && { body }) });
  const published = async () => {
    const { keys } = asRecord((await project.send({ path: '/api/auth/jwks' })).body);
    return Array.isArray(keys) ? keys.map((key: unknown) => asRecord(key)['kid']) : [];
  };

  test('tokens are signed with the new key, and the old one stays published', async () => {
    const user = await makeSignedIn(project, 'token@example.org');
    const kidOf = async () => {
      const { token } = asRecord((await project.as(user, { path: '/api/auth/token' })).body);
      const [header = ''] = String(token).split('.');
      return asRecord(JSON.parse(Buffer.from(header, 'base64url').toString()))['kid'];
    };
    const before = await kidOf();
    const reply = await rotate();
    expect(reply.status).toBe(200);
    const { keyId, oldKeysUntil } = asRecord(reply.body);
    expect(await kidOf()).toBe(keyId);
    expect(new Set(await published())).toEqual(new Set([keyId, before]));
    expect(Date.parse(String(oldKeysUntil))).toBeGreaterThan(Date.now());
    const entries = await rowsOf(project, `select * from platform.audit_log where target = 'jwks'`);
    expect(entries).toMatchObject([{ action: 'auth.rotateKeys', after: { keyId } }]);
    expect(JSON.stringify(entries)).not.toContain('"d"');
  });

  test('without grace the old keys end at once', async () => {
    const { keyId } = asRecord((await rotate({ graceDays: 0 }, '/admin/auth/keys/rotate')).body);
    expect(await published()).toContain(keyId);
    const { keyId: next } = asRecord((await rotate({ graceDays: 0 })).body);
    expect(await published()).not.toContain(keyId);
    expect(next).not.toBe(keyId);
  });

  test('it takes secrets.manage and whole days', async () => {
    expect((await rotate({ graceDays: -1 })).status).toBe(400);
    expect((await rotate({ graceDays: null })).status).toBe(400);
    const call = { method: 'POST', path: '/api/admin/auth/keys/rotate' };
    const headers = operatorHeaders(deployment, project, ['settings.manage']);
    expect((await project.send({ ...call, headers })).status).toBe(403);
  });
});

describe('GET /admin/auth/keys', () => {
  const path = '/api/admin/auth/keys';

  test('lists the published keys, the current one first, without their private halves', async () => {
    const fresh = await deployment.createProject();
    const read = async () => asRecord((await fresh.asService({ path })).body);
    expect(await read()).toEqual({
      keys: [],
      tokenSeconds: 900,
      rotateAfterDays: 0,
      graceDays: 30,
    });
    const rotate = async () =>
      asRecord((await fresh.asService({ method: 'POST', path: `${path}/rotate` })).body);
    const first = await rotate();
    const second = await rotate();
    expect((await read())['keys']).toEqual([
      {
        keyId: second['keyId'],
        algorithm: 'ES256',
        createdAt: expect.any(String),
        publishedUntil: null,
      },
      {
        keyId: first['keyId'],
        algorithm: 'ES256',
        createdAt: expect.any(String),
        publishedUntil: second['oldKeysUntil'],
      },
    ]);
  });

  test('it takes secrets.manage', async () => {
    const headers = operatorHeaders(deployment, project, ['settings.manage', 'content.read']);
    expect((await project.send({ path, headers })).status).toBe(403);
    expect((await project.send({ path })).status).toBe(401);
  });
});
