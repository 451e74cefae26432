// The studio that a project serves itself: administrators sign in there, nobody else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeAfter, codeFor } from '../support/authenticator.js';
import type { Reply } from '../support/http.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn, makeUser, operatorHeaders, rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await save('auth.twoFactor', { enabled: true });
});
afterAll(() => deployment.close());

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const login = (email: string, password = userPassword) =>
  project.send({ method: 'POST', path: '/auth/login', body: { email, password } });
const cookieOf = (reply: Reply) => reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
/** What administrators of a project may do: everything but the work of the platform. */
const capabilities = [
  'settings.manage',
  'secrets.manage',
  'content.read',
  'content.write',
  'audit.read',
];
const sessionsOf = (id: string) =>
  rowsOf(project, 'select from auth.session where "userId" = $1', [id]);

describe('POST /auth/login', () => {
  test('an administrator gets a session and its cookie', async () => {
    const email = 'admin@example.org';
    const id = await makeUser(project, { email, password: userPassword, role: 'ADMIN' });
    const reply = await login(email);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ token: expect.any(String), user: { id, role: 'ADMIN' } });
    const cookie = cookieOf(reply);
    const session = await project.send({ path: '/auth/get-session', headers: { cookie } });
    expect(session.body).toMatchObject({ user: { id } });
    const admin = await project.send({ path: '/admin/session', headers: { cookie } });
    expect(admin.body).toMatchObject({
      via: 'session',
      user: { id, email, role: 'ADMIN', twoFactorEnabled: false },
      session: { id: expect.any(String), aal: 'aal1' },
      operator: null,
      project: { ref: project.ref },
      capabilities,
    });
    expect(admin.text).not.toContain(String(asRecord(reply.body)['token']));
  });

  test('a user with the right password is refused, and no session stays', async () => {
    const id = await makeUser(project, { email: 'user@example.org', password: userPassword });
    const reply = await login('user@example.org');
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({
      status: 403,
      code: 'ADMIN_REQUIRED',
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers['set-auth-token']).toBeUndefined();
    expect(await sessionsOf(id)).toEqual([]);
  });

  test.each([
    {
      name: 'a wrong password',
      body: { email: 'admin@example.org', password: 'wrong' },
      status: 401,
    },
    {
      name: 'an unknown address',
      body: { email: 'nobody@example.org', password: 'wrong' },
      status: 401,
    },
    { name: 'no body', body: undefined, status: 400 },
    { name: 'a list', body: [], status: 400 },
    {
      name: 'a page of a foreign origin',
      body: { email: 'admin@example.org', password: userPassword },
      headers: { origin: 'https://evil.example' },
      status: 403,
    },
  ])('$name: $status', async ({ body, status, headers }) => {
    const reply = await project.send({
      method: 'POST',
      path: '/auth/login',
      body,
      ...(headers && { headers }),
    });
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status });
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  test('a CAPTCHA on sign-in holds here too', async () => {
    await save('auth.attackProtection', {
      captchaEnabled: true,
      captchaProvider: 'turnstile',
      captchaSecret: 'secret',
    });
    expect((await login('admin@example.org')).body).toMatchObject({ code: 'CAPTCHA_MISSING' });
    await project.asService({
      method: 'DELETE',
      path: '/api/admin/settings/auth.attackProtection',
    });
  });

  test('guesses here and at the engine are counted together', async () => {
    await save('auth.rateLimits', { signIn: { perIdentifier: 3 } });
    const guess = (path: string) =>
      project.send({ method: 'POST', path, body: { email: 'guessed@example.org', password: 'x' } });
    for (const path of ['/auth/login', '/api/auth/sign-in/email', '/auth/login']) {
      expect((await guess(path)).status).toBe(401);
    }
    expect((await guess('/auth/login')).status).toBe(429);
    expect((await guess('/api/auth/sign-in/email')).status).toBe(429);
    await project.asService({ method: 'DELETE', path: '/api/admin/settings/auth.rateLimits' });
  });
});

describe('a request over the limit of its address is refused with its body unread', () => {
  test.each(['/auth/login', '/auth/two-factor/verify-totp'])('%s', async (path) => {
    const other = await deployment.createProject();
    await other.asService({
      method: 'PUT',
      path: '/api/admin/settings/auth.twoFactor',
      body: { enabled: true },
    });
    const post = (body: object) => other.send({ method: 'POST', path, body });
    // Read first, it would be refused as too large.
    const large = { email: 'a'.repeat(70_000), code: '000000' };
    expect((await post(large)).status).toBe(413);
    await other.asService({
      method: 'PUT',
      path: '/api/admin/settings/security.rateLimit',
      body: { enabled: true, windowSeconds: 600, max: 1000, credentialMax: 1 },
    });
    await post({});
    const refused = await post(large);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  });
});

