// Organizations whose owner goes: who may go, and who owns them next.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { auditOf, makeSignedIn, rowsOf, usersPath } from './administration.js';

const base = '/api/admin/organizations';
let deployment: Deployment;
let project: ProjectUnderTest;
let count = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await save('security.rateLimit', { enabled: false });
});
afterAll(() => deployment.close());

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const newUser = () => makeSignedIn(project, `user-${(count += 1)}@example.org`);

/** An organization of `owner` with these members beside. */
async function organizationOf(
  owner: SignedIn,
  ...others: readonly (readonly [SignedIn, string])[]
) {
  const slug = `org-${(count += 1)}`;
  const reply = await project.as(owner, {
    method: 'POST',
    path: '/api/auth/organization/create',
    body: { name: `Name of ${slug}`, slug },
  });
  const id = String(asRecord(reply.body)['id']);
  for (const [user, role] of others) {
    await rowsOf(
      project,
      `insert into auth.member (id, "organizationId", "userId", role) values ($1, $2, $3, $4)`,
      [`m-${user.id}-${slug}`, id, user.id, role],
    );
  }
  return { id, slug };
}

const rolesIn = async (id: string) =>
  Object.fromEntries(
    (
      await rowsOf(project, 'select "userId", role from auth.member where "organizationId" = $1', [
        id,
      ])
    ).map(({ userId, role }) => [String(userId), role]),
  );
const deleteSelf = (user: SignedIn) =>
  project.as(user, {
    method: 'POST',
    path: '/api/auth/delete-user',
    body: { password: userPassword },
  });
const setMember = (id: string, userId: string, body: unknown = { role: 'owner' }) =>
  project.asService({ method: 'PUT', path: `${base}/${id}/members/${userId}`, body });

describe('the only owner of an organization with other members', () => {
  test.each(['/api/auth/delete-user', '/api/users'])(
    'cannot delete the own account by %s, and learns which organizations need an owner',
    async (path) => {
      const [owner, member] = [await newUser(), await newUser()];
      const { id, slug } = await organizationOf(owner, [member, 'member']);
      const method = path === '/api/users' ? 'DELETE' : 'POST';
      const reply = await project.as(owner, { method, path, body: { password: userPassword } });
      expect(reply.body).toMatchObject({
        status: 409,
        code: 'LAST_OWNER',
        details: { organizations: [{ id, name: `Name of ${slug}` }] },
      });
      expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner', [member.id]: 'member' });
      expect((await project.as(owner, { path: '/api/auth/get-session' })).text).not.toBe('null');
    },
  );

  test('may go after handing it over', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id } = await organizationOf(owner, [member, 'member']);
    await setMember(id, member.id);
    expect((await deleteSelf(owner)).status).toBe(200);
    expect(await rolesIn(id)).toEqual({ [member.id]: 'owner' });
  });

  test('may go while organizations are off: nobody could hand one over', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    await organizationOf(owner, [member, 'member']);
    await save('auth.organization', { enabled: false });
    const reply = await deleteSelf(owner);
    await save('auth.organization', {});
    expect(reply.status).toBe(200);
  });

  test('that an administrator deletes leaves it to be given to somebody', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id, slug } = await organizationOf(owner, [member, 'admin']);
    const path = `${usersPath}/${owner.id}`;
    expect((await project.asService({ method: 'DELETE', path })).status).toBe(204);
    const ownerless = { path: `${base}?hasOwner=false&search=${slug}` };
    const listed = await project.asService(ownerless);
    expect(asRecord(listed.body)['organizations']).toMatchObject([{ id, members: 1, owners: 0 }]);
    expect((await setMember(id, member.id)).body).toMatchObject({
      member: { userId: member.id, email: member.email, role: 'owner' },
    });
    expect((await project.asService(ownerless)).body).toMatchObject({ total: 0 });
    // The new owner does what owners do.
    const update = { organizationId: id, data: { name: 'Taken over' } };
    const call = { method: 'POST', path: '/api/auth/organization/update', body: update };
    expect((await project.as(member, call)).status).toBe(200);
  });
});

