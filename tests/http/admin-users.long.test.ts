// Accounts as administrators make, change and delete them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import {
  auditOf,
  makeSignedIn,
  makeUser,
  operatorHeaders,
  rowsOf,
  signIn,
  trySignIn,
  userIn,
  usersPath,
} from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/security.rateLimit',
    body: { enabled: false },
  });
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
});
afterAll(() => deployment.close());

const create = (body: unknown, path = usersPath) =>
  project.asService({ method: 'POST', path, body });
const change = (id: string, body: unknown) =>
  project.asService({ method: 'PATCH', path: `${usersPath}/${id}`, body });
const act = (id: string, action: string) =>
  project.asService({ method: 'POST', path: `${usersPath}/${id}/${action}` });
const read = (id: string) => project.asService({ path: `${usersPath}/${id}` });
const me = (user: SignedIn) =>
  project.as(user, { method: 'PUT', path: '/api/users/image', body: { image: null } });

describe('POST /admin/users', () => {
  test.each([usersPath, '/admin/users'])('%s makes an account that signs in', async (path) => {
    const email = `made-${path.length}@example.org`;
    const reply = await create({ email: email.toUpperCase(), password: userPassword }, path);
    expect(reply.status).toBe(201);
    expect(userIn(reply)).toMatchObject({
      email,
      role: 'USER',
      status: 'active',
      emailVerified: false,
      is_anonymous: false,
      providers: ['credential'],
    });
    expect(reply.text).not.toMatch(/argon2|claims|"password"/);
    expect((await trySignIn(project, email, userPassword)).status).toBe(200);
  });

  test('every field is as it was given, and one without a user name gets one', async () => {
    const full = {
      email: 'full@example.org',
      name: 'Ada',
      username: 'Ada.L',
      image: 'https://images.example.org/ada.png',
      role: 'ADMIN',
      emailVerified: true,
      phoneNumber: '+15551230001',
      phoneNumberVerified: true,
      app_metadata: { plan: 'a' },
      user_metadata: { color: 'b' },
    };
    expect(userIn(await create(full))).toMatchObject(full);
    const bare = userIn(await create({ email: 'bare@example.org' }));
    expect(bare).toMatchObject({ username: expect.stringMatching(/^user_/), providers: [] });
  });

  test.each([
    { name: 'no address', body: {}, status: 400, field: 'email' },
    { name: 'null as address', body: { email: null }, status: 400, field: 'email' },
    { name: 'no address at all', body: { email: 'ada' }, status: 400, field: 'email' },
    {
      name: 'a reserved domain',
      body: { email: '15551230002@phone.local' },
      status: 400,
      field: 'email',
    },
    {
      name: 'a reserved domain in capitals',
      body: { email: 'x@Anonymous.LOCAL' },
      status: 400,
      field: 'email',
    },
    {
      name: 'a role that is none',
      body: { email: 'a1@example.org', role: 'service_role' },
      status: 400,
      field: 'role',
    },
    {
      name: 'a number that is none',
      body: { email: 'a2@example.org', phoneNumber: '0123' },
      status: 400,
      field: 'phoneNumber',
    },
    {
      name: 'a short password',
      body: { email: 'a3@example.org', password: 'short' },
      status: 400,
      field: 'password',
    },
    {
      name: 'null as password',
      body: { email: 'a4@example.org', password: null },
      status: 400,
      field: 'password',
    },
    {
      name: 'a user name that is none',
      body: { email: 'a5@example.org', username: ' x' },
      status: 400,
      field: 'username',
    },
    {
      name: 'a NUL in the name',
      body: { email: 'a6@example.org', name: 'a\0b' },
      status: 400,
      field: 'name',
    },
    {
      name: 'metadata that are too long',
      body: { email: 'a7@example.org', app_metadata: { x: 'y'.repeat(17_000) } },
      status: 400,
      field: 'app_metadata',
    },
    {
      name: 'a field that is none',
      body: { email: 'a8@example.org', isAnonymous: true },
      status: 400,
      field: 'isAnonymous',
    },
    {
      name: 'a taken address',
      body: { email: 'Admin@Example.org' },
      status: 422,
      code: 'USER_ALREADY_EXISTS',
      detail: 'email',
    },
    {
      name: 'a taken user name',
      body: { email: 'a9@example.org', username: 'ADA.l' },
      status: 409,
      code: 'USERNAME_TAKEN',
      detail: 'username',
    },
    {
      name: 'a taken number',
      body: { email: 'a10@example.org', phoneNumber: '+15551230001' },
      status: 409,
      code: 'PHONE_NUMBER_TAKEN',
      detail: 'phoneNumber',
    },
  ])('$name is refused, and nothing is written', async ({ body, status, field, code, detail }) => {
    const count =
      'select (select count(*) from auth."user") + (select count(*) from platform.audit_log) as n';
    const before = await rowsOf(project, count);
    const reply = await create(body);
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status });
    if (field !== undefined)
      expect(String(asRecord(reply.body)['message']).toLowerCase()).toContain(field.toLowerCase());
    if (code !== undefined) expect(reply.body).toMatchObject({ code, details: { field: detail } });
    expect(await rowsOf(project, count)).toEqual(before);
  });

  test('of ten at once with one address, one is made', async () => {
    const body = { email: 'race@example.org' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(body)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(422)]);
  });

  test('a closed sign-up does not bind administrators', async () => {
    const path = '/api/admin/settings/auth.signup';
    await project.asService({ method: 'PUT', path, body: { enabled: false } });
    expect((await create({ email: 'invited@example.org' })).status).toBe(201);
    await project.asService({ method: 'DELETE', path });
  });
});

