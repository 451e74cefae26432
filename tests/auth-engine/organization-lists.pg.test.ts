import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthProject } from './auth-project.js';
import {
  bring,
  found,
  join,
  openOrganizations,
  outcome,
  type Person,
} from './organization-people.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let owner: Person;
let admin: Person;
let stranger: Person;
let organizationId: string;

beforeAll(async () => {
  project = await openOrganizations({}, { idType: 'uuid' });
  owner = await join(project, 'owner@x.dev');
  stranger = await join(project, 'stranger@x.dev');
  organizationId = await found(owner, 'listed');
  admin = await join(project, 'admin@x.dev');
  await bring(owner, organizationId, { person: admin, role: 'admin' });
  for (const n of [1, 2, 3]) {
    // One after the other: the order of joining is what the lists show.
    await bring(owner, organizationId, { person: await join(project, `m${n}@x.dev`) });
  }
});
afterAll(() => project.close());

function emails(body: unknown): readonly unknown[] {
  const members: unknown = at(body, 'members');
  return Array.isArray(members) ? members.map((each: unknown) => at(each, 'user', 'email')) : [];
}

describe('listMembers', () => {
  test('pages, in the order asked for, with the number of all', async () => {
    const sorted = { organizationId, sortBy: 'createdAt', sortDirection: 'asc' };
    const first = await owner.get('list-members', { ...sorted, limit: '2' });
    expect(emails(first.body)).toEqual(['owner@x.dev', 'admin@x.dev']);
    expect(at(first.body, 'total')).toBe(5);
    const second = await owner.get('list-members', { ...sorted, limit: '2', offset: '4' });
    expect(emails(second.body)).toEqual(['m3@x.dev']);
  });

  test('shows of each user id, name, email and image only', async () => {
    const { body } = await owner.get('list-members', { organizationId, limit: '1' });
    const [first]: readonly unknown[] = Object.values(at(body, 'members') ?? {});
    expect(Object.keys(at(first, 'user') ?? {}).sort()).toEqual(['email', 'id', 'image', 'name']);
    const full = await owner.get('get-full-organization', { organizationId });
    const users = Object.values(at(full.body, 'members') ?? {}).map(
      (each) => at(each, 'user') ?? {},
    );
    expect(users).toHaveLength(5);
    for (const user of users) {
      expect(Object.keys(user).sort()).toEqual(['email', 'id', 'image', 'name']);
    }
  });

  test.each([
    { name: 'equal role', filter: { filterField: 'role', filterValue: 'admin' }, total: 1 },
    {
      name: 'other role',
      filter: { filterField: 'role', filterOperator: 'ne', filterValue: 'member' },
      total: 2,
    },
    {
      name: 'roles of a list',
      filter: { filterField: 'role', filterOperator: 'in', filterValue: 'owner,admin' },
      total: 2,
    },
    {
      name: 'roles not in a list',
      filter: { filterField: 'role', filterOperator: 'not_in', filterValue: 'owner,admin' },
      total: 3,
    },
    {
      name: 'part of the role',
      filter: { filterField: 'role', filterOperator: 'contains', filterValue: 'mem' },
      total: 3,
    },
    {
      name: 'joined since',
      filter: { filterField: 'createdAt', filterOperator: 'gt', filterValue: '2020-01-01' },
      total: 5,
    },
    {
      name: 'joined until',
      filter: {
        filterField: 'createdAt',
        filterOperator: 'lt',
        filterValue: '2020-01-01T00:00:00Z',
      },
      total: 0,
    },
  ])('filters by $name', async ({ filter, total }) => {
    const reply = await owner.get('list-members', { organizationId, ...filter });
    expect(reply).toMatchObject({ status: 200, body: { total } });
  });

  test('filters by user', async () => {
    const filter = { filterField: 'userId', filterValue: admin.id };
    const reply = await owner.get('list-members', { organizationId, ...filter });
    expect(emails(reply.body)).toEqual(['admin@x.dev']);
  });

  test.each([
    { name: 'a limit of words', query: { limit: 'many' } },
    { name: 'a limit of 0', query: { limit: '0' } },
    { name: 'a limit below 0', query: { limit: '-1' } },
    { name: 'a limit over 1000', query: { limit: '1001' } },
    { name: 'half an offset', query: { offset: '1.5' } },
    { name: 'a huge offset', query: { offset: '99999999999999999999' } },
    { name: 'an order by an unknown field', query: { sortBy: 'password' } },
    { name: 'an order by SQL', query: { sortBy: 'id; drop table x' } },
    { name: 'an unknown direction', query: { sortBy: 'role', sortDirection: 'down' } },
    {
      name: 'a filter by an unknown field',
      query: { filterField: 'user.email', filterValue: 'x' },
    },
    {
      name: 'a filter by a field of all objects',
      query: { filterField: 'constructor', filterValue: 'x' },
    },
    { name: 'a filter without a value', query: { filterField: 'role' } },
    {
      name: 'an unknown operator',
      query: { filterField: 'role', filterOperator: 'like', filterValue: 'x' },
    },
    {
      name: 'an operator of another type',
      query: { filterField: 'userId', filterOperator: 'contains', filterValue: 'x' },
    },
    { name: 'a user id that is none', query: { filterField: 'userId', filterValue: 'x' } },
    {
      name: 'a user id of a list that is none',
      query: { filterField: 'userId', filterOperator: 'in', filterValue: 'x,y' },
    },
    {
      name: 'a time that is none',
      query: { filterField: 'createdAt', filterOperator: 'gt', filterValue: 'yesterday' },
    },
    { name: 'NUL in a value', query: { filterField: 'role', filterValue: 'a\0' } },
    { name: 'NUL in an id', query: { organizationId: 'a\0' } },
  ])('refuses $name with 400', async ({ query }) => {
    const reply = await owner.get('list-members', { organizationId, ...query });
    expect(reply.status).toBe(400);
  });

  test('is for members', async () => {
    expect((await stranger.get('list-members', { organizationId })).status).toBe(403);
  });
});

test.each(['abc', '0', '-1', '101', '1.5'])('membersLimit=%s is refused', async (membersLimit) => {
  const reply = await owner.get('get-full-organization', { organizationId, membersLimit });
  expect(outcome(reply)).toBe('400 INVALID_INPUT');
});

test('membersLimit shows so many members', async () => {
  const reply = await owner.get('get-full-organization', { organizationId, membersLimit: '2' });
  expect(Object.keys(at(reply.body, 'members') ?? {})).toHaveLength(2);
});

test.each([
  { operation: 'get-active-member-role', query: { userId: 'no-uuid' } },
  { operation: 'get-invitation', query: { id: 'a\0b' } },
  { operation: 'get-organization', query: { organizationSlug: '\0' } },
  { operation: 'list-invitations', query: { organizationId: 'x'.repeat(500) } },
])('$operation refuses ids that cannot be any', async ({ operation, query }) => {
  expect((await owner.get(operation, query)).status).toBe(400);
});
