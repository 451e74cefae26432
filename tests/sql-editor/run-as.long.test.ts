// Scripts as another role: what they see, and that no way leads to a role with more rights.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeUser, operatorHeaders, rowsOf } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

const path = '/api/admin/sql';
let deployment: Deployment;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
let ada: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, other] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  ada = await makeUser(project, { email: 'ada@example.org', name: 'Ada' });
  await project.sql(`
    create table public.notes (id int primary key, owner text, body text);
    create policy own on public.notes using (owner = (auth.jwt() ->> 'sub'));
    create policy staff on public.notes for select using ((auth.jwt() ->> 'team') = 'staff');
    insert into public.notes values (1, '${ada}', 'of Ada'), (2, 'bob', 'of Bob');
    create function public.written() returns void language sql as 'insert into notes values (9)';`);
});
afterAll(() => deployment.close());

type Body = Readonly<Record<string, unknown>>;
const run = (body: Body, headers: Record<string, string> = { apikey: project.secretKey }) =>
  project.send({ method: 'POST', path, headers, body });
const operator = () => operatorHeaders(deployment, project, ['content.write']);
const rowsIn = ({ body }: Reply) => asRecord(body)['rows'];
const notes = 'select id from notes order by id';

test.each([
  { name: 'anon sees no row', as: { role: 'anon' }, ids: [] },
  { name: 'authenticated without claims sees none', as: { role: 'authenticated' }, ids: [] },
  {
    name: 'claims are what policies see',
    as: { role: 'authenticated', claims: { sub: 'bob' } },
    ids: [2],
  },
  {
    name: 'any claim counts',
    as: { role: 'authenticated', claims: { team: 'staff' } },
    ids: [1, 2],
  },
  { name: 'service_role passes policies', as: { role: 'service_role' }, ids: [1, 2] },
])('$name', async ({ as, ids }) => {
  const reply = await run({ query: notes, as });
  expect(rowsIn(reply)).toEqual(ids.map((id) => ({ id })));
});

test('a user is a caller with its own rows, id and claims', async () => {
  const query = `select array(select id from notes) as ids, current_user as role,
    auth.uid() as uid, auth.jwt() ->> 'email' as email`;
  const reply = await run({ query, as: { userId: ada } });
  expect(rowsIn(reply)).toEqual([
    { ids: [1], role: 'authenticated', uid: ada, email: 'ada@example.org' },
  ]);
});

test('an operator without secrets.manage runs as a role, and names no user', async () => {
  const claims = { sub: ada };
  const asRole = await run({ query: notes, as: { role: 'authenticated', claims } }, operator());
  expect(rowsIn(asRole)).toEqual([{ id: 1 }]);
  const asUser = await run({ query: 'select auth.jwt()', as: { userId: ada } }, operator());
  expect(asUser.status).toBe(403);
  expect(asUser.body).toMatchObject({ code: 'CAPABILITY_REQUIRED' });
  expect(asUser.text).toContain('as.userId');
  expect(asUser.text).not.toContain('ada@example.org');
});

test('the log says whom a script ran as', async () => {
  await run({ query: 'select 1', as: { userId: ada } });
  await run({ query: 'select 2', as: { role: 'anon', claims: { team: 'staff' } } });
  const entries = await rowsOf(
    project,
    `select target, after -> 'as' as "as" from platform.audit_log
     where action = 'sql.run' order by id desc limit 2`,
  );
  expect(entries).toEqual([
    { target: 'anon', as: { role: 'anon', claims: { team: 'staff' } } },
    { target: 'authenticated', as: { userId: ada } },
  ]);
});

