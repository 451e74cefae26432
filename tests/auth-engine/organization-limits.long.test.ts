import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  found,
  invite,
  join,
  membersOf,
  openOrganizations,
  outcome,
  store,
  untilBlocked,
  type Person,
} from './organization-people.js';

const full = '403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED';

let project: AuthProject;
let owner: Person;

beforeAll(async () => {
  // The instance knows of no limit: the stored one holds, as when another process has saved it.
  project = await openOrganizations();
  owner = await join(project, 'owner@x.dev');
});
afterAll(() => project.close());

async function guests(count: number, prefix: string): Promise<readonly Person[]> {
  const numbers = Array.from({ length: count }, (_each, index) => index);
  return Promise.all(numbers.map((n) => join(project, `${prefix}${n}@x.dev`)));
}

describe('maxMembers', () => {
  test('is exact when invitations are accepted at the same moment', async () => {
    const organizationId = await found(owner, 'accepting');
    const people = await guests(6, 'accepting');
    const invitations = await Promise.all(
      people.map(({ email }) => invite(owner, organizationId, { email })),
    );
    await store(project, { maxMembers: 3 });
    const replies = await Promise.all(
      people.map((each, n) => each.post('accept-invitation', { invitationId: invitations[n] })),
    );
    await store(project, {});
    expect(replies.map(outcome).sort()).toEqual(['200', '200', full, full, full, full]);
    expect(await membersOf(project, organizationId)).toHaveLength(3);
    // Who found no seat keeps the invitation and comes in when there is one.
    const refused = replies.findIndex(({ status }) => status === 403);
    const again = await people[refused]?.post('accept-invitation', {
      invitationId: invitations[refused],
    });
    expect(again?.status).toBe(200);
  });

  test('the refusal names nothing else', async () => {
    const organizationId = await found(owner, 'wordless');
    const [person] = await guests(1, 'wordless');
    if (!person) throw new Error('there is no guest');
    const invitationId = await invite(owner, organizationId, { email: person.email });
    await store(project, { maxMembers: 1 });
    const reply = await person.post('accept-invitation', { invitationId });
    await store(project, {});
    expect(reply.body).toEqual({
      code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
      message: 'Member limit of the organization reached',
      status: 403,
      requestId: expect.any(String),
    });
  });

  test('is exact for direct adds, which SSO makes too', async () => {
    const organizationId = await found(owner, 'adding');
    const people = await guests(6, 'adding');
    await store(project, { maxMembers: 4 });
    const results = await Promise.allSettled(
      people.map(({ id }) =>
        project.pool.query(
          `insert into auth.member (id, "organizationId", "userId", role) values ($2, $1, $2, 'member')`,
          [organizationId, id],
        ),
      ),
    );
    await store(project, {});
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ constraint: 'member_limit' });
    }
  });

  test('counts a member whose transaction is not at its end yet', async () => {
    const organizationId = await found(owner, 'waiting');
    const [one, two] = await guests(2, 'waiting');
    await store(project, { maxMembers: 2 });
    const [first, second] = await Promise.all([project.pool.connect(), project.pool.connect()]);
    const add = `insert into auth.member (id, "organizationId", "userId", role) values ($2, $1, $2, 'member')`;
    try {
      await first.query('begin');
      await first.query(add, [organizationId, one?.id]);
      const addition = { text: add, values: [organizationId, two?.id] };
      const { ended } = await untilBlocked(project, second, addition);
      await first.query('commit');
      expect(await ended).toBe('member_limit');
    } finally {
      await store(project, {});
      first.release();
      second.release();
    }
  });

  test('below the present number it keeps the members and refuses new ones', async () => {
    const organizationId = await found(owner, 'shrinking');
    const people = await guests(4, 'shrinking');
    for (const person of people.slice(0, 3)) {
      // One after the other is what happens in life.
      await bring(owner, organizationId, { person });
    }
    const last = people[3];
    if (!last) throw new Error('there is no last guest');
    const invitationId = await invite(owner, organizationId, { email: last.email });
    await store(project, { maxMembers: 2 });
    expect(outcome(await last.post('accept-invitation', { invitationId }))).toBe(full);
    expect(await membersOf(project, organizationId)).toHaveLength(4);
    await owner.post('remove-member', { organizationId, memberIdOrEmail: people[0]?.email });
    expect(outcome(await last.post('accept-invitation', { invitationId }))).toBe(full);
    await store(project, {});
  });

  test('0 is no limit, and a stored value that is no number none either', async () => {
    const organizationId = await found(owner, 'unlimited');
    const people = await guests(3, 'unlimited');
    for (const [n, maxMembers] of [0, '1', -5].entries()) {
      await store(project, { maxMembers });
      const person = people[n];
      if (person) await bring(owner, organizationId, { person });
    }
    await store(project, {});
    expect(await membersOf(project, organizationId)).toHaveLength(4);
  });

  test('another organization is not touched by it', async () => {
    const busy = await found(owner, 'busy');
    const quiet = await found(owner, 'quiet');
    const [first, second] = await guests(2, 'touched');
    if (!first || !second) throw new Error('there are no guests');
    await store(project, { maxMembers: 2 });
    await bring(owner, busy, { person: first });
    await bring(owner, quiet, { person: second });
    await store(project, {});
    expect(await membersOf(project, quiet)).toHaveLength(2);
  });
});
