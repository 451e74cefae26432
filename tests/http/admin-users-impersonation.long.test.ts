// Impersonation: an administrator acts as a user for an hour at most, under the administrator's own name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import {
  auditOf,
  makeSignedIn,
  makeUser,
  operatorHeaders,
  rowsOf,
  usersPath,
} from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let count = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await save('security.rateLimit', { enabled: false });
  await save('auth.apiKey', { enabled: true });
});
afterAll(() => deployment.close());

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const newEmail = () => `person-${(count += 1)}@example.org`;
const pathOf = (id: string) => `${usersPath}/${id}/impersonate`;
const operator = () => operatorHeaders(deployment, project, ['secrets.manage']);
const begin = (id: string, body: object = {}, headers = operator()) =>
  project.send({ method: 'POST', path: pathOf(id), headers, body });

/** A user and a session in the user's name. */
async function impersonated(): Promise<{ user: SignedIn; session: SignedIn; sessionId: string }> {
  const user = await makeSignedIn(project, newEmail());
  const reply = await begin(user.id);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const session = asRecord(asRecord(reply.body)['session']);
  const token = String(session['token']);
  return { user, session: { ...user, token }, sessionId: String(session['id']) };
}
const sessionsOf = async (id: string) => {
  const { sessions } = asRecord((await project.asService({ path: `${usersPath}/${id}` })).body);
  return Array.isArray(sessions) ? sessions.map((each: unknown) => asRecord(each)) : [];
};
const isSignedIn = async (user: SignedIn) =>
  (await project.as(user, { path: '/api/auth/get-session' })).text !== 'null';

