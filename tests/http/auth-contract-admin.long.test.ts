// The admin routes, the rules of roles and the errors of the specification, row by row.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import type { Reply } from '../support/http.js';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, makeUser, operatorHeaders, trySignIn, userIn } from './administration.js';
import { completeSettings, createWith, done, fieldOf, outcomeOf } from './complete-project.js';

let deployment: Deployment;
let sms: SmsGateway;
let oidc: OidcIdentityProvider;
let project: ProjectUnderTest;
let admin: SignedIn;
beforeAll(async () => {
  [deployment, sms, oidc] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openOidcIdentityProvider(),
  ]);
  project = await createWith(deployment, completeSettings(sms));
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  await project.sql('create table notes (id int)');
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms.close(), oidc.close()]);
});

let people = 0;
const newEmail = () => `row${(people += 1)}@example.org`;
const newUser = () => makeSignedIn(project, newEmail());
const ask = (method: string, path: string, body?: object): Promise<Reply> =>
  project.as(admin, { method, path, ...(body && { body }) });

describe('Admin and console routes', () => {
  test('GET /api/admin/auth/status: per method enabled, configured, missing, callbackUrl', async () => {
    const report = asRecord((await ask('GET', '/api/admin/auth/status')).body);
    const parts = { enabled: expect.any(Boolean), configured: expect.any(Boolean) };
    for (const row of Object.values(report)) {
      expect(row).toMatchObject({ ...parts, missing: expect.any(Array) });
      expect(asRecord(row)).toHaveProperty('callbackUrl');
    }
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining([
        'auth.methods.emailPassword',
        'auth.social.github',
        'auth.passkey',
        'jwt',
      ]),
    );
  });

  test('GET, PUT, DELETE /admin/settings/:group: read, write, revert to environment fallback', async () => {
    const path = '/admin/settings/auth.twoFactor';
    expect((await ask('PUT', path, { enabled: false })).body).toMatchObject({ enabled: false });
    expect((await ask('GET', path)).body).toMatchObject({ enabled: false });
    expect((await ask('DELETE', path)).body).toMatchObject({ enabled: false });
    expect((await ask('PUT', path, { enabled: true })).body).toMatchObject({ enabled: true });
  });

  test.each([
    { path: '/admin/settings/email/test', to: 'a@example.org' },
    { path: '/admin/settings/sms/test', to: '+15551230000' },
  ])('POST $path: { to }', async ({ path, to }) => {
    expect((await ask('POST', path, { to })).status).toBe(200);
    expect((await ask('POST', path, {})).status).toBe(400);
  });

  test('GET /admin/users: list accounts', async () => {
    const { email } = await newUser();
    expect((await ask('GET', `/admin/users?search=${email}`)).body).toMatchObject({
      users: [{ email }],
    });
  });

  test('GET /admin/users/:id: detail, with sessions and identities', async () => {
    const { id, email } = await newUser();
    expect((await ask('GET', `/admin/users/${id}`)).body).toMatchObject({
      user: { id, email },
      sessions: [{ id: expect.any(String) }],
      identities: [{ provider: 'credential' }],
    });
  });

  test('POST /admin/users: create account', async () => {
    const email = newEmail();
    const reply = await ask('POST', '/admin/users', { email, password: userPassword });
    expect({ status: reply.status, user: userIn(reply) }).toMatchObject({
      status: 201,
      user: { email },
    });
    expect((await trySignIn(project, email, userPassword)).status).toBe(200);
  });

  test('POST /admin/users/:id/:action: promote or demote, in effect with the next request', async () => {
    const user = await newUser();
    const path = '/api/admin/users';
    expect((await project.as(user, { path })).status).toBe(403);
    await done(ask('POST', `/admin/users/${user.id}/promote`));
    expect((await project.as(user, { path })).status).toBe(200);
    await done(ask('POST', `/admin/users/${user.id}/demote`));
    expect((await project.as(user, { path })).status).toBe(403);
  });

  test('POST /admin/users/:id/reset-password: { password }', async () => {
    const { id, email } = await newUser();
    await done(ask('POST', `/admin/users/${id}/reset-password`, { password: 'a new password' }));
    expect((await trySignIn(project, email, userPassword)).status).toBe(401);
    expect((await trySignIn(project, email, 'a new password')).status).toBe(200);
  });

  test('DELETE /admin/users/:id/sessions/:sessionId: revoke one session', async () => {
    const user = await newUser();
    const other = await trySignIn(project, user.email, userPassword);
    const session = asRecord(
      asRecord((await project.as(user, { path: '/api/auth/get-session' })).body)['session'],
    );
    await done(ask('DELETE', `/admin/users/${user.id}/sessions/${String(session['id'])}`));
    expect((await project.as(user, { path: '/api/auth/get-session' })).body).toBeNull();
    const headers = { authorization: `Bearer ${fieldOf(other, 'token')}` };
    expect((await project.send({ path: '/api/auth/get-session', headers })).body).not.toBeNull();
  });

  test('DELETE /admin/users/:id: delete account', async () => {
    const { id, email } = await newUser();
    expect((await ask('DELETE', `/admin/users/${id}`)).status).toBe(204);
    expect((await trySignIn(project, email, userPassword)).status).toBe(401);
  });

  test('POST /platform/login: returns twoFactor and mustChangePassword', async () => {
    const body = { email: 'first@rowhouse.test', password: 'a long enough password' };
    const reply = await deployment.console({ method: 'POST', path: '/platform/login', body });
    expect(reply.body).toMatchObject({ twoFactor: false, mustChangePassword: false });
  });

  test('POST /auth/login, GET /auth/get-session, GET /admin/session: the studio of a project', async () => {
    const body = { email: admin.email, password: userPassword };
    const login = await project.send({ method: 'POST', path: '/auth/login', body });
    const headers = { authorization: `Bearer ${fieldOf(login, 'token')}` };
    const session = await project.send({ path: '/auth/get-session', headers });
    expect(userIn(session)['id']).toBe(admin.id);
    const own = await project.send({ path: '/admin/session', headers });
    expect(own.body).toMatchObject({ user: { id: admin.id, role: 'ADMIN' } });
  });

  test('POST /auth/two-factor/enable, verify-totp, disable: password, code, password', async () => {
    const second = await makeSignedIn(project, newEmail(), { role: 'ADMIN' });
    const step = (operation: string, body: object) =>
      project.as(second, { method: 'POST', path: `/auth/two-factor/${operation}`, body });
    expect((await step('enable', { password: 'a wrong one' })).status).toBe(403);
    const uri = fieldOf(await done(step('enable', { password: userPassword })), 'totpURI');
    await done(step('verify-totp', { code: codeFor(uri), trustDevice: true }));
    expect((await step('disable', { password: 'a wrong one' })).status).toBe(403);
    await done(step('disable', { password: userPassword }));
  });

  test('through the console proxy /admin/users requires secrets.manage, not only content.write', async () => {
    const by = (capability: 'content.write' | 'secrets.manage') =>
      project.send({
        path: '/admin/users',
        headers: operatorHeaders(deployment, project, [capability]),
      });
    expect(outcomeOf(await by('content.write'))).toBe('403 CAPABILITY_REQUIRED');
    expect((await by('secrets.manage')).status).toBe(200);
  });
});