describe('PATCH /admin/users/:id', () => {
  test('what is left out stays, and metadata are merged by name', async () => {
    const id = await makeUser(project, {
      email: 'patch@example.org',
      name: 'Before',
      user_metadata: { kept: 1, gone: 2, changed: 3 },
    });
    const body = { name: 'After', user_metadata: { gone: null, changed: 4 } };
    const reply = await change(id, body);
    expect(reply.status).toBe(200);
    expect(userIn(reply)).toMatchObject({
      email: 'patch@example.org',
      name: 'After',
      user_metadata: { kept: 1, changed: 4 },
    });
    const audit = await auditOf(project, id);
    expect(audit.at(-1)).toMatchObject({
      action: 'user.update',
      actor_kind: 'secret-key',
      before: { name: 'Before' },
      after: { name: 'After' },
    });
  });

  test('another address is not proven, makes a guest permanent, and may not be taken', async () => {
    const id = await makeUser(project, { email: 'old@example.org', emailVerified: true });
    expect(userIn(await change(id, { email: 'NEW@example.org' }))).toMatchObject({
      email: 'new@example.org',
      emailVerified: false,
    });
    expect((await change(id, { email: 'admin@example.org' })).status).toBe(422);
    expect((await change(id, { email: 'x@phone.local' })).status).toBe(400);
    expect((await change(id, { email: null })).status).toBe(400);
    await rowsOf(project, 'update auth."user" set "isAnonymous" = true where id = $1', [id]);
    expect(userIn(await change(id, { email: 'guest@example.org' }))['is_anonymous']).toBe(false);
  });

  test('what the account has already is no change', async () => {
    const id = await makeUser(project, { email: 'same@example.org', name: 'Same' });
    const reply = await change(id, { name: 'Same', role: 'USER' });
    expect(reply.status).toBe(200);
    expect((await auditOf(project, id)).map(({ action }) => action)).toEqual(['user.create']);
  });
});

describe('POST /admin/users/:id/:action', () => {
  test('promote and demote hold for the next request of a live session', async () => {
    const user = await makeSignedIn(project, 'role@example.org');
    const list = () => project.as(user, { path: usersPath });
    expect((await list()).status).toBe(403);
    expect(userIn(await act(user.id, 'promote'))['role']).toBe('ADMIN');
    expect((await list()).status).toBe(200);
    expect(userIn(await act(user.id, 'demote'))['role']).toBe('USER');
    expect((await list()).status).toBe(403);
  });

  test('the sessions of a deactivated account are refused everywhere, and end when it comes back', async () => {
    const user = await makeSignedIn(project, 'off@example.org');
    expect((await me(user)).status).toBe(200);
    expect(userIn(await act(user.id, 'deactivate'))['status']).toBe('inactive');
    const routes = [
      { path: '/rest/v1/anything' },
      { path: '/api/auth/get-session' },
      { path: '/api/auth/list-sessions' },
      { method: 'PUT', path: '/api/users/username', body: { username: 'still-here' } },
    ];
    for (const call of routes) {
      const reply = await project.as(user, call);
      expect({ ...call, ...asRecord(reply.body) }).toMatchObject({
        ...call,
        status: 403,
        code: 'USER_INACTIVE',
      });
    }
    expect((await me(user)).status).toBe(403);
    expect((await trySignIn(project, user.email, userPassword)).status).toBe(403);
    // A sign-in that was on its way when the account went off may leave a session.
    await rowsOf(
      project,
      `insert into auth.session (id, "tokenHash", "userId", "expiresAt")
       values ('late', sha256('late-token'), $1, now() + interval '1 day')`,
      [user.id],
    );
    expect((await me({ ...user, token: 'late-token' })).status).toBe(403);
    expect((await act(user.id, 'activate')).status).toBe(200);
    expect((await me({ ...user, token: 'late-token' })).status).toBe(401);
    expect((await me(user)).status).toBe(401);
    expect((await me(await signIn(project, user.email, userPassword))).status).toBe(200);
  });

  test('ten times at once is once', async () => {
    const id = await makeUser(project, { email: 'twice@example.org' });
    const replies = await Promise.all(Array.from({ length: 10 }, () => act(id, 'promote')));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const actions = (await auditOf(project, id)).map(({ action }) => action);
    expect(actions).toEqual(['user.create', 'user.promote']);
  });

  test.each(['block', 'PROMOTE', 'constructor', '__proto__'])(
    'the action %s is refused with the names of the others',
    async (action) => {
      const reply = await act(admin.id, action);
      expect(reply.status).toBe(400);
      expect(asRecord(reply.body)['message']).toContain('promote, demote, activate, deactivate');
    },
  );
});

