// Administration by a user who has a second factor and has not given it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeAfter, codeFor } from '../support/authenticator.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { projectRoutes } from '../isolation/api-routes.js';
import { makeSignedIn, rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await save('security.rateLimit', { enabled: false });
  await save('auth.twoFactor', { enabled: true });
  await save('auth.apiKey', { enabled: true });
});
afterAll(() => deployment.close());

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const post = (user: SignedIn, path: string, body: object = {}) =>
  project.as(user, { method: 'POST', path, body });

/** An administrator with a second factor, in a session that was opened without it. */
async function lowered(email: string) {
  const admin = await makeSignedIn(project, email, { role: 'ADMIN' });
  const begun = await post(admin, '/api/auth/two-factor/enable', { password: userPassword });
  const uri = String(asRecord(begun.body)['totpURI']);
  await post(admin, '/api/auth/two-factor/verify-totp', { code: codeFor(uri) });
  const key = await post(admin, '/api/auth/api-key/create', { name: 'script' });
  await rowsOf(project, `update auth.session set aal = 'aal1' where "userId" = $1`, [admin.id]);
  return { admin, uri, key: String(asRecord(key.body)['key']) };
}

const codeIn = (body: unknown): string =>
  String(typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : body);

const administration = [
  { method: 'GET', path: '/api/admin/users' },
  { method: 'GET', path: '/admin/users' },
  { method: 'GET', path: '/api/admin/session' },
  { method: 'GET', path: '/api/admin/auth/status' },
  { method: 'POST', path: '/api/admin/sql', body: { query: 'select 1' } },
  { method: 'PUT', path: '/admin/settings/auth.urls', body: {} },
  { method: 'POST', path: '/auth/two-factor/disable', body: { password: userPassword } },
];

describe('an administrator at aal1 with a second factor', () => {
  test.each(administration)('is refused: $method $path', async (call) => {
    const { admin } = await lowered(`${call.method}-${call.path.length}@example.org`);
    const reply = await project.as(admin, call);
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({
      status: 403,
      code: 'AAL2_REQUIRED',
    });
  });

  test('is refused by every route of administration', async () => {
    const { admin } = await lowered('every-route@example.org');
    const routes = (await projectRoutes()).filter(
      ({ access: { kind } }) => kind === 'admin' || kind === 'settings-group',
    );
    expect(routes.length).toBeGreaterThan(100);
    const answers = await Promise.all(
      routes.map(async ({ method, path }) => {
        const filled = path.replace(/:group\b/, 'auth.urls').replace(/:\w+|\*/g, '1');
        const body = method === 'GET' || method === 'HEAD' ? undefined : {};
        const reply = await project.as(admin, { method, path: filled, ...(body && { body }) });
        return `${method} ${path}: ${reply.status} ${method === 'HEAD' ? 'without a body' : codeIn(reply.body)}`;
      }),
    );
    expect(
      answers.filter((answer) => !/: 403 (AAL2_REQUIRED|without a body)$/.test(answer)),
    ).toEqual([]);
  });

  test('has no rights of an administrator on tables', async () => {
    await project.sql('create table leaves (id int); insert into leaves values (1)');
    const { admin } = await lowered('tables@example.org');
    const reply = await project.as(admin, { method: 'DELETE', path: '/rest/v1/leaves' });
    expect(reply.status).toBe(400);
    expect(await project.sql('select id from leaves')).toHaveLength(1);
  });

  test('cannot delete its own account before the code, with its password either', async () => {
    const { admin, uri } = await lowered('leaving@example.org');
    const leave = () =>
      project.as(admin, {
        method: 'DELETE',
        path: '/api/users/',
        body: { password: userPassword },
      });
    const user = () => rowsOf(project, 'select * from auth."user" where id = $1', [admin.id]);
    const before = await user();
    expect(await leave()).toMatchObject({ status: 403, body: { code: 'AAL2_REQUIRED' } });
    expect(before).toHaveLength(1);
    expect(await user()).toEqual(before);
    await post(admin, '/api/auth/two-factor/verify-totp', { code: codeAfter(uri, 1) });
    expect((await leave()).status).toBe(204);
    expect(await user()).toEqual([]);
  });

  test('administers after a code in the same session, by the studio or the account routes', async () => {
    for (const path of ['/auth/two-factor/verify-totp', '/api/auth/two-factor/verify-totp']) {
      const { admin, uri } = await lowered(`raised-${path.length}@example.org`);
      const raised = await post(admin, path, { code: codeAfter(uri, 1) });
      expect({ path, status: raised.status }).toEqual({ path, status: 200 });
      expect((await project.as(admin, { path: '/api/admin/users' })).status).toBe(200);
    }
  });

  test('has API keys that reach no administration, at either level', async () => {
    const { key } = await lowered('keys@example.org');
    const headers = { authorization: `Bearer ${key}` };
    const reply = await project.send({ path: '/api/admin/users', headers });
    expect(reply.body).toMatchObject({ status: 403, code: 'ADMIN_REQUIRED' });
  });

  test('is told so by the claims that policies read', async () => {
    await project.sql(`create function claim() returns jsonb language sql stable
      as $$ select auth.jwt() -> 'has_second_factor' $$`);
    const { admin } = await lowered('claims@example.org');
    const plain = await makeSignedIn(project, 'plain@example.org');
    const call = { method: 'POST', path: '/rest/v1/rpc/claim', body: {} };
    expect((await project.as(admin, call)).body).toBe(true);
    expect((await project.as(plain, call)).body).toBeNull();
  });

  test('is not asked for a factor while auth.twoFactor is off, since nobody could give it', async () => {
    const { admin } = await lowered('off@example.org');
    await save('auth.twoFactor', { enabled: false });
    const reply = await project.as(admin, { path: '/api/admin/users' });
    await save('auth.twoFactor', { enabled: true });
    expect(reply.status).toBe(200);
  });
});

test('an administrator without a second factor administers at aal1', async () => {
  const admin = await makeSignedIn(project, 'no-factor@example.org', { role: 'ADMIN' });
  expect((await project.as(admin, { path: '/api/admin/users' })).status).toBe(200);
});