describe('Roles: ADMIN is required', () => {
  test.each([
    { method: 'GET', path: '/api/admin/users' },
    { method: 'GET', path: '/api/admin/auth/status' },
    { method: 'GET', path: '/api/admin/settings/api.rest' },
    { method: 'GET', path: '/api/admin/audit' },
  ])(
    '$method $path: 401 nobody, 401 publishable key, 403 USER, 200 ADMIN and secret key',
    async (call) => {
      const user = await newUser();
      const publishable = { apikey: project.publishableKey };
      expect((await project.send(call)).status).toBe(401);
      expect((await project.send({ ...call, headers: publishable })).status).toBe(401);
      expect((await project.as(user, call)).status).toBe(403);
      expect((await project.as(admin, call)).status).toBe(200);
      expect((await project.asService(call)).status).toBe(200);
    },
  );
});

describe('Errors', () => {
  test('Inactive or soft-deleted account: 403', async () => {
    const user = await newUser();
    await done(ask('POST', `/admin/users/${user.id}/deactivate`));
    expect((await trySignIn(project, user.email, userPassword)).status).toBe(403);
  });

  test('Impersonation header with a non-secret credential: 403', async () => {
    const headers = { 'x-service-impersonate': admin.id };
    const user = await newUser();
    expect((await project.as(user, { path: '/rest/v1/notes', headers })).status).toBe(403);
    expect((await project.as(admin, { path: '/rest/v1/notes', headers })).status).toBe(403);
  });

  test('Secret-key-only route with a publishable key: 401', async () => {
    const headers = { apikey: project.publishableKey };
    const body = { type: 'magiclink', email: admin.email };
    const path = '/api/admin/users/generate-link';
    expect((await project.send({ method: 'POST', path, body, headers })).status).toBe(401);
  });
});