describe('administrators and their own account', () => {
  test.each([
    { name: 'demote', call: { method: 'POST', path: '/demote' } },
    { name: 'deactivate', call: { method: 'POST', path: '/deactivate' } },
    { name: 'delete', call: { method: 'DELETE', path: '' } },
    { name: 'change the role of', call: { method: 'PATCH', path: '', body: { role: 'USER' } } },
    {
      name: 'change the status of',
      call: { method: 'PATCH', path: '', body: { status: 'inactive' } },
    },
  ])('they may not $name it', async ({ call }) => {
    const path = `${usersPath}/${admin.id}${call.path}`;
    const reply = await project.as(admin, { ...call, path });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: 'SELF_LOCKOUT' });
    expect(userIn(await read(admin.id))).toMatchObject({ role: 'ADMIN', status: 'active' });
  });

  test('they may change the rest of it, and the secret key may do everything', async () => {
    const own = await makeSignedIn(project, 'own@example.org', { role: 'ADMIN' });
    const path = `${usersPath}/${own.id}`;
    const renamed = await project.as(own, { method: 'PATCH', path, body: { name: 'Me' } });
    expect(userIn(renamed)['name']).toBe('Me');
    expect((await auditOf(project, own.id)).at(-1)).toMatchObject({
      actor_kind: 'user',
      actor_id: own.id,
      actor_email: own.email,
    });
    expect((await act(own.id, 'demote')).status).toBe(200);
  });
});

describe('DELETE /admin/users/:id', () => {
  test('everything that belongs to the user goes, and the audit log tells who it was', async () => {
    const user = await makeSignedIn(project, 'gone@example.org');
    const reply = await project.asService({ method: 'DELETE', path: `/admin/users/${user.id}` });
    expect(reply.status).toBe(204);
    expect((await read(user.id)).status).toBe(404);
    expect((await me(user)).status).toBe(401);
    const left = await rowsOf(project, 'select from auth.session where "userId" = $1', [user.id]);
    expect(left).toEqual([]);
    expect((await auditOf(project, user.id)).at(-1)).toMatchObject({
      action: 'user.delete',
      before: { email: user.email },
    });
    const again = await project.asService({ method: 'DELETE', path: `/admin/users/${user.id}` });
    expect(again.status).toBe(404);
  });

  test('a table of the project that holds on to the user keeps it', async () => {
    const id = await makeUser(project, { email: 'held@example.org' });
    await project.sql('create table held (owner text references auth."user" (id))');
    await project.sql('insert into held values ($1)', [id]);
    const reply = await project.asService({ method: 'DELETE', path: `${usersPath}/${id}` });
    expect(reply.status).toBe(409);
    expect((await read(id)).status).toBe(200);
    expect((await auditOf(project, id)).map(({ action }) => action)).toEqual(['user.create']);
  });
});

describe('who may administer users', () => {
  const call = { path: usersPath };
  test.each([
    { name: 'nobody', headers: () => ({}), status: 401, code: 'UNAUTHORIZED' },
    {
      name: 'the publishable key',
      headers: () => ({ apikey: project.publishableKey }),
      status: 401,
      code: 'UNAUTHORIZED',
    },
    {
      name: 'an administrator',
      headers: () => ({ authorization: `Bearer ${admin.token}` }),
      status: 200,
    },
    { name: 'the secret key', headers: () => ({ apikey: project.secretKey }), status: 200 },
    {
      name: 'an operator with secrets.manage',
      headers: () => operatorHeaders(deployment, project, ['secrets.manage']),
      status: 200,
    },
    {
      name: 'an operator without',
      headers: () => operatorHeaders(deployment, project, ['content.write', 'settings.manage']),
      status: 403,
      code: 'CAPABILITY_REQUIRED',
    },
  ])('$name: $status', async ({ headers, status, code }) => {
    const reply = await project.send({ ...call, headers: headers() });
    expect(reply.status).toBe(status);
    if (code !== undefined) expect(reply.body).toMatchObject({ code });
  });

  test('a user who is no administrator is refused', async () => {
    const user = await makeSignedIn(project, 'plain@example.org');
    expect((await project.as(user, call)).body).toMatchObject({ code: 'ADMIN_REQUIRED' });
  });
});