describe('the second factor of an administrator', () => {
  const post = (path: string, body: object, user?: SignedIn) =>
    user
      ? project.as(user, { method: 'POST', path, body })
      : project.send({ method: 'POST', path, body });

  test('is enrolled, asked for at the login, and taken away with the password', async () => {
    const admin = await makeSignedIn(project, 'factor@example.org', { role: 'ADMIN' });
    const enabled = await post('/auth/two-factor/enable', { password: userPassword }, admin);
    expect(enabled.status).toBe(200);
    const uri = String(asRecord(enabled.body)['totpURI']);
    const code = codeFor(uri);
    expect((await post('/auth/two-factor/verify-totp', { code }, admin)).status).toBe(200);
    const challenge = await login(admin.email);
    expect(challenge.body).toMatchObject({ twoFactorRedirect: true });
    const mfaToken = String(asRecord(challenge.body)['mfaToken']);
    const verified = await project.send({
      method: 'POST',
      path: '/auth/two-factor/verify-totp',
      headers: { 'x-mfa-token': mfaToken },
      body: { code: codeAfter(uri, 1) },
    });
    expect({ status: verified.status, body: verified.body }).toMatchObject({
      status: 200,
      body: { token: expect.any(String) },
    });
    const again = { ...admin, token: String(asRecord(verified.body)['token']) };
    const session = await project.as(again, { path: '/api/admin/session' });
    expect(session.body).toMatchObject({ session: { aal: 'aal2' } });
    const disabled = await post('/auth/two-factor/disable', { password: userPassword }, again);
    expect(disabled.status).toBe(200);
    expect(asRecord((await login(admin.email)).body)['token']).toEqual(expect.any(String));
  });

  test('a user cannot complete a login here that began elsewhere', async () => {
    const user = await makeSignedIn(project, 'other-door@example.org');
    const begin = { password: userPassword };
    const enabled = await post('/api/auth/two-factor/enable', begin, user);
    const uri = String(asRecord(enabled.body)['totpURI']);
    await post('/api/auth/two-factor/verify-totp', { code: codeFor(uri) }, user);
    await rowsOf(project, 'delete from auth.session where "userId" = $1', [user.id]);
    const challenge = await login(user.email);
    const verified = await project.send({
      method: 'POST',
      path: '/auth/two-factor/verify-totp',
      headers: { 'x-mfa-token': String(asRecord(challenge.body)['mfaToken']) },
      body: { code: codeAfter(uri, 1) },
    });
    expect(verified.status).toBe(403);
    expect(verified.headers['set-cookie']).toBeUndefined();
    expect(await sessionsOf(user.id)).toEqual([]);
  });

  test('is for administrators alone', async () => {
    const user = await makeSignedIn(project, 'plain@example.org');
    for (const path of ['enable', 'disable', 'verify-totp']) {
      const body = { password: userPassword, code: '123456' };
      const reply = await post(`/auth/two-factor/${path}`, body, user);
      expect({ path, ...asRecord(reply.body) }).toMatchObject({ path, code: 'ADMIN_REQUIRED' });
    }
    // A request that is refused ends no session.
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });
});

describe('GET /admin/session', () => {
  const path = '/admin/session';
  test('the secret key and operators are told apart from sessions', async () => {
    const { ref } = project;
    const ofProject = { ref, name: expect.any(String), idType: 'text' };
    expect((await project.asService({ path })).body).toEqual({
      via: 'secret-key',
      session: null,
      user: null,
      operator: null,
      project: ofProject,
      capabilities,
    });
    const headers = operatorHeaders(deployment, project, ['content.read']);
    expect((await project.send({ path, headers })).body).toEqual({
      via: 'operator',
      session: null,
      user: null,
      operator: { id: 'operator-1', email: 'operator@example.org' },
      project: ofProject,
      capabilities: ['content.read'],
    });
  });

  test('nobody is 401, a user 403', async () => {
    const user = await makeSignedIn(project, 'nosy@example.org');
    expect((await project.send({ path })).status).toBe(401);
    expect((await project.as(user, { path })).status).toBe(403);
  });
});
