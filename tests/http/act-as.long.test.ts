// Administrators read and change rows and files past the policies of the project, as its studio does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeFor } from '../support/authenticator.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { asUser, sendBytes } from '../storage/uploads-http.js';
import { makeSignedIn, operatorHeaders, rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  user = await makeSignedIn(project, 'user@example.org');
  await project.sql(`
    create table notes (id int primary key, owner text);
    create policy own on notes for select to authenticated using (owner = auth.uid());
    grant select, insert on notes to anon, authenticated;
    insert into notes values (1, '${user.id}'), (2, 'nobody')`);
});
afterAll(() => deployment.close());

const path = '/rest/v1/notes?select=id&order=id';
const as = (role: string, call: Partial<Call> = {}): Call => ({
  path,
  ...call,
  headers: { 'x-act-as': role, ...call.headers },
});
const entries = () =>
  rowsOf(
    project,
    `select actor_id, target, after from platform.audit_log where action = 'request.act-as' order by id`,
    [],
  );

describe('an administrator', () => {
  test('sees the rows of the own account without the header', async () => {
    expect((await project.as(admin, { path })).body).toEqual([]);
  });

  test.each(['/rest/v1/notes', '/api/rest/v1/notes'])('sees all rows of %s', async (table) => {
    const reply = await project.as(admin, as('service_role', { path: `${table}?select=id` }));
    expect(reply).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 2 }] });
  });

  test('changes rows, which the audit log says', async () => {
    const before = (await entries()).length;
    const call = { method: 'POST', path: '/rest/v1/notes', body: { id: 3 } };
    expect((await project.as(admin, call)).status).toBe(403);
    expect((await project.as(admin, as('service_role', call))).status).toBe(201);
    expect((await entries()).slice(before)).toEqual([
      { actor_id: admin.id, target: 'POST /rest/v1/notes', after: { role: 'service_role' } },
    ]);
    await project.sql('delete from notes where id = 3');
  });

  test('sees what a user and a visitor see, which the audit log says', async () => {
    const before = (await entries()).length;
    expect((await project.as(admin, as(user.id))).body).toEqual([{ id: 1 }]);
    expect((await project.as(admin, as('anon'))).body).toEqual([]);
    expect((await entries()).slice(before)).toEqual([
      { actor_id: admin.id, target: 'GET /rest/v1/notes', after: { role: user.id } },
      { actor_id: admin.id, target: 'GET /rest/v1/notes', after: { role: 'anon' } },
    ]);
  });

  test.each([
    { name: 'a write as a user', role: () => user.id, call: { method: 'POST', body: { id: 9 } } },
    { name: 'a role that is too long for an id', role: () => 'x'.repeat(65), call: {} },
    { name: 'no role', role: () => '', call: {} },
  ])('gets 400 for $name', async ({ role, call }) => {
    const before = (await entries()).length;
    const reply = await project.as(admin, as(role(), { ...call, path: '/rest/v1/notes' }));
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(reply.text).toContain('x-act-as');
    expect(await entries()).toHaveLength(before);
  });

  test('lists the files of everybody, but not as somebody else', async () => {
    await makeBucket(project, 'docs');
    const file = { method: 'PUT', path: '/api/files/object/docs/a.txt', body: 'x' };
    const stored = await sendBytes(project, { ...file, headers: asUser(user) });
    expect(stored.status).toBe(201);
    const call = { path: '/api/files/list/docs' };
    const own = await project.as(admin, call);
    const raised = await project.as(admin, as('service_role', call));
    expect(asRecord(own.body)['data']).toEqual([]);
    expect(asRecord(raised.body)['data']).toHaveLength(1);
    expect((await project.as(admin, as(user.id, call))).status).toBe(400);
  });

  test('stays the caller on routes of administration and of accounts', async () => {
    const session = await project.as(admin, as('service_role', { path: '/admin/session' }));
    expect(session.body).toMatchObject({ via: 'session', user: { id: admin.id } });
    const account = await project.as(admin, as('service_role', { path: '/auth/get-session' }));
    expect(account.body).toMatchObject({ user: { id: admin.id } });
  });

  test('needs the second factor here, too', async () => {
    const save = (body: object) =>
      project.asService({ method: 'PUT', path: '/api/admin/settings/auth.twoFactor', body });
    await save({ enabled: true });
    const other = await makeSignedIn(project, 'factor@example.org', { role: 'ADMIN' });
    const post = (at: string, body: object) =>
      project.as(other, { method: 'POST', path: at, body });
    const enabled = await post('/auth/two-factor/enable', { password: 'correct horse battery' });
    const code = codeFor(String(asRecord(enabled.body)['totpURI']));
    const proven = await post('/auth/two-factor/verify-totp', { code });
    expect(proven.status).toBe(200);
    await rowsOf(project, `update auth.session set aal = 'aal1' where "userId" = $1`, [other.id]);
    const reply = await project.as(other, as('service_role'));
    await save({ enabled: false });
    expect(reply).toMatchObject({ status: 403, body: { code: 'AAL2_REQUIRED' } });
  });
});

describe('without the role ADMIN the header is refused', () => {
  test.each([
    { name: 'nobody', headers: () => ({}), status: 401, code: 'UNAUTHORIZED' },
    {
      name: 'a user',
      headers: () => ({ authorization: `Bearer ${user.token}` }),
      status: 403,
      code: 'ADMIN_REQUIRED',
    },
    {
      name: 'the secret key',
      headers: () => ({ apikey: project.secretKey }),
      status: 403,
      code: 'ADMIN_REQUIRED',
    },
    {
      name: 'an operator',
      headers: () => operatorHeaders(deployment, project, ['content.read']),
      status: 403,
      code: 'ADMIN_REQUIRED',
    },
  ])('to $name', async ({ headers, status, code }) => {
    const reply = await project.send(as('service_role', { headers: headers() }));
    expect(reply).toMatchObject({ status, body: { code } });
  });

  test('to an administrator of another project', async () => {
    const neighbor = await deployment.createProject();
    const stranger = await makeSignedIn(neighbor, 'admin@example.org', { role: 'ADMIN' });
    const reply = await project.as(stranger, as('service_role'));
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  test('to an administrator who was demoted a moment ago', async () => {
    const other = await makeSignedIn(project, 'demoted@example.org', { role: 'ADMIN' });
    expect((await project.as(other, as('service_role'))).status).toBe(200);
    await rowsOf(project, `update auth."user" set role = 'USER' where id = $1`, [other.id]);
    expect(await project.as(other, as('service_role'))).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_REQUIRED' },
    });
  });
});
