import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  claimsOf,
  found,
  join,
  openOrganizations,
  outcome,
  store,
  type Person,
} from './organization-people.js';
import { textAt } from '../support/replies.js';

let project: AuthProject;
let owner: Person;
let member: Person;
let stranger: Person;
let organizationId: string;
let memberId: string;

beforeAll(async () => {
  project = await openOrganizations({ teamsEnabled: true });
  owner = await join(project, 'owner@x.dev');
  member = await join(project, 'member@x.dev');
  stranger = await join(project, 'stranger@x.dev');
  organizationId = await found(owner, 'teaming');
  memberId = await bring(owner, organizationId, { person: member });
});
afterAll(() => project.close());

async function team(name: string, by = owner, organization = organizationId): Promise<string> {
  const reply = await by.post('create-team', { organizationId: organization, name });
  if (reply.status !== 200) throw new Error(`create-team failed: ${JSON.stringify(reply.body)}`);
  return textAt(reply.body, 'id');
}

async function add(teamId: string, person: Person): Promise<void> {
  const reply = await owner.post('add-team-member', { organizationId, teamId, userId: person.id });
  if (reply.status !== 200) throw new Error(`add failed: ${JSON.stringify(reply.body)}`);
}

describe('teams of an organization', () => {
  test('an organization begins without teams; they are created, renamed, listed and removed', async () => {
    const own = await found(owner, 'fresh');
    expect((await owner.get('list-teams')).body).toEqual([]);
    const teamId = await team('Builders', owner, own);
    const renamed = await owner.post('update-team', { teamId, data: { name: 'Makers' } });
    expect(renamed).toMatchObject({ status: 200, body: { id: teamId, name: 'Makers' } });
    expect((await owner.get('list-teams')).body).toMatchObject([
      { name: 'Makers', organizationId: own },
    ]);
    expect((await owner.post('remove-team', { teamId })).status).toBe(200);
    expect((await owner.get('list-teams')).body).toEqual([]);
  });

  test.each([
    { name: 'a name of spaces', body: { name: ' ' }, outcome: '400 INVALID_INPUT' },
    { name: 'a long name', body: { name: 'n'.repeat(201) }, outcome: '400 INVALID_INPUT' },
    {
      name: 'a count of members',
      body: { name: 'A', memberCount: -5 },
      outcome: '400 FIELD_NOT_ALLOWED',
    },
    { name: 'an id', body: { name: 'A', id: 'x' }, outcome: '400 FIELD_NOT_ALLOWED' },
  ])('create-team refuses $name', async ({ body, outcome: expected }) => {
    expect(outcome(await owner.post('create-team', { organizationId, ...body }))).toBe(expected);
  });

  test('a member cannot create, rename or remove teams, nor put anybody into one', async () => {
    const teamId = await team('Closed');
    const replies = [
      await member.post('create-team', { organizationId, name: 'Mine' }),
      await member.post('update-team', { teamId, data: { name: 'Mine', organizationId } }),
      await member.post('remove-team', { organizationId, teamId }),
      await member.post('add-team-member', { organizationId, teamId, userId: member.id }),
      await member.post('remove-team-member', { organizationId, teamId, userId: owner.id }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  test('a stranger reaches no team, not even with an organization of its own', async () => {
    const teamId = await team('Secret');
    const own = await found(stranger, 'strange');
    const replies = [
      await stranger.get('list-team-members', { teamId }),
      await stranger.post('update-team', { teamId, data: { name: 'Mine', organizationId: own } }),
      await stranger.post('remove-team', { teamId, organizationId: own }),
      await stranger.post('add-team-member', { teamId, userId: stranger.id, organizationId: own }),
      await stranger.post('set-active-team', { teamId }),
    ];
    expect(replies.map(outcome)).toEqual(Array<string>(5).fill('404 TEAM_NOT_FOUND'));
    expect((await stranger.get('list-teams', { organizationId })).status).toBe(403);
  });

  test('maxTeams is exact when teams are created at the same moment', async () => {
    const own = await found(owner, 'many-teams');
    await store(project, { teamsEnabled: true, maxTeams: 2 });
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        owner.post('create-team', { organizationId: own, name: `Team ${n}` }),
      ),
    );
    await store(project, { teamsEnabled: true });
    const refused = '403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS';
    expect(replies.map(outcome).sort()).toEqual(['200', '200', refused, refused]);
  });
});

test('lists are whole: more than a hundred organizations, teams and invitations', async () => {
  const busy = await join(project, 'busy@x.dev');
  const own = await found(busy, 'own-of-busy');
  await project.sql(
    `with organizations as (
       insert into auth.organization (id, name, slug)
       select 'o' || n, 'Bulk', 'bulk-' || n from generate_series(1, 120) n returning id
     ), members as (
       insert into auth.member (id, "organizationId", "userId", role)
       select id, id, $2, 'owner' from organizations
     ), teams as (
       insert into auth.team (id, name, "organizationId")
       select 't' || n, 'Bulk', $1 from generate_series(1, 120) n
     )
     insert into auth.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
     select 'i' || n, $1, 'bulk' || n || '@x.dev', 'member', 'canceled', now(), $2
     from generate_series(1, 120) n`,
    [own, busy.id],
  );
  expect((await busy.get('list')).body).toHaveLength(121);
  expect((await busy.get('list-teams')).body).toHaveLength(120);
  expect((await busy.get('list-invitations')).body).toHaveLength(120);
});

describe('members of a team', () => {
  test('are members of its organization', async () => {
    const teamId = await team('Members only');
    const body = { organizationId, teamId, userId: stranger.id };
    expect(outcome(await owner.post('add-team-member', body))).toBe(
      '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    );
    await expect(
      project.pool.query(
        `insert into auth."teamMember" (id, "teamId", "userId") values ('crossed', $1, $2)`,
        [teamId, stranger.id],
      ),
    ).rejects.toMatchObject({ constraint: 'team_member_organization' });
  });

  test('are listed for those in the team, owners and admins', async () => {
    const teamId = await team('Listed');
    await add(teamId, member);
    for (const person of [owner, member]) {
      const listed = await person.get('list-team-members', { teamId });
      expect(listed.body).toMatchObject([{ teamId, userId: member.id }]);
    }
    const outside = await join(project, 'outside@x.dev');
    await bring(owner, organizationId, { person: outside });
    const refused = await outside.get('list-team-members', { teamId });
    expect(outcome(refused)).toBe('403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM');
    expect((await member.get('list-user-teams')).body).toContainEqual(
      expect.objectContaining({ id: teamId }),
    );
  });

  test('two teams of an invitation are joined with it, and a team deleted meanwhile is forgotten', async () => {
    const [stays, goes] = [await team('Stays'), await team('Goes')];
    const person = await join(project, 'twoteams@x.dev');
    const body = { organizationId, email: person.email, role: 'member', teamId: [stays, goes] };
    const invitationId = textAt((await owner.post('invite-member', body)).body, 'id');
    expect((await owner.post('remove-team', { organizationId, teamId: goes })).status).toBe(200);
    expect((await person.post('accept-invitation', { invitationId })).status).toBe(200);
    expect(await claimsOf(project, person)).toMatchObject({
      org_id: organizationId,
      team_id: stays,
    });
  });

  test('a team of another organization cannot be in an invitation', async () => {
    const theirs = await team('Theirs', stranger, await found(stranger, 'other-teams'));
    const body = { organizationId, email: 'x@x.dev', role: 'member', teamId: theirs };
    expect(outcome(await owner.post('invite-member', body))).toBe('404 TEAM_NOT_FOUND');
  });
});

describe('the active team', () => {
  test('needs membership of the team, and null clears it', async () => {
    const teamId = await team('Active');
    await member.post('set-active', { organizationId });
    const refused = await member.post('set-active-team', { teamId });
    expect(outcome(refused)).toBe('403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM');
    await add(teamId, member);
    expect((await member.post('set-active-team', { teamId })).status).toBe(200);
    expect(await claimsOf(project, member)).toMatchObject({ team_id: teamId });
    expect(await member.post('set-active-team', { teamId: null })).toMatchObject({
      status: 200,
      body: null,
    });
    expect(await claimsOf(project, member)).toMatchObject({ team_id: null });
  });

  test.each(['remove-team', 'remove-team-member'])('%s clears it at once', async (operation) => {
    const teamId = await team(`Ends by ${operation}`);
    await add(teamId, member);
    await member.post('set-active', { organizationId });
    await member.post('set-active-team', { teamId });
    const body = {
      organizationId,
      teamId,
      ...(operation === 'remove-team-member' && { userId: member.id }),
    };
    expect((await owner.post(operation, body)).status).toBe(200);
    expect(await claimsOf(project, member)).toMatchObject({
      org_id: organizationId,
      team_id: null,
    });
    const [row] = await project.sql(
      'select "activeTeamId" from auth.session where "tokenHash" = sha256($1)',
      [member.token],
    );
    expect(row).toEqual({ activeTeamId: null });
  });

  test('the own active team can be removed', async () => {
    const teamId = await team('Own active');
    await add(teamId, owner);
    await owner.post('set-active', { organizationId });
    await owner.post('set-active-team', { teamId });
    expect((await owner.post('remove-team', { teamId })).status).toBe(200);
    expect(await claimsOf(project, owner)).toMatchObject({ team_id: null });
  });

  test('another active organization has no active team', async () => {
    const teamId = await team('Left');
    await add(teamId, owner);
    await owner.post('set-active', { organizationId });
    await owner.post('set-active-team', { teamId });
    const other = await found(owner, 'switching');
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: other, team_id: null });
    await owner.post('set-active', { organizationId });
    expect(await claimsOf(project, owner)).toMatchObject({ org_id: organizationId, team_id: null });
  });

  test('whoever is removed from the organization is in none of its teams', async () => {
    const teamId = await team('Emptied');
    await add(teamId, member);
    await member.post('set-active', { organizationId });
    await member.post('set-active-team', { teamId });
    await owner.post('remove-member', { organizationId, memberIdOrEmail: memberId });
    expect(await claimsOf(project, member)).toBeUndefined();
    expect(
      await project.sql('select from auth."teamMember" where "userId" = $1', [member.id]),
    ).toEqual([]);
    memberId = await bring(owner, organizationId, { person: member });
    expect(await claimsOf(project, member)).toMatchObject({
      org_id: organizationId,
      team_id: null,
    });
  });
});

test('teamsEnabled off: the routes of teams are 404, the others are there', async () => {
  const via = await project.rebuild({ 'auth.organization': {} });
  const headers = { authorization: `Bearer ${owner.token}` };
  const get = (operation: string) => project.get(`/organization/${operation}`, { via, headers });
  expect((await get('list-teams')).status).toBe(404);
  expect((await get('list-team-members')).status).toBe(404);
  const body = { name: 'A' };
  expect((await project.post('/organization/create-team', { via, headers, body })).status).toBe(
    404,
  );
  expect((await get('list')).status).toBe(200);
});

test('allowOrgSso, the older name of teamsEnabled, is still read', async () => {
  const via = await project.rebuild({ 'auth.organization': { allowOrgSso: true } });
  const headers = { authorization: `Bearer ${owner.token}` };
  expect((await project.get('/organization/list-user-teams', { via, headers })).status).toBe(200);
});
