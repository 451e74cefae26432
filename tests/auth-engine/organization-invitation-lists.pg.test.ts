import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  found,
  invite,
  join,
  openOrganizations,
  type Person,
} from './organization-people.js';

let project: AuthProject;
let owner: Person;
let member: Person;
let stranger: Person;
let organizationId: string;

beforeAll(async () => {
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
  member = await join(project, 'member@x.dev');
  stranger = await join(project, 'stranger@x.dev');
  organizationId = await found(owner, 'inviting');
  await bring(owner, organizationId, { person: member });
});
afterAll(() => project.close());

let people = 0;

/** A new user with an invitation. */
async function invited() {
  people += 1;
  const person = await join(project, `guest${people}@x.dev`);
  const invitationId = await invite(owner, organizationId, { email: person.email });
  return { person, invitationId };
}

describe('reading invitations', () => {
  test('getInvitation shows names to the invited alone', async () => {
    const { person, invitationId } = await invited();
    const reply = await person.get('get-invitation', { id: invitationId });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        organizationName: 'Name of inviting',
        organizationSlug: 'inviting',
        inviterEmail: owner.email,
      },
    });
    for (const other of [stranger, member]) {
      const refused = await other.get('get-invitation', { id: invitationId });
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).not.toContain('inviting');
      expect(JSON.stringify(refused.body)).not.toContain('@');
    }
  });

  test('listInvitations is for owners and admins', async () => {
    const { invitationId } = await invited();
    const listed = await owner.get('list-invitations', { organizationId });
    expect(listed.body).toContainEqual(expect.objectContaining({ id: invitationId }));
    for (const other of [stranger, member]) {
      const refused = await other.get('list-invitations', { organizationId });
      expect(refused.status).toBe(403);
    }
    const admin = await join(project, 'listing-admin@x.dev');
    await bring(owner, organizationId, { person: admin, role: 'admin' });
    const asOwner = await invite(owner, organizationId, { email: 'next@x.dev', role: 'owner' });
    const seen = await admin.get('list-invitations', { organizationId });
    expect(seen.body).toContainEqual(expect.objectContaining({ id: invitationId }));
    expect(seen.body).not.toContainEqual(expect.objectContaining({ id: asOwner }));
    const full = await member.get('get-full-organization', { organizationId });
    expect(full).toMatchObject({ status: 200, body: { invitations: [] } });
  });

  test('listUserInvitations lists the open ones to the own address', async () => {
    const { person, invitationId } = await invited();
    const listed = await person.get('list-user-invitations');
    expect(listed.body).toMatchObject([{ id: invitationId, organizationName: 'Name of inviting' }]);
    const others = await person.get('list-user-invitations', { email: stranger.email });
    expect(JSON.stringify(others.body)).not.toContain(stranger.email);
    expect((await project.get('/organization/list-user-invitations')).status).toBe(401);
  });
});
