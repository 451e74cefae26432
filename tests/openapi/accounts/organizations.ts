// Organizations with their members, invitations and teams.
import { type AccountWorld, type Person, textAt } from './world.js';

let count = 0;
const nextSlug = () => `acme${(count += 1)}`;

export async function tryOrganizations(world: AccountWorld): Promise<void> {
  const owner = await world.newPerson();
  await world.newPerson();
  await owner.try('POST /organization/check-slug', { live: { slug: nextSlug() } });
  const created = await owner.try('POST /organization/create', { live: { slug: nextSlug() } });
  const organizationId = textAt(created, 'id');
  await owner.try('GET /organization/list');
  await owner.try('GET /organization/get-organization');
  await owner.try('GET /organization/get-full-organization');
  await owner.try('POST /organization/update');
  await owner.try('POST /organization/set-active', { live: { organizationId } });
  const { member, memberId } = await tryInvitations(world, owner);
  await tryMembers(owner, memberId);
  await member.try('POST /organization/set-active', { live: { organizationId } });
  await tryTeams(owner, member);
  await member.try('POST /organization/leave', { live: { organizationId } });
  const { member: removed, memberId: memberIdOrEmail } = await tryInvitations(world, owner);
  await owner.try('POST /organization/remove-member', { live: { memberIdOrEmail } });
  await removed.try('GET /organization/list');
  await owner.try('POST /organization/delete', { live: { organizationId } });
}

async function tryInvitations(
  world: AccountWorld,
  owner: Person,
): Promise<{ readonly member: Person; readonly memberId: string }> {
  const member = await world.newPerson();
  const invite = async () =>
    textAt(
      await owner.try('POST /organization/invite-member', { live: { email: member.email } }),
      'id',
    );
  const first = await invite();
  await member.try('GET /organization/get-invitation', { query: { id: first } });
  await owner.try('GET /organization/list-invitations');
  await member.try('GET /organization/list-user-invitations');
  await member.try('POST /organization/reject-invitation', { live: { invitationId: first } });
  await owner.try('POST /organization/cancel-invitation', {
    live: { invitationId: await invite() },
  });
  const accepted = await member.try('POST /organization/accept-invitation', {
    live: { invitationId: await invite() },
  });
  return { member, memberId: textAt(accepted, 'member', 'id') };
}

async function tryMembers(owner: Person, memberId: string): Promise<void> {
  await owner.try('GET /organization/list-members');
  await owner.try('GET /organization/get-active-member');
  await owner.try('GET /organization/get-active-member-role');
  await owner.try('POST /organization/has-permission');
  await owner.try('POST /organization/update-member-role', { live: { memberId } });
}

async function tryTeams(owner: Person, member: Person): Promise<void> {
  const teamId = textAt(await owner.try('POST /organization/create-team'), 'id');
  const live = { teamId };
  await owner.try('POST /organization/update-team', { live });
  await owner.try('GET /organization/list-teams');
  const ofMember = { teamId, userId: member.id };
  await owner.try('POST /organization/add-team-member', { live: ofMember });
  await member.try('GET /organization/list-user-teams');
  await member.try('POST /organization/set-active-team', { live });
  await owner.try('GET /organization/list-team-members', { query: { teamId } });
  await owner.try('POST /organization/remove-team-member', { live: ofMember });
  await owner.try('POST /organization/remove-team', { live });
}
