// Organizations, members, invitations and teams by our own client against the real server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createClient, type RowhouseClient } from '#libs/sdk';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type Gateway, openGateway } from './support/gateway.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let gateway: Gateway;
let count = 0;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  gateway = await openGateway(project);
  const saved = await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/auth.organization',
    body: { enabled: true, teamsEnabled: true },
  });
  expect(saved.status).toBe(200);
});
afterAll(async () => {
  await gateway.close();
  await deployment.close();
});

interface Person {
  readonly client: RowhouseClient;
  readonly organization: RowhouseClient['auth']['organization'];
  readonly email: string;
  readonly id: string;
}

/** Somebody signed in whose address is verified: only they may look at their invitations. */
async function join(): Promise<Person> {
  count += 1;
  const email = `person${count}@example.org`;
  const client = createClient(gateway.url, project.publishableKey);
  const { data } = await client.auth.signUp({ email, password: 'correct horse battery' });
  await asSuperuser(`update auth."user" set "emailVerified" = true where email = $1`, {
    database: project.database,
    values: [email],
  });
  return { client, organization: client.auth.organization, email, id: data.user?.id ?? '' };
}

/** The data of an answer that must not be an error. */
async function dataOf<Data>(
  answer: Promise<{ readonly data: Data; readonly error: unknown }>,
): Promise<NonNullable<Data>> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  if (data === null || data === undefined) throw new Error('the answer has no data');
  return data;
}

/** An organization with an owner and one member. */
async function founded() {
  const owner = await join();
  const member = await join();
  const slug = `org-${count}`;
  const { id } = await dataOf(owner.organization.create({ name: 'Org', slug }));
  const invitation = await dataOf(
    owner.organization.inviteMember({ organizationId: id, email: member.email, role: 'member' }),
  );
  await dataOf(member.organization.acceptInvitation({ invitationId: invitation.id }));
  return { owner, member, id, slug, invitation };
}

describe('organizations', () => {
  test('a new one is active, and calls without an id mean it', async () => {
    const { organization } = await join();
    const slug = `org-${count}`;
    const made = await dataOf(organization.create({ name: 'Org', slug }));
    expect(made).toMatchObject({ name: 'Org', slug });
    const full = await dataOf(organization.getFullOrganization());
    expect(full).toMatchObject({ id: made.id, members: [{ role: 'owner' }], invitations: [] });
    await dataOf(organization.update({ data: { name: 'New name' } }));
    expect(await dataOf(organization.list())).toMatchObject([{ id: made.id, name: 'New name' }]);
  });

  test('none is active after setActive with null', async () => {
    const { organization } = await join();
    const { id } = await dataOf(organization.create({ name: 'Org', slug: `org-${count}` }));
    expect((await organization.setActive({ organizationId: null })).error).toBeNull();
    expect((await organization.getFullOrganization()).data).toBeNull();
    expect(await dataOf(organization.setActive({ organizationId: id }))).toMatchObject({ id });
  });

  test('a slug is free until it is taken', async () => {
    const { organization } = await join();
    const slug = `org-${count}`;
    expect(await dataOf(organization.checkSlug({ slug }))).toEqual({ status: true });
    await dataOf(organization.create({ name: 'Org', slug }));
    expect((await organization.checkSlug({ slug })).error).toMatchObject({ status: 400 });
  });

  test('strangers see nothing of one', async () => {
    const { id } = await founded();
    const { organization } = await join();
    expect(await dataOf(organization.list())).toEqual([]);
    const answer = await organization.getFullOrganization({ organizationId: id });
    expect(answer.error?.status).toBe(403);
    const deletion = await organization.delete({ organizationId: id });
    expect(deletion.error?.status).toBeGreaterThanOrEqual(400);
  });

  test('is deleted by its owner', async () => {
    const { owner, id } = await founded();
    expect((await owner.organization.delete({ organizationId: id })).error).toBeNull();
    expect(await dataOf(owner.organization.list())).toEqual([]);
  });
});