describe('POST /admin/users/:id/impersonate', () => {
  test('the session acts as the user, and every list names the administrator', async () => {
    const { user, session, sessionId } = await impersonated();
    const seen = await project.as(session, { path: '/api/auth/get-session' });
    expect(asRecord(asRecord(seen.body)['user'])['id']).toBe(user.id);
    const [newest, own] = await sessionsOf(user.id);
    expect(newest).toMatchObject({
      id: sessionId,
      impersonatedBy: { kind: 'operator', id: 'operator-1', email: 'operator@example.org' },
    });
    expect(own).toMatchObject({ impersonatedBy: null });
    expect((await project.as(user, { path: '/api/auth/list-sessions' })).text).toContain(
      'Impersonation by an administrator',
    );
    const [entry] = (await auditOf(project, user.id)).slice(-1);
    expect(entry).toMatchObject({
      action: 'user.impersonate',
      actor_email: 'operator@example.org',
      after: { sessionId },
    });
    expect(JSON.stringify(entry)).not.toContain(session.token);
  });

  test('the session ends after an hour, however much it is used', async () => {
    const { user, session, sessionId } = await impersonated();
    const ends = async () => {
      const [row] = await rowsOf(
        project,
        `select extract(epoch from "expiresAt" - "createdAt")::int as seconds from auth.session where id = $1`,
        [sessionId],
      );
      return row?.['seconds'];
    };
    expect(await ends()).toBe(3600);
    await rowsOf(
      project,
      `update auth.session set "createdAt" = "createdAt" - interval '50 minutes',
         "expiresAt" = "expiresAt" - interval '50 minutes', "endsAt" = "endsAt" - interval '50 minutes'
       where id = $1`,
      [sessionId],
    );
    expect(await isSignedIn(session)).toBe(true);
    expect(await ends()).toBe(3600);
    await rowsOf(project, `update auth.session set "expiresAt" = now() where id = $1`, [sessionId]);
    expect(await isSignedIn(session)).toBe(false);
    expect(await isSignedIn(user)).toBe(true);
  });

  test('it is no sign-in of the user', async () => {
    const id = await makeUser(project, { email: newEmail() });
    await begin(id, { expiresInSeconds: 60 });
    const { user } = asRecord((await project.asService({ path: `${usersPath}/${id}` })).body);
    expect(asRecord(user)['lastSignInAt']).toBeNull();
  });

  test('ends with one request', async () => {
    const { user, session, sessionId } = await impersonated();
    const path = `${usersPath}/${user.id}/sessions/${sessionId}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    expect([await isSignedIn(session), await isSignedIn(user)]).toEqual([false, true]);
  });

  test.each([
    {
      name: 'an administrator',
      make: { role: 'ADMIN' },
      code: 'ADMIN_NOT_IMPERSONATED',
    },
    { name: 'a deactivated user', make: { status: 'inactive' }, code: 'USER_INACTIVE' },
  ])('$name is not impersonated', async ({ make, code }) => {
    const id = await makeUser(project, { email: newEmail(), ...make });
    expect((await begin(id)).body).toMatchObject({ status: 403, code });
    expect(await sessionsOf(id)).toEqual([]);
  });

  test('who becomes an administrator is impersonated no longer', async () => {
    const { user, session } = await impersonated();
    await project.asService({ method: 'POST', path: `${usersPath}/${user.id}/promote` });
    expect([await isSignedIn(session), await isSignedIn(user)]).toEqual([false, true]);
  });

  test.each([
    { name: 'is demoted', method: 'POST', rest: '/demote', body: {} },
    { name: 'is banned', method: 'POST', rest: '/ban', body: { reason: 'left' } },
    { name: 'is deactivated', method: 'POST', rest: '/deactivate', body: {} },
    { name: 'is deleted', method: 'DELETE', rest: '', body: undefined },
  ])('an administrator who $name does not go on as others', async ({ method, rest, body }) => {
    const beginAs = async (administrator: SignedIn, user: SignedIn): Promise<SignedIn> => {
      const call = { method: 'POST', path: pathOf(user.id), body: {} };
      const session = asRecord(asRecord((await project.as(administrator, call)).body)['session']);
      return { ...user, token: String(session['token']) };
    };
    const [leaver, other, user] = [
      await makeSignedIn(project, newEmail(), { role: 'ADMIN' }),
      await makeSignedIn(project, newEmail(), { role: 'ADMIN' }),
      await makeSignedIn(project, newEmail()),
    ];
    const [begun, kept] = [await beginAs(leaver, user), await beginAs(other, user)];
    expect([await isSignedIn(begun), await isSignedIn(kept)]).toEqual([true, true]);
    const path = `${usersPath}/${leaver.id}${rest}`;
    expect((await project.asService({ method, path, body })).status).toBeLessThan(300);
    expect([await isSignedIn(begun), await isSignedIn(kept)]).toEqual([false, true]);
    expect(await isSignedIn(user)).toBe(true);
  });

  test('a user of another project is not found', async () => {
    const neighbor = await deployment.createProject();
    const id = await makeUser(neighbor, { email: newEmail() });
    expect((await begin(id)).body).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test.each([{ expiresInSeconds: 59 }, { expiresInSeconds: 3601 }, { expiresInSeconds: 'x' }])(
    'the body %j is refused',
    async (body) => {
      const id = await makeUser(project, { email: newEmail() });
      const reply = await begin(id, body);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('expiresInSeconds');
    },
  );

  test('operators without secrets.manage and users are refused', async () => {
    const user = await makeSignedIn(project, newEmail());
    const headers = operatorHeaders(deployment, project, ['content.write', 'audit.read']);
    expect((await begin(user.id, {}, headers)).body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
    const own = await project.as(user, { method: 'POST', path: pathOf(user.id), body: {} });
    expect(own.body).toMatchObject({ code: 'ADMIN_REQUIRED' });
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });
});

describe('what outlasts an impersonation is refused', () => {
  test.each([
    {
      name: 'another password',
      path: 'change-password',
      body: { currentPassword: userPassword, newPassword: 'a thief has it' },
    },
    { name: 'an API key', path: 'api-key/create', body: { name: 'kept' } },
    { name: 'the deletion of the account', path: 'delete-user', body: { password: userPassword } },
  ])('$name', async ({ path, body }) => {
    const { user, session } = await impersonated();
    const call = { method: 'POST', path: `/api/auth/${path}`, body };
    const reply = await project.as(session, call);
    expect(reply.body).toMatchObject({ status: 403, code: 'IMPERSONATED_SESSION' });
    expect((await project.as(user, call)).status).toBe(200);
  });

  test('the account is not deleted by the route of the own account either', async () => {
    const { session } = await impersonated();
    const call = { method: 'DELETE', path: '/api/users', body: { password: userPassword } };
    expect((await project.as(session, call)).body).toMatchObject({ code: 'IMPERSONATED_SESSION' });
  });

  test.each([
    { name: 'its own route', method: 'PUT', path: '/api/users/username' },
    { name: 'the route of the account', method: 'POST', path: '/api/auth/update-user' },
  ])('the user name, by $name', async ({ method, path }) => {
    const { user, session } = await impersonated();
    const call = { method, path, body: { username: `taken_${(count += 1)}` } };
    const reply = await project.as(session, call);
    expect(reply.body).toMatchObject({ status: 403, code: 'IMPERSONATED_SESSION' });
    expect((await project.as(user, call)).status).toBe(200);
  });

  test('the name may change, as everything that the user sees and can change back', async () => {
    const { session } = await impersonated();
    const call = { method: 'POST', path: '/api/auth/update-user', body: { name: 'Ada' } };
    expect((await project.as(session, call)).status).toBe(200);
  });
});
