// The list of users: search, filters, pages and orders.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { makeUser, rowsOf, usersPath } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

const people = [
  { email: 'ada@example.org', name: 'Ada Lovelace', username: 'countess', role: 'ADMIN' },
  {
    email: 'grace@example.org',
    name: 'Grace Hopper',
    username: 'cobol',
    password: 'a good password',
  },
  {
    email: 'percent@example.org',
    name: '100% sure',
    username: 'under_score',
    phoneNumber: '+15551239876',
  },
  { email: 'idle@example.com', name: 'idle', username: 'idle' },
];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  for (const [index, person] of people.entries()) {
    const id = await makeUser(project, person);
    await rowsOf(project, 'update auth."user" set "createdAt" = $2 where id = $1', [
      id,
      `2026-01-0${index + 1}T00:00:00Z`,
    ]);
  }
  const signIns = [
    ['ada@example.org', '2026-02-02T00:00:00Z'],
    ['grace@example.org', '2026-02-01T00:00:00Z'],
  ];
  for (const [email, at] of signIns) {
    await rowsOf(
      project,
      `insert into auth.last_sign_in select id, $2 from auth."user" where email = $1`,
      [email, at],
    );
  }
  const status = { method: 'PATCH', body: { status: 'inactive' } };
  const { users } = asRecord((await list('?search=idle@')).body);
  const id = String(asRecord(Array.isArray(users) ? users[0] : undefined)['id']);
  await project.asService({ ...status, path: `${usersPath}/${id}` });
});
afterAll(() => deployment.close());

const list = (query: string) => project.asService({ path: `${usersPath}${query}` });

/** The names before the @ of a page, and the number of all that match. */
async function found(query: string): Promise<{ users: string[]; total: unknown }> {
  const reply = await list(query);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const { users, total } = asRecord(reply.body);
  if (!Array.isArray(users)) throw new Error(reply.text);
  const emails = users.map((user: unknown) => String(asRecord(user)['email']));
  return { users: emails.map((email) => email.split('@')[0] ?? ''), total };
}

describe('GET /admin/users', () => {
  test.each([
    { name: 'the newest first', query: '', users: ['idle', 'percent', 'grace', 'ada'] },
    {
      name: 'the oldest first',
      query: '?orderBy=createdAt.asc',
      users: ['ada', 'grace', 'percent', 'idle'],
    },
    {
      name: 'by address',
      query: '?orderBy=email.desc',
      users: ['percent', 'idle', 'grace', 'ada'],
    },
    { name: 'a part of an address', query: '?search=EXAMPLE.com', users: ['idle'] },
    { name: 'a part of a name', query: '?search=hopper', users: ['grace'] },
    { name: 'a part of a user name', query: '?search=count', users: ['ada'] },
    { name: 'a part of a number', query: '?search=%2B1555123', users: ['percent'] },
    { name: 'a percent sign stands for itself', query: '?search=%25', users: ['percent'] },
    { name: 'an underscore stands for itself', query: '?search=_', users: ['percent'] },
    { name: 'a backslash stands for itself', query: '?search=%5C', users: [] },
    { name: 'a role', query: '?role=ADMIN', users: ['ada'] },
    { name: 'a status', query: '?status=inactive', users: ['idle'] },
    { name: 'a provider', query: '?provider=credential', users: ['grace'] },
    { name: 'guests', query: '?isAnonymous=true', users: [] },
    { name: 'no guests', query: '?isAnonymous=false&search=ada@', users: ['ada'] },
    {
      name: 'from a day on',
      query: '?createdFrom=2026-01-03T00:00:00Z',
      users: ['idle', 'percent'],
    },
    { name: 'until a day', query: '?createdTo=2026-01-03', users: ['grace', 'ada'] },
    {
      name: 'those who signed in last first, and those who never did at the end',
      query: '?orderBy=lastSignInAt.desc&search=example.org',
      users: ['ada', 'grace', 'percent'],
    },
    { name: 'signed in from a day on', query: '?lastSignInFrom=2026-02-02', users: ['ada'] },
    { name: 'signed in before a day', query: '?lastSignInTo=2026-02-02', users: ['grace'] },
    { name: 'never signed in', query: '?hasSignedIn=false', users: ['idle', 'percent'] },
    { name: 'signed in once', query: '?hasSignedIn=true', users: ['grace', 'ada'] },
  ])('$name', async ({ query, users }) => {
    expect(await found(query)).toEqual({ users, total: users.length });
  });

  test('pages do not overlap, also where users are equal in the order', async () => {
    await rowsOf(project, `update auth."user" set name = 'same'`);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => found(`?orderBy=name.asc&perPage=2&page=${page}`)),
    );
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4]);
    expect(pages.map(({ users }) => users.length)).toEqual([2, 2, 0]);
    expect(new Set(pages.flatMap(({ users }) => users)).size).toBe(4);
  });

  test.each([
    'page=0',
    'page=x',
    'perPage=201',
    'perPage=0',
    'orderBy=password.asc',
    'orderBy=email',
    'isAnonymous=yes',
    'createdFrom=yesterday',
    'lastSignInFrom=yesterday',
    'hasSignedIn=1',
    'search=a&search=b',
    'search=%00',
    'offset=1',
  ])('the query %s is refused', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  test('nothing of a user is shown that opens anything', async () => {
    const reply = await list('');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toMatch(/argon2|"token"|"password"|"claims"/);
  });
});
