// Bans: an account is shut for a reason, for ever or until a moment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import {
  auditOf,
  makeSignedIn,
  makeUser,
  operatorHeaders,
  rowsOf,
  trySignIn,
  userIn,
  usersPath,
} from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let count = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const path = '/api/admin/settings/security.rateLimit';
  await project.asService({ method: 'PUT', path, body: { enabled: false } });
});
afterAll(() => deployment.close());

const newUser = () => makeSignedIn(project, `banned-${(count += 1)}@example.org`);
const act = (id: string, action: string, body?: object) =>
  project.asService({
    method: 'POST',
    path: `${usersPath}/${id}/${action}`,
    ...(body && { body }),
  });
const read = async (id: string) => userIn(await project.asService({ path: `${usersPath}/${id}` }));
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const letEnd = (id: string) =>
  rowsOf(project, `update auth."user" set "bannedUntil" = now() - interval '1 s' where id = $1`, [
    id,
  ]);

describe('POST /admin/users/:id/ban', () => {
  test('shuts the account, keeps the reason, and is in the audit log', async () => {
    const user = await newUser();
    const until = inAnHour();
    const reply = await act(user.id, 'ban', { reason: '  Spam ', until });
    expect(reply.status).toBe(200);
    const shut = { status: 'inactive', banReason: 'Spam', bannedUntil: until };
    expect(userIn(reply)).toMatchObject(shut);
    expect((await project.as(user, { path: '/api/auth/get-session' })).status).toBe(403);
    expect((await trySignIn(project, user.email, userPassword)).body).toMatchObject({
      code: 'USER_INACTIVE',
    });
    const [entry] = (await auditOf(project, user.id)).slice(-1);
    expect(entry).toMatchObject({
      action: 'user.ban',
      before: { status: 'active', banReason: null, bannedUntil: null },
      after: shut,
    });
  });

  test('again changes the reason and the end', async () => {
    const { id } = await newUser();
    await act(id, 'ban', { reason: 'Spam', until: inAnHour() });
    await act(id, 'ban', { reason: 'Much spam' });
    expect(await read(id)).toMatchObject({ banReason: 'Much spam', bannedUntil: null });
  });

  test.each(['unban', 'activate'])(
    '%s opens the account and forgets the reason',
    async (action) => {
      const user = await newUser();
      await act(user.id, 'ban', { reason: 'Spam', until: inAnHour() });
      expect((await act(user.id, action)).status).toBe(200);
      const open = { status: 'active', banReason: null, bannedUntil: null };
      expect(await read(user.id)).toMatchObject(open);
      expect((await trySignIn(project, user.email, userPassword)).status).toBe(200);
    },
  );

  const change = (id: string, body: object) =>
    project.asService({ method: 'PATCH', path: `${usersPath}/${id}`, body });

  test.each([
    { name: 'deactivate', act: (id: string) => act(id, 'deactivate') },
    { name: 'status inactive', act: (id: string) => change(id, { status: 'inactive' }) },
  ])('$name takes the end of a ban away, and keeps the reason', async (deactivating) => {
    const { id } = await newUser();
    await act(id, 'ban', { reason: 'Spam', until: inAnHour() });
    expect((await deactivating.act(id)).status).toBe(200);
    const shut = { status: 'inactive', banReason: 'Spam', bannedUntil: null };
    expect(await read(id)).toMatchObject(shut);
    const [entry] = (await auditOf(project, id)).slice(-1);
    expect(entry).toMatchObject({ after: { bannedUntil: null } });
  });

  test('a change of something else keeps the end of a ban', async () => {
    const { id } = await newUser();
    const until = inAnHour();
    await act(id, 'ban', { reason: 'Spam', until });
    expect((await change(id, { name: 'Kim' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ banReason: 'Spam', bannedUntil: until });
  });

  test.each([
    { name: 'no reason', body: {}, field: 'reason' },
    { name: 'a blank reason', body: { reason: ' ' }, field: 'reason' },
    { name: 'a long reason', body: { reason: 'x'.repeat(501) }, field: 'reason' },
    { name: 'an end that has passed', body: { reason: 'a', until: '2020-01-01' }, field: 'until' },
    { name: 'an end that is no moment', body: { reason: 'a', until: 'soon' }, field: 'until' },
    { name: 'another field', body: { reason: 'a', for: 3 }, field: 'for' },
  ])('$name is refused, and the account stays open', async ({ body, field }) => {
    const id = await makeUser(project, { email: `refused-${(count += 1)}@example.org` });
    const reply = await act(id, 'ban', body);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(field);
    expect(await read(id)).toMatchObject({ status: 'active', banReason: null });
  });

  test('administrators cannot ban themselves', async () => {
    const email = `admin-${(count += 1)}@example.org`;
    const admin = await makeSignedIn(project, email, { role: 'ADMIN' });
    const path = `${usersPath}/${admin.id}/ban`;
    const reply = await project.as(admin, { method: 'POST', path, body: { reason: 'Tired' } });
    expect(reply.body).toMatchObject({ status: 409, code: 'SELF_LOCKOUT' });
  });

  test('an operator without secrets.manage is refused', async () => {
    const { id } = await newUser();
    const headers = operatorHeaders(deployment, project, ['content.write', 'settings.manage']);
    const path = `${usersPath}/${id}/ban`;
    const reply = await project.send({ method: 'POST', path, headers, body: { reason: 'Spam' } });
    expect(reply.body).toMatchObject({ status: 403, code: 'CAPABILITY_REQUIRED' });
    expect(await read(id)).toMatchObject({ status: 'active' });
  });
});

describe('a ban that is over', () => {
  test('ends with the next sign-in, which ends the sessions of before', async () => {
    const user = await newUser();
    await act(user.id, 'ban', { reason: 'Spam', until: inAnHour() });
    await letEnd(user.id);
    expect((await trySignIn(project, user.email, userPassword)).status).toBe(200);
    expect((await project.as(user, { path: '/api/auth/get-session' })).text).toBe('null');
    expect(await read(user.id)).toMatchObject({ status: 'active', banReason: null });
  });

  test('ends when its session is shown', async () => {
    const user = await newUser();
    await act(user.id, 'ban', { reason: 'Spam', until: inAnHour() });
    await letEnd(user.id);
    const reply = await project.as(user, { path: '/api/auth/get-session' });
    expect([reply.status, reply.text]).toEqual([200, 'null']);
    expect(await read(user.id)).toMatchObject({ status: 'active' });
  });

  test('a deactivation has no end', async () => {
    const user = await newUser();
    await act(user.id, 'ban', { reason: 'Spam' });
    expect((await trySignIn(project, user.email, userPassword)).status).toBe(403);
    expect(asRecord(await read(user.id))).toMatchObject({ status: 'inactive' });
  });
});