describe('members', () => {
  test('are invited, see their invitation, and join', async () => {
    const owner = await join();
    const guest = await join();
    const { id } = await dataOf(owner.organization.create({ name: 'O', slug: `org-${count}` }));
    const given = { organizationId: id, email: guest.email, role: 'admin' as const };
    const invitation = await dataOf(owner.organization.inviteMember(given));
    expect(await dataOf(owner.organization.listInvitations())).toMatchObject([
      { id: invitation.id, status: 'pending' },
    ]);
    expect(await dataOf(guest.organization.listUserInvitations())).toMatchObject([
      { id: invitation.id },
    ]);
    const shown = await dataOf(guest.organization.getInvitation({ id: invitation.id }));
    expect(shown).toMatchObject({ email: guest.email, role: 'admin' });
    await dataOf(guest.organization.acceptInvitation({ invitationId: invitation.id }));
    await dataOf(guest.organization.setActive({ organizationId: id }));
    expect(await dataOf(guest.organization.getActiveMember())).toMatchObject({ role: 'admin' });
    expect(await dataOf(guest.organization.getActiveMemberRole())).toEqual({ role: 'admin' });
  });

  test('reject invitations, and owners cancel them', async () => {
    const owner = await join();
    const [one, other] = [await join(), await join()];
    await dataOf(owner.organization.create({ name: 'O', slug: `org-${count}` }));
    const invite = ({ email }: Person) =>
      dataOf(owner.organization.inviteMember({ email, role: 'member' }));
    const rejected = { invitationId: (await invite(one)).id };
    expect((await one.organization.rejectInvitation(rejected)).error).toBeNull();
    const cancelled = { invitationId: (await invite(other)).id };
    expect((await owner.organization.cancelInvitation(cancelled)).error).toBeNull();
    const accepted = await other.organization.acceptInvitation(cancelled);
    expect(accepted.error?.status).toBeGreaterThanOrEqual(400);
  });

  test('are listed in pages, change their role, and are removed', async () => {
    const { owner, member } = await founded();
    const page = await dataOf(owner.organization.listMembers({ limit: 1, offset: 1 }));
    expect([page.members.length, page.total]).toEqual([1, 2]);
    const { members } = await dataOf(owner.organization.listMembers());
    const memberId = members.find(({ userId }) => userId === member.id)?.id ?? '';
    const changed = await dataOf(owner.organization.updateMemberRole({ memberId, role: 'admin' }));
    expect(changed.role).toBe('admin');
    const removed = await owner.organization.removeMember({ memberIdOrEmail: memberId });
    expect(removed.error).toBeNull();
    expect((await dataOf(owner.organization.listMembers())).total).toBe(1);
  });

  test('may do what their role allows, and leave', async () => {
    const { owner, member, id } = await founded();
    await dataOf(member.organization.setActive({ organizationId: id }));
    const may = async ({ organization }: Person) => {
      const permissions = { invitation: ['create'] };
      return (await dataOf(organization.hasPermission({ permissions }))).success;
    };
    expect([await may(owner), await may(member)]).toEqual([true, false]);
    expect((await member.organization.leave({ organizationId: id })).error).toBeNull();
    expect((await dataOf(owner.organization.listMembers())).total).toBe(1);
  });
});

test('teams are made, filled, made active, and removed', async () => {
  const { owner, member, id } = await founded();
  const team = await dataOf(owner.organization.createTeam({ name: 'Crew' }));
  const teamId = team.id;
  await dataOf(owner.organization.updateTeam({ teamId, data: { name: 'Staff' } }));
  expect(await dataOf(owner.organization.listTeams())).toMatchObject([{ name: 'Staff' }]);
  await dataOf(owner.organization.addTeamMember({ teamId, userId: member.id }));
  await dataOf(member.organization.setActive({ organizationId: id }));
  expect(await dataOf(member.organization.setActiveTeam({ teamId }))).toMatchObject({ id: teamId });
  expect(await dataOf(member.organization.listUserTeams())).toMatchObject([{ id: teamId }]);
  expect(await dataOf(member.organization.listTeamMembers({ teamId }))).toMatchObject([
    { userId: member.id },
  ]);
  const gone = await owner.organization.removeTeamMember({ teamId, userId: member.id });
  expect(gone.error).toBeNull();
  expect((await owner.organization.removeTeam({ teamId })).error).toBeNull();
  expect(await dataOf(owner.organization.listTeams())).toEqual([]);
});

test('a visitor is told to sign in', async () => {
  const client = createClient(gateway.url, project.publishableKey);
  expect((await client.auth.organization.list()).error).toMatchObject({ status: 401 });
});
