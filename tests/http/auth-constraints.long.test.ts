// Rules that the database keeps, whoever writes: what it refuses reaches the caller in the platform's words,
// not in the database's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn } from './administration.js';
import {
  done,
  fieldOf,
  outcomeOf,
  post,
  save,
  type CompleteProject,
  openCompleteProject,
} from './complete-project.js';

let complete: CompleteProject;
let project: ProjectUnderTest;
beforeAll(async () => {
  complete = await openCompleteProject();
  ({ project } = complete);
});
afterAll(() => complete.close());

let count = 0;
const next = (name: string) => `${name}${(count += 1)}`;
const newUser = () => makeSignedIn(project, `${next('user')}@example.org`, { emailVerified: true });
const as = (user: SignedIn, operation: string, body: object): Promise<Reply> =>
  post(project, `/organization/${operation}`, body, { authorization: `Bearer ${user.token}` });
const found = async (owner: SignedIn) =>
  fieldOf(await done(as(owner, 'create', { name: 'Org', slug: next('org-') })), 'id');
const limit = (fields: object) =>
  save(project, 'auth.organization', { teamsEnabled: true, ...fields });

describe('Organizations', () => {
  test('maxOrganizations', async () => {
    const owner = await newUser();
    await found(owner);
    await limit({ maxOrganizations: 1 });
    const second = await as(owner, 'create', { name: 'Org', slug: next('org-') });
    await limit({});
    expect(outcomeOf(second)).toBe('403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS');
  });

  test('maxTeams', async () => {
    const owner = await newUser();
    const organizationId = await found(owner);
    await limit({ maxTeams: 1 });
    await done(as(owner, 'create-team', { name: 'A', organizationId }));
    const second = await as(owner, 'create-team', { name: 'B', organizationId });
    await limit({});
    expect(outcomeOf(second)).toBe('403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS');
  });

  test('maxMembers: of five who accept at once as many come in as there are seats', async () => {
    const owner = await newUser();
    const organizationId = await found(owner);
    const guests = await Promise.all(Array.from({ length: 5 }, newUser));
    const invitations = [];
    for (const guest of guests) {
      const body = { organizationId, email: guest.email, role: 'member' };
      const invitationId = fieldOf(await done(as(owner, 'invite-member', body)), 'id');
      invitations.push({ guest, invitationId });
    }
    await limit({ maxMembers: 3 });
    const replies = await Promise.all(
      invitations.map(({ guest, invitationId }) =>
        as(guest, 'accept-invitation', { invitationId }),
      ),
    );
    await limit({});
    const full = '403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED';
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', '200', full, full, full]);
  });

  test('a slug is taken once, also at once', async () => {
    const owner = await newUser();
    const slug = next('taken-');
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => as(owner, 'create', { name: 'Org', slug })),
    );
    const taken = '400 ORGANIZATION_SLUG_ALREADY_TAKEN';
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', taken, taken, taken]);
  });

  test('of two owners who leave at once one stays', async () => {
    const owner = await newUser();
    const organizationId = await found(owner);
    const second = await newUser();
    const invited = await done(
      as(owner, 'invite-member', { organizationId, email: second.email, role: 'owner' }),
    );
    await done(as(second, 'accept-invitation', { invitationId: fieldOf(invited, 'id') }));
    const replies = await Promise.all(
      [owner, second].map((each) => as(each, 'leave', { organizationId })),
    );
    expect(replies.map(({ status }) => status < 400).toSorted()).toEqual([false, true]);
    for (const reply of replies) expect(outcomeOf(reply)).not.toMatch(/^\d+ \d{5}$/);
  });

  test('an invitation is accepted once, also at once', async () => {
    const owner = await newUser();
    const organizationId = await found(owner);
    const guest = await newUser();
    const body = { organizationId, email: guest.email, role: 'member' };
    const invitationId = fieldOf(await done(as(owner, 'invite-member', body)), 'id');
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => as(guest, 'accept-invitation', { invitationId })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) {
      expect(reply.status).toBeLessThan(500);
      expect(outcomeOf(reply)).not.toMatch(/^\d+ [\dA-Z]{5}$/);
    }
  });
});

describe('Accounts', () => {
  test('a user name is taken once, also at once', async () => {
    const username = next('Taken');
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => {
        const email = `${next('named')}@example.org`;
        return post(project, '/sign-up/email', { email, password: userPassword, username });
      }),
    );
    const taken = '409 USERNAME_TAKEN';
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', taken, taken, taken]);
    const user = await newUser();
    const headers = { authorization: `Bearer ${user.token}` };
    expect(outcomeOf(await post(project, '/update-user', { username }, headers))).toBe(taken);
  });

  test('an account that a table of the project holds on to is not deleted, and the words are ours', async () => {
    const user = await newUser();
    await project.sql('create table if not exists held (owner text references auth."user" (id))');
    await project.sql('insert into held values ($1)', [user.id]);
    const headers = { authorization: `Bearer ${user.token}` };
    const reply = await post(project, '/delete-user', { password: userPassword }, headers);
    expect(outcomeOf(reply)).toBe('409 CONFLICT');
    expect(outcomeOf(reply)).not.toMatch(/^\d+ \d{5}$/);
    expect((await project.as(user, { path: '/api/auth/get-session' })).text).toContain(user.id);
  });
});