describe('what cannot be used is refused by name, and nothing runs', () => {
  test.each([
    { name: 'the owner', field: 'as.role', as: { role: 'owner' } },
    { name: 'a login', field: 'as.role', as: { role: 'postgres' } },
    { name: 'an unknown field', field: 'as.rolle', as: { rolle: 'anon' } },
    { name: 'nothing', field: 'as', as: {} },
    { name: 'null', field: 'as', as: null },
    { name: 'a text', field: 'as', as: 'anon' },
    { name: 'a role and a user', field: 'as', as: { role: 'anon', userId: 'x' } },
    { name: 'claims alone', field: 'as', as: { claims: { sub: 'x' } } },
    { name: 'claims that are a list', field: 'as.claims', as: { role: 'anon', claims: [] } },
    {
      name: 'claims of another role',
      field: 'as.claims',
      as: { role: 'anon', claims: { role: 'service_role' } },
    },
    {
      name: 'a subject that is no text',
      field: 'as.claims',
      as: { role: 'authenticated', claims: { sub: { a: 1 } } },
    },
    {
      name: 'a subject that is a number',
      field: 'as.claims.sub',
      as: { role: 'authenticated', claims: { sub: 1 } },
    },
    {
      name: 'long claims',
      field: 'as.claims',
      as: { role: 'anon', claims: { a: 'x'.repeat(8_192) } },
    },
    { name: 'an unknown user', field: 'as.userId', as: { userId: 'nobody' } },
    { name: 'a user id with a zero', field: 'as', as: { userId: 'a\0b' } },
  ])('$name', async ({ field, as }) => {
    const reply = await run({ query: 'select written()', as });
    expect(reply.status).toBe(400);
    expect(asRecord(reply.body)['message']).toContain(field);
    expect(await rowsOf(project, 'select from public.notes where id = 9')).toEqual([]);
  });

  test('a user of another project', async () => {
    const bob = await makeUser(other, { email: 'bob@example.org' });
    const reply = await run({ query: 'select 1', as: { userId: bob } });
    expect(reply.status).toBe(400);
    expect(asRecord(reply.body)['message']).toContain('as.userId');
  });

  test('a user whose account is not active', async () => {
    const id = await makeUser(project, { email: 'gone@example.org' });
    await project.asService({ method: 'POST', path: `/api/admin/users/${id}/deactivate` });
    const reply = await run({ query: 'select 1', as: { userId: id } });
    expect(reply.status).toBe(400);
    expect(asRecord(reply.body)['message']).toContain('not active');
  });
});

describe('no way leads to another role', () => {
  test.each([
    'reset role; select current_user',
    'set role none; select current_user',
    'set role {owner}; select current_user',
    'set local role {owner}',
    'set session authorization {owner}',
    'set session authorization default',
    'reset session authorization',
    'reset all',
    'discard all',
    'do $$ begin reset role; end $$',
    'begin; reset role; commit',
    'select 1; /* a */ set role {owner}',
    `alter role current_user password 'x'`,
    'create table public.mine (id int)',
    `copy notes to program 'cat'`,
  ])('%s is no statement on rows', async (text) => {
    const query = text.replaceAll('{owner}', `"${project.login('owner')}"`);
    for (const headers of [{ apikey: project.secretKey }, operator()]) {
      const reply = await run({ query, as: { role: 'anon' } }, headers);
      expect(reply.status).toBe(400);
      expect(asRecord(reply.body)['message']).toContain('as another role');
    }
  });

  test.each(['owner', 'api', 'engine', 'platform', 'deleter'] as const)(
    'the setting of the role does not take the login %s',
    async (kind) => {
      const query = `select set_config('role', '${project.login(kind)}', false)`;
      const reply = await run({ query, as: { role: 'authenticated' } }, operator());
      expect(reply.body).toMatchObject({ status: 403, code: '42501' });
    },
  );

  test.each([
    `select set_config('session_authorization', '{owner}', false)`,
    `select set_config('role', 'platform_engine', false)`,
    `select set_config('role', 'none', false); select email from auth."user"`,
    `select set_config('role', 'none', false); select "tokenHash" from auth.session`,
    `select set_config('role', 'none', false); select * from platform.saved_queries`,
    `select set_config('role', 'service_role', false); select email from auth."user"`,
    `select email from auth."user"`,
  ])('%s is refused by PostgreSQL', async (text) => {
    const query = text.replaceAll('{owner}', project.login('owner'));
    const reply = await run({ query, as: { role: 'anon' } }, operator());
    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain('ada@example.org');
  });

  test('nor is it left to the next script', async () => {
    const query = `select set_config('role', 'service_role', false),
      set_config('request.jwt.claims', '{"team":"staff"}', false)`;
    await run({ query, as: { role: 'anon' } });
    expect(rowsIn(await run({ query: notes, as: { role: 'anon' } }))).toEqual([]);
  });
});
