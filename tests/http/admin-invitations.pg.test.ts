// Administrators see the pending invitations to organizations, and cancel them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { auditOf, makeSignedIn, rowsOf } from './administration.js';
import { outcomeOf } from './complete-project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let base: string;
let organizationId: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const owner = await makeSignedIn(project, 'owner@example.org');
  const path = '/api/auth/organization/create';
  const body = { name: 'Shop', slug: 'shop' };
  const created = await project.as(owner, { method: 'POST', path, body });
  organizationId = String(asRecord(created.body)['id']);
  base = `/api/admin/organizations/${organizationId}/invitations`;
  await rowsOf(
    project,
    `insert into auth.organization (id, name, slug) values ('other', 'Other', 'other')`,
  );
  await rowsOf(
    project,
    `insert into auth.invitation (id, "organizationId", email, role, status, "expiresAt", "createdAt", "inviterId")
     select v.id, v.organization, v.id || '@example.org', 'member', v.status, now() + v.rest::interval,
       now() - v.age::interval, $2
     from (values ('first', $1, 'pending', '1 day', '2 h'), ('second', $1, 'pending', '1 day', '1 h'),
       ('expired', $1, 'pending', '-1 h', '3 h'), ('answered', $1, 'rejected', '1 day', '3 h'),
       ('foreign', 'other', 'pending', '1 day', '3 h')
     ) v (id, organization, status, rest, age)`,
    [organizationId, owner.id],
  );
});
afterAll(() => deployment.close());

const cancel = (id: string, from = base) =>
  project.asService({ method: 'DELETE', path: `${from}/${id}` });
/** The state of every invitation, and the last entry of the audit log. */
const traces = () =>
  rowsOf(
    project,
    `select (select json_object_agg(id, status order by id) from auth.invitation) as statuses,
       (select max(id) from platform.audit_log) as audit`,
  );
const pending = async (query = '') =>
  asRecord((await project.asService({ path: base + query })).body);

test('pending invitations come in pages, the latest first', async () => {
  expect(await pending()).toMatchObject({
    invitations: [{ id: 'second', email: 'second@example.org', role: 'member' }, { id: 'first' }],
    total: 2,
    page: 1,
  });
  expect(await pending('?page=2&perPage=1')).toMatchObject({
    invitations: [{ id: 'first' }],
    total: 2,
  });
});

test('a user may neither list nor cancel them', async () => {
  const user = await makeSignedIn(project, 'user@example.org');
  expect((await project.as(user, { path: base })).status).toBe(403);
  const refused = await project.as(user, { method: 'DELETE', path: `${base}/first` });
  expect(refused.status).toBe(403);
  expect(await pending()).toMatchObject({ total: 2 });
});

test.each([
  { name: 'an unknown invitation', id: 'none', code: '404 INVITATION_NOT_FOUND' },
  { name: 'an expired invitation', id: 'expired', code: '404 INVITATION_NOT_FOUND' },
  { name: 'an answered invitation', id: 'answered', code: '404 INVITATION_NOT_FOUND' },
  {
    name: 'an invitation of another organization',
    id: 'foreign',
    code: '404 INVITATION_NOT_FOUND',
  },
  { name: 'an id that is too long', id: 'i'.repeat(129), code: '404 INVITATION_NOT_FOUND' },
  {
    name: 'an invitation of an unknown organization',
    id: 'first',
    from: '/api/admin/organizations/none/invitations',
    code: '404 ORGANIZATION_NOT_FOUND',
  },
])('$name is not canceled', async ({ id, from, code }) => {
  const before = await traces();
  expect(outcomeOf(await cancel(id, from))).toBe(code);
  expect(await traces()).toEqual(before);
});

test('a canceled invitation is pending no more, and the audit log names it', async () => {
  expect((await cancel('first')).status).toBe(204);
  expect(outcomeOf(await cancel('first'))).toBe('404 INVITATION_NOT_FOUND');
  expect(await pending()).toMatchObject({ invitations: [{ id: 'second' }], total: 1 });
  const rows = await rowsOf(project, `select status from auth.invitation where id = 'first'`, []);
  expect(rows).toEqual([{ status: 'canceled' }]);
  expect(await auditOf(project, organizationId)).toMatchObject([
    { action: 'organization.cancelInvitation', before: { email: 'first@example.org' } },
  ]);
});
