import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import {
  bring,
  claimsOf,
  found,
  invite,
  join,
  membersOf,
  openOrganizations,
  outcome,
  type Person,
} from './organization-people.js';
import { bearer, textAt } from '../support/replies.js';

let project: AuthProject;
let owner: Person;
let member: Person;
let stranger: Person;
let organizationId: string;

beforeAll(async () => {
  project = await openOrganizations({ invitationExpiresIn: 7200 });
  owner = await join(project, 'owner@x.dev');
  member = await join(project, 'member@x.dev');
  stranger = await join(project, 'stranger@x.dev');
  organizationId = await found(owner, 'inviting');
  await bring(owner, organizationId, { person: member });
});
afterAll(() => project.close());

let people = 0;

/** A new user with an invitation. */
async function invited(options: { readonly isVerified?: boolean } = {}) {
  people += 1;
  const person = await join(project, `guest${people}@x.dev`, options);
  const invitationId = await invite(owner, organizationId, { email: person.email });
  return { person, invitationId };
}

async function statusOf(invitationId: string): Promise<unknown> {
  const [row] = await project.sql('select status from auth.invitation where id = $1', [
    invitationId,
  ]);
  return row?.['status'];
}

describe('inviteMember', () => {
  test('mails the id of the invitation', async () => {
    const reply = await owner.post('invite-member', {
      organizationId,
      email: 'New@X.dev',
      role: 'admin',
    });
    expect(reply).toMatchObject({
      status: 200,
      body: { email: 'new@x.dev', role: 'admin', status: 'pending' },
    });
    expect(project.mails.at(-1)).toEqual({
      kind: 'inviteMember',
      to: 'new@x.dev',
      values: {
        invitationId: textAt(reply.body, 'id'),
        organizationName: 'Name of inviting',
        inviterName: 'Name of owner@x.dev',
        role: 'admin',
        expiresInMinutes: 120,
      },
    });
  });

  test('leaves no invitation behind when the mail cannot be sent', async () => {
    const mailless = await openOrganizations();
    try {
      const person = await join(mailless, 'owner@x.dev');
      const unsent = await found(person, 'unsent');
      // A full outbox: handing over a mail throws.
      Object.freeze(mailless.mails);
      const body = { organizationId: unsent, email: 'new@x.dev', role: 'member' };
      expect((await person.post('invite-member', body)).status).toBe(500);
      expect(await mailless.sql('select from auth.invitation')).toEqual([]);
    } finally {
      await mailless.close();
    }
  });

  test('is for owners and admins, an owner for owners alone', async () => {
    const admin = await join(project, 'inviting-admin@x.dev');
    await bring(owner, organizationId, { person: admin, role: 'admin' });
    const body = (role: string) => ({ organizationId, email: 'role@x.dev', role });
    expect((await member.post('invite-member', body('member'))).status).toBe(403);
    expect((await stranger.post('invite-member', body('member'))).status).toBe(404);
    expect((await admin.post('invite-member', body('owner'))).status).toBe(403);
    expect((await admin.post('invite-member', body('admin'))).status).toBe(200);
  });

  test.each([
    {
      name: 'a reserved domain',
      fields: { email: '15551234567@phone.local' },
      outcome: '400 INVALID_INPUT',
    },
    { name: 'no address', fields: { email: 'nobody' }, outcome: '400 INVALID_EMAIL' },
    {
      name: 'a member',
      fields: { email: 'member@x.dev' },
      outcome: '400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
    },
    {
      name: 'a status',
      fields: { email: 'f@x.dev', status: 'accepted' },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
    {
      name: 'an inviter',
      fields: { email: 'f@x.dev', inviterId: 'x' },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
    {
      name: 'teams while they are off',
      fields: { email: 'f@x.dev', teamId: 'x' },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
  ])('refuses $name', async ({ fields, outcome: expected }) => {
    const mails = project.mails.length;
    const reply = await owner.post('invite-member', { organizationId, role: 'member', ...fields });
    expect(outcome(reply)).toBe(expected);
    expect(project.mails).toHaveLength(mails);
  });

  test('twice is refused unless it is a resend, which mails the same id again', async () => {
    const first = await invite(owner, organizationId, { email: 'twice@x.dev' });
    const body = { organizationId, email: 'twice@x.dev', role: 'member' };
    expect(outcome(await owner.post('invite-member', body))).toBe(
      '400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
    );
    const again = await owner.post('invite-member', { ...body, resend: true });
    expect(again).toMatchObject({ status: 200, body: { id: first } });
    expect(project.mails.at(-1)).toMatchObject({ values: { invitationId: first } });
  });
});

describe('acceptInvitation', () => {
  test('creates the membership and makes the organization active', async () => {
    const { person, invitationId } = await invited();
    const reply = await person.post('accept-invitation', { invitationId });
    expect(reply).toMatchObject({
      status: 200,
      body: { invitation: { status: 'accepted' }, member: { userId: person.id, role: 'member' } },
    });
    expect(await claimsOf(project, person)).toMatchObject({
      org_id: organizationId,
      org_role: 'member',
    });
  });

  test('is for the invited address alone', async () => {
    const { invitationId } = await invited();
    for (const operation of ['accept-invitation', 'reject-invitation']) {
      const reply = await stranger.post(operation, { invitationId });
      expect(outcome(reply)).toBe('403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION');
    }
    expect(await statusOf(invitationId)).toBe('pending');
  });

  test('needs a verified address: signing up with the invited one is not enough', async () => {
    const { person, invitationId } = await invited({ isVerified: false });
    const reply = await person.post('accept-invitation', { invitationId });
    expect(outcome(reply)).toBe(
      '403 EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION',
    );
    expect((await person.get('get-invitation', { id: invitationId })).status).toBe(403);
    expect(outcome(await person.get('list-user-invitations'))).toBe(
      '403 EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION',
    );
    expect(await membersOf(project, organizationId)).not.toContain(`${person.email} member`);
  });

  test('takes an unverified address when the setting says so', async () => {
    const via = await project.rebuild({ 'auth.organization': { requireVerifiedEmail: false } });
    const { person, invitationId } = await invited({ isVerified: false });
    const headers = bearer(person.token);
    const listed = await project.get('/organization/list-user-invitations', { via, headers });
    expect(listed.body).toMatchObject([{ id: invitationId }]);
    const body = { invitationId };
    const reply = await project.post('/organization/accept-invitation', { via, headers, body });
    expect(reply.status).toBe(200);
  });

  test.each([
    { name: 'expired', change: `"expiresAt" = now() - interval '1 second'` },
    { name: 'cancelled', change: `status = 'canceled'` },
    { name: 'rejected', change: `status = 'rejected'` },
    { name: 'accepted', change: `status = 'accepted'` },
  ])('refuses an invitation that is $name', async ({ change }) => {
    const { person, invitationId } = await invited();
    await project.sql(`update auth.invitation set ${change} where id = $1`, [invitationId]);
    const reply = await person.post('accept-invitation', { invitationId });
    expect(outcome(reply)).toBe('404 INVITATION_NOT_FOUND');
    expect((await person.get('get-invitation', { id: invitationId })).status).toBe(404);
    expect((await person.get('list-user-invitations')).body).toEqual([]);
    expect(await membersOf(project, organizationId)).not.toContain(`${person.email} member`);
  });

  test('in parallel it succeeds once', async () => {
    const { person, invitationId } = await invited();
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map(() => person.post('accept-invitation', { invitationId })),
    );
    expect(replies.map(outcome).sort()).toEqual([
      '200',
      ...Array<string>(4).fill('404 INVITATION_NOT_FOUND'),
    ]);
    const members = await membersOf(project, organizationId);
    expect(members.filter((each) => each === `${person.email} member`)).toHaveLength(1);
  });

  test('of somebody who has become a member meanwhile is refused', async () => {
    const { person, invitationId } = await invited();
    await project.sql(
      `insert into auth.member (id, "organizationId", "userId", role) values ($2, $1, $2, 'admin')`,
      [organizationId, person.id],
    );
    const reply = await person.post('accept-invitation', { invitationId });
    expect(outcome(reply)).toBe('404 INVITATION_NOT_FOUND');
    expect(await membersOf(project, organizationId)).toContain(`${person.email} admin`);
  });
});

describe('an answered invitation', () => {
  test('stays as it was answered, whatever comes later or at the same moment', async () => {
    for (const round of [1, 2, 3]) {
      const { person, invitationId } = await invited();
      const [accepted, cancelled] = await Promise.all([
        person.post('accept-invitation', { invitationId }),
        owner.post('cancel-invitation', { invitationId }),
      ]);
      const isMember = (await membersOf(project, organizationId)).includes(
        `${person.email} member`,
      );
      expect({
        round,
        accepted: accepted.status === 200,
        cancelled: cancelled.status === 200,
      }).toEqual({
        round,
        accepted: isMember,
        cancelled: !isMember,
      });
      expect(await statusOf(invitationId)).toBe(isMember ? 'accepted' : 'canceled');
    }
  });

  test('cannot be cancelled or rejected after it was accepted', async () => {
    const { person, invitationId } = await invited();
    await person.post('accept-invitation', { invitationId });
    expect(outcome(await owner.post('cancel-invitation', { invitationId }))).toBe(
      '404 INVITATION_NOT_FOUND',
    );
    expect(outcome(await person.post('reject-invitation', { invitationId }))).toBe(
      '404 INVITATION_NOT_FOUND',
    );
    expect(await statusOf(invitationId)).toBe('accepted');
  });

  test('is cancelled by owners and admins, rejected by the invited', async () => {
    const { person, invitationId } = await invited();
    expect((await member.post('cancel-invitation', { invitationId })).status).toBe(403);
    expect((await stranger.post('cancel-invitation', { invitationId })).status).toBe(404);
    expect((await person.post('reject-invitation', { invitationId })).status).toBe(200);
    expect(await statusOf(invitationId)).toBe('rejected');
    const other = await invited();
    expect(
      (await owner.post('cancel-invitation', { invitationId: other.invitationId })).status,
    ).toBe(200);
    expect(await statusOf(other.invitationId)).toBe('canceled');
  });
});

test('invitations count under the rate limit of mails, for the address invited', async () => {
  const limited = await openAuthProject({
    settings: {
      'security.rateLimit': { enabled: true },
      'auth.rateLimits': { sendEmail: { perIdentifier: 2 } },
    },
  });
  try {
    const headers = bearer(textAt((await signUp(limited, 'a@x.dev')).body, 'token'));
    await limited.post('/organization/create', { headers, body: { name: 'A', slug: 'a' } });
    const statuses = [];
    for (const _turn of [1, 2, 3]) {
      const body = { email: 'victim@x.dev', role: 'member', resend: true };
      // One after the other: the third must be the one too many.
      statuses.push((await limited.post('/organization/invite-member', { headers, body })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  } finally {
    await limited.close();
  }
});
