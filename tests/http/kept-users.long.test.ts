// A user whom rows of the project need is not deleted: 409 whichever constraint says so, and nothing is written.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asSuperuser, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  user = await project.signUp('kept@example.org');
});
afterAll(() => deployment.close());

const guard = (raised: string) => `
  create function guard() returns trigger language plpgsql as
    $$begin raise exception 'secret of the project' using ${raised}; end$$;
  create table kept (owner text references auth."user" (id) on delete cascade);
  create trigger guard before delete on kept for each row execute function guard();`;

test.each([
  {
    name: 'a column that takes no null',
    sql: 'create table kept (owner text not null references auth."user" (id) on delete set null)',
    code: '23502',
    details: { table: 'public.kept', column: 'owner' },
  },
  {
    name: 'a key that restricts',
    sql: 'create table kept (owner text references auth."user" (id) on delete restrict)',
    code: /^23(001|503)$/,
    details: { table: 'public.kept', column: 'owner', constraint: 'kept_owner_fkey' },
  },
  {
    name: 'a key without an action',
    sql: 'create table kept (owner text references auth."user" (id))',
    code: '23503',
    details: { table: 'public.kept', column: 'owner', constraint: 'kept_owner_fkey' },
  },
  {
    name: 'a check',
    sql: `create table kept (owner text references auth."user" (id) on delete set null,
      spare text, constraint needed check (num_nonnulls(owner, spare) > 0))`,
    code: '23514',
    details: { table: 'public.kept', column: 'owner', constraint: 'needed' },
  },
  {
    name: 'a unique key',
    sql: `create table kept (owner text default 'x' unique nulls not distinct
      references auth."user" (id) on delete set null);
      insert into kept values (null)`,
    code: '23505',
    details: { table: 'public.kept', column: 'owner', constraint: 'kept_owner_key' },
  },
  { name: 'a trigger with a state', sql: guard(`errcode = '23514'`), code: '23514' },
  {
    name: 'a trigger that names its table',
    sql: guard(`errcode = '23514', schema = 'public', table = 'kept'`),
    code: '23514',
    details: { table: 'public.kept', column: 'owner' },
  },
  { name: 'a trigger', sql: guard(`errcode = 'P0001'`), code: 'P0001', status: 400 },
])('$name keeps a user', async ({ sql, code, details, status = 409 }) => {
  await project.sql(sql);
  await project.sql('insert into kept (owner) values ($1)', [user.id]);
  try {
    const path = `/api/admin/users/${user.id}`;
    const byAdmin = await project.asService({ method: 'DELETE', path });
    expect(byAdmin.status).toBe(status);
    expect(byAdmin.body).toMatchObject({ code: expect.stringMatching(code), status });
    if (details) expect(byAdmin.body).toMatchObject({ details });
    const body = { password: userPassword };
    const bySelf = await project.as(user, { method: 'DELETE', path: '/api/users', body });
    expect([bySelf.status, bySelf.body]).toMatchObject([409, { code: 'CONFLICT' }]);
    expect(bySelf.text).not.toMatch(/kept|owner|secret/);
    expect(await project.sql('select 1 from kept where owner = $1', [user.id])).toHaveLength(1);
    expect(await requested()).toEqual([{ n: '0' }]);
    expect((await project.as(user, { path: '/api/auth/get-session' })).text).toContain(user.id);
  } finally {
    await project.sql('drop table kept; drop function if exists guard()');
  }
});

const requested = () =>
  asSuperuser(
    `select (select count(*) from platform.audit_log where target = $1)
       + (select count(*) from auth.user_deletion) as n`,
    { database: project.database, values: [user.id] },
  );
