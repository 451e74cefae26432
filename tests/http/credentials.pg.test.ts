import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  await project.sql(`
    create function whoami() returns json language sql stable as
      $$ select json_build_object('role', current_user, 'uid', auth.uid(), 'claims', auth.jwt()) $$;
    create table me (id int primary key default 1, seen json default null);
    insert into me (id) values (1);
    alter table me disable row level security;
    create function see() returns trigger language plpgsql as
      $$ begin new.seen := whoami(); return new; end $$;
    create trigger see before update on me for each row execute function see();`);
});
afterAll(() => deployment.close());

/** What the database sees of the caller with these headers. */
async function seenWith(headers: Record<string, string>): Promise<Record<string, unknown>> {
  const reply = await project.send({
    method: 'PATCH',
    path: '/rest/v1/me?id=eq.1',
    headers: { ...headers, prefer: 'return=representation' },
    body: { id: 1 },
  });
  expect(reply.status).toBe(200);
  // The table has one row and its column `seen` is what the function above builds.
  return (reply.body as { readonly seen: Record<string, unknown> }[])[0]?.seen ?? {};
}

describe('the database role and the claims of a caller', () => {
  test('nobody is anon without a user', async () => {
    expect(await seenWith({})).toMatchObject({ role: 'anon', uid: null, claims: { role: 'anon' } });
  });

  test('an invalid bearer token is anon', async () => {
    const seen = await seenWith({ authorization: 'Bearer aaaabbbbccccddddeeeeffffgggghhhh' });
    expect(seen).toMatchObject({ role: 'anon', uid: null });
  });

  test('a session is authenticated with all claims', async () => {
    expect(await seenWith({ authorization: `Bearer ${ada.token}` })).toEqual({
      role: 'authenticated',
      uid: ada.id,
      claims: {
        sub: ada.id,
        role: 'authenticated',
        user_role: 'USER',
        email: 'ada@example.org',
        aal: 'aal1',
        is_anonymous: false,
        session_id: expect.any(String),
        org_id: null,
        org_role: null,
        team_id: null,
        app_metadata: {},
        user_metadata: {},
      },
    });
  });

  test('the signed session cookie is authenticated, an unsigned or changed one is not', async () => {
    expect(await seenWith({ cookie: ada.cookie })).toMatchObject({ uid: ada.id });
    const unsigned = ada.cookie.replace(/=.*/, `=${ada.token}`);
    expect(await seenWith({ cookie: unsigned })).toMatchObject({ role: 'anon' });
    const [, start = '', first = '', rest = ''] = /^(.*\.)(.)(.*)$/.exec(ada.cookie) ?? [];
    const changed = start + (first === 'A' ? 'B' : 'A') + rest;
    expect(changed).toHaveLength(ada.cookie.length);
    expect(await seenWith({ cookie: changed })).toMatchObject({ role: 'anon' });
  });

  test('a cookie that a foreign page sends does not count', async () => {
    const headers = { cookie: ada.cookie, origin: 'http://evil.example.org' };
    expect(await seenWith(headers)).toMatchObject({ role: 'anon' });
    const sibling = { cookie: ada.cookie, origin: 'http://sibling.localhost:8000' };
    expect(await seenWith(sibling)).toMatchObject({ role: 'anon' });
  });

  test('the secret key is service_role', async () => {
    expect(await seenWith({ apikey: project.secretKey })).toMatchObject({
      role: 'service_role',
      uid: null,
    });
    const asBearer = await seenWith({ authorization: `Bearer ${project.secretKey}` });
    expect(asBearer).toMatchObject({ role: 'service_role' });
  });

  test('the secret key may run as a user or as nobody', async () => {
    const as = (who: string) =>
      seenWith({ apikey: project.secretKey, 'x-service-impersonate': who });
    expect(await as(ada.id)).toMatchObject({ role: 'authenticated', uid: ada.id });
    expect(await as('anon')).toMatchObject({ role: 'anon', uid: null });
  });

  test('a body cannot impersonate and an unknown user is 404', async () => {
    const reply = await project.asService({
      path: '/rest/v1/me',
      headers: { 'x-service-impersonate': 'nobody' },
    });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 'IMPERSONATED_USER_NOT_FOUND' });
  });
});

test.each([
  { name: 'a session', headers: () => ({ authorization: `Bearer ${ada.token}` }) },
  { name: 'a publishable key', headers: () => ({ apikey: project.publishableKey }) },
  { name: 'nobody', headers: () => ({}) },
])('$name that asks to impersonate is refused, never ignored', async ({ headers }) => {
  const asked = { ...headers(), 'x-service-impersonate': ada.id };
  const reply = await project.send({ path: '/rest/v1/me', headers: asked });
  expect(reply.status).toBe(403);
  expect(reply.body).toMatchObject({ code: 'IMPERSONATION_REFUSED' });
});

test.each([
  { name: 'nobody', headers: () => ({}), status: 401 },
  { name: 'a publishable key', headers: () => ({ apikey: project.publishableKey }), status: 401 },
  { name: 'a user', headers: () => ({ authorization: `Bearer ${ada.token}` }), status: 403 },
  { name: 'the secret key', headers: () => ({ apikey: project.secretKey }), status: 200 },
])('an admin route answers $status to $name', async ({ headers, status }) => {
  const reply = await project.send({ path: '/api/admin/auth/status', headers: headers() });
  expect(reply.status).toBe(status);
});

test('where keys are enforced a request needs one, and health and documentation do not', async () => {
  const put = (enforced: boolean) =>
    project.asService({
      method: 'PUT',
      path: '/api/admin/settings/security.keys',
      body: { enforced },
    });
  expect((await put(true)).status).toBe(200);
  const session = { authorization: `Bearer ${ada.token}` };
  const without = await project.send({ path: '/rest/v1/me', headers: session });
  expect(without.status).toBe(401);
  expect(without.body).toMatchObject({ code: 'INVALID_API_KEY' });
  const withKey = { ...session, apikey: project.publishableKey };
  expect((await project.send({ path: '/rest/v1/me', headers: withKey })).status).toBe(200);
  expect((await project.send({ path: '/api/health-check' })).status).toBe(200);
  expect((await project.send({ path: '/api/docs' })).status).toBe(200);
  expect((await put(false)).status).toBe(200);
  expect((await project.send({ path: '/rest/v1/me' })).status).toBe(200);
});

describe('through the proxy of the console', () => {
  const path = (rest: string) => `/platform/projects/${project.ref}/api${rest}`;

  test('an operator administers the project', async () => {
    const reply = await deployment.console({ path: path('/admin/auth/status') });
    expect(reply.status).toBe(200);
    const sql = await deployment.console({
      method: 'POST',
      path: path('/admin/sql'),
      body: { query: 'select current_user as role' },
    });
    expect(sql.body).toMatchObject({ rows: [{ role: project.login('owner') }] });
  });

  test('settings saved there are in the audit log with before and after, without secrets', async () => {
    const saved = await deployment.console({
      method: 'PUT',
      path: path('/admin/settings/email.smtp'),
      body: { host: 'mail.example.org', from: 'a@example.org', user: 'u', password: 'hunter22' },
    });
    expect(saved.status).toBe(200);
    const audit = await deployment.console({ path: `/platform/audit?ref=${project.ref}` });
    expect(audit.status).toBe(200);
    expect(audit.text).toContain('mail.example.org');
    expect(audit.text).not.toContain('hunter22');
  });
});