describe('Operator login', () => {
  const call = (path: string, body: object, token = deployment.operatorToken) =>
    deployment.console({
      method: 'POST',
      path,
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  const logIn = (body: object) => call('/platform/login', body, 'of nobody');

  /** Whoever was invited to the organization of the project and has come. */
  async function newOperator() {
    const of = await done(deployment.console({ path: `/platform/projects/${project.ref}` }));
    const path = '/platform/operators/invitations';
    const email = `operator${(people += 1)}@sso.test`;
    const invitation = { organizationId: fieldOf(of, 'organizationId'), email, role: 'owner' };
    const invited = await done(call(path, invitation));
    const token = fieldOf(invited, 'inviteUrl').split('#token=')[1];
    const arrival = { token, name: 'Operator', password: userPassword };
    await done(call(`${path}/accept`, arrival, 'of nobody'));
    return { email, password: userPassword };
  }

  test('is email and password only: nothing else is taken, and nobody of a project comes in', async () => {
    const operator = await newOperator();
    expect((await logIn(operator)).status).toBe(200);
    const { email } = operator;
    const ways = { otp: '000000', providerId: 'sso', domain: 'sso.test', idToken: { token: 'x' } };
    for (const [field, value] of Object.entries(ways)) {
      const beside = outcomeOf(await logIn({ ...operator, [field]: value }));
      const { status } = await logIn({ email, [field]: value });
      expect({ field, beside, status }).toEqual({
        field,
        beside: '400 UNKNOWN_FIELD',
        status: 400,
      });
    }
    await makeUser(project, { email: 'nobody@sso.test', password: userPassword });
    const user = await logIn({ email: 'nobody@sso.test', password: userPassword });
    expect(outcomeOf(user)).toBe('401 INVALID_CREDENTIALS');
  });

  test('is not affected by SSO settings, not by a provider of its domain either', async () => {
    const operator = await newOperator();
    const config = { clientId: 'c', clientSecret: 'hush-hush' };
    const provider = { providerId: 'sso', issuer: oidc.issuer, domain: 'sso.test' };
    const body = { ...provider, oidcConfig: config };
    await done(ask('POST', '/api/auth/sso/register', body));
    const { email } = operator;
    const atProject = project.send({
      method: 'POST',
      path: '/api/auth/sign-in/sso',
      body: { email },
    });
    expect(fieldOf(await done(atProject), 'url')).toContain(oidc.issuer);
    for (const enabled of [false, true]) {
      await done(ask('PUT', '/admin/settings/auth.sso', { enabled }));
      const reply = await logIn(operator);
      expect(reply).toMatchObject({ status: 200, body: { twoFactor: false } });
      expect((await call('/auth/sign-out', {}, fieldOf(reply, 'token'))).status).toBe(204);
    }
  });

  test('with mustChangePassword opens nothing but the change of the password', async () => {
    const { email } = await newOperator();
    const database = deployment.ground.databaseName;
    const text = 'select id from operator where email = $1';
    const [found] = await asSuperuser(text, { database, values: [email] });
    const reset = await done(call(`/platform/operators/${String(found?.['id'])}/reset`, {}));
    const currentPassword = fieldOf(reset, 'generatedPassword');
    const login = await logIn({ email, password: currentPassword });
    expect(login).toMatchObject({ status: 200, body: { mustChangePassword: true } });
    const token = fieldOf(login, 'token');
    const headers = { authorization: `Bearer ${token}` };
    const sessions = () => deployment.console({ path: '/platform/sessions', headers });
    expect(outcomeOf(await sessions())).toBe('403 PASSWORD_CHANGE_REQUIRED');
    const newPassword = 'another good password';
    await done(call('/platform/password', { currentPassword, newPassword }, token));
    expect((await sessions()).status).toBe(200);
    expect(await logIn({ email, password: newPassword })).toMatchObject({
      status: 200,
      body: { mustChangePassword: false },
    });
  });
});
