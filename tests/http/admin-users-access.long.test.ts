// How users get in, as administrators see and change it: passwords, sessions, second factors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import { breachRanges } from '../support/breach-ranges.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import {
  auditOf,
  makeSignedIn,
  makeUser,
  rowsOf,
  signIn,
  trySignIn,
  usersPath,
} from './administration.js';

const breached = 'a password of the list';
let deployment: Deployment;
let project: ProjectUnderTest;
let ranges: HttpRecorder;

beforeAll(async () => {
  ranges = await openHttpRecorder(breachRanges([breached]));
  deployment = await Deployment.open({
    env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${ranges.port}` },
  });
  project = await deployment.createProject();
  await save('security.rateLimit', { enabled: false });
  await save('auth.twoFactor', { enabled: true });
  await save('auth.attackProtection', {
    breachedPasswords: true,
    breachedPasswordsUrl: `${ranges.origin}/range/`,
  });
});
afterAll(async () => {
  await deployment.close();
  await ranges.close();
});

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const reset = (id: string, body: unknown, path = usersPath) =>
  project.asService({ method: 'POST', path: `${path}/${id}/reset-password`, body });
const read = async (id: string) =>
  asRecord((await project.asService({ path: `${usersPath}/${id}` })).body);
const isSignedIn = async (user: SignedIn) =>
  (await project.as(user, { path: '/api/auth/get-session' })).text !== 'null';

describe('POST /admin/users/:id/reset-password', () => {
  test('the new password signs in, the old one does not, and every session ends', async () => {
    const user = await makeSignedIn(project, 'reset@example.org');
    const reply = await reset(user.id, { password: 'another password' }, '/admin/users');
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('argon2');
    expect(await isSignedIn(user)).toBe(false);
    expect((await trySignIn(project, user.email, userPassword)).status).toBe(401);
    expect((await trySignIn(project, user.email, 'another password')).status).toBe(200);
    const [entry] = (await auditOf(project, user.id)).slice(-1);
    expect(entry).toMatchObject({ action: 'user.resetPassword', after: { password: 'changed' } });
    expect(JSON.stringify(entry)).not.toMatch(/another password|argon2/);
  });

  test('codes that were sent before are worth nothing', async () => {
    const user = await makeSignedIn(project, 'codes@example.org');
    const body = { type: 'recovery', email: user.email };
    const path = `${usersPath}/generate-link`;
    const made = await project.asService({ method: 'POST', path, body });
    const otp = asRecord(asRecord(made.body)['properties'])['email_otp'];
    await reset(user.id, { password: 'another password' });
    const used = await project.send({
      method: 'POST',
      path: '/api/auth/email-otp/reset-password',
      body: { email: user.email, otp, password: 'the thief chooses' },
    });
    expect(used.status).toBe(400);
    expect((await trySignIn(project, user.email, 'another password')).status).toBe(200);
  });

  test('a user without a password gets one', async () => {
    const id = await makeUser(project, { email: 'first@example.org' });
    expect((await reset(id, { password: userPassword })).status).toBe(200);
    expect((await trySignIn(project, 'first@example.org', userPassword)).status).toBe(200);
  });

  test.each([
    { name: 'a short one', body: { password: 'short' }, code: 'PASSWORD_TOO_SHORT' },
    { name: 'one of a data breach', body: { password: breached }, code: 'PASSWORD_BREACHED' },
    { name: 'none', body: {}, code: 'INVALID_INPUT' },
    { name: 'a number', body: { password: 12345678 }, code: 'INVALID_INPUT' },
  ])('$name is refused, and the sessions stay', async ({ body, code }) => {
    const user = await makeSignedIn(project, `${code}-${JSON.stringify(body).length}@example.org`);
    const reply = await reset(user.id, body);
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({ status: 400, code });
    expect(await isSignedIn(user)).toBe(true);
  });

  test('an unknown user is not found', async () => {
    expect((await reset('nobody', { password: userPassword })).body).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
  });
});

describe('DELETE /admin/users/:id/sessions/:sessionId', () => {
  test('that session ends, and no other', async () => {
    const first = await makeSignedIn(project, 'sessions@example.org');
    const second = await signIn(project, first.email, userPassword);
    const { sessions } = await read(first.id);
    if (!Array.isArray(sessions)) throw new Error('no sessions');
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(sessions)).not.toContain(first.token);
    // The newest comes first.
    const [newest] = sessions.map((each: unknown) => String(asRecord(each)['id']));
    const path = `/admin/users/${first.id}/sessions/${newest}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false]);
    expect((await project.asService({ method: 'DELETE', path })).body).toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  test('the session of somebody else is not found', async () => {
    const user = await makeSignedIn(project, 'mine@example.org');
    const other = await makeUser(project, { email: 'theirs@example.org' });
    const [session] = await rowsOf(project, 'select id from auth.session where "userId" = $1', [
      user.id,
    ]);
    const path = `${usersPath}/${other}/sessions/${String(session?.['id'])}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(404);
    expect(await isSignedIn(user)).toBe(true);
  });

  test('without an id every session ends', async () => {
    const first = await makeSignedIn(project, 'all@example.org');
    const second = await signIn(project, first.email, userPassword);
    const path = `${usersPath}/${first.id}/sessions`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, false]);
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    const actions = (await auditOf(project, first.id)).map(({ action }) => action);
    expect(actions).toEqual(['user.create', 'user.endSessions']);
  });
});

describe('second factors of users', () => {
  const enroll = async (user: SignedIn) => {
    const begin = { method: 'POST', path: '/api/auth/two-factor/enable' };
    const enabled = await project.as(user, { ...begin, body: { password: userPassword } });
    const code = codeFor(String(asRecord(enabled.body)['totpURI']));
    const path = '/api/auth/two-factor/verify-totp';
    return project.as(user, { method: 'POST', path, body: { code } });
  };

  test('the factor is listed without its secret, and gone when it is taken away', async () => {
    const user = await makeSignedIn(project, 'factor@example.org');
    const path = `${usersPath}/${user.id}/factors`;
    expect((await project.asService({ path })).body).toEqual({ factors: [] });
    expect((await enroll(user)).status).toBe(200);
    const listed = await project.asService({ path });
    expect(listed.body).toEqual({
      factors: [
        {
          id: expect.any(String),
          factor_type: 'totp',
          status: 'verified',
          created_at: expect.any(String),
        },
      ],
    });
    const challenged = await trySignIn(project, user.email, userPassword);
    expect(challenged.body).toMatchObject({ twoFactorRedirect: true });
    const [factor] = Object.values(asRecord(listed.body)).flat();
    const one = `${path}/${String(asRecord(factor)['id'])}`;
    expect((await project.asService({ method: 'DELETE', path: one })).status).toBe(204);
    expect((await project.asService({ path })).body).toEqual({ factors: [] });
    const free = await trySignIn(project, user.email, userPassword);
    expect(asRecord(free.body)['token']).toEqual(expect.any(String));
    expect((await project.asService({ method: 'DELETE', path: one })).body).toMatchObject({
      code: 'FACTOR_NOT_FOUND',
    });
  });

  test('what a user has not confirmed is no factor yet', async () => {
    const user = await makeSignedIn(project, 'pending@example.org');
    const path = '/api/auth/two-factor/enable';
    await project.as(user, { method: 'POST', path, body: { password: userPassword } });
    const { factors } = asRecord(
      (await project.asService({ path: `${usersPath}/${user.id}/factors` })).body,
    );
    expect(factors).toMatchObject([{ status: 'unverified' }]);
  });
});

describe('GET /admin/users/:id', () => {
  test.each(['/api/admin/users', '/admin/users'])(
    '%s/:id has everything of a user',
    async (base) => {
      const user = await makeSignedIn(project, `detail-${base.length}@example.org`);
      const create = { method: 'POST', path: '/api/auth/organization/create' };
      const slug = `street-${base.length}`;
      await project.as(user, { ...create, body: { name: 'Street', slug } });
      await rowsOf(
        project,
        `insert into auth.apikey (id, "configId", name, start, "referenceId", key, enabled, "createdAt", "updatedAt")
         values ($1, 'default', 'laptop', 'uak_ab', $1, md5($1), true, now(), now())`,
        [user.id],
      );
      const reply = await project.asService({ path: `${base}/${user.id}` });
      expect(reply.status).toBe(200);
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.body).toMatchObject({
        user: { id: user.id, email: user.email },
        sessions: [{ id: expect.any(String), aal: 'aal1' }],
        identities: [{ provider: 'credential' }],
        factors: [],
        passkeys: [],
        memberships: [{ organizationSlug: slug, role: 'owner', teams: [] }],
        apiKeys: [{ name: 'laptop', start: 'uak_ab' }],
      });
      expect(reply.text).not.toMatch(/argon2|"token"|"key"|"password"/);
      expect(reply.text).not.toContain(user.token);
    },
  );

  test.each(['nobody', '%00', 'x'.repeat(300), "'; drop table x; --"])(
    '%s is nobody',
    async (id) => {
      const path = `${usersPath}/${id.startsWith('%') ? id : encodeURIComponent(id)}`;
      expect((await project.asService({ path })).body).toMatchObject({ code: 'USER_NOT_FOUND' });
    },
  );

  test('in a project of uuids, too', async () => {
    const other = await deployment.createProject({ idType: 'uuid' });
    const id = await makeUser(other, { email: 'uuid@example.org', password: userPassword });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const path = `${usersPath}/${id}`;
    expect((await other.asService({ path })).status).toBe(200);
    expect((await other.asService({ path: `${usersPath}?search=${id}` })).body).toMatchObject({
      total: 1,
    });
    expect((await other.asService({ method: 'POST', path: `${path}/promote` })).status).toBe(200);
    const password = { password: 'another password' };
    const changed = { method: 'POST', path: `${path}/reset-password`, body: password };
    expect((await other.asService(changed)).status).toBe(200);
    expect((await other.asService({ path: `${usersPath}/nobody` })).status).toBe(404);
    expect((await other.asService({ method: 'DELETE', path })).status).toBe(204);
  });
});
