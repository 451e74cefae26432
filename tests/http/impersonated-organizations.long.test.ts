// An administrator who acts as a user changes nothing about organizations and SSO that outlasts the session.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeSignedIn, rowsOf, usersPath } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let owner: SignedIn;
/** Begun by an administrator in the name of the owner. */
let begun: SignedIn;
let organizationId: string;
let memberId: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const done = async (reply: Promise<Reply>) => {
    const { status, text, body } = await reply;
    if (status > 299) throw new Error(`${status} ${text}`);
    return asRecord(body);
  };
  const enabled = { method: 'PUT', body: { enabled: true } };
  await done(project.asService({ ...enabled, path: '/api/admin/settings/auth.sso' }));
  owner = await makeSignedIn(project, 'owner@example.org', { emailVerified: true });
  const member = await makeSignedIn(project, 'member@example.org');
  const created = await done(
    project.as(owner, post('organization/create', { name: 'Org', slug: 'org' })),
  );
  organizationId = String(created['id']);
  const path = `/api/admin/organizations/${organizationId}/members/${member.id}`;
  await done(project.asService({ method: 'PUT', path, body: { role: 'member' } }));
  const [row] = await rowsOf(project, 'select id from auth.member where "userId" = $1', [
    member.id,
  ]);
  memberId = String(row?.['id']);
  const impersonate = { method: 'POST', path: `${usersPath}/${owner.id}/impersonate`, body: {} };
  const session = asRecord((await done(project.asService(impersonate)))['session']);
  begun = { ...owner, token: String(session['token']) };
});
afterAll(() => deployment.close());

const post = (path: string, body: object): Call => ({
  method: 'POST',
  path: `/api/auth/${path}`,
  body,
});
const state = () =>
  Promise.all(
    ['organization', 'member', 'invitation'].map((table) =>
      rowsOf(project, `select * from auth.${table} order by id`),
    ),
  );

test.each([
  {
    route: 'organization/invite-member',
    body: () => ({ organizationId, email: 'thief@example.org', role: 'owner' }),
  },
  {
    route: 'organization/update-member-role',
    body: () => ({ organizationId, memberId, role: 'owner' }),
  },
  { route: 'organization/delete', body: () => ({ organizationId }) },
  { route: 'sso/delete-provider', body: () => ({ providerId: 'p' }) },
  { route: 'sso/verify-domain', body: () => ({ providerId: 'p' }) },
])('$route is refused', async ({ route, body }) => {
  const before = await state();
  const reply = await project.as(begun, post(route, body()));
  expect(reply.body).toMatchObject({ status: 403, code: 'IMPERSONATED_SESSION' });
  expect(await state()).toEqual(before);
  // The user's own session is not refused for this.
  const own = await project.as(owner, post(route, { providerId: 'p' }));
  expect(own.text).not.toContain('IMPERSONATED_SESSION');
});

test('the organization may be read', async () => {
  const path = `/api/auth/organization/get-full-organization?organizationId=${organizationId}`;
  expect((await project.as(begun, { path })).body).toMatchObject({ id: organizationId });
});