test('two owners who go at the same moment leave one, or the organization has no other members', async () => {
  const [first, second, member] = [await newUser(), await newUser(), await newUser()];
  const { id } = await organizationOf(first, [second, 'owner'], [member, 'member']);
  const replies = await Promise.all([deleteSelf(first), deleteSelf(second)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(Object.values(await rolesIn(id)).sort()).toEqual(['member', 'owner']);
});

test('the only member of an organization may go; the organization can be given to somebody', async () => {
  const [owner, heir] = [await newUser(), await newUser()];
  const { id } = await organizationOf(owner);
  expect((await deleteSelf(owner)).status).toBe(200);
  expect((await setMember(id, heir.id)).status).toBe(200);
  expect(await rolesIn(id)).toEqual({ [heir.id]: 'owner' });
});

describe('PUT /api/admin/organizations/:id/members/:userId', () => {
  test('has one audit entry per change, and the same role again is no change', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id } = await organizationOf(owner);
    for (const role of ['member', 'admin', 'admin']) await setMember(id, member.id, { role });
    expect(await auditOf(project, id)).toMatchObject([
      { action: 'organization.setMember', after: { userId: member.id, role: 'member' } },
      { before: { role: 'member' }, after: { role: 'admin' } },
    ]);
  });

  test('takes the last owner from no organization', async () => {
    const owner = await newUser();
    const { id } = await organizationOf(owner);
    expect((await setMember(id, owner.id, { role: 'member' })).body).toMatchObject({
      status: 409,
      code: 'LAST_OWNER',
    });
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner' });
  });

  test('adds nobody to a full organization', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id } = await organizationOf(owner);
    await save('auth.organization', { maxMembers: 1 });
    const reply = await setMember(id, member.id);
    await save('auth.organization', {});
    expect(reply.body).toMatchObject({
      status: 403,
      code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
    });
  });

  test.each([
    { name: 'an unknown organization', code: 'ORGANIZATION_NOT_FOUND', id: 'nothing' },
    { name: 'an unknown user', code: 'USER_NOT_FOUND', userId: 'nobody' },
    { name: 'another role', code: 'INVALID_INPUT', body: { role: 'king' } },
    { name: 'no role', code: 'INVALID_INPUT', body: {} },
  ])('refuses $name', async ({ code, id, userId, body }) => {
    const owner = await newUser();
    const made = await organizationOf(owner);
    const reply = await setMember(id ?? made.id, userId ?? owner.id, body ?? { role: 'owner' });
    expect(reply.body).toMatchObject({ code });
    expect(await rolesIn(made.id)).toEqual({ [owner.id]: 'owner' });
  });

  test('is for administrators', async () => {
    const owner = await newUser();
    const { id } = await organizationOf(owner);
    const path = `${base}/${id}/members/${owner.id}`;
    const call = { method: 'PUT', path, body: { role: 'owner' } };
    expect((await project.as(owner, call)).body).toMatchObject({ code: 'ADMIN_REQUIRED' });
    expect((await project.send(call)).status).toBe(401);
  });
});

describe('DELETE /api/admin/organizations/:id/members/:userId', () => {
  const remove = (id: string, userId: string) =>
    project.asService({ method: 'DELETE', path: `${base}/${id}/members/${userId}` });

  test('takes a user out, with an audit entry', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id } = await organizationOf(owner, [member, 'admin']);
    expect((await remove(id, member.id)).status).toBe(204);
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner' });
    expect((await auditOf(project, id)).at(-1)).toMatchObject({
      action: 'organization.removeMember',
      before: { userId: member.id, role: 'admin' },
    });
    expect((await remove(id, member.id)).body).toMatchObject({ code: 'MEMBER_NOT_FOUND' });
  });

  test('takes the last owner from no organization', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const { id } = await organizationOf(owner, [member, 'member']);
    expect((await remove(id, owner.id)).body).toMatchObject({ status: 409, code: 'LAST_OWNER' });
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner', [member.id]: 'member' });
  });

  test('finds only what there is', async () => {
    const owner = await newUser();
    const { id } = await organizationOf(owner);
    expect((await remove('nothing', owner.id)).body).toMatchObject({
      code: 'ORGANIZATION_NOT_FOUND',
    });
    expect((await remove(id, 'nobody')).body).toMatchObject({ code: 'USER_NOT_FOUND' });
  });
});

test('GET lists organizations by page and search, and the members of one', async () => {
  const [owner, member] = [await newUser(), await newUser()];
  const { id, slug } = await organizationOf(owner, [member, 'member']);
  const found = await project.asService({ path: `/admin/organizations?search=${slug}&perPage=1` });
  expect(found.body).toMatchObject({
    organizations: [{ id, slug, members: 2, owners: 1 }],
    total: 1,
    page: 1,
    perPage: 1,
  });
  expect((await project.asService({ path: `${base}/${id}/members` })).body).toMatchObject({
    organization: { id },
    members: [
      { userId: owner.id, role: 'owner' },
      { userId: member.id, role: 'member' },
    ],
    total: 2,
  });
  expect((await project.asService({ path: `${base}/nothing/members` })).status).toBe(404);
  expect((await project.asService({ path: `${base}?search=%25` })).body).toMatchObject({
    total: 0,
  });
});
