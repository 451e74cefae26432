import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  claimsOf,
  found,
  invite,
  join,
  membersOf,
  openOrganizations,
  outcome,
  untilBlocked,
  type Person,
} from './organization-people.js';
import { textAt } from '../support/replies.js';

let project: AuthProject;
let owner: Person;
let admin: Person;
let member: Person;
let stranger: Person;

beforeAll(async () => {
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
  admin = await join(project, 'admin@x.dev');
  member = await join(project, 'member@x.dev');
  stranger = await join(project, 'stranger@x.dev');
});
afterAll(() => project.close());

interface Staff {
  readonly organizationId: string;
  readonly memberIds: Readonly<Record<'owner' | 'admin' | 'member', string>>;
}

/** An organization with one of each role. */
async function staffed(slug: string): Promise<Staff> {
  const organizationId = await found(owner, slug);
  const adminId = await bring(owner, organizationId, { person: admin, role: 'admin' });
  const memberId = await bring(owner, organizationId, { person: member });
  const [row] = await project.sql(
    `select id from auth.member where "organizationId" = $1 and role = 'owner'`,
    [organizationId],
  );
  return {
    organizationId,
    memberIds: { owner: textAt(row, 'id'), admin: adminId, member: memberId },
  };
}

describe('roles', () => {
  test('a member cannot promote anybody, itself included', async () => {
    const { organizationId, memberIds } = await staffed('no-promotion');
    for (const memberId of Object.values(memberIds)) {
      const reply = await member.post('update-member-role', {
        organizationId,
        memberId,
        role: 'admin',
      });
      expect(outcome(reply)).toBe('403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER');
    }
    expect(await membersOf(project, organizationId)).toEqual([
      'admin@x.dev admin',
      'member@x.dev member',
      'owner@x.dev owner',
    ]);
  });

  test('an admin cannot remove or demote an owner, nor make one', async () => {
    const { organizationId, memberIds } = await staffed('admin-limits');
    const replies = [
      await admin.post('remove-member', { organizationId, memberIdOrEmail: memberIds.owner }),
      await admin.post('remove-member', { organizationId, memberIdOrEmail: owner.email }),
      await admin.post('update-member-role', {
        organizationId,
        memberId: memberIds.owner,
        role: 'member',
      }),
      await admin.post('update-member-role', {
        organizationId,
        memberId: memberIds.admin,
        role: 'owner',
      }),
      await admin.post('update-member-role', {
        organizationId,
        memberId: memberIds.member,
        role: 'owner',
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const promoted = { organizationId, memberId: memberIds.member, role: 'admin' };
    expect(await admin.post('update-member-role', promoted)).toMatchObject({
      status: 200,
      body: { role: 'admin', user: { email: member.email } },
    });
  });

  test.each([
    ['an unknown one', 'boss'],
    ['several', ['admin', 'member']],
    ['several in one text', 'admin,owner'],
    ['one with spaces', ' owner'],
    ['none', []],
  ])('a role is one of the three: %s is refused', async (_name, role) => {
    const { organizationId, memberIds } = await staffed(`role-${Math.random()}`.replace('.', ''));
    const body = { organizationId, memberId: memberIds.member, role };
    expect(outcome(await owner.post('update-member-role', body))).toBe('400 INVALID_INPUT');
    const invitation = { organizationId, email: 'new@x.dev', role };
    expect(outcome(await owner.post('invite-member', invitation))).toBe('400 INVALID_INPUT');
  });

  test('members of one organization mean nothing in another', async () => {
    const { memberIds } = await staffed('mine');
    const other = await found(stranger, 'theirs');
    const body = { organizationId: other, memberId: memberIds.member, role: 'admin' };
    expect(outcome(await stranger.post('update-member-role', body))).toBe('404 MEMBER_NOT_FOUND');
    const removal = { organizationId: other, memberIdOrEmail: memberIds.member };
    expect(outcome(await stranger.post('remove-member', removal))).toBe('404 MEMBER_NOT_FOUND');
  });

  test('hasPermission({permissions}) follows the role', async () => {
    const { organizationId } = await staffed('permissions');
    const ask = (person: Person, permissions: unknown) =>
      person.post('has-permission', { organizationId, permissions });
    expect(await ask(owner, { organization: ['delete'] })).toMatchObject({
      body: { success: true },
    });
    expect(await ask(admin, { organization: ['delete'] })).toMatchObject({
      body: { success: false },
    });
    expect(await ask(admin, { invitation: ['create'], member: ['update'] })).toMatchObject({
      body: { success: true },
    });
    expect(await ask(member, { invitation: ['create'] })).toMatchObject({
      body: { success: false },
    });
    expect(await ask(owner, { unknown: ['create'] })).toMatchObject({ body: { success: false } });
    expect(outcome(await ask(owner, { constructor: ['create'] }))).toBe('400 INVALID_INPUT');
    expect((await ask(stranger, { member: ['create'] })).status).toBe(403);
    expect(outcome(await owner.post('has-permission', {}))).toBe('400 VALIDATION_ERROR');
  });
});

describe('the last owner', () => {
  test('cannot leave, be removed or be demoted', async () => {
    const { organizationId, memberIds } = await staffed('last-owner');
    const replies = [
      await owner.post('leave', { organizationId }),
      await owner.post('remove-member', { organizationId, memberIdOrEmail: memberIds.owner }),
      await owner.post('update-member-role', {
        organizationId,
        memberId: memberIds.owner,
        role: 'admin',
      }),
    ];
    expect(replies.map(outcome)).toEqual(['409 LAST_OWNER', '409 LAST_OWNER', '409 LAST_OWNER']);
    expect(await membersOf(project, organizationId)).toContain('owner@x.dev owner');
  });

  test('two owners leaving in parallel leave one', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const organizationId = await found(owner, `parallel-${round}`);
      await bring(owner, organizationId, { person: stranger, role: 'owner' });
      const replies = await Promise.all(
        [owner, stranger].map((each) => each.post('leave', { organizationId })),
      );
      expect(replies.map(outcome).sort()).toEqual(['200', '409 LAST_OWNER']);
      expect(await membersOf(project, organizationId)).toHaveLength(1);
    }
  });

  test('two owners deleted by SQL in transactions that overlap leave one', async () => {
    const organizationId = await found(owner, 'overlapping');
    await bring(owner, organizationId, { person: stranger, role: 'owner' });
    const [first, second] = await Promise.all([project.pool.connect(), project.pool.connect()]);
    const remove = 'delete from auth.member where "organizationId" = $1 and "userId" = $2';
    try {
      await first.query('begin');
      await second.query('begin');
      await first.query(remove, [organizationId, owner.id]);
      await second.query(remove, [organizationId, stranger.id]);
      // The check of the first has been made when the second begins, and is not committed yet.
      await first.query('set constraints all immediate');
      const check = { text: 'set constraints all immediate' };
      const { ended } = await untilBlocked(project, second, check);
      await first.query('commit');
      expect(await ended).toBe('organization_owner');
    } finally {
      await second.query('rollback');
      first.release();
      second.release();
    }
  });

  test('an owner among more than a hundred members may leave when there is another', async () => {
    const organizationId = await found(owner, 'crowded');
    await project.sql(
      `with made as (
         insert into auth."user" (id, email) select 'crowd-' || n, 'crowd' || n || '@x.dev'
         from generate_series(1, 150) n returning id
       )
       insert into auth.member (id, "organizationId", "userId", role)
       select 'm-' || id, $1, id, 'member' from made`,
      [organizationId],
    );
    await bring(owner, organizationId, { person: stranger, role: 'owner' });
    expect((await owner.post('leave', { organizationId })).status).toBe(200);
  });

  test('a deleted user leaves its organization behind, without an owner', async () => {
    const leaving = await join(project, 'leaving@x.dev');
    const organizationId = await found(leaving, 'left-behind');
    await bring(leaving, organizationId, { person: member });
    await project.deleteUser(leaving.id);
    expect(await membersOf(project, organizationId)).toEqual(['member@x.dev member']);
    expect((await member.get('get-organization', { organizationId })).status).toBe(200);
  });
});

describe('leaving', () => {
  test('claims lose the organization at once when a member is removed', async () => {
    const { organizationId } = await staffed('removed');
    expect((await member.post('set-active', { organizationId })).status).toBe(200);
    expect(await claimsOf(project, member)).toMatchObject({
      org_id: organizationId,
      org_role: 'member',
    });
    const removal = { organizationId, memberIdOrEmail: 'MEMBER@x.dev' };
    const reply = await admin.post('remove-member', removal);
    expect(reply).toMatchObject({ status: 200, body: { member: { userId: member.id } } });
    expect(await claimsOf(project, member)).toBeUndefined();
    expect(outcome(await member.get('get-active-member'))).toBe('400 NO_ACTIVE_ORGANIZATION');
    expect((await member.get('get-full-organization', { organizationId })).status).toBe(403);
    // Coming back does not bring the active organization back.
    await project.sql(
      `insert into auth.member (id, "organizationId", "userId", role) values ('back', $1, $2, 'member')`,
      [organizationId, member.id],
    );
    expect(await claimsOf(project, member)).toBeUndefined();
  });

  test('leave ends the own membership and clears the active organization', async () => {
    const { organizationId } = await staffed('leave');
    await member.post('set-active', { organizationId });
    expect((await member.post('leave', { organizationId })).status).toBe(200);
    expect(await claimsOf(project, member)).toBeUndefined();
    expect(outcome(await member.post('leave', { organizationId }))).toBe(
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
    );
  });

  test('open invitations end with the membership of their sender, and with what it may give', async () => {
    const { organizationId, memberIds } = await staffed('backdoor');
    const own = await join(project, 'second-address@x.dev');
    const invitationId = await invite(admin, organizationId, { email: own.email, role: 'admin' });
    await owner.post('remove-member', { organizationId, memberIdOrEmail: memberIds.admin });
    expect(outcome(await own.post('accept-invitation', { invitationId }))).toBe(
      '404 INVITATION_NOT_FOUND',
    );

    const demoted = await join(project, 'demoted@x.dev');
    const memberId = await bring(owner, organizationId, { person: demoted, role: 'owner' });
    const asOwner = await invite(demoted, organizationId, { email: own.email, role: 'owner' });
    await owner.post('update-member-role', { organizationId, memberId, role: 'admin' });
    expect(outcome(await own.post('accept-invitation', { invitationId: asOwner }))).toBe(
      '404 INVITATION_NOT_FOUND',
    );
  });
});
