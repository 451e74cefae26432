// An invitation that is still open ends when its person joins the organization another way, or leaves it. Otherwise a
// removed member could come back by it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  found,
  invite,
  join,
  membersOf,
  openOrganizations,
  outcome,
  type Person,
} from './organization-people.js';

let project: AuthProject;
let owner: Person;
let organizationId: string;
let otherId: string;

beforeAll(async () => {
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
  organizationId = await found(owner, 'old-invitations');
  otherId = await found(owner, 'other');
});
afterAll(() => project.close());

let people = 0;
const newPerson = (): Promise<Person> => join(project, `person${(people += 1)}@x.dev`);

/** Adds a member as a sign-in by SSO, an administrator or an import does. */
const addMember = ({ id }: Person, to = organizationId) =>
  project.sql(
    `insert into auth.member (id, "organizationId", "userId", role) values ($2, $1, $2, 'member')`,
    [to, id],
  );

/** Adds an open invitation that the engine would not make. */
const addInvitation = async (id: string, email: string): Promise<string> => {
  await project.sql(
    `insert into auth.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
     values ($1, $2, $3, 'admin', 'pending', now() + interval '1 day', $4)`,
    [id, organizationId, email, owner.id],
  );
  return id;
};

const statusOf = async (invitationId: string): Promise<unknown> => {
  const rows = await project.sql('select status from auth.invitation where id = $1', [
    invitationId,
  ]);
  return rows[0]?.['status'];
};

const inviteAsAdmin = ({ email }: Person, to = organizationId) =>
  invite(owner, to, { email, role: 'admin' });

describe.each([
  { way: 'a row of SQL, SSO or an administrator', enter: (person: Person) => addMember(person) },
  {
    way: 'another invitation',
    enter: async (person: Person) => {
      const id = await addInvitation(`second-${person.id}`, person.email);
      expect((await person.post('accept-invitation', { invitationId: id })).status).toBe(200);
      expect(await statusOf(id)).toBe('accepted');
    },
  },
])('who joins by $way', ({ enter }) => {
  test.each([
    {
      name: 'is removed',
      leave: (person: Person) =>
        owner.post('remove-member', { organizationId, memberIdOrEmail: person.email }),
    },
    { name: 'leaves', leave: (person: Person) => person.post('leave', { organizationId }) },
    {
      name: 'is deleted by SQL',
      leave: ({ id }: Person) => project.sql('delete from auth.member where "userId" = $1', [id]),
    },
  ])('and $name cannot come back by an old invitation', async ({ leave }) => {
    const person = await newPerson();
    const invitationId = await inviteAsAdmin(person);
    await enter(person);
    expect(await statusOf(invitationId)).toBe('canceled');
    await leave(person);
    const reply = await person.post('accept-invitation', { invitationId });
    expect(outcome(reply)).toBe('404 INVITATION_NOT_FOUND');
    expect(await membersOf(project, organizationId)).toEqual(['owner@x.dev owner']);
    const again = await inviteAsAdmin(person);
    await owner.post('cancel-invitation', { invitationId: again });
  });
});

test('an invitation of a member ends with the membership, however its address is written', async () => {
  const person = await newPerson();
  await addMember(person);
  const invitationId = await addInvitation('in-capitals', person.email.toUpperCase());
  await person.post('leave', { organizationId });
  expect(await statusOf(invitationId)).toBe('canceled');
});

test('a membership that moves to another organization ends the invitations of both', async () => {
  const person = await newPerson();
  const invitationId = await inviteAsAdmin(person, otherId);
  await addMember(person);
  await project.sql('update auth.member set "organizationId" = $2 where "userId" = $1', [
    person.id,
    otherId,
  ]);
  expect(await statusOf(invitationId)).toBe('canceled');
});

test('other people, other organizations and answers stay as they are', async () => {
  const [person, neighbor] = [await newPerson(), await newPerson()];
  const kept = [
    await inviteAsAdmin(neighbor),
    await inviteAsAdmin(person, otherId),
    await inviteAsAdmin(person),
  ] as const;
  await person.post('reject-invitation', { invitationId: kept[2] });
  await addMember(person);
  await person.post('leave', { organizationId });
  expect(await Promise.all(kept.map(statusOf))).toEqual(['pending', 'pending', 'rejected']);
});
